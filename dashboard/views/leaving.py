"""`/people/{id}/export/`: everything of a person as a file, to take elsewhere."""

from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from dashboard.access import Asked, signed_in
from dashboard.people import find_person
from dashboard.reach import Reach
from memory_app.engine.carrying.export import json_lines
from memory_app.engine.enter import enter


@require_safe
@signed_in
def export_person(request: Asked, reach: Reach, person_id: UUID) -> StreamingHttpResponse:
    """As the API answers it, sensitive memories included: they are the person's own."""
    person = find_person(reach, person_id)
    named = content_disposition_header(as_attachment=True, filename=f"{person.name}.jsonl") or "attachment"
    lines = json_lines(enter(person=person.name, create=False))
    return StreamingHttpResponse(lines, content_type="application/x-ndjson", headers={"Content-Disposition": named})
