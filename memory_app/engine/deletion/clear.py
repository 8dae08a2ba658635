"""Clear: delete all that a person has, as far as the caller may see it, what was said and not read yet included.

Memories, notes and documents go to tier 2, and proposals expire; all can be restored. Turns stay as they were said, but
nothing reads them any more: what was cleared does not come back when the conversation ends or in the next night.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.db.models import F, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce, Greatest

from memory_app.engine.audit.log import Author, log_event, operation_entry
from memory_app.engine.documents.documents import delete_documents
from memory_app.engine.memories.delete_and_restore import REASON_ASKED
from memory_app.engine.memories.reflection_lines import refresh_reflections
from memory_app.engine.memories.versions import LEFT_SPACE
from memory_app.engine.memories.write_version import version_from
from memory_app.engine.summaries.notes import REASON_CLEARED, delete_notes
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import writable
from memory_app.models import (
    Conversation,
    Document,
    Memory,
    Note,
    Operation,
    Person,
    Proposal,
    ProposalStatus,
    Status,
    Turn,
    Version,
)
from memory_app.models.conversation import MIN_TURNS, ConversationQuerySet
from memory_app.models.document import DocumentQuerySet
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.note import NoteQuerySet
from memory_app.models.person import lock_writers
from memory_app.models.proposal import ProposalQuerySet
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.visibility import VenueClass

BATCH_SIZE = 1_000
"""Rows that one statement writes."""


@dataclass(frozen=True, slots=True)
class ClearResult:
    """How many memories went, and how many the person has here that were not among them."""

    deleted: int
    remaining: int


def own_memories(venue_context: VenueContext) -> MemoryQuerySet:
    """The person's own kept memories that may be seen from their venue, to be evaluated within its spaces."""
    return Memory.objects.undeleted().visible_from(venue_context.venue).filter(person=venue_context.person)


def deletable_memories(venue_context: VenueContext) -> MemoryQuerySet:
    """Of `own`, what whoever asks may take away: through a key of a space, only what lives there."""
    return writable(own_memories(venue_context), venue_context.person, venue_context.grant, removes=True)


def memories_at(venue_context: VenueContext, moment: datetime) -> list[UUID]:
    """Which of the person's own memories were kept here at a moment not long ago, gone or changed since or not; to be
    called within their spaces. What an import or a merge of people brought since may be among them: see `digest`."""
    rows = Memory.objects.visible_from(venue_context.venue).filter(person=venue_context.person)
    rows = writable(rows, venue_context.person, venue_context.grant, removes=True)
    same = rows.undeleted().filter(updated_at__lte=moment).values_list("id", flat=True)
    since = {row.id: row.visibility for row in rows.filter(updated_at__gt=moment).only("space_id", "id", "visibility")}
    past = Version.objects.filter(space_id__in=venue_context.venue.spaces, memory_id__in=list(since))
    past_versions = past.filter(changed_at__lte=moment, replaced_at__gt=moment)
    changed = [
        version.memory_id
        for version in past_versions
        if version.state["deleted_at"] is None
        and LEFT_SPACE not in version.state
        and version.state["visibility"] == since[version.memory_id]
    ]
    return [*same, *changed]


def ids_digest(memories: Iterable[UUID]) -> str:
    """By which one set of memories is told from any other, however many they are."""
    return sha256(b"".join(sorted(memory.bytes for memory in memories))).hexdigest()


def clear_memories(
    *,
    venue_context: VenueContext,
    memories: Collection[UUID] | None = None,
    author: Author,
    now: datetime,
    reason: str = REASON_ASKED,
) -> ClearResult:
    """Forgets the person's own memories here, in one transaction: these, or all. Each can be restored."""
    with allowed_spaces(venue_context.venue.spaces):
        lock_writers(venue_context.person.id)
        here = deletable_memories(venue_context).select_for_update(of=("self",)).defer("embedding", "tsv")
        rows = list(here if memories is None else here.filter(id__in=memories))
        for start in range(0, len(rows), BATCH_SIZE):
            _delete_batch(rows[start : start + BATCH_SIZE], author, now, reason)
        refresh_reflections([row for row in rows if row.space_id == venue_context.venue.home], now)
        return ClearResult(len(rows), deletable_memories(venue_context).count())


def _delete_batch(memories: Sequence[Memory], author: Author, now: datetime, reason: str) -> None:
    Version.objects.bulk_create([version_from(memory, now) for memory in memories])
    spaces, ids = {memory.space_id for memory in memories}, [memory.id for memory in memories]
    Memory.objects.filter(space_id__in=spaces, id__in=ids).update(
        version=F("version") + 1,
        updated_at=now,
        changed_by=author.label,
        status=Status.DELETED,
        deleted_at=now,
        deleted_by=author.label,
        delete_reason=reason,
    )
    Operation.objects.bulk_create([_delete_operation(memory, author, now, reason) for memory in memories])


def _delete_operation(memory: Memory, author: Author, now: datetime, reason: str) -> Operation:
    detail = {"version": memory.version + 1, "changed": ["delete_reason", "deleted_at", "status"], "reason": reason}
    return operation_entry(memory, "forget", author, now, detail)


UNREAD_TURNS = "what was said and not read yet"


@dataclass(frozen=True, slots=True)
class OtherCounts:
    """How many there are, or were cleared. turns: unread ones, of conversations long enough to be read."""

    notes: int
    documents: int
    proposals: int
    turns: int

    def __bool__(self) -> bool:
        return any((self.notes, self.documents, self.proposals, self.turns))

    @property
    def descriptions(self) -> Sequence[str]:
        """Each kind of which there is any, such as "2 notes"."""
        counted = [f"{number} {noun}{'' if number == 1 else 's'}" for number, noun in self._counts if number]
        return [*counted, UNREAD_TURNS] if self.turns else counted

    @property
    def _counts(self) -> Sequence[tuple[int, str]]:
        return (self.notes, "note"), (self.documents, "document"), (self.proposals, "proposal")


def count_other_rows(venue_context: VenueContext, moment: datetime) -> OtherCounts:
    """What there was at a moment. Expects the venue's scope."""
    unread = _own_conversations(venue_context).unread().filter(turn_count__gte=MIN_TURNS)
    turns = unread.aggregate(turns=Sum(F("turn_count") - F("extracted_to")))["turns"] or 0
    return OtherCounts(
        _notes_before(venue_context, moment).count(),
        _documents_before(venue_context, moment).count(),
        _pending_proposals(venue_context, moment).count(),
        turns,
    )


def clear_other_rows(*, venue_context: VenueContext, moment: datetime, author: Author, now: datetime) -> OtherCounts:
    """Clears what there was when the person was asked, as far as it is seen from their venue."""
    with allowed_spaces(venue_context.venue.spaces):
        lock_writers(venue_context.person.id)
        cleared = count_other_rows(venue_context, moment)
        delete_notes(notes=_notes_before(venue_context, moment), author=author, now=now, reason=REASON_CLEARED)
        documents = _documents_before(venue_context, moment)
        delete_documents(documents=documents, author=author, now=now, reason=REASON_CLEARED)
        pending = _pending_proposals(venue_context, moment)
        ids = [str(id) for id in pending.values_list("id", flat=True)]
        pending.update(status=ProposalStatus.EXPIRED, decided_at=now, decided_by=author.label)
        _mark_turns_as_read(venue_context, moment)
        if venue_context.venue.kind is VenueClass.PRIVATE:
            Person.objects.filter(id=venue_context.person.id).update(cleared_at=moment)
        detail = {"notes": cleared.notes, "documents": cleared.documents, "proposals": ids, "turns": cleared.turns}
        log_event(
            "clear", detail, author=author, now=now, space=venue_context.venue.home, person=venue_context.person.id
        )
        return cleared


@dataclass(frozen=True, slots=True)
class ClearAllResult:
    """What went of all that a person had."""

    memories: ClearResult
    others: OtherCounts


def clear_all(
    *,
    venue_context: VenueContext,
    memories: Collection[UUID] | None = None,
    moment: datetime,
    author: Author,
    now: datetime,
) -> ClearAllResult:
    """Forgets all that a person had here at a moment, in one transaction: of the memories these, or all there are by
    now, and every other row that could come back as one."""
    with transaction.atomic():
        return ClearAllResult(
            clear_memories(venue_context=venue_context, memories=memories, author=author, now=now),
            clear_other_rows(venue_context=venue_context, moment=moment, author=author, now=now),
        )


def _notes_before(venue_context: VenueContext, moment: datetime) -> NoteQuerySet:
    return Note.objects.visible_from(venue_context.venue).undeleted().filter(created_at__lte=moment)


def _documents_before(venue_context: VenueContext, moment: datetime) -> DocumentQuerySet:
    return Document.objects.visible_from(venue_context.venue).undeleted().filter(created_at__lte=moment)


def _pending_proposals(venue_context: VenueContext, moment: datetime) -> ProposalQuerySet:
    rows = Proposal.objects.visible_from(venue_context.venue).filter(person=venue_context.person)
    return rows.filter(status=ProposalStatus.PENDING, created_at__lte=moment)


def _own_conversations(venue_context: VenueContext) -> ConversationQuerySet:
    return Conversation.objects.visible_from(venue_context.venue).filter(person=venue_context.person)


def _mark_turns_as_read(venue_context: VenueContext, moment: datetime) -> None:
    """Marks the turns said until then as read by everything; what is said next is read without them."""
    turns = Turn.objects.filter(space_id=OuterRef("space_id"), conversation_id=OuterRef("id"), created_at__lte=moment)
    after = turns.order_by("-position").annotate(after=F("position") + 1).values("after")[:1]
    number = Coalesce(Subquery(after), 0, output_field=IntegerField())
    rows = _own_conversations(venue_context).filter(cleared_to__lt=F("turn_count"))
    rows.update(cleared_to=number, extracted_to=Greatest(F("extracted_to"), number), user_turns_unread=0)
