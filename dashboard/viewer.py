"""What the signed-in user may see and change: of their own person, or, as a super user, of everyone.

Pages ask only here. Querysets are to be evaluated within `transaction()`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from memory_app.engine.audit.log import Author
from memory_app.engine.conflicts.answer import conflicts_of
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.proposals.review import proposals_of
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.engine.write_access import check_write, may_write, writable
from memory_app.errors import NotFound
from memory_app.models import (
    Conflict,
    Conversation,
    Document,
    Entity,
    HistoryImport,
    Item,
    Memory,
    Note,
    Operation,
    Person,
    Proposal,
    Receipt,
    User,
)
from memory_app.models.conflict import ConflictQuerySet
from memory_app.models.conversation import ConversationQuerySet
from memory_app.models.document import DocumentQuerySet
from memory_app.models.entity import EntityQuerySet
from memory_app.models.history_import import HistoryImportQuerySet
from memory_app.models.ids import new_id
from memory_app.models.item import ItemQuerySet
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.note import NoteQuerySet
from memory_app.models.proposal import ProposalQuerySet
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import EVERYTHING, Grant, in_person

M = TypeVar("M", bound=Model)
RESTORABLE_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Viewer:
    """One signed-in user, in the private venue of their person where they have one."""

    user: User
    venue_context: VenueContext | None

    @property
    def is_super_user(self) -> bool:
        return self.user.is_superuser

    @property
    def person(self) -> Person | None:
        return self.venue_context.person if self.venue_context else None

    @property
    def grant(self) -> Grant:
        """What they may write, by the rule that keys go by."""
        return get_grant(self.user, self.person)

    @property
    def zone(self) -> ZoneInfo:
        return self.person.zone if self.person else ZoneInfo("UTC")

    @property
    def spaces(self) -> frozenset[UUID]:
        return self.venue_context.venue.spaces if self.venue_context else frozenset()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction that row security lets touch what this user may see. Only here is every space opened."""
        with every_space() if self.is_super_user else allowed_spaces(self.spaces):
            yield

    def memories(self) -> MemoryQuerySet:
        """Tier 1: what may be seen."""
        rows = Memory.objects.undeleted().select_related(*WITH_NAMES)
        if self.is_super_user:
            return rows
        return rows.visible_from(self.venue_context.venue) if self.venue_context else rows.none()

    def entities(self) -> EntityQuerySet:
        """Whom and what memories that may be seen speak of."""
        rows = Entity.objects.all()
        if self.is_super_user:
            return rows
        return rows.visible_from(self.venue_context.venue) if self.venue_context else rows.none()

    def deleted_memories(self) -> MemoryQuerySet:
        """Tier 2: what may be brought back. One's own for a while, by a super user for as long as it is there."""
        rows = self.own_memories().deleted()
        return rows if self.is_super_user else rows.filter(deleted_at__gt=timezone.now() - RESTORABLE_FOR)

    def own_memories(self) -> MemoryQuerySet:
        """What may be changed, in tiers 1 and 2: a person's own memories, all of them for a super user."""
        rows = Memory.objects.select_related(*WITH_NAMES)
        if self.is_super_user:
            return rows
        if self.venue_context is None:
            return rows.none()
        return rows.visible_from(self.venue_context.venue).filter(person_id=self.venue_context.person.id)

    def writable(self, rows: MemoryQuerySet) -> MemoryQuerySet:
        """Of what is one's own, what lives where one still belongs: it may be changed, or brought back."""
        return writable(rows, self.person, self.grant) if self.person else rows

    def operations(self) -> QuerySet[Operation]:
        """Tier 3: what was done to the memories that are one's own."""
        if self.is_super_user:
            return Operation.objects.retained(timezone.now())
        person = self.person.id if self.person else None
        return Operation.objects.retained(timezone.now()).filter(space_id__in=sorted(self.spaces), person_id=person)

    def proposals(self) -> ProposalQuerySet:
        """What was noticed, whatever became of it: about their own person, about everyone for a super user."""
        rows = Proposal.objects.none()
        if self.is_super_user:
            rows = Proposal.objects.all()
        elif self.venue_context:
            rows = proposals_of(self.venue_context, None)
        return rows.select_related(None).select_related("person__space", "space")

    def conflicts(self) -> ConflictQuerySet:
        """Memories that may not both hold: of their own person, of everyone for a super user; answered ones too."""
        if self.is_super_user:
            return Conflict.objects.select_related("person__space", "space")
        return conflicts_of(self.venue_context) if self.venue_context else Conflict.objects.none()

    def conversations(self) -> ConversationQuerySet:
        """What their own person said, in private and elsewhere; everyone's for a super user."""
        rows = Conversation.objects.select_related(*WITH_NAMES)
        if self.is_super_user:
            return rows
        if self.venue_context is None:
            return rows.none()
        return rows.visible_from(self.venue_context.venue).filter(person_id=self.venue_context.person.id)

    def notes(self) -> NoteQuerySet:
        """What was noted of their own person, day by day, in tiers 1 and 2; of everyone for a super user."""
        rows = Note.objects.select_related("person").defer("embedding", "tsv")
        if self.is_super_user:
            return rows
        return rows.visible_from(self.venue_context.venue).filter(_restorable()) if self.venue_context else rows.none()

    def imports(self) -> HistoryImportQuerySet:
        """What their own person brought along; what everyone did for a super user."""
        rows = HistoryImport.objects.select_related("person", "space")
        if self.is_super_user:
            return rows
        return rows.filter(space_id__in=sorted(self.spaces), person=self.person) if self.person else rows.none()

    def find_import(self, identifier: UUID) -> HistoryImport:
        """An import to be shown, or gone on with. Raises NotFound."""
        return get_row(self.imports(), identifier)

    def find_note(self, note: UUID, *, deleted: bool = False) -> Note:
        """A note to be changed, or brought back. Raises NotFound."""
        return get_row(self.notes().filter(deleted_at__isnull=not deleted), note)

    def documents(self) -> DocumentQuerySet:
        """What assistants wrote of their own person, in tiers 1 and 2; of everyone for a super user."""
        rows = Document.objects.without_index().select_related("person")
        if self.is_super_user:
            return rows
        return rows.of_person(self.venue_context.person).filter(_restorable()) if self.venue_context else rows.none()

    def find_document(self, document: UUID, *, deleted: bool = False) -> Document:
        """A document to be deleted, or brought back. Raises NotFound."""
        return get_row(self.documents().filter(deleted_at__isnull=not deleted), document)

    def items(self) -> ItemQuerySet:
        """What assistants stored of their own person and may still read; of everyone for a super user."""
        rows = Item.objects.unexpired(timezone.now()).without_index().select_related("person")
        if self.is_super_user:
            return rows
        return rows.of_person(self.venue_context.person) if self.venue_context else rows.none()

    def receipts(self) -> QuerySet[Receipt]:
        """What the assistants of their own person were told; everyone's for a super user."""
        rows = Receipt.objects.select_related("person")
        return rows if self.is_super_user else rows.filter(space_id__in=sorted(self.spaces), person=self.person)

    def find_proposal(self, proposal: UUID) -> Proposal:
        """A proposal to be shown or decided on. Raises NotFound."""
        return get_row(self.proposals(), proposal)

    def find_conflict(self, conflict: UUID) -> Conflict:
        """A conflict to be answered. Raises NotFound."""
        return get_row(self.conflicts(), conflict)

    def find_conversation(self, conversation: UUID) -> Conversation:
        """A conversation to be shown. Raises NotFound."""
        return get_row(self.conversations(), conversation)

    def find_memory(self, memory: UUID) -> Memory:
        """A memory to be shown. Raises NotFound, for what is not there and for what is not theirs to see."""
        return self.memories().filter(id=memory).first() or get_row(self.deleted_memories(), memory)

    def find_own_memory(self, memory: UUID, *, removes: bool = False) -> Memory:
        """A memory to be changed, or only taken away. Raises NotFound, also for one that may only be seen, NotAllowed
        for one that lives where they belong no more."""
        found = get_row(self.own_memories(), memory)
        check_write(self.grant, found, removes=removes)
        return found

    def find_deleted_memory(self, memory: UUID) -> Memory:
        """A memory to be brought back. Raises NotFound, also for one that was forgotten too long ago."""
        found = get_row(self.deleted_memories(), memory)
        check_write(self.grant, found)
        return found

    def is_own(self, memory: Memory) -> bool:
        return self.is_super_user or (self.person is not None and memory.person_id == self.person.id)

    def may_change(self, memory: Memory) -> bool:
        return self.is_own(memory) and may_write(self.grant, memory)

    def author(self) -> Author:
        """Who acts, with a fresh request id that ties together, and can undo, all that one request does."""
        return Author("user", self.user.get_username(), request=str(new_id()))

    def owner(self, memory: Memory) -> VenueContext:
        """The owner of a memory in their private venue, for acts that speak in the owner's name."""
        return resolve_venue(person=memory.person.name, grant=self.grant, create=False)


def _restorable() -> Q:
    return Q(deleted_at=None) | Q(deleted_at__gt=timezone.now() - RESTORABLE_FOR)


def get_viewer(user: User) -> Viewer | None:
    """What a user reaches; None for one who is neither tied to a person nor a super user."""
    person = Person.objects.filter(id=user.person_id).first() if user.person_id else None
    if person is None and not user.is_superuser:
        return None
    venue_context = resolve_venue(person=person.name, grant=get_grant(user, person), create=False) if person else None
    return Viewer(user, venue_context)


def get_grant(user: User, person: Person | None) -> Grant:
    """A super user may write for everyone, anyone else for their own person; who has none reaches no page."""
    return EVERYTHING if user.is_superuser or person is None else in_person(person.name)


def memory_ref(memory: Memory) -> MemoryRef:
    return MemoryRef(memory.space_id, memory.id)


def get_row(rows: QuerySet[M], identifier: UUID) -> M:
    """Raises NotFound."""
    found = rows.filter(**{"id": identifier}).first()
    if found is None:
        raise NotFound
    return found
