"""The lines of a brief: how a memory is told on one line, and the sections about the person and from their notes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from memory_app.embedding.encoder import Encoder
from memory_app.engine.memories.memory_input import names_of_person
from memory_app.engine.memories.reflection_lines import current_lines
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import RecallResults, recall
from memory_app.engine.summaries.daily_note import listed_memories
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Category, Entity, Memory, MemoryType, Note, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.queries.query_kind import asks_for_notes, without_notes_request
from memory_app.nlp.text import quoted
from memory_app.rules.filters import NO_FILTERS, Filters
from memory_app.rules.fusion import time_match
from memory_app.rules.visibility import VenueClass

PROFILE_TYPES = (MemoryType.PREFERENCE, MemoryType.PROFILE, MemoryType.FACT, MemoryType.PERSON, MemoryType.PROJECT)
ALL_KNOWN_TYPES = (*PROFILE_TYPES, MemoryType.DECISION, MemoryType.EVENT, MemoryType.TASK)
"""What is told of a person: what may open any brief, and what is known when they ask for all of it."""

LINE_COLUMNS = (
    "space_id",
    "id",
    "summary",
    "type",
    "category",
    "context",
    "valid_from",
    "source_speaker",
    "person_id",
    "protected",
    "confidence",
    "decay_rate",
    "reinforced_at",
    "source_count",
)
"""Of thousands of memories, all that decides which of them are told: their vectors and texts are many megabytes."""

FIRST_CATEGORIES = (Category.PREFERENCE, Category.WORK)
"""What an assistant can use whatever is asked."""

MIN_LINES, TOKENS_PER_LINE = 12, 15
"""Of the core profile there may be as many lines as the budget has room for, about; of a small one half is theirs."""

NOTES_HEADING = "Noted in the last days:"
RECENT_NOTES_PERIOD = timedelta(days=7)
MAX_NOTES = 5


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines, the most telling first. texts: these without when they were told."""

    heading: str
    lines: Sequence[str]
    texts: Sequence[str]


def profile_sections(
    venue_context: VenueContext,
    now: datetime,
    types: Sequence[MemoryType] = PROFILE_TYPES,
    filters: Filters = NO_FILTERS,
    *,
    budget: int = 0,
    found: Sequence[UUID] = (),
) -> list[Section]:
    """The sections that may be said in this venue; one with nothing to say is left out. Nothing sensitive is told.
    types: of what is known of the person. filters: what it must pass; no note does. budget: tokens. found: what was
    found for the question, best first."""
    with allowed_spaces(venue_context.venue.spaces):
        visible = Memory.objects.current(now).visible_from(venue_context.venue)
        rows = visible.matching_filters(filters.values, Entity.objects.visible_from(venue_context.venue))
        own = rows.filter(person=venue_context.person, sensitive=False, status=Status.ACTIVE)
        core = _rank_for_profile(list(own.filter(type__in=types).only(*LINE_COLUMNS)), found, now)[: _max_lines(budget)]
        reflection = own.filter(type=MemoryType.REFLECTION).order_by("-created_at", "-id").first()
        sections = [
            Section(
                f"About {quoted(str(venue_context.person))}:",
                dated_lines([(memory.summary, memory) for memory in core], venue_context),
                [quoted(memory.summary) for memory in core],
            ),
            _undated_section("Lately:", _reflection_lines(reflection, now)),
        ]
        if venue_context.venue.kind is VenueClass.PRIVATE and not filters:
            known = {item for section in sections for item in section.texts}
            noted = [item for item in _recent_notes(venue_context, own, now) if item not in known]
            sections.append(_undated_section(NOTES_HEADING, noted[:MAX_NOTES]))
    return [section for section in sections if section.lines]


def _undated_section(heading: str, lines: Sequence[str]) -> Section:
    return Section(heading, lines, lines)


def dated_lines(texts: Sequence[tuple[str, Memory]], venue_context: VenueContext) -> list[str]:
    """A line for each text of a memory, with the day on which it was told, for the person who asks, and who said it
    where that is not they: “The tile is blue” (“Anna”, 3 May 2026)."""
    zone = venue_context.person.zone
    return [_dated_line(text, memory, _speaker_name(memory, venue_context), zone) for text, memory in texts]


def _dated_line(text: str, memory: Memory, speaker: str, zone: ZoneInfo) -> str:
    line, day = _quoted_with_context(text, memory), f"{memory.valid_from.astimezone(zone):%-d %B %Y}"
    return f"{line} ({speaker}, {day})" if speaker else f"{line} ({day})"


def _quoted_with_context(text: str, memory: Memory) -> str:
    """The words after those that they answer, where they do not stand alone."""
    return f"{quoted(memory.context)} – {quoted(text)}" if memory.context else quoted(text)


def _speaker_name(memory: Memory, venue_context: VenueContext) -> str:
    if memory.source_speaker:
        return (
            ""
            if memory.source_speaker.casefold() in names_of_person(venue_context.person)
            else quoted(memory.source_speaker)
        )
    return "" if memory.person_id == venue_context.person.id else quoted(str(memory.person))


def _rank_for_profile(memories: list[Memory], found: Sequence[UUID], now: datetime) -> list[Memory]:
    """Preferences and work; of each what was found for the question; then what is confirmed, strongest and newest: of
    equals the database gives any first."""
    place = {id: index for index, id in enumerate(found)}
    memories.sort(
        key=lambda memory: (memory.protected, memory.strength(now), memory.source_count, memory.id), reverse=True
    )
    memories.sort(key=lambda memory: (memory.category not in FIRST_CATEGORIES, place.get(memory.id, len(place))))
    return memories


def _max_lines(budget: int) -> int:
    return max(MIN_LINES, budget // TOKENS_PER_LINE)


def _reflection_lines(memory: Memory | None, now: datetime) -> list[str]:
    """What still holds of it; of one that an assistant wrote, its own lines."""
    if memory is None:
        return []
    if "lines" in memory.attributes:
        return [quoted(line.text) for line in current_lines(memory, now)]
    return [quoted(text.removeprefix("- ")) for text in memory.content.splitlines() if text.strip()]


def _recent_notes(venue_context: VenueContext, own: MemoryQuerySet, now: datetime) -> list[str]:
    """What was noted, latest first: by someone, as it stands; by the day's run, what it lists and still holds. Nothing
    of a day ahead, and nothing sensitive."""
    since, today = (
        (now - ago).astimezone(venue_context.person.zone).date() for ago in (RECENT_NOTES_PERIOD, timedelta())
    )
    rows = Note.objects.visible_from(venue_context.venue).undeleted().filter(date__gte=since, date__lte=today)
    notes = rows.order_by("-date", "-created_at", "-id")[:MAX_NOTES]
    items = [(item, note.is_digest) for note in notes for item in _note_items(note)]
    copied = [item for item, is_copy in items if is_copy]
    still_valid = {*own.filter(summary__in=copied).values_list("summary", flat=True)}
    return [
        quoted(item) for item in dict.fromkeys(item for item, is_copy in items if not is_copy or item in still_valid)
    ]


def _note_items(note: Note) -> list[str]:
    items = listed_memories(note.text) if note.is_digest else [note.text]
    return [item for item in items if not sensitive_kinds(item)]


ASKED_NOTES_HEADING = "Noted:"
MAX_NOTES_READ, MAX_NOTES_ANSWERED = 50, 5


def sections_from_notes(venue_context: VenueContext, query: str, now: datetime, encoder: Encoder) -> list[Section]:
    """One section, the latest day first; none where nothing is asked of notes, or none speaks of it. Nothing sensitive
    is told, and outside of a private talk nothing at all."""
    if not asks_for_notes(query):
        return []
    recall_query = RecallQuery(without_notes_request(query), limit=MAX_NOTES_READ, kinds=("note",))
    found = _notes_on_topic(recall(venue_context=venue_context, recall_query=recall_query, now=now, encoder=encoder))
    notes = [note for note in found if not sensitive_kinds(note.text)][:MAX_NOTES_ANSWERED]
    lines = [f"{quoted(note.text)} ({note.date.day} {note.date:%B %Y})" for note in _sorted_latest_first(notes)]
    return [Section(ASKED_NOTES_HEADING, lines, lines)] if lines else []


def _notes_on_topic(recall_results: RecallResults) -> Sequence[Note]:
    """Those of the days that are asked of; else those that have a word of the question, and the latest where it has
    none that means anything."""
    periods = recall_results.question.periods
    found = [(result.row, result.signals) for result in recall_results.results if isinstance(result.row, Note)]
    if periods:
        return _sorted_latest_first([note for note, signals in found if time_match(signals.said_at, periods) == 1.0])
    if any(recall_results.statistics.counts):
        return [note for note, signals in found if signals.matched]
    return _sorted_latest_first([note for note, _ in found])


def _sorted_latest_first(notes: Sequence[Note]) -> Sequence[Note]:
    return sorted(notes, key=lambda note: (note.date, note.created_at), reverse=True)
