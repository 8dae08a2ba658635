"""Retell: keep what a reflection says in step with the memories it rests on.

A line that quotes what was forgotten, replaced or reworded is taken out of its text, and so out of what
is shown, briefed, exported and searched; it is put by, where nobody reads it, until what it quotes is back. So is one
that foretells the fading of what is kept for longer by now.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from memory_app.engine.keeping.compose import index
from memory_app.engine.summing.digest import ABOUT_TO_FADE, foretold, short
from memory_app.models import Memory, MemoryType, Version
from memory_app.models.choices import DERIVED
from memory_app.models.memory import WITHHELD, MemoryQuerySet
from memory_app.models.passages import drop_passages

FADING = ("type", "confidence", "decay_rate", "reinforced_at", "protected")
"""What tells when a memory fades."""

NOTHING_LEFT = "Nothing of what this told is kept any more."


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


def holding(reflection: Memory, lines: Iterable[Mapping[str, Any]], now: datetime) -> list[bool]:
    """Of each line whether all that it quotes is kept still, and says what it said. Expects the reflection's scope, and
    its person loaded."""
    lines = list(lines)
    quoted = {quote for line in lines for quote in ids_of(line, "quotes")}
    rows = Memory.objects.current(now).filter(space_id=reflection.space_id, person_id=reflection.person_id)
    there = {row.id: row for row in rows.filter(id__in=quoted).only("space_id", "id", "summary", *FADING)}
    zone = reflection.person.zone
    return [all(_says(line, there.get(quote), zone) for quote in ids_of(line, "quotes")) for line in lines]


def ids_of(line: Mapping[str, Any], name: str) -> list[UUID]:
    """The ids that a line names. An import may have brought anything."""
    found = []
    for given in _texts(line, name):
        try:
            found.append(UUID(given))
        except ValueError:
            continue
    return found


def _says(line: Mapping[str, Any], quoted: Memory | None, zone: ZoneInfo) -> bool:
    """A line of a language model's own words cannot be compared."""
    if quoted is None:
        return False
    text = str(line.get("text", ""))
    if text.startswith(ABOUT_TO_FADE):
        return quoted.fades_on is not None and text == foretold(quoted, quoted.fades_on, zone)
    return bool(line.get("worded")) or short(quoted) in text


def _texts(line: Mapping[str, Any], name: str) -> list[str]:
    named = line.get(name)
    return [str(one) for one in named] if isinstance(named, list) else []


def _reflections() -> MemoryQuerySet:
    return Memory.objects.filter(source_type__in=DERIVED, type=MemoryType.REFLECTION)  # as the index says it


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
