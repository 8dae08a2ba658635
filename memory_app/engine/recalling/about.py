"""About a person: the lines that may open a brief, of what is known for good, lately noted, and reflected on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ...language.sensitive import sensitive_kinds
from ...models import Entity, Memory, MemoryType, Note, Status
from ...models.memory import MemoryQuerySet
from ...models.scope import within
from ...rules.filters import NO_FILTERS, Filters
from ...rules.quotation import quoted
from ...rules.visibility import VenueClass
from ..enter import Entered
from ..summing.day import listed
from ..summing.reflected import reflected

DURABLE = (MemoryType.PREFERENCE, MemoryType.PROFILE, MemoryType.FACT, MemoryType.PERSON, MemoryType.PROJECT)
KNOWN = (*DURABLE, MemoryType.DECISION, MemoryType.EVENT, MemoryType.TASK)
"""What is told of a person: what may open any brief, and what is known when they ask for all of it."""

TOLD_BY = (
    "space_id",
    "id",
    "summary",
    "type",
    "protected",
    "confidence",
    "decay_rate",
    "reinforced_at",
    "source_count",
)
"""Of thousands of memories, all that decides which of them are told: their vectors and texts are many megabytes."""

MOST_LINES = 12
"""Of the core profile: about 150 tokens, half of the default budget."""

NOTED = "Noted in the last days:"
RECENT = timedelta(days=7)
MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines, the most telling first."""

    heading: str
    lines: Sequence[str]


def about(
    entered: Entered, now: datetime, types: Sequence[MemoryType] = DURABLE, filters: Filters = NO_FILTERS
) -> list[Section]:
    """The sections that may be said in this venue; one with nothing to say is left out. Nothing sensitive is told.
    types: of what is known of the person. filters: what it must pass; no note does."""
    with within(entered.venue.spaces):
        visible = Memory.objects.current(now).visible_from(entered.venue)
        rows = visible.passing(filters.values, Entity.objects.visible_from(entered.venue))
        own = rows.filter(person=entered.person, sensitive=False, status=Status.ACTIVE)
        core = _core(list(own.filter(type__in=types).only(*TOLD_BY)), now)
        sections = [
            Section(f"About {line(str(entered.person))}:", core),
            Section(
                "Lately:",
                _reflection(own.filter(type=MemoryType.REFLECTION).order_by("-created_at", "-id").first(), now),
            ),
        ]
        if entered.venue.kind is VenueClass.PRIVATE and not filters:
            known = {item for section in sections for item in section.lines}
            noted = [item for item in _notes(entered, own, now) if item not in known]
            sections.append(Section(NOTED, noted[:MOST_NOTES]))
    return [section for section in sections if section.lines]


def line(text: str) -> str:
    """The one line that a text is in a brief, whatever it holds (`rules/quotation.py`)."""
    return quoted(text)


def _core(memories: list[Memory], now: datetime) -> list[str]:
    """What is confirmed, then what is strongest, then what is newest: of equals the database gives any first."""
    memories.sort(
        key=lambda memory: (memory.protected, memory.strength(now), memory.source_count, memory.id), reverse=True
    )
    return [line(memory.summary) for memory in memories[:MOST_LINES]]


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
