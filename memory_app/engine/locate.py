"""Locate a memory by its id, for someone: not there and not theirs to see look alike."""

from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.logbook.spoken_of import note
from memory_app.engine.write_access import check_write
from memory_app.errors import NotFound, NotGranted
from memory_app.models import Conversation, Memory
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.scope import every_space, within
from memory_app.rules.grant import Grant
from memory_app.rules.visibility import Visibility

WITH_NAMES = ("person", "space", "channel")

NO_CONVERSATION = "There is no such conversation of this person. Nothing was changed."


def locate(*, memory: UUID, entered: Entered | None, grant: Grant) -> Memory:
    """The kept memory that this person sees from their venue, or, no person named, that the grant reaches.

    Raises NotFound.
    """
    found = _seen_from(entered, memory) if entered else _within_grant(grant, memory)
    if found is None:
        raise NotFound
    return found


def locate_own(*, memory: UUID, entered: Entered | None, grant: Grant, removes: bool = False) -> Memory:
    """As `locate`, for changing it, or only taking it away: of what a person sees, only their own. Raises NotFound,
    NotGranted."""
    found = locate(memory=memory, entered=entered, grant=grant)
    if entered and not found.belongs_to(entered.venue):
        raise NotGranted("This memory is someone else's; only they can change it.")
    check_write(grant, found, removes=removes)
    return found


def locate_anywhere(*, memory: UUID, grant: Grant, removes: bool = False) -> Memory:
    """The memory in tier 1 or 2 that the grant reaches, for super users to bring back or to erase. Raises NotFound,
    NotGranted."""
    with every_space():
        found = Memory.objects.select_related(*WITH_NAMES).filter(id=memory).first()
    if found is None or not _reaches(grant, found):
        raise NotFound
    check_write(grant, found, removes=removes)
    return found


def check_own_conversation(*, conversation: UUID, entered: Entered) -> None:
    """That there is such a conversation of this person. Raises NotFound."""
    with every_space():
        theirs = Conversation.objects.filter(id=conversation, person=entered.person)
        if not theirs.exists():
            raise NotFound(NO_CONVERSATION)


def _seen_from(entered: Entered, memory: UUID) -> Memory | None:
    with within(entered.venue.spaces):
        return _kept().visible_from(entered.venue).filter(id=memory).first()


def _within_grant(grant: Grant, memory: UUID) -> Memory | None:
    """The id alone does not tell the space, so this looks in all of them, then asks whether the grant reaches it."""
    with every_space():
        found = _kept().filter(id=memory).first()
    if found is None or not _reaches(grant, found):
        return None
    note(found.person_id, found.person.space_id)
    return found


def _reaches(grant: Grant, memory: Memory) -> bool:
    if memory.visibility in (Visibility.SPACE, Visibility.CHANNEL):
        return grant.allows(memory.person.name, memory.space.name)
    return grant.allows(memory.person.name, None)


def _kept() -> MemoryQuerySet:
    return Memory.objects.kept().select_related(*WITH_NAMES)
