"""The lines of a reflection: write them from a week's memories, and keep them in step with these.

Statistics alone write them: how much is new, who and what came up again, what was decided, and what is about to fade.
Each line names the memories it rests on and those it quotes. A line that quotes what was deleted, replaced or reworded
is withheld, so that it is neither shown, briefed, exported nor searched, until what it quotes is back. So is a line
that foretells fading once the memory is kept for longer.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from memory_app.engine.memories.memory_input import set_search_fields
from memory_app.models import EntityLink, EntityType, Memory, MemoryType, Person, Status, Version
from memory_app.models.choices import DERIVED_SOURCES
from memory_app.models.memory import WITHHELD, MemoryQuerySet
from memory_app.models.text_search import drop_passages
from memory_app.nlp.text import normalised, shortened
from memory_app.rules.repeated_subjects import centre, clusters

FADING_COLUMNS = ("type", "confidence", "decay_rate", "reinforced_at", "protected")
"""What tells when a memory fades."""

NOTHING_LEFT = "Nothing of what this told is kept any more."


def refresh_reflections(memories: Sequence[Memory], now: datetime) -> None:
    """Has reflections that rest on these memories, of one person and space, say what holds now. Expects their scope."""
    if not memories:
        return
    first = memories[0]
    ids = {str(memory.id) for memory in memories}
    resting = _all_reflections().filter(space_id=first.space_id, person_id=first.person_id)
    for reflection in resting.select_related("person").defer("embedding", "tsv"):
        if ids & {source for line in _all_lines(reflection) for source in _texts_in_line(line, "sources")}:
            refresh_reflection(reflection, now)


def lines_still_valid(reflection: Memory, lines: Iterable[Mapping[str, Any]], now: datetime) -> list[bool]:
    """Of each line whether all that it quotes is kept still, and says what it said. Expects the reflection's scope, and
    its person loaded."""
    lines = list(lines)
    quoted = {quote for line in lines for quote in ids_in_line(line, "quotes")}
    rows = Memory.objects.current(now).filter(space_id=reflection.space_id, person_id=reflection.person_id)
    current = {row.id: row for row in rows.filter(id__in=quoted).only("space_id", "id", "summary", *FADING_COLUMNS)}
    zone = reflection.person.zone
    return [all(_still_says(line, current.get(quote), zone) for quote in ids_in_line(line, "quotes")) for line in lines]


def ids_in_line(line: Mapping[str, Any], name: str) -> list[UUID]:
    """The ids that a line names. An import may have brought anything."""
    found = []
    for text in _texts_in_line(line, name):
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


def _still_says(line: Mapping[str, Any], quoted: Memory | None, zone: ZoneInfo) -> bool:
    """A line of a language model's own words cannot be compared."""
    if quoted is None:
        return False
    text = str(line.get("text", ""))
    if text.startswith(ABOUT_TO_FADE):
        return quoted.fades_on is not None and text == fading_text(quoted, quoted.fades_on, zone)
    return bool(line.get("worded")) or short_quote(quoted) in text


def _texts_in_line(line: Mapping[str, Any], name: str) -> list[str]:
    values = line.get(name)
    return [str(one) for one in values] if isinstance(values, list) else []


def _all_reflections() -> MemoryQuerySet:
    return Memory.objects.filter(source_type__in=DERIVED_SOURCES, type=MemoryType.REFLECTION)  # as the index says it


def _all_lines(reflection: Memory) -> list[dict[str, Any]]:
    """Those that were put by at the places they had."""
    lines = _line_list(reflection, "lines")
    withheld = [line for line in _line_list(reflection, WITHHELD) if isinstance(line.get("place"), int)]
    for line in sorted(withheld, key=lambda line: int(line["place"])):
        lines.insert(line["place"], line)
    return lines


def _line_list(reflection: Memory, name: str) -> list[dict[str, Any]]:
    values = reflection.attributes.get(name)
    return [line for line in values if isinstance(line, dict)] if isinstance(values, list) else []


def refresh_reflection(reflection: Memory, now: datetime) -> None:
    """Has a reflection say what holds of it, here and in its versions. Expects its scope."""
    lines = _all_lines(reflection)
    valid = lines_still_valid(reflection, lines, now)
    content = _current_text(reflection.content, lines, valid)
    valid_lines = [_without_key(line, "place") for line, is_valid in zip(lines, valid, strict=True) if is_valid]
    withheld = [{**line, "place": place} for place, line in enumerate(lines) if not valid[place]]
    attributes = _without_key(reflection.attributes, WITHHELD) | {"lines": valid_lines}
    if withheld:
        attributes[WITHHELD] = withheld
    if (content, attributes) != (reflection.content, reflection.attributes):
        rewrite_reflection(reflection, content, attributes)
    _rewrite_versions(reflection, lines, valid, valid_lines)


def rewrite_reflection(reflection: Memory, content: str, attributes: dict[str, Any]) -> None:
    """No version is left: it would say what is not to be said."""
    reflection.content, reflection.attributes = content, attributes
    set_search_fields(reflection, reflection.person.language)
    Memory.objects.filter(space_id=reflection.space_id, id=reflection.id).update(
        content=content,
        attributes=attributes,
        digest=reflection.digest,
        tsv=reflection.tsv,
        embedding=None,  # the worker gives it another within a minute
        embedding_model=None,
    )
    drop_passages(reflection.space_id, reflection.id)


def _rewrite_versions(
    reflection: Memory,
    lines: Sequence[Mapping[str, Any]],
    valid: Sequence[bool],
    valid_lines: Sequence[Mapping[str, Any]],
) -> None:
    """The same in the versions there are."""
    for past in Version.objects.filter(space_id=reflection.space_id, memory_id=reflection.id):
        content = _current_text(str(past.state.get("content", "")), lines, valid)
        attributes = {**(past.state.get("attributes") or {}), "lines": valid_lines}
        state = {**past.state, "content": content, "attributes": attributes}
        if state != past.state:
            Version.objects.filter(space_id=past.space_id, id=past.id).update(state=state)


def _current_text(content: str, lines: Sequence[Mapping[str, Any]], valid: Sequence[bool]) -> str:
    """The lines that hold, but for those that someone took out by hand, and what they wrote themselves."""
    rows = content.splitlines()
    known = {_as_bullet(line) for line in lines} | {NOTHING_LEFT}
    valid_lines = [line for line, is_valid in zip(lines, valid, strict=True) if is_valid]
    bullets = [_as_bullet(line) for line in valid_lines if "place" in line or _as_bullet(line) in rows]
    return "\n".join([*bullets, *(row for row in rows if row not in known)]) or NOTHING_LEFT


def _without_key(mapping: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in mapping.items() if other != name}


def _as_bullet(line: Mapping[str, Any]) -> str:
    return f"- {line.get('text', '')}"


MAX_LINES_PER_KIND = 3
MAX_QUOTED = 2
"""Memories that a line about several quotes; the others it only counts."""

MAX_QUOTE_LENGTH = 120
FADING_SOON = timedelta(days=14)

ABOUT_TO_FADE = "About to fade"
CATEGORY_LABELS = {
    "preference": "on what is liked",
    "work": "on work",
    "personal": "personal",
    "reading": "on what was read",
}
ENTITY_TYPES = (EntityType.PERSON, EntityType.PROJECT, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.TOPIC)


@dataclass(frozen=True, slots=True)
class DigestLine:
    """One line, the memories it rests on, and those of them whose words are in it."""

    text: str
    sources: Sequence[UUID]
    quotes: Sequence[UUID] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "sources": [str(source) for source in self.sources],
            "quotes": [str(quote) for quote in self.quotes],
        }


def digest_lines(
    own: MemoryQuerySet, recent: Sequence[Memory], now: datetime, model: str, person: Person
) -> list[DigestLine]:
    """own: all that may be drawn upon, of that person. recent: of that, what the digest is of, the newest first.
    model: whose vectors tell what goes together."""
    entity_lines = _entity_lines(recent, person)
    return [
        _count_line(recent),
        *_decision_lines(recent),
        *entity_lines,
        *_cluster_lines(recent, model, {source for line in entity_lines for source in line.sources}),
        *_fading_lines(own, now, person.zone),
    ]


def _count_line(recent: Sequence[Memory]) -> DigestLine:
    counted = Counter(CATEGORY_LABELS.get(memory.category, "other") for memory in recent)
    by_count = sorted(counted.items(), key=lambda one: (one[0] == "other", -one[1], one[0]))
    return DigestLine(
        f"{len(recent)} memories are new: {_joined([f'{number} {name}' for name, number in by_count])}.",
        [memory.id for memory in recent],
    )


def _decision_lines(recent: Sequence[Memory]) -> list[DigestLine]:
    decisions = [memory for memory in recent if memory.type == MemoryType.DECISION]
    return [
        DigestLine(f"Decided: {short_quote(memory)}", [memory.id], [memory.id])
        for memory in decisions[:MAX_LINES_PER_KIND]
    ]


def _entity_lines(recent: Sequence[Memory], person: Person) -> list[DigestLine]:
    """Who and what came up in several memories, and what was said of them last; of the person themselves all are."""
    by_id = {memory.id: memory for memory in recent}
    links = EntityLink.objects.filter(
        space_id__in={memory.space_id for memory in recent}, memory_id__in=list(by_id), entity__type__in=ENTITY_TYPES
    )
    mentions: dict[str, set[UUID]] = {}
    own_names = {normalised(person.name), normalised(str(person))}
    for name, memory in links.exclude(entity__normal__in=own_names).values_list("entity__name", "memory_id"):
        mentions.setdefault(name, set()).add(memory)
    often = [(name, [one for one in recent if one.id in ids]) for name, ids in mentions.items() if len(ids) > 1]
    often.sort(key=lambda one: (-len(one[1]), one[0]))
    return [
        _quoting_line(f"{name} came up in {len(memories)} memories", memories, memories)
        for name, memories in often[:MAX_LINES_PER_KIND]
    ]


def _cluster_lines(recent: Sequence[Memory], model: str, mentioned: set[UUID]) -> list[DigestLine]:
    """What several memories are about, the one in the middle of them first; not what is told under a name."""
    embedded = [memory for memory in recent if memory.embedding is not None and memory.embedding_model == model]
    if not embedded:
        return []
    vectors = np.array([np.asarray(memory.embedding, dtype=np.float32) for memory in embedded])
    lines = []
    for group in clusters(vectors):
        members = [embedded[index] for index in group]
        if len(group) > 1 and not {memory.id for memory in members} <= mentioned:
            middle = embedded[centre(vectors, group)]
            others = [memory for memory in members if memory.id != middle.id]
            lines.append(_quoting_line(f"{len(group)} memories go together", members, [middle, *others]))
    return lines[:MAX_LINES_PER_KIND]


def _quoting_line(heading: str, sources: Sequence[Memory], memories: Sequence[Memory]) -> DigestLine:
    quoted = memories[:MAX_QUOTED]
    quotes = " / ".join(short_quote(memory) for memory in quoted)
    return DigestLine(f"{heading}: {quotes}", sorted(memory.id for memory in sources), [memory.id for memory in quoted])


def _fading_lines(own: MemoryQuerySet, now: datetime, zone: ZoneInfo) -> list[DigestLine]:
    rows: Any = own.filter(status=Status.ACTIVE).fading()
    soon = rows.filter(fades_at__gt=now, fades_at__lt=now + FADING_SOON).order_by("fades_at", "id")
    return [
        DigestLine(fading_text(memory, memory.fades_at, zone), [memory.id], [memory.id])
        for memory in soon[:MAX_LINES_PER_KIND]
    ]


def fading_text(memory: Memory, fades_at: datetime, zone: ZoneInfo) -> str:
    """That a memory is about to fade then."""
    return f"{ABOUT_TO_FADE}, on {_day_and_month(fades_at, zone)}: {short_quote(memory)}"


def _day_and_month(moment: datetime, zone: ZoneInfo) -> str:
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B}"


def _joined(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def short_quote(memory: Memory) -> str:
    """The words of a memory as a line quotes them."""
    return shortened(" ".join(memory.summary.split()), MAX_QUOTE_LENGTH)


REFLECTION_TITLE = "The week from {start} to {end}"
_REFLECTION_TITLE = re.compile(REFLECTION_TITLE.format(start=r"\d{4}-\d\d-\d\d", end=r"\d{4}-\d\d-\d\d"))


@dataclass(frozen=True, slots=True)
class ReflectionLine:
    """A line, and of the memories it rests on those that are still there, by id."""

    text: str
    sources: Sequence[UUID]


def is_reflection_title(text: str) -> bool:
    """Whether it is what we call a reflection: those of one week are called alike, in nobody's words."""
    return _REFLECTION_TITLE.fullmatch(text) is not None


def current_lines(reflection: Memory, now: datetime) -> list[ReflectionLine]:
    """Its lines, in order. Expects a scope that holds it; what it rests on lives where it does."""
    lines = [line for line in reflection.attributes.get("lines", []) if isinstance(line, dict)]
    source_ids = {source for line in lines for source in ids_in_line(line, "sources")}
    rows = Memory.objects.current(now).filter(space_id=reflection.space_id, person_id=reflection.person_id)
    existing = set(rows.filter(id__in=source_ids).values_list("id", flat=True))
    return [
        ReflectionLine(
            str(line.get("text", "")), [source for source in ids_in_line(line, "sources") if source in existing]
        )
        for line, valid in zip(lines, lines_still_valid(reflection, lines, now), strict=True)
        if valid
    ]
