"""Retell: keep what a reflection says in step with the memories it rests on.

A line that quotes what was forgotten, replaced or reworded is taken out of its text, and so out of what is shown,
briefed, exported and searched; it is put by, where nobody reads it, until what it quotes is back.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from ...models import Memory, MemoryType, SourceType, Version
from ...models.memory import WITHHELD, MemoryQuerySet
from ...models.passages import drop_passages
from ...models.scope import every_space
from ..keeping.compose import index
from .digest import short

NOTHING_LEFT = "Nothing of what this told is kept any more."

OUTDATED = """
SELECT DISTINCT told.space_id, told.id FROM memory told
CROSS JOIN LATERAL jsonb_path_query(told.attributes, 'lax $.lines[*].quotes[*]') AS quote (id)
LEFT JOIN memory quoted ON quoted.space_id = told.space_id
    AND quoted.id = CASE WHEN quote.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        THEN (quote.id #>> '{}')::uuid END
WHERE told.source_type IN ('consolidation', 'reflection') AND told.type = 'reflection'
    AND (quoted.id IS NULL OR quoted.status <> 'active' OR quoted.expires_at <= %s)
"""
"""Reflections with a line that no longer holds, for what fades or expires does so without a word to anyone."""


def retell(memories: Sequence[Memory], now: datetime) -> None:
    """Has reflections that rest on these memories, of one person and space, say what holds now. Expects their scope."""
    if not memories:
        return
    first = memories[0]
    ids = {str(memory.id) for memory in memories}
    resting = _reflections().filter(space_id=first.space_id, person_id=first.person_id)
    for reflection in resting.select_related("person").defer("embedding", "tsv"):
        if ids & {source for line in _every_line(reflection) for source in _texts(line, "sources")}:
            tell(reflection, now)


def retell_outdated(now: datetime) -> int:
    """The same for all of which some line holds no longer; how many."""
    with every_space():
        with connection.cursor() as cursor:
            cursor.execute(OUTDATED, [now])
            found = cursor.fetchall()
        rows = Memory.objects.filter(space_id__in={space for space, _ in found}, id__in=[one for _, one in found])
        for reflection in rows.select_related("person").defer("embedding", "tsv"):
            tell(reflection, now)
    return len(found)


def holding(reflection: Memory, lines: Iterable[Mapping[str, Any]], now: datetime) -> list[bool]:
    """Of each line whether all that it quotes is kept still, and says what it said. Expects the reflection's scope."""
    lines = list(lines)
    quoted = {quote for line in lines for quote in ids_of(line, "quotes")}
    rows = Memory.objects.current(now).filter(space_id=reflection.space_id, person_id=reflection.person_id)
    there = {row.id: row for row in rows.filter(id__in=quoted).only("space_id", "id", "summary")}
    return [all(_says(line, there.get(quote)) for quote in ids_of(line, "quotes")) for line in lines]


def ids_of(line: Mapping[str, Any], name: str) -> list[UUID]:
    """The ids that a line names. An import may have brought anything."""
    found = []
    for given in _texts(line, name):
        try:
            found.append(UUID(given))
        except ValueError:
            continue
    return found


def _says(line: Mapping[str, Any], quoted: Memory | None) -> bool:
    """A line of a language model's own words cannot be compared."""
    return quoted is not None and (bool(line.get("worded")) or short(quoted) in str(line.get("text", "")))


def _texts(line: Mapping[str, Any], name: str) -> list[str]:
    named = line.get(name)
    return [str(one) for one in named] if isinstance(named, list) else []


def _reflections() -> MemoryQuerySet:
    derived = (SourceType.CONSOLIDATION, SourceType.REFLECTION)  # as the index says it
    return Memory.objects.filter(source_type__in=derived, type=MemoryType.REFLECTION)


def _every_line(reflection: Memory) -> list[dict[str, Any]]:
    """Those that were put by at the places they had."""
    lines = _lines(reflection, "lines")
    put_by = [line for line in _lines(reflection, WITHHELD) if isinstance(line.get("place"), int)]
    for line in sorted(put_by, key=lambda line: int(line["place"])):
        lines.insert(line["place"], line)
    return lines


def _lines(reflection: Memory, name: str) -> list[dict[str, Any]]:
    given = reflection.attributes.get(name)
    return [line for line in given if isinstance(line, dict)] if isinstance(given, list) else []


def tell(reflection: Memory, now: datetime) -> None:
    """Has a reflection say what holds of it, here and in its versions. Expects its scope."""
    lines = _every_line(reflection)
    holds = holding(reflection, lines, now)
    said = _said(reflection.content, lines, holds)
    told = [_without(line, "place") for line, there in zip(lines, holds, strict=True) if there]
    put_by = [{**line, "place": place} for place, line in enumerate(lines) if not holds[place]]
    attributes = _without(reflection.attributes, WITHHELD) | {"lines": told}
    if put_by:
        attributes[WITHHELD] = put_by
    if (said, attributes) != (reflection.content, reflection.attributes):
        rewrite(reflection, said, attributes)
    _rewrite_past(reflection, lines, holds, told)


def rewrite(reflection: Memory, said: str, attributes: dict[str, Any]) -> None:
    """No version is left: it would say what is not to be said."""
    reflection.content, reflection.attributes = said, attributes
    index(reflection, reflection.person.language)
    Memory.objects.filter(space_id=reflection.space_id, id=reflection.id).update(
        content=said,
        attributes=attributes,
        digest=reflection.digest,
        tsv=reflection.tsv,
        embedding=None,  # the worker gives it another within a minute
        embedding_model=None,
    )
    drop_passages(reflection.space_id, reflection.id)


def _rewrite_past(
    reflection: Memory, lines: Sequence[Mapping[str, Any]], holds: Sequence[bool], told: Sequence[Mapping[str, Any]]
) -> None:
    """The same in the versions there are."""
    for past in Version.objects.filter(space_id=reflection.space_id, memory_id=reflection.id):
        said = _said(str(past.state.get("content", "")), lines, holds)
        attributes = {**(past.state.get("attributes") or {}), "lines": told}
        state = {**past.state, "content": said, "attributes": attributes}
        if state != past.state:
            Version.objects.filter(space_id=past.space_id, id=past.id).update(state=state)


def _said(content: str, lines: Sequence[Mapping[str, Any]], holds: Sequence[bool]) -> str:
    """The lines that hold, but for those that someone took out by hand, and what they wrote themselves."""
    rows = content.splitlines()
    known = {_row(line) for line in lines} | {NOTHING_LEFT}
    told = [line for line, there in zip(lines, holds, strict=True) if there]
    said = [_row(line) for line in told if "place" in line or _row(line) in rows]
    return "\n".join([*said, *(row for row in rows if row not in known)]) or NOTHING_LEFT


def _without(mapping: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in mapping.items() if other != name}


def _row(line: Mapping[str, Any]) -> str:
    return f"- {line.get('text', '')}"
