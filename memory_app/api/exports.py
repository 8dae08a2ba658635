"""/people/{person}/export: leaving with one's things."""

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header
from ninja import Router

from ..engine.carrying.export import json_lines
from ..engine.enter import enter
from . import fields
from .auth import grant_of, reads

router = Router(tags=["people"])

JSON_LINES = "application/x-ndjson"
DOCUMENTED = {"responses": {200: {"content": {JSON_LINES: {"schema": {"type": "string"}}}}}}
"""The answer is JSON, but a line each, which Ninja does not know."""


@router.get("/people/{text:person}/export", response={200: None}, auth=reads, openapi_extra=DOCUMENTED)
def export_person(request: HttpRequest, person: fields.Name) -> StreamingHttpResponse:
    """Everything kept of a person, as far as the key reaches: a JSON object a line, sensitive and deleted ones too.

    `manage.py memory import` reads it back with nothing lost.
    """
    entered = enter(person=person, grant=grant_of(request), create=False)
    named = content_disposition_header(as_attachment=True, filename=f"{person}.jsonl") or "attachment"
    return StreamingHttpResponse(json_lines(entered), content_type=JSON_LINES, headers={"Content-Disposition": named})
