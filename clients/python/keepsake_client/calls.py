"""The calls of the API, each described once for both clients."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from keepsake_client.transport import Call

Venue = Mapping[str, Any]
"""Where words are spoken: {"space": …, "channel": …, "restricted": …}. None is a private talk."""

MARKDOWN = "text/markdown; charset=utf-8"


def _given(**fields: Any) -> dict[str, Any]:
    """The fields that were given: what is left out the server works out."""
    return {name: value for name, value in fields.items() if value is not None}


def _name(text: str) -> str:
    """A name as a part of an address. Raises ValueError for one that would make it another address."""
    if not text or any(part in (".", "..") for part in text.split("/")):
        raise ValueError(f"{text!r} is no name: it must not be empty, or have a part . or ..")
    return quote(text, safe="")


def _id(text: str) -> str:
    """An id or a day as a part of an address. Raises ValueError for one that would make it another address."""
    if not text.strip(".") or "/" in text:
        raise ValueError(f"{text!r} is no id: it must not be empty, be dots alone, or hold a slash")
    return quote(text, safe="")


def _version(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}


def remember(person: str, utterance: str, venue: Venue | None, conversation: str | None) -> Call:
    body = _given(person=person, utterance=utterance, venue=venue, conversation=conversation)
    return Call("POST", "/remember", body)


def add_memory(person: str, content: str, fields: Mapping[str, Any]) -> Call:
    return Call("POST", "/memories", {"person": person, "content": content, **fields})


def add_memories(items: Sequence[Mapping[str, Any]]) -> Call:
    return Call("POST", "/memories/batch", {"items": [dict(item) for item in items]})


def get_memory(memory: str, person: str | None) -> Call:
    return Call("GET", f"/memories/{_id(memory)}", params=_given(person=person))


def list_memories(person: str, filters: Mapping[str, Any]) -> Call:
    params = {"person": person, **filters}
    if isinstance(params.get("attributes"), Mapping):
        params["attributes"] = json.dumps(params["attributes"])
    return Call("GET", "/memories", params=params)


def update_memory(memory: str, changes: Mapping[str, Any], version: int | None) -> Call:
    return Call("PATCH", f"/memories/{_id(memory)}", dict(changes), headers=_version(version))


def delete_memory(memory: str) -> Call:
    return Call("DELETE", f"/memories/{_id(memory)}")


def search(person: str, query: str, venue: Venue | None, limit: int, filters: Mapping[str, Any]) -> Call:
    return Call("POST", "/search", _given(person=person, query=query, venue=venue, limit=limit, **filters))


def context(person: str, query: str, venue: Venue | None, options: Mapping[str, Any]) -> Call:
    return Call("POST", "/context", _given(person=person, query=query, venue=venue, **options))


def open_conversation(person: str, external_id: str | None, venue: Venue | None) -> Call:
    return Call("POST", "/conversations", _given(person=person, external_id=external_id, venue=venue))


def get_conversation(conversation: str) -> Call:
    return Call("GET", f"/conversations/{_id(conversation)}")


def add_turns(conversation: str, turns: Sequence[Mapping[str, Any]]) -> Call:
    return Call("POST", f"/conversations/{_id(conversation)}/turns", {"turns": [dict(turn) for turn in turns]})


def list_turns(conversation: str, newest_first: bool, limit: int, cursor: str | None) -> Call:
    order = "newest" if newest_first else "oldest"
    params = {"order": order, "limit": limit, "cursor": cursor}
    return Call("GET", f"/conversations/{_id(conversation)}/turns", params=params)


def remove_last_turn(conversation: str) -> Call:
    return Call("DELETE", f"/conversations/{_id(conversation)}/turns/last")


def end_conversation(conversation: str) -> Call:
    return Call("POST", f"/conversations/{_id(conversation)}/end", {})


def reply(conversation: str, text: str) -> Call:
    return Call("POST", f"/conversations/{_id(conversation)}/reply", {"text": text})


def propose(person: str, items: Sequence[Mapping[str, Any]], venue: Venue | None, conversation: str | None) -> Call:
    body = _given(person=person, items=[dict(item) for item in items], venue=venue, conversation=conversation)
    return Call("POST", "/proposals", body)


def list_proposals(person: str, filters: Mapping[str, Any]) -> Call:
    return Call("GET", "/proposals", params={"person": person, **filters})


def run_items(operations: Sequence[Mapping[str, Any]], person: str | None, person_label: int | None) -> Call:
    body = _given(person=person, person_label=person_label)
    return Call("POST", "/items/batch", {**body, "operations": [dict(one) for one in operations]})


def get_profile(person: str) -> Call:
    return Call("GET", f"/people/{_name(person)}/profile.md")


def put_profile(person: str, text: str) -> Call:
    return Call("PUT", f"/people/{_name(person)}/profile.md", text=(text, MARKDOWN))


def get_notes(person: str, day: str) -> Call:
    return Call("GET", f"/people/{_name(person)}/notes/{_id(day)}")


def list_notes(person: str, filters: Mapping[str, Any]) -> Call:
    return Call("GET", f"/people/{_name(person)}/notes", params=filters)


def add_note(person: str, day: str, text: str) -> Call:
    return Call("POST", f"/people/{_name(person)}/notes/{_id(day)}", {"text": text})


def list_documents(person: str, filters: Mapping[str, Any]) -> Call:
    return Call("GET", f"/people/{_name(person)}/documents", params=filters)


def create_document(person: str, path: str, content: str) -> Call:
    return Call("POST", f"/people/{_name(person)}/documents", {"path": path, "content": content})


def get_document(person: str, document: str) -> Call:
    return Call("GET", f"/people/{_name(person)}/documents/{_id(document)}")


def update_document(person: str, document: str, changes: Mapping[str, Any], version: int | None) -> Call:
    path = f"/people/{_name(person)}/documents/{_id(document)}"
    return Call("PATCH", path, dict(changes), headers=_version(version))


def delete_document(person: str, document: str) -> Call:
    return Call("DELETE", f"/people/{_name(person)}/documents/{_id(document)}")
