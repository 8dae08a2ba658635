"""Export: everything kept of a person, one JSON object a line, so that importing it loses nothing.

What follows from the rest is made anew instead: vectors, text indexes, the readings of conversations, the log.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memory_app.engine.carrying.lines import KINDS, line_of, memory_line, settings_line
from memory_app.engine.enter import Entered
from memory_app.engine.summing.noted import noted
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Channel, Conversation, Entity, EntityLink, Memory, Turn, Version
from memory_app.models.scope import within

ROWS_AT_A_TIME = 500

TELLABLE = Q(deleted_at=None, sensitive=False)
"""Of memories, what a key that only reads may carry away."""

AFTERWARDS = ("proposal", "note", "receipt", "signal", "conflict")
"""Kinds that are told after conversations."""


def export(entered: Entered, *, whole: bool = True) -> Iterator[dict[str, Any]]:
    """All that is the person's own, sensitive and deleted included, as JSON values: their settings, memories, then
    conversations with their turns, proposals, notes, receipts, signals and conflicts, each kind oldest first.

    whole: False leaves out what is sensitive or was forgotten, and what tells of it.

    Each page is read in a transaction of its own: someone who takes the lines slowly holds none open.
    """
    if settings := settings_line(entered.person):
        yield settings
    memories = _own(entered, "memory")
    told = memories if whole else memories.filter(TELLABLE)
    for page in _pages(entered, told.defer("embedding", "tsv")):
        yield from _memory_lines(entered, page, whole)
    for page in _pages(entered, _own(entered, "conversation")):
        channels = _channels(entered, page)
        for conversation in page:
            yield line_of("conversation", conversation, channels.get(conversation.channel_id))
            yield from _turn_lines(entered, conversation)
    for kind in AFTERWARDS:
        yield from _lines(entered, kind, whole)


def json_lines(entered: Entered, *, whole: bool = True) -> Iterator[bytes]:
    """The same as JSON Lines in UTF-8, as `memory import` reads it."""
    for line in export(entered, whole=whole):
        yield json.dumps(line, ensure_ascii=False).encode() + b"\n"


def _own(entered: Entered, kind: str) -> QuerySet[Any]:
    model = KINDS.get(kind, Memory)
    rows = model._default_manager.filter(space_id__in=entered.venue.spaces, person=entered.person)
    return rows.select_related("person", "space")


def _pages(entered: Entered, rows: QuerySet[Any], by: str = "id") -> Iterator[Sequence[Any]]:
    following = rows.order_by(by)
    while True:
        with within(entered.venue.spaces):
            page = list(following[:ROWS_AT_A_TIME])
        yield page
        if len(page) < ROWS_AT_A_TIME:
            return
        following = rows.order_by(by).filter(**{f"{by}__gt": getattr(page[-1], by)})


def _memory_lines(entered: Entered, memories: Sequence[Memory], whole: bool) -> list[dict[str, Any]]:
    here = {"space_id__in": entered.venue.spaces, "memory_id__in": [memory.id for memory in memories]}
    past: dict[UUID, list[Version]] = defaultdict(list)
    links: dict[UUID, list[EntityLink]] = defaultdict(list)
    with within(entered.venue.spaces):
        for version in Version.objects.filter(**here).order_by("number"):
            if whole or not version.state["sensitive"]:
                past[version.memory_id].append(version)
        for link in EntityLink.objects.filter(**here).select_related("entity").order_by("entity_id"):
            links[link.memory_id].append(link)
        named = [link.entity for found in links.values() for link in found]
        merged = {entity.merged_into for entity in named if entity.merged_into}
        rows = Entity.objects.filter(space_id__in=entered.venue.spaces, person=entered.person, id__in=merged)
        roots = {row.id: row for row in rows}
    channels = _channels(entered, memories)
    return [
        memory_line(memory, channels.get(memory.channel_id), past[memory.id], links[memory.id], roots)
        for memory in memories
    ]


def _turn_lines(entered: Entered, conversation: Conversation) -> Iterator[dict[str, Any]]:
    said = Turn.objects.filter(space_id=conversation.space_id, conversation_id=conversation.id)
    for page in _pages(entered, said.select_related("person").defer("embedding", "tsv"), by="position"):
        yield from (line_of("turn", turn, None) for turn in page)


def _lines(entered: Entered, kind: str, whole: bool) -> Iterator[dict[str, Any]]:
    for page in _pages(entered, _own(entered, kind)):
        channels = _channels(entered, page)
        told = page if whole else _tellable(entered, kind, page)
        yield from (line_of(kind, row, channels.get(getattr(row, "channel_id", None))) for row in told)


def _tellable(entered: Entered, kind: str, rows: Sequence[Any]) -> Sequence[Any]:
    """Without the words of what is sensitive or was forgotten: proposals that became it, and lines of notes."""
    with within(entered.venue.spaces):
        if kind == "proposal":
            became = {row.memory_id for row in rows if row.memory_id}
            there = _own(entered, "memory").filter(TELLABLE, id__in=became)
            kept = {None, *there.values_list("id", flat=True)}
            return [row for row in rows if row.memory_id in kept]
        if kind == "conflict":
            sides = {id for row in rows for id in (row.older_id, row.newer_id)}
            kept = {*_own(entered, "memory").filter(TELLABLE, id__in=sides).values_list("id", flat=True)}
            return [row for row in rows if {row.older_id, row.newer_id} <= kept]
        if kind == "note":
            told = [one for one in noted(rows) if one.note.deleted_at is None and not sensitive_kinds(one.text)]
            for one in told:
                one.note.text = one.text
            return [one.note for one in told]
    return rows


def _channels(entered: Entered, rows: Sequence[Any]) -> dict[UUID | None, str]:
    """Names of the channels that rows belong to, of those that belong to any."""
    named = [row.channel_id for row in rows if getattr(row, "channel_id", None)]
    with within(entered.venue.spaces):
        here = Channel.objects.filter(space_id__in=entered.venue.spaces, id__in=named)
        return {channel.id: channel.name for channel in here}
