"""The JSON API under /api/v1: one router per resource; each route parses, calls one verb and answers."""

from django.urls import register_converter

from memory_app.api import (
    admin,
    batch,
    commands,
    conflicts,
    conversations,
    documents,
    entities,
    erasures,
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
from memory_app.api.ninja_api import DocumentedAPI, PydanticRenderer
from memory_app.api.requests import AnyTextConverter, StrictParser, known_parameters_only

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
    erasures,
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
