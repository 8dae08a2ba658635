"""Referred: which memory "that" is, when someone says "forget that": the one last made or mentioned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.forgetting.clear import removable_own
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.recalling.narrow import BATCH
from memory_app.engine.write_access import writable
from memory_app.models import Memory, Operation, Receipt, Search, Token
from memory_app.models.ids import earliest_id
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.scope import within

RECENT = timedelta(minutes=10)
"""How long ago something may have been made or mentioned to be "that", where no conversation tells."""

MOST = 5


@dataclass(frozen=True, slots=True)
class Referred:
    """The memories that may be meant. just_made: it is the one that the person has themselves just had kept."""

    memories: Sequence[Memory] = ()
    just_made: bool = False


def referred(*, entered: Entered, conversation: UUID | None, told: bool, now: datetime) -> Referred:
    """What was last made or mentioned, for this person, in the conversation or just now.

    told: only what was made counts, as in "what I just told you".
    """
    with within(entered.venue.spaces):
        made = _last_made(entered, conversation, now)
        ids, mentioned_at = ([], None) if told else _last_mentioned(entered, conversation, now)
        mentioned = _in_order(entered, ids)
    just = Referred([made.memory], just_made=made.last and made.at >= now - RECENT) if made else Referred()
    if not mentioned or not mentioned_at or (made and made.at >= mentioned_at):
        return just
    return just if just.memories == mentioned else Referred(mentioned)


@dataclass(frozen=True, slots=True)
class Made:
    """A memory that is kept, and when it was said. last: nothing was made after it, not even what is forgotten by
    now: who says "forget that" twice does not mean the one before."""

    memory: Memory
    at: datetime
    last: bool


def _last_made(entered: Entered, conversation: UUID | None, now: datetime) -> Made | None:
    """What was kept last, or said again, which keeps what was there already."""
    made = _remembered(entered, conversation, now)
    if conversation and not made:
        here = _theirs(entered).filter(source_conversation=conversation).order_by("-created_at", "-position")
        made = [(memory, memory.created_at) for memory in here[:MOST]]
    kept = next(((at, memory, when) for at, (memory, when) in enumerate(made) if memory.deleted_at is None), None)
    return Made(kept[1], kept[2], last=kept[0] == 0) if kept else None


def _remembered(entered: Entered, conversation: UUID | None, now: datetime) -> list[tuple[Memory, datetime]]:
    """What was kept in the last minutes, newest first, as far as it is seen from here: what is not seen from here
    changes nothing."""
    operations = Operation.objects.filter(
        space_id__in=sorted(entered.venue.spaces), id__gte=earliest_id(now - RECENT), person_id=entered.person.id
    )
    recent = list(operations.filter(name="remember", at__gte=now - RECENT).order_by("-id"))
    rows = {row.id: row for row in _theirs(entered).filter(id__in={one.memory_id for one in recent})}
    return [
        (rows[one.memory_id], one.at)
        for one in recent
        if one.memory_id in rows and _belongs(rows[one.memory_id], one, conversation)
    ]


def _theirs(entered: Entered) -> MemoryQuerySet:
    """The person's own memories seen from the venue that may be taken away, the forgotten ones included."""
    rows = Memory.objects.visible_from(entered.venue).filter(person=entered.person)
    return writable(rows, entered.person, entered.grant, removes=True).select_related(*WITH_NAMES)


def _belongs(kept: Memory, latest: Operation, conversation: UUID | None) -> bool:
    """Whether it may have been kept in this conversation; where it was said again is not recorded."""
    elsewhere = conversation is not None and kept.source_conversation not in (None, conversation)
    return not elsewhere or latest.detail.get("decision") == "duplicate"


def _last_mentioned(entered: Entered, conversation: UUID | None, now: datetime) -> tuple[list[str], datetime | None]:
    """Ids of what a brief, a search, a command or the question what to forget last put before the person, here."""
    theirs = {"space_id": entered.venue.home, "person": entered.person}
    here = {"space": entered.place.space, "channel": entered.place.channel, "restricted": entered.venue.restricted}
    receipts = Receipt.objects.filter(**theirs, venue=here).exclude(items=[])
    searches = Search.objects.filter(**theirs, place=here, created_at__gte=now - RECENT).exclude(found=[])
    asked = Token.objects.filter(**theirs, place=here, created_at__gte=now - RECENT)
    questions = asked.filter(everything=False).exclude(memories=[])  # "everything" is nothing to point at
    if conversation:
        receipts, questions = receipts.filter(conversation=conversation), questions.filter(conversation=conversation)
    else:
        receipts = receipts.filter(conversation=None, at__gte=now - RECENT)
        questions = questions.filter(conversation=None)
    mentions: list[tuple[datetime, list[str]]] = []
    if briefed := receipts.order_by("-id").first():
        mentions.append((briefed.at, [item["memory"] for item in briefed.items]))
    if searched := searches.order_by("-id").first():
        shown = searched.found[searched.shown_from :][:BATCH]
        mentions.append((searched.created_at, [memory for _, memory in shown]))
    if question := questions.order_by("-id").first():
        mentions.append((question.created_at, [memory for _, memory in question.memories]))
    at, ids = max(mentions, default=(None, []), key=lambda mention: mention[0])
    return ids, at


def _in_order(entered: Entered, ids: Sequence[str]) -> list[Memory]:
    """Those of the person's own, as ranked; of others' memories nobody can say "forget that"."""
    rows = {str(row.id): row for row in removable_own(entered).filter(id__in=ids).select_related(*WITH_NAMES)}
    return [rows[memory] for memory in ids if memory in rows][:MOST]
