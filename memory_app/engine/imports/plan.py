"""What entries of a source would change here: which conversations, turns and memories are new. Nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from uuid import UUID

from django.db.models import QuerySet

from memory_app.engine.imports.report import ImportReport
from memory_app.engine.venue_context import VenueContext
from memory_app.imports.entries import Entry, Fault, ImportedConversation, ImportedMemory, ImportedTurn, Skipped
from memory_app.models import Conversation, Memory, Tombstone, Turn
from memory_app.models.ids import id_time
from memory_app.models.row_security import allowed_spaces

OTHER_PERSON = "memories of other people"
PASSED = "memories that expired"
NOT_NAMEABLE = "its id or its time cannot be stored"


@dataclass(frozen=True, slots=True)
class PlannedConversation:
    """row: the conversation as it is here already. turns: those that are new, each with its id here."""

    conversation: ImportedConversation
    row: Conversation | None
    turns: Sequence[tuple[UUID, ImportedTurn]]


@dataclass(frozen=True, slots=True)
class PlannedMemory:
    """id: here. undone: whether it is here in tier 2, since an import that brought it was undone."""

    memory: ImportedMemory
    id: UUID
    undone: bool = False


@dataclass(slots=True)
class ImportPlan:
    """report: what is left out, what is here already, and what is broken."""

    conversations: list[PlannedConversation]
    memories: list[PlannedMemory]
    report: ImportReport

    def expected(self) -> ImportReport:
        """What would come in, and the rest."""
        report = ImportReport()
        report.add(self.report)
        report.counts["conversations"] += sum(one.row is None for one in self.conversations)
        report.counts["turns"] += sum(len(one.turns) for one in self.conversations)
        report.counts["memories"] += len(self.memories)
        return report


def make_plan(venue_context: VenueContext, entries: Sequence[Entry], now: datetime) -> ImportPlan:
    """The plan for some entries of one source. Expects the venue's spaces allowed."""
    plan = ImportPlan([], [], ImportReport())
    for entry in entries:
        match entry:
            case Fault(place, reason):
                plan.report.add_fault(place, reason)
            case Skipped():
                plan.report.add_skipped(entry)
    _plan_conversations(venue_context, [one for one in entries if isinstance(one, ImportedConversation)], plan, now)
    _plan_memories(venue_context, [one for one in entries if isinstance(one, ImportedMemory)], plan, now)
    return plan


def _plan_conversations(
    venue_context: VenueContext, conversations: Sequence[ImportedConversation], plan: ImportPlan, now: datetime
) -> None:
    if not conversations:
        return
    by_id = {external_id(one.source, one.id): one for one in conversations}
    rows = {row.external_id: row for row in _here(venue_context).filter(external_id__in=list(by_id))}
    turns: dict[str, list[tuple[UUID, ImportedTurn]]] = {}
    for name, one in by_id.items():
        try:
            turns[name] = _with_ids(venue_context.person.id, one, now)
        except (ValueError, OverflowError):
            plan.report.add_fault(one.place, NOT_NAMEABLE)
    ids = [turn_id for found in turns.values() for turn_id, _ in found]
    stored = set(
        Turn.objects.filter(space_id=venue_context.venue.home, id__in=ids).values_list("id", flat=True) if rows else ()
    )
    erased = Tombstone.objects.among(ids)
    plan.report.counts["erased"] += len(erased)
    for name, found in turns.items():
        new = [pair for pair in found if pair[0] not in stored | erased]
        row = rows.get(name)
        if row and new:
            new = _without_same_words(row, new)
        plan.report.counts["known_turns"] += len(found) - len(new) - len(erased & {pair[0] for pair in found})
        plan.report.counts["known_conversations"] += row is not None
        if new or row is not None:
            plan.conversations.append(PlannedConversation(by_id[name], row, new))


def _here(venue_context: VenueContext) -> QuerySet[Conversation]:
    """Conversations that the person had in private."""
    rows = Conversation.objects.select_related("person", "space")
    return rows.filter(space_id=venue_context.venue.home, person=venue_context.person, channel_name="")


def _with_ids(person: UUID, conversation: ImportedConversation, now: datetime) -> list[tuple[UUID, ImportedTurn]]:
    """Turns with their ids and times here: what tells no time was said when the one before was, and nothing later than
    now."""
    at = min(conversation.started_at or now, now)
    name = external_id(conversation.source, conversation.id)
    dated = dict[UUID, ImportedTurn]()
    known_time = conversation.started_at is not None
    for turn in conversation.turns:
        at = min(turn.said_at, now) if turn.said_at else at
        known_time = known_time or turn.said_at is not None
        # What tells no time at all is found again whenever it is brought in.
        own_id = stable_id(person, name, turn.id, at=at if known_time else id_time(UUID(int=0)))
        dated.setdefault(own_id, replace(turn, said_at=at))
    return list(dated.items())


def _without_same_words(
    row: Conversation, turns: Sequence[tuple[UUID, ImportedTurn]]
) -> list[tuple[UUID, ImportedTurn]]:
    """Those that are not here under another id, as after their person was merged into another."""
    stored = Turn.objects.filter(space_id=row.space_id, conversation_id=row.id)
    known = set(stored.values_list("role", "spoken_at", "content"))
    return [pair for pair in turns if (pair[1].role, pair[1].said_at, pair[1].content) not in known]


def _plan_memories(
    venue_context: VenueContext, memories: Sequence[ImportedMemory], plan: ImportPlan, now: datetime
) -> None:
    own: dict[UUID, ImportedMemory] = {}
    for one in memories:
        if one.owner and one.owner != venue_context.person.name:
            plan.report.add_skipped(Skipped(OTHER_PERSON))
        elif one.expires_at and one.expires_at <= now:
            plan.report.add_skipped(Skipped(PASSED))
        else:
            at = id_time(UUID(int=0)) if one.said_at is None else min(one.said_at, now)
            try:
                own[stable_id(venue_context.person.id, one.source, one.id, at=at)] = one
            except (ValueError, OverflowError):
                plan.report.add_fault(one.place, NOT_NAMEABLE)
    stored = _stored_memories(venue_context, list(own))
    erased = Tombstone.objects.among(own)
    for own_id, one in own.items():
        if own_id in erased:
            plan.report.counts["erased"] += 1
        elif own_id in stored and stored[own_id] != "undone":
            plan.report.counts["known_memories"] += 1
        else:
            plan.memories.append(PlannedMemory(one, own_id, undone=own_id in stored))


def _stored_memories(venue_context: VenueContext, ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """Those of the ids that are here, in tier 1 or 2, each with the reason why it is in tier 2."""
    with allowed_spaces(venue_context.venue.spaces):
        rows = Memory.objects.filter(space_id__in=venue_context.venue.spaces, id__in=ids)
        return dict(rows.values_list("id", "delete_reason"))


LONGEST_EXTERNAL_ID = 200
LAST_MILLISECOND = (1 << 48) - 1
"""The last one that a UUIDv7 can hold; the first is that of 1970."""


def stable_id(person: UUID, *names: str, at: datetime) -> UUID:
    """A UUIDv7 that follows from the names that another product gives to something of a person, so that it is found
    again, or known as erased, when it is imported again. at: its moment; one before 1970 has the first millisecond."""
    hashed = blake2b("\0".join([str(person), *names]).encode(), digest_size=16).digest()
    milliseconds = min(max(0, int(at.timestamp() * 1000)), LAST_MILLISECOND)
    bits = milliseconds << 80 | (int.from_bytes(hashed) & (1 << 80) - 1)
    version, variant = 0xF << 76, 0x3 << 62
    return UUID(int=bits & ~version & ~variant | 0x7 << 76 | 0x2 << 62)


def external_id(source: str, own_id: str) -> str:
    """What a conversation of a source is called here, such as "chatgpt:68f2…"."""
    whole = f"{source}:{own_id}"
    if len(whole) <= LONGEST_EXTERNAL_ID:
        return whole
    return f"{source}:{blake2b(own_id.encode(), digest_size=16).hexdigest()}"
