"""About a person: the lines that may open a brief, of what is known for good, lately noted, and reflected on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import own_names
from memory_app.engine.summing.day import listed
from memory_app.engine.summing.reflected import reflected
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Category, Entity, Memory, MemoryType, Note, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.scope import within
from memory_app.rules.filters import NO_FILTERS, Filters
from memory_app.rules.quotation import quoted
from memory_app.rules.visibility import VenueClass

DURABLE = (MemoryType.PREFERENCE, MemoryType.PROFILE, MemoryType.FACT, MemoryType.PERSON, MemoryType.PROJECT)
KNOWN = (*DURABLE, MemoryType.DECISION, MemoryType.EVENT, MemoryType.TASK)
"""What is told of a person: what may open any brief, and what is known when they ask for all of it."""

TOLD_BY = (
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

FIRST = (Category.PREFERENCE, Category.WORK)
"""What an assistant can use whatever is asked."""

FEWEST_LINES, TOKENS_A_LINE = 12, 15
"""Of the core profile there may be as many lines as the budget has room for, about; of a small one half is theirs."""

NOTED = "Noted in the last days:"
RECENT = timedelta(days=7)
MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines, the most telling first. texts: these without when they were told."""

    heading: str
    lines: Sequence[str]
    texts: Sequence[str]


def about(
    entered: Entered,
    now: datetime,
    types: Sequence[MemoryType] = DURABLE,
    filters: Filters = NO_FILTERS,
    *,
    budget: int = 0,
    found: Sequence[UUID] = (),
) -> list[Section]:
    """The sections that may be said in this venue; one with nothing to say is left out. Nothing sensitive is told.
    types: of what is known of the person. filters: what it must pass; no note does. budget: tokens. found: what was
    found for the question, best first."""
    with within(entered.venue.spaces):
        visible = Memory.objects.current(now).visible_from(entered.venue)
        rows = visible.passing(filters.values, Entity.objects.visible_from(entered.venue))
        own = rows.filter(person=entered.person, sensitive=False, status=Status.ACTIVE)
        core = _core(list(own.filter(type__in=types).only(*TOLD_BY)), found, now)[: _most_lines(budget)]
        reflection = own.filter(type=MemoryType.REFLECTION).order_by("-created_at", "-id").first()
        sections = [
            Section(
                f"About {line(str(entered.person))}:",
                [dated(memory.summary, memory, entered) for memory in core],
                [line(memory.summary) for memory in core],
            ),
            _section("Lately:", _reflection(reflection, now)),
        ]
        if entered.venue.kind is VenueClass.PRIVATE and not filters:
            known = {item for section in sections for item in section.texts}
            noted = [item for item in _notes(entered, own, now) if item not in known]
            sections.append(_section(NOTED, noted[:MOST_NOTES]))
    return [section for section in sections if section.lines]


def _section(heading: str, lines: Sequence[str]) -> Section:
    return Section(heading, lines, lines)


def line(text: str) -> str:
    """The one line that a text is in a brief, whatever it holds (`rules/quotation.py`)."""
    return quoted(text)


def dated(text: str, memory: Memory, entered: Entered) -> str:
    """The line with the day on which it was told, for the person who asks, and who said it where that is not they:
    “The tile is blue” (“Anna”, 3 May 2026)."""
    day = f"{memory.valid_from.astimezone(entered.person.zone):%-d %B %Y}"
    speaker = _speaker(memory, entered)
    return f"{_in_context(text, memory)} ({speaker}, {day})" if speaker else f"{_in_context(text, memory)} ({day})"


def _in_context(text: str, memory: Memory) -> str:
    """The words after those that they answer, where they do not stand alone."""
    return f"{line(memory.context)} – {line(text)}" if memory.context else line(text)


def _speaker(memory: Memory, entered: Entered) -> str:
    if memory.source_speaker:
        return "" if memory.source_speaker.casefold() in own_names(entered.person) else line(memory.source_speaker)
    return "" if memory.person_id == entered.person.id else line(str(memory.person))


def _core(memories: list[Memory], found: Sequence[UUID], now: datetime) -> list[Memory]:
    """Preferences and work; of each what was found for the question; then what is confirmed, strongest and newest: of
    equals the database gives any first."""
    place = {id: index for index, id in enumerate(found)}
    memories.sort(
        key=lambda memory: (memory.protected, memory.strength(now), memory.source_count, memory.id), reverse=True
    )
    memories.sort(key=lambda memory: (memory.category not in FIRST, place.get(memory.id, len(place))))
    return memories


def _most_lines(budget: int) -> int:
    return max(FEWEST_LINES, budget // TOKENS_A_LINE)


def _reflection(memory: Memory | None, now: datetime) -> list[str]:
    """What still holds of it; of one that an assistant wrote, its own lines."""
    if memory is None:
        return []
    if "lines" in memory.attributes:
        return [line(one.text) for one in reflected(memory, now)]
    return [line(text.removeprefix("- ")) for text in memory.content.splitlines() if text.strip()]


def _notes(entered: Entered, own: MemoryQuerySet, now: datetime) -> list[str]:
    """What was noted, latest first: by someone, as it stands; by the day's run, what it lists and still holds. Nothing
    of a day ahead, and nothing sensitive."""
    since, today = ((now - ago).astimezone(entered.person.zone).date() for ago in (RECENT, timedelta()))
    rows = Note.objects.visible_from(entered.venue).kept().filter(date__gte=since, date__lte=today)
    notes = rows.order_by("-date", "-created_at", "-id")[:MOST_NOTES]
    told = [(item, note.is_digest) for note in notes for item in _items(note)]
    copied = [item for item, is_copy in told if is_copy]
    held = {*own.filter(summary__in=copied).values_list("summary", flat=True)}
    return [line(item) for item in dict.fromkeys(item for item, is_copy in told if not is_copy or item in held)]


def _items(note: Note) -> list[str]:
    items = listed(note.text) if note.is_digest else [note.text]
    return [item for item in items if not sensitive_kinds(item)]
