"""The JSON API under /api/v1: one router per resource, its OpenAPI document, and how answers are written.

Each route parses, calls one use case and answers. The document has what Ninja finds out by itself, and the errors and
headers that are the same everywhere. Answers are written by pydantic's core, in a tenth of the time of Python's own.
"""

from typing import Any

from django.http import HttpRequest
from django.urls import register_converter
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.renderers import BaseRenderer
from pydantic_core import to_json

from memory_app.api import (
    admin,
    batch,
    commands,
    conflicts,
    conversations,
    documents,
    entities,
    forget,
    items,
    jobs,
    members,
    memories,
    notes,
    people,
    problems,
    profile,
    proposals,
    recall,
    records,
    searches,
    signals,
)
from memory_app.api.auth import key_throttle
from memory_app.api.problems import CONTENT_TYPE
from memory_app.api.requests import AnyTextConverter, StrictParser, known_parameters_only

ERRORS = {
    400: "The request names a host that is not this server.",
    401: "No key, or none that is valid.",
    403: "The key, or the person, may not do this.",
    404: "Not there, or not yours to see: the two look alike.",
    409: "In conflict with the state things are in, or with a request that is still in flight.",
    412: "Changed since the version that If-Match names.",
    413: "The body is too large.",
    422: "Bad input; `errors` names each field.",
    429: "Too many requests; Retry-After says when to come back.",
}
COMMON_ERRORS = {400, 401, 403, 429}

PROBLEM = {
    "title": "Problem",
    "description": "RFC 9457.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what went wrong, and what to do"},
        "errors": {
            "type": "array",
            "description": "for bad input",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "the same key and body again give the same answer and no second row, for 24 hours",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": 'the version last seen, in quotes: the change is made only if it is still that one; or "*"',
    "schema": {"type": "string", "pattern": r'^("[0-9]{1,18}"|\*)$'},
}
VERSIONED_PARAMETERS = ("memory_id", "entry")
"""Parameters of what is changed only if it is still the version last seen."""

HEADERS = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    429: {"Retry-After": {"schema": {"type": "string", "pattern": "^[0-9]+$"}, "description": "seconds"}},
}


class DocumentedAPI(NinjaAPI):
    """An API whose document tells every error it answers with."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        document = super().get_openapi_schema(**options)
        document["components"]["schemas"]["Problem"] = PROBLEM
        document["components"]["responses"] = {f"Error{status}": _error_response(status) for status in ERRORS}
        for methods in document["paths"].values():
            for method, operation in methods.items():
                _add_errors_and_headers(method, operation)
        return document


def _error_response(status: int) -> dict[str, Any]:
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": ERRORS[status], "content": content, "headers": HEADERS.get(status, {})}


def _add_errors_and_headers(method: str, operation: dict[str, Any]) -> None:
    creates = method == "post" and 201 in operation["responses"]
    edits = method == "patch" and any(
        parameter["name"] in VERSIONED_PARAMETERS for parameter in operation["parameters"]
    )
    operation["parameters"] += [IDEMPOTENCY_KEY] * creates + [IF_MATCH] * edits
    for status in sorted(_errors_of(method, operation, edits=edits)):
        operation["responses"].setdefault(status, {"$ref": f"#/components/responses/Error{status}"})


def _errors_of(method: str, operation: dict[str, Any], *, edits: bool) -> set[int]:
    """Which errors an operation may answer with."""
    found = set(COMMON_ERRORS)
    found |= {404, 422} if operation["parameters"] or "requestBody" in operation else set()
    found |= {409} if method in ("post", "patch") else set()
    found |= {413} if "requestBody" in operation else set()
    return found | ({412} if edits else set())


class PydanticRenderer(BaseRenderer):
    """For the whole API. What an idempotent call answers again is written by the same function."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        return to_json(data)


register_converter(AnyTextConverter, "text")

api = DocumentedAPI(
    title="Keepsake",
    version="1",
    description="Long-term memory for AI assistants that people can see, confirm, correct and take back.",
    parser=StrictParser(),
    renderer=PydanticRenderer(),
    throttle=[key_throttle],
)
problems.install_error_handlers(api)
api.add_decorator(known_parameters_only)
for resource in (
    admin,
    memories,
    batch,
    recall,
    searches,
    forget,
    commands,
    conversations,
    proposals,
    conflicts,
    records,
    notes,
    documents,
    signals,
    profile,
    entities,
    items,
    jobs,
    members,
    people,  # last: a person's name may hold a slash, so /people/{person} is what no other path is
):
    api.add_router("", resource.router)
