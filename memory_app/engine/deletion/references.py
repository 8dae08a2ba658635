"""What a request to forget refers to: the memory that “that” means, or the notes that its words describe."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.deletion.clear import deletable_memories
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.retrieval.narrow import BATCH_SIZE
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import writable
from memory_app.models import Memory, Note, Operation, Receipt, Search, Token
from memory_app.models.ids import earliest_id
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp import linear_re as re
from memory_app.rules.gate import match_description

RECENT_PERIOD = timedelta(minutes=10)
"""How long ago something may have been made or mentioned to be "that", where no conversation tells."""

MAX_REFERENCES = 5


@dataclass(frozen=True, slots=True)
class Reference:
    """The memories that may be meant. just_made: it is the one that the person has themselves just had kept."""

    memories: Sequence[Memory] = ()
    just_made: bool = False


def resolve_reference(
    *, venue_context: VenueContext, conversation: UUID | None, only_made: bool, now: datetime
) -> Reference:
    """What was last made or mentioned, for this person, in the conversation or just now.

    only_made: only what was made counts, as in "what I just told you".
    """
    with allowed_spaces(venue_context.venue.spaces):
        made = _last_made(venue_context, conversation, now)
        ids, mentioned_at = ([], None) if only_made else _last_mentioned(venue_context, conversation, now)
        mentioned = _load_in_order(venue_context, ids)
    latest = Reference([made.memory], just_made=made.last and made.at >= now - RECENT_PERIOD) if made else Reference()
    if not mentioned or not mentioned_at or (made and made.at >= mentioned_at):
        return latest
    return latest if latest.memories == mentioned else Reference(mentioned)


@dataclass(frozen=True, slots=True)
class LastMade:
    """A stored memory, and when it was said. last: nothing was made after it, not even something that is deleted by
    now: whoever says "forget that" twice does not mean the one before."""

    memory: Memory
    at: datetime
    last: bool


def _last_made(venue_context: VenueContext, conversation: UUID | None, now: datetime) -> LastMade | None:
    """What was kept last, or said again, which keeps what was there already."""
    made = _recently_remembered(venue_context, conversation, now)
    if conversation and not made:
        here = (
            _deletable_rows(venue_context).filter(source_conversation=conversation).order_by("-created_at", "-position")
        )
        made = [(memory, memory.created_at) for memory in here[:MAX_REFERENCES]]
    latest = next(((at, memory, when) for at, (memory, when) in enumerate(made) if memory.deleted_at is None), None)
    return LastMade(latest[1], latest[2], last=latest[0] == 0) if latest else None


def _recently_remembered(
    venue_context: VenueContext, conversation: UUID | None, now: datetime
) -> list[tuple[Memory, datetime]]:
    """What was kept in the last minutes, newest first, as far as it is seen from here: what is not seen from here
    changes nothing."""
    operations = Operation.objects.filter(
        space_id__in=sorted(venue_context.venue.spaces),
        id__gte=earliest_id(now - RECENT_PERIOD),
        person_id=venue_context.person.id,
    )
    recent = list(operations.filter(name="remember", at__gte=now - RECENT_PERIOD).order_by("-id"))
    rows = {row.id: row for row in _deletable_rows(venue_context).filter(id__in={one.memory_id for one in recent})}
    return [
        (rows[one.memory_id], one.at)
        for one in recent
        if one.memory_id in rows and _fits_conversation(rows[one.memory_id], one, conversation)
    ]


def _deletable_rows(venue_context: VenueContext) -> MemoryQuerySet:
    """The person's own memories seen from the venue that may be taken away, the forgotten ones included."""
    rows = Memory.objects.visible_from(venue_context.venue).filter(person=venue_context.person)
    return writable(rows, venue_context.person, venue_context.grant, removes=True).select_related(*WITH_NAMES)


def _fits_conversation(memory: Memory, latest: Operation, conversation: UUID | None) -> bool:
    """Whether it may have been kept in this conversation; where it was said again is not recorded."""
    elsewhere = conversation is not None and memory.source_conversation not in (None, conversation)
    return not elsewhere or latest.detail.get("decision") == "duplicate"


def _last_mentioned(
    venue_context: VenueContext, conversation: UUID | None, now: datetime
) -> tuple[list[str], datetime | None]:
    """Ids of what a brief, a search, a command or the question what to forget last put before the person, here."""
    own = {"space_id": venue_context.venue.home, "person": venue_context.person}
    here = {
        "space": venue_context.place.space,
        "channel": venue_context.place.channel,
        "restricted": venue_context.venue.restricted,
    }
    receipts = Receipt.objects.filter(**own, venue=here).exclude(items=[])
    searches = Search.objects.filter(**own, place=here, created_at__gte=now - RECENT_PERIOD).exclude(found=[])
    tokens = Token.objects.filter(**own, place=here, created_at__gte=now - RECENT_PERIOD)
    questions = tokens.filter(everything=False).exclude(memories=[])  # "everything" is nothing to point at
    if conversation:
        receipts, questions = receipts.filter(conversation=conversation), questions.filter(conversation=conversation)
    else:
        receipts = receipts.filter(conversation=None, at__gte=now - RECENT_PERIOD)
        questions = questions.filter(conversation=None)
    mentions: list[tuple[datetime, list[str]]] = []
    if receipt := receipts.order_by("-id").first():
        mentions.append((receipt.at, [item["memory"] for item in receipt.items]))
    if search := searches.order_by("-id").first():
        batch = search.found[search.shown_from :][:BATCH_SIZE]
        mentions.append((search.created_at, [memory for _, memory in batch]))
    if question := questions.order_by("-id").first():
        mentions.append((question.created_at, [memory for _, memory in question.memories]))
    at, ids = max(mentions, default=(None, []), key=lambda mention: mention[0])
    return ids, at


def _load_in_order(venue_context: VenueContext, ids: Sequence[str]) -> list[Memory]:
    """Those of the person's own, as ranked; of others' memories nobody can say "forget that"."""
    rows = {
        str(row.id): row for row in deletable_memories(venue_context).filter(id__in=ids).select_related(*WITH_NAMES)
    }
    return [rows[memory] for memory in ids if memory in rows][:MAX_REFERENCES]


MAX_NOTES_READ = 50

_NOTE_WORDS = re.compile(
    r"\b(?:my |the |that |a |our )?(?:daily )?notes?\b(?: (?:about|on|of|that|saying)\b)?", re.IGNORECASE
)


def mentions_notes(query: str) -> bool:
    """Whether the words speak of a note."""
    return _NOTE_WORDS.search(query) is not None


def find_described_notes(venue_context: VenueContext, query: str, now: datetime, encoder: Encoder) -> list[Note]:
    """The person's notes that the words describe, best first; none outside of a private talk."""
    plain = " ".join(_NOTE_WORDS.sub(" ", query).split())
    if not plain:
        return []
    recall_query = RecallQuery(plain, limit=MAX_NOTES_READ, kinds=("note",))
    recall_results = recall(venue_context=venue_context, recall_query=recall_query, now=now, encoder=encoder)
    found = [(result.row, result.signals) for result in recall_results.results if isinstance(result.row, Note)]
    return [found[at][0] for at in match_description([signals for _, signals in found], recall_results.statistics)]
