"""/people/{person}/export: leaving with one's things."""

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header
from ninja import Router

from memory_app.api import fields
from memory_app.api.auth import grant_of, key_of, reads
from memory_app.engine.carrying.export import json_lines
from memory_app.engine.enter import enter
from memory_app.models import Scope

router = Router(tags=["people"])

JSON_LINES = "application/x-ndjson"
DOCUMENTED = {"responses": {200: {"content": {JSON_LINES: {"schema": {"type": "string"}}}}}}
"""The answer is JSON, but a line each, which Ninja does not know."""


@router.get("/people/{text:person}/export", response={200: None}, auth=reads, openapi_extra=DOCUMENTED)
def export_person(request: HttpRequest, person: fields.Name) -> StreamingHttpResponse:
    """What is kept of a person, as far as the key reaches: a JSON object a line. To a key with the scope admin all of
    it, also what is sensitive and what was forgotten: `manage.py memory import` reads that back with nothing lost.
    """
    entered = enter(person=person, grant=grant_of(request), create=False)
    named = content_disposition_header(as_attachment=True, filename=f"{person}.jsonl") or "attachment"
    lines = json_lines(entered, whole=key_of(request).has(Scope.ADMIN))
    return StreamingHttpResponse(lines, content_type=JSON_LINES, headers={"Content-Disposition": named})
