"""Referred: which memory "that" is, when someone says "forget that": the one last made or mentioned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from ..models import Memory, Operation, Receipt, Search
from ..models.ids import earliest_id
from ..models.scope import within
from .clear import own
from .enter import Entered
from .locate import WITH_NAMES

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
        made, made_at = _last_made(entered, conversation, now)
        ids, mentioned_at = ([], None) if told else _last_mentioned(entered, conversation, now)
        mentioned = _in_order(entered, ids)
    just = Referred([made], just_made=made_at >= now - RECENT) if made and made_at else Referred()
    if not mentioned or not mentioned_at or (made_at and made_at >= mentioned_at):
        return just
    return just if just.memories == mentioned else Referred(mentioned)


def _last_made(entered: Entered, conversation: UUID | None, now: datetime) -> tuple[Memory | None, datetime | None]:
    """What was kept last, or said again, which keeps what was there already."""
    latest = _last_remembered(entered, now)
    ids = [latest.memory_id] if latest and latest.memory_id else []
    kept = own(entered).filter(id__in=ids).select_related(*WITH_NAMES).first()
    if latest and kept and _belongs(kept, latest, conversation):
        return kept, latest.at
    if conversation is None:
        return None, None
    here = own(entered).filter(source_conversation=conversation).select_related(*WITH_NAMES)
    found = here.order_by("-created_at", "-position").first()
    return (found, found.created_at) if found else (None, None)


def _last_remembered(entered: Entered, now: datetime) -> Operation | None:
    """Ids tell the time, so this reads the last minutes of the log only."""
    recent = Operation.objects.filter(
        space_id__in=sorted(entered.venue.spaces), id__gte=earliest_id(now - RECENT), person_id=entered.person.id
    )
    return recent.filter(name="remember", at__gte=now - RECENT).order_by("-id").first()


def _belongs(kept: Memory, latest: Operation, conversation: UUID | None) -> bool:
    """Whether it may have been kept in this conversation; where it was said again is not recorded."""
    elsewhere = conversation is not None and kept.source_conversation not in (None, conversation)
    return not elsewhere or latest.detail.get("decision") == "duplicate"


def _last_mentioned(entered: Entered, conversation: UUID | None, now: datetime) -> tuple[list[str], datetime | None]:
    """Ids of what a brief or a search last put before the person."""
    receipts = Receipt.objects.filter(space_id=entered.venue.home, person=entered.person).exclude(items=[])
    searches = Search.objects.filter(space_id=entered.venue.home, person=entered.person).exclude(found=[])
    if conversation:
        receipts = receipts.filter(conversation=conversation)
    else:
        receipts = receipts.filter(conversation=None, id__gte=earliest_id(now - RECENT))
    briefed = receipts.order_by("-id").first()
    searched = searches.filter(created_at__gte=now - RECENT).order_by("-id").first()
    if searched and (briefed is None or searched.created_at > briefed.at):
        return [memory for _, memory in searched.found[searched.shown_from :]][:MOST], searched.created_at
    return ([item["memory"] for item in briefed.items], briefed.at) if briefed else ([], None)


def _in_order(entered: Entered, ids: Sequence[str]) -> list[Memory]:
    """Those of the person's own, as ranked; of others' memories nobody can say "forget that"."""
    rows = {str(row.id): row for row in own(entered).filter(id__in=ids).select_related(*WITH_NAMES)}
    return [rows[memory] for memory in ids if memory in rows][:MOST]
