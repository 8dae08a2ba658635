"""Unmerge people: take a merge back, for 30 days: what passed goes back as it was then, whatever became of it since.

What was erased since stays erased, and what the other said or kept since stays theirs, also where they were called by
the first one's name.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from memory_app.engine.audit.log import Author
from memory_app.engine.entities.relink_mentions import relink_mentions
from memory_app.engine.memories.versions import fields_of_version
from memory_app.engine.memories.write_version import change_memory, key_is_taken, lock_memory
from memory_app.engine.people.merge_people import lock_people, log_merge
from memory_app.engine.people.transfer_items import restore_document_paths, restore_item_names
from memory_app.engine.people.transfer_rows import Transfer, transfer_rows
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ConflictError, NotFound
from memory_app.models import (
    Conflict,
    Conversation,
    Document,
    Item,
    Memory,
    Merge,
    Note,
    Person,
    Proposal,
    Receipt,
    Signal,
    Status,
    Version,
)
from memory_app.models.person_merge import UNDO_PERIOD
from memory_app.models.row_security import allowed_spaces

TOO_LATE = "This was merged more than 30 days ago, and can no longer be taken back."
UNMERGED_ALREADY = "This was taken back already, or the two were merged again since; then take that merge back first."
MERGED_ON = "What was merged has passed on since; take that merge back first."


def unmerge_people(
    *, person: VenueContext, into: VenueContext, author: Author, now: datetime, merge_id: UUID | None = None
) -> Merge:
    """Takes back the last merge of a person into the other, in one transaction.

    merge_id: the one that is meant, where the caller saw several. Raises NotFound where there is none, ConflictError
    where it is too late or another came after the one that is meant.
    """
    with allowed_spaces(person.venue.spaces | into.venue.spaces):
        lock_people(person, into, into.venue.spaces)
        rows = Merge.objects.select_for_update(of=("self",)).select_related("person")
        merges = rows.filter(space_id=into.venue.home, person=person.person, undone_at=None)
        merge = merges.order_by("-at", "-id").first()
        if merge is None:
            raise NotFound(f"{person.person.name!r} was not merged into {into.person.name!r}.")
        if merge_id not in (None, merge.id):
            raise ConflictError(UNMERGED_ALREADY)
        if now - merge.at > UNDO_PERIOD:
            raise ConflictError(TOO_LATE)
        _transfer_back(merge, person, into, author, now)
        Merge.objects.filter(space_id=merge.space_id, id=merge.id).update(undone_at=now)
        merge.undone_at = now
        Person.objects.filter(id=person.person.id, merged_into=into.person.id).update(merged_into=None)
        log_merge(merge, "unmerge_people", author, now)
        return merge


def _transfer_back(merge: Merge, person: VenueContext, into: VenueContext, author: Author, now: datetime) -> None:
    transfers = {
        space: Transfer(
            into.venue.home if space == person.venue.home else space, space, into.person.id, person.person.id
        )
        for space in {UUID(row[0]) for listed in _moved_rows(merge).values() for row in listed}
    }
    remaining = {space: _remaining_rows(transfer, merge) for space, transfer in transfers.items()}
    if any(_moved_rows(merge).values()) and not any(ids for found in remaining.values() for ids in found.values()):
        raise ConflictError(MERGED_ON)
    for older, newer in merge.moved.get("clashes", []):
        Memory.objects.filter(space_id__in=into.venue.spaces, id=newer, supersedes=older).update(supersedes=None)
    versions = {UUID(row[1]): row[2] for row in merge.moved.get("memories", [])}
    for space, transfer in transfers.items():
        _clear_taken_keys(transfer, remaining[space]["memories"])
        transfer_rows(transfer, remaining[space])
        _restore_names(transfer, merge, remaining[space])
        for memory in remaining[space]["memories"]:
            _revert_memory(space, memory, versions[memory])
        _restore_external_ids(space, merge)
    gave_way = [UUID(older) for older, _ in merge.moved.get("clashes", []) if UUID(older) not in versions]
    for memory in gave_way:
        _reactivate(memory, into, author, now)


def _moved_rows(merge: Merge) -> dict[str, list[list[Any]]]:
    return {kind: rows for kind, rows in merge.moved.items() if kind != "clashes"}


MODELS_BY_KIND = {
    "memories": Memory,
    "conversations": Conversation,
    "proposals": Proposal,
    "notes": Note,
    "receipts": Receipt,
    "signals": Signal,
    "conflicts": Conflict,
    "items": Item,
    "documents": Document,
}


def _remaining_rows(transfer: Transfer, merge: Merge) -> dict[str, list[UUID]]:
    """Of what passed from a space, what the other still has where it passed to."""
    listed: dict[str, list[UUID]] = defaultdict(list)
    for kind, rows in _moved_rows(merge).items():
        ids = [UUID(row[1]) for row in rows if row[0] == str(transfer.to_space)]
        here: Any = MODELS_BY_KIND[kind]._default_manager.filter(
            space_id=transfer.from_space, person_id=transfer.from_person
        )
        listed[kind] = list(here.filter(id__in=ids).values_list("id", flat=True))
    return listed


COMPARABLE_KEY = OuterRef("comparable_key")


def _clear_taken_keys(transfer: Transfer, memories: Sequence[UUID]) -> None:
    """A key that another memory holds by now, where these go back to, stays with that one."""
    back = Memory.objects.undeleted().filter(
        space_id=transfer.to_space, person_id=transfer.to_person, status=Status.ACTIVE
    )
    same = back.filter(
        visibility=OuterRef("visibility"), channel_id=OuterRef("channel_id"), comparable_key=COMPARABLE_KEY
    )
    anywhere = back.filter(visibility=OuterRef("visibility"), channel_id=None, comparable_key=COMPARABLE_KEY)
    going = Memory.objects.filter(space_id=transfer.from_space, id__in=memories).exclude(comparable_key="")
    going.filter(Exists(same) | Exists(anywhere)).update(key="")


def _revert_memory(space: UUID, memory: UUID, version: int) -> None:
    """A memory as it was when it passed. What it was changed to since is the other's, and goes."""
    row = lock_memory(space, memory)
    past = Version.objects.filter(space_id=space, memory_id=memory, number=version).first()
    if row is None or past is None:
        return
    fields = fields_of_version(row, past)
    fields |= {"sensitive": past.state["sensitive"], "changed_by": past.changed_by, "updated_at": past.changed_at}
    text_changed = fields["content"] != row.content
    here = Memory.objects.filter(space_id=space, id=memory)
    here.update(**fields, version=F("version") + 1)
    if text_changed:
        relink_mentions(here.get())
    Version.objects.filter(space_id=space, memory_id=memory, number__gte=version).delete()


def _restore_names(transfer: Transfer, merge: Merge, ids: Mapping[str, Sequence[UUID]]) -> None:
    """Items and documents that went back are called again what they were."""
    for kind, restore in (("items", restore_item_names), ("documents", restore_document_paths)):
        back = {str(identifier) for identifier in ids[kind]}
        restore(transfer, [row[1:] for row in merge.moved.get(kind, []) if row[1] in back])


def _restore_external_ids(space: UUID, merge: Merge) -> None:
    """Conversations are called again what the caller called them, unless another is by now."""
    for listed in merge.moved.get("conversations", []):
        if listed[0] == str(space) and listed[2]:
            back = Conversation.objects.filter(space_id=space, id=listed[1], person=merge.person).first()
            if (
                back
                and not Conversation.objects.with_external_id_of(back.with_external_id(listed[2]))
                .exclude(id=back.id)
                .exists()
            ):
                back.save(update_fields=["external_id"])


def _reactivate(memory: UUID, into: VenueContext, author: Author, now: datetime) -> None:
    """What of the other's own gave way stands again, if nothing became of it since."""
    for space in sorted(into.venue.spaces):
        row = lock_memory(space, memory)
        past = Version.objects.filter(space_id=space, memory_id=memory, number=row.version - 1).first() if row else None
        if row is None or past is None or row.person_id != into.person.id or row.status == Status.ACTIVE:
            continue
        fields = fields_of_version(row, past)
        if key_is_taken(row, fields["key"]):
            fields["key"] = ""
        change_memory(row, operation="undo", author=author, now=now, **fields)
