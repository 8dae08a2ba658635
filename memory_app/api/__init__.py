"""The JSON API under /api/v1: one router per resource; each route parses, calls one verb and answers."""

from django.urls import register_converter

from memory_app.api import (
    admin,
    batch,
    briefs,
    commands,
    conflicts,
    conversations,
    entities,
    erasures,
    exports,
    forget,
    jobs,
    members,
    memories,
    merges,
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
from memory_app.api.any_text import AnyText
from memory_app.api.auth import PerKey
from memory_app.api.body import StrictParser
from memory_app.api.openapi import DocumentedAPI
from memory_app.api.query import known_parameters_only
from memory_app.api.render import Renderer

register_converter(AnyText, "text")

api = DocumentedAPI(
    title="Keepsake",
    version="1",
    description="Long-term memory for AI assistants that people can see, confirm, correct and take back.",
    parser=StrictParser(),
    renderer=Renderer(),
    throttle=[PerKey("1000/s")],
)
problems.install(api)
api.add_decorator(known_parameters_only)
for resource in (
    admin,
    erasures,
    memories,
    batch,
    recall,
    briefs,
    searches,
    forget,
    commands,
    conversations,
    proposals,
    conflicts,
    records,
    notes,
    signals,
    profile,
    exports,
    merges,
    entities,
    jobs,
    members,
    people,  # last: a person's name may hold a slash, so /people/{person} is what no other path is
):
    api.add_router("", resource.router)
