"""Reflect: once a week, sum up what a person had remembered, each line with the memories it rests on.

`reflection_lines` writes the lines. They are drawn from the person's own space and kept there, private: never wider
than any source. A language model, if one is set, may word the week later; until it does, the lines stand.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.model_advice import log_refinement
from memory_app.engine.memories.reflection_lines import (
    ABOUT_TO_FADE,
    REFLECTION_TITLE,
    DigestLine,
    digest_lines,
    ids_in_line,
    refresh_reflection,
    rewrite_reflection,
)
from memory_app.engine.memories.save import SaveBatch
from memory_app.engine.memories.write_version import lock_memory_and_owner
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import KeepsakeError
from memory_app.llm.model import Model, ModelError
from memory_app.llm.prompts.reflect import WrittenReflection, write_reflection
from memory_app.models import Memory, MemoryType, Person, Status
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract.claims import is_hostile

PERIOD = timedelta(days=7)
MIN_INTERVAL = timedelta(days=6)
MIN_MEMORIES = 3
"""Days looked back at, days between two reflections, and memories that make one (seed: 7, 6 and 3)."""

MAX_MEMORIES = 200
AUTHOR = Author("job", "reflect")


def reflect(*, person: Person, now: datetime, encoder: Encoder) -> Memory | None:
    """The reflection of the days up to `now`; None where there is too little to reflect on, one was made in the days
    before, or memory is paused. One that was erased is made again by its own time."""
    venue_context = resolve_venue(person=person.name, create=False)
    with allowed_spaces([venue_context.venue.home]):
        lock_writers(person.id)
        if not venue_context.person.is_memory_on or not _is_due(venue_context, now):
            return None
        recent = _recent_memories(venue_context, now)
        if len(recent) < MIN_MEMORIES:
            return None
        return _save_reflection(
            venue_context,
            digest_lines(_source_memories(venue_context), recent, now, encoder.name, venue_context.person),
            now,
            encoder,
        )


def _is_due(venue_context: VenueContext, now: datetime) -> bool:
    made = Memory.objects.filter(
        space_id=venue_context.venue.home, person=venue_context.person, type=MemoryType.REFLECTION
    )
    return not made.filter(created_at__gt=now - MIN_INTERVAL, created_at__lte=now).exists()


def _source_memories(venue_context: VenueContext) -> Any:
    """What may be drawn upon: the person's own, in their own space, and not sensitive."""
    own = Memory.objects.undeleted().filter(
        space_id=venue_context.venue.home, person=venue_context.person, sensitive=False
    )
    return own.defer("tsv")


def _recent_memories(venue_context: VenueContext, now: datetime) -> list[Memory]:
    """What was kept in the period, the newest first."""
    rows = _source_memories(venue_context).filter(
        status=Status.ACTIVE, created_at__gt=now - PERIOD, created_at__lte=now
    )
    return list(rows.exclude(type=MemoryType.REFLECTION).order_by("-created_at", "-id")[:MAX_MEMORIES])


def _save_reflection(
    venue_context: VenueContext, lines: Sequence[DigestLine], now: datetime, encoder: Encoder
) -> Memory | None:
    """Stored without a decision: a digest is no duplicate of what it tells of, and contradicts nothing."""
    zone = venue_context.person.zone
    start, end = (moment.astimezone(zone).date() for moment in (now - PERIOD, now))
    sources = sorted({str(source) for line in lines for source in line.sources})
    memory_input = MemoryInput(
        content="\n".join(f"- {line.text}" for line in lines),
        summary=REFLECTION_TITLE.format(start=start, end=end),
        type=MemoryType.REFLECTION.value,
        category="fact",
        key="",
        keywords=[],
        tags=["weekly"],
        visibility="private",
        source=MemorySource("reflection"),
        event_time=now - PERIOD,
        attributes={
            "sources": sources,
            "lines": [line.as_json() for line in lines],
        },
    )
    try:
        draft = build_memory(venue_context, memory_input, now)
    except KeepsakeError:  # taken together, what is told would be sensitive
        return None
    memory = draft.memory
    memory.embedding, memory.embedding_model = encoder.documents([memory.content])[0], encoder.name
    batch = SaveBatch(venue_context, AUTHOR, now)
    batch.add(draft, {"decision": "reflect", "sources": len(sources)})
    batch.flush()
    return memory


MAX_SOURCES_SHOWN = 60
"""Memories of a week that the model is shown, the newest: of 300 characters each, some 5,000 tokens."""


def reword_reflection(*, space: UUID, memory: UUID, model: Model, now: datetime) -> str:
    """Asks once about the memories that a reflection rests on; no transaction is open meanwhile. Takes over the lines
    that pass their checks, unless someone changed the reflection since. Answers what became of it, which the log tells
    too, with the prompt and its tokens."""
    read = _load_reflection(space, memory, now)
    if read is None:
        return "gone, or not to be worded"
    found, sources = read
    try:
        worded = write_reflection(model, [source.content for source in sources])
    except ModelError as error:
        tokens, author = error.tokens_in + error.tokens_out, Author("model", model.name)
        return log_refinement(space, memory, author, now, tokens=tokens, error=f"{type(error).__name__}: {error}"[:500])
    taken = _apply_wording(found, sources, worded, now)
    tokens, author = worded.source.tokens_in + worded.source.tokens_out, Author("model", worded.source.extractor)
    outcome: dict[str, Any] = {"set": ["content"], "error": ""} if taken else {"set": [], "error": "changed meanwhile"}
    return log_refinement(space, memory, author, now, tokens=tokens, dropped=dict(worded.dropped), **outcome)


def _load_reflection(space: UUID, memory: UUID, now: datetime) -> tuple[Memory, list[Memory]] | None:
    """A reflection that is as it was made, and what of it a model may be shown."""
    with allowed_spaces([space]):
        rows = Memory.objects.undeleted().filter(space_id=space, id=memory, type=MemoryType.REFLECTION, version=1)
        found = rows.select_related("person").first()
        if found is None or not found.person.is_memory_on or "worded_by" in found.attributes:
            return None
        own = Memory.objects.current(now).filter(space_id=space, person_id=found.person_id, sensitive=False)
        own = own.filter(id__in=ids_in_line(found.attributes, "sources"), created_at__lte=found.created_at)
        newest = own.defer("tsv", "embedding").order_by("-created_at", "-id")[:MAX_SOURCES_SHOWN]
        sources = [source for source in newest if not is_hostile(source.content)]
    return (found, sources) if sources else None


def _apply_wording(found: Memory, sources: Sequence[Memory], worded: WrittenReflection, now: datetime) -> bool:
    """What was forgotten while the model thought is put by at once."""
    with allowed_spaces([found.space_id]):
        row = lock_memory_and_owner(found.space_id, found.id)
        if row is None or row.deleted_at is not None or (row.version, row.content) != (found.version, found.content):
            return False
        lines = _merge_lines(row, sources, worded)
        attributes = {**row.attributes, "lines": lines, "worded_by": worded.source.extractor}
        rewrite_reflection(row, "\n".join(f"- {line['text']}" for line in lines), attributes)
        refresh_reflection(row, now)
    return True


def _merge_lines(reflection: Memory, sources: Sequence[Memory], worded: WrittenReflection) -> list[dict[str, Any]]:
    """The model's, between what only we can count and what only we can foresee."""
    own_lines = [line for line in reflection.attributes.get("lines", []) if isinstance(line, dict)]
    fading = [line for line in own_lines if str(line.get("text", "")).startswith(ABOUT_TO_FADE)]
    reworded_lines = []
    for line in worded.lines:
        ids = [str(sources[place].id) for place in line.sources]
        reworded_lines.append({"text": line.text, "sources": ids, "quotes": ids, "worded": True})
    return [*(line for line in own_lines if not line.get("quotes")), *reworded_lines, *fading]
