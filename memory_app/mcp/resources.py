"""Resources: the profile of a person and the notes of a day, as Markdown. And the prompt `context`, a brief first."""

import re
from datetime import date
from typing import Any
from urllib.parse import quote, unquote

from django.utils import timezone
from mcp_types.jsonrpc import INVALID_PARAMS
from pydantic import ValidationError

from memory_app.api.auth import require_scope
from memory_app.api.notes import day_text
from memory_app.api.requests import storable
from memory_app.api.venue import existing_person
from memory_app.engine.summaries.notes import notes_of_day
from memory_app.engine.summaries.profile import profile_text
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import KeepsakeError
from memory_app.mcp.connection import Connection
from memory_app.mcp.protocol import RpcError, validation_message
from memory_app.mcp.tool import PERSON
from memory_app.mcp.tools.context import NOTHING_RELEVANT, ContextArguments, brief_for
from memory_app.models import Scope

PROFILE = re.compile(r"memory://profile/(?P<person>[^/]+)")
NOTES = re.compile(r"memory://notes/(?P<person>[^/]+)/(?P<day>\d{4}-\d{2}-\d{2})")
"""A name is percent-encoded."""

MARKDOWN = "text/markdown"
LEGACY_NOT_FOUND = -32002
"""Retired by the modern protocol, which has parameters that are not valid instead."""

TEMPLATES = [
    {
        "name": "profile",
        "title": "What is known of a person",
        "uriTemplate": "memory://profile/{person}",
        "description": "The living profile: a section a category, a line a memory.",
        "mimeType": MARKDOWN,
    },
    {
        "name": "notes",
        "title": "The notes of a day",
        "uriTemplate": "memory://notes/{person}/{day}",
        "description": "What was noted on a day, such as 2026-11-20.",
        "mimeType": MARKDOWN,
    },
]


def list_resources(connection: Connection) -> list[dict[str, Any]]:
    """Of a connection that is one person's, their profile; of another, nothing that would tell who is known."""
    if connection.person is None:
        return []
    uri = TEMPLATES[0]["uriTemplate"].replace("{person}", quote(connection.person, safe=""))
    return [{**{name: TEMPLATES[0][name] for name in ("name", "title", "description", "mimeType")}, "uri": uri}]


def read_resource(connection: Connection, uri: str) -> list[dict[str, Any]]:
    """Its contents. Raises RpcError for what is not there or not to be seen: the two look alike."""
    require_scope(connection.request, Scope.READ)
    try:
        text = _resource_text(connection, uri)
    except (KeepsakeError, ValueError):
        text = None
    if text is None:
        code = INVALID_PARAMS if connection.is_modern else LEGACY_NOT_FOUND
        raise RpcError(code, "There is no such resource that you may see.", data={"uri": uri})
    return [{"uri": uri, "mimeType": MARKDOWN, "text": text}]


def _resource_text(connection: Connection, uri: str) -> str | None:
    if found := PROFILE.fullmatch(uri):
        return profile_text(_venue_of(connection, found["person"]), timezone.now())
    if found := NOTES.fullmatch(uri):
        day = date.fromisoformat(found["day"])
        return day_text(day, notes_of_day(_venue_of(connection, found["person"]), day))
    return None


def _venue_of(connection: Connection, encoded_name: str) -> VenueContext:
    """The person in private. Raises Invalid, NotAllowed, NotFound, ValueError for what is no name."""
    person = connection.with_person({"person": storable(unquote(encoded_name))})["person"]
    return existing_person(connection.request, person)


PROMPT, PROMPT_TITLE = "context", "What is remembered about this"
PROMPT_DESCRIPTION = "Puts what is remembered of the person before what they ask."


def list_prompts(connection: Connection) -> list[dict[str, Any]]:
    arguments = [{"name": "query", "description": "what they ask, in their words", "required": True}]
    if connection.person is None:
        arguments.append({"name": PERSON, "description": "whose memory", "required": True})
    return [{"name": PROMPT, "title": PROMPT_TITLE, "description": PROMPT_DESCRIPTION, "arguments": arguments}]


def get_prompt(connection: Connection, name: str, arguments: dict[str, str]) -> dict[str, Any]:
    """Raises RpcError for a prompt that there is not, and for arguments that are not its own."""
    if name != PROMPT:
        raise RpcError(INVALID_PARAMS, f"There is no such prompt; there is {PROMPT!r}.")
    require_scope(connection.request, Scope.READ)
    try:
        checked = ContextArguments.model_validate(connection.with_person(dict(arguments)))
    except ValidationError as error:
        raise RpcError(INVALID_PARAMS, f"Bad input: {validation_message(error)}") from None
    text = brief_for(connection.request, checked).text or NOTHING_RELEVANT
    content = {"type": "text", "text": f"{text}\n\n{checked.query}"}
    return {"description": PROMPT_DESCRIPTION, "messages": [{"role": "user", "content": content}]}
