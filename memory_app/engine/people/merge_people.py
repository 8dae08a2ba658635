"""Merge people: what was kept of one, a guest or a thread, passes to another. `unmerge_people` takes it back.

Nothing is seen by more people than before: what is private is private to the other, and what was said in a shared space
passes only where the other belongs. The merged one stays, with nothing. Their name means the other from now on
(`resolve_venue`), but to a key that reaches the first one alone, for which they begin anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from memory_app.engine.audit.log import Author
from memory_app.engine.memories.write_version import change_memory, lock_memory
from memory_app.engine.people.transfer_items import (
    documents_to_transfer,
    items_to_transfer,
    rename_documents,
    rename_items,
)
from memory_app.engine.people.transfer_rows import Transfer, transfer_rows
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import Invalid
from memory_app.models import (
    COMMONS,
    Conflict,
    Conversation,
    Memory,
    Merge,
    Note,
    Operation,
    Person,
    Proposal,
    Receipt,
    Signal,
    Status,
    Turn,
)
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.merge_people_rows import Clash, ComparedMemory, clashing_pairs

RowsByKind = dict[str, list[list[Any]]]
"""By kind: the id, and what else is needed to take the passage back."""


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would do. counts: as the merge tells them; staying: memories in spaces the other is not in."""

    counts: dict[str, int]
    staying: int


def preview_merge(*, person: VenueContext, into: VenueContext) -> MergePreview:
    """Looks, and changes nothing. Expects both in private, and two who are not one."""
    with allowed_spaces(person.venue.spaces | into.venue.spaces):
        found = rows_to_transfer(person, into)
        found_clashes = [clash for transfer, _ in found for clash in find_clashes(transfer)]
        all_of_them = Memory.objects.filter(space_id__in=person.venue.spaces, person_id=person.person.id).count()
        counts = count_rows(found) | count_clashes(found_clashes)
    return MergePreview(counts, all_of_them - counts["memories"])


def rows_to_transfer(person: VenueContext, into: VenueContext) -> list[tuple[Transfer, RowsByKind]]:
    """What there is to pass, by where from and to."""
    return [(transfer, _rows_by_kind(transfer)) for transfer in _transfers(person, into)]


def _transfers(person: VenueContext, into: VenueContext) -> list[Transfer]:
    """From their own space to the other's; and, as they are, in spaces that the other belongs to."""
    of, to = person.person.id, into.person.id
    shared = sorted(person.venue.own & into.venue.member)
    home = Transfer(person.venue.home, into.venue.home, of, to)
    return [home, *(Transfer(space, space, of, to) for space in (COMMONS, *shared))]


def _rows_by_kind(transfer: Transfer) -> RowsByKind:
    here: dict[str, Any] = {"space_id": transfer.from_space, "person_id": transfer.from_person}
    talks = Conversation.objects.filter(**here).order_by("id")
    return {
        "memories": [[id, version] for id, version in Memory.objects.filter(**here).values_list("id", "version")],
        "conversations": [[id, name] for id, name in talks.values_list("id", "external_id")],
        "proposals": [[id] for id in Proposal.objects.filter(**here).values_list("id", flat=True)],
        "notes": [[id] for id in Note.objects.filter(**here).values_list("id", flat=True)],
        "receipts": [[id] for id in Receipt.objects.filter(**here).values_list("id", flat=True)],
        "signals": [[id] for id in Signal.objects.filter(**here).values_list("id", flat=True)],
        "conflicts": [[id] for id in Conflict.objects.filter(**here).values_list("id", flat=True)],
        "items": items_to_transfer(transfer),
        "documents": documents_to_transfer(transfer),
    }


def count_rows(found: Sequence[tuple[Transfer, RowsByKind]]) -> dict[str, int]:
    counts = {kind: sum(len(rows[kind]) for _, rows in found) for kind in found[0][1]}
    counts["turns"] = sum(
        Turn.objects.filter(space_id=transfer.from_space, person_id=transfer.from_person).count()
        for transfer, _ in found
    )
    return counts


def count_clashes(found_clashes: Sequence[Clash]) -> dict[str, int]:
    """Of what both keep: how many are the same text, and how many another value of the same key."""
    duplicates = sum(clash.same_text for clash in found_clashes)
    return {"duplicates": duplicates, "replaced": len(found_clashes) - duplicates}


def find_clashes(transfer: Transfer) -> list[Clash]:
    """What both keep, of which the older gives way."""
    return clashing_pairs(
        _comparable_memories(transfer.from_space, transfer.from_person),
        _comparable_memories(transfer.to_space, transfer.to_person),
    )


def _comparable_memories(space: UUID, person: UUID) -> list[ComparedMemory]:
    rows = Memory.objects.undeleted().filter(space_id=space, person_id=person, status=Status.ACTIVE)
    found = rows.values_list("id", "visibility", "channel_id", "key", "digest", "updated_at")
    return [ComparedMemory(id, (level, at), key, bytes(digest), when) for id, level, at, key, digest, when in found]


DUPLICATE_REASON = "merged"
"""Why a memory was forgotten that the other person has in the same words."""

MovedRows = dict[str, list[list[Any]]]


def merge_people(*, person: VenueContext, into: VenueContext, author: Author, now: datetime) -> Merge:
    """Passes on memories of all tiers, conversations, proposals, notes, receipts and whom they name, in one
    transaction; of two memories of one key or text the newer stands. Ids stay.

    Expects both in private. With nothing to pass on, the last merge of the two is answered. Raises Invalid where the
    two are one.
    """
    if person.person.id == into.person.id:
        raise Invalid("into", "Name another person to merge this one into.")
    with allowed_spaces(person.venue.spaces | into.venue.spaces):
        lock_people(person, into, person.venue.spaces)
        found = rows_to_transfer(person, into)
        _redirect_name(person, into)
        last = _last_merge(person, into)
        if last and not any(ids for _, rows in found for ids in rows.values()):
            return last
        moved, counts = _moved_rows(found), count_rows(found)
        found_clashes = [clash for transfer, _ in found for clash in _resolve_clashes(transfer, author, now)]
        moved["clashes"] = [[str(clash.older.id), str(clash.newer.id)] for clash in found_clashes]
        for transfer, rows in found:
            _prepare_conversations(transfer, rows["conversations"], now)
            rename_items(transfer, rows["items"], person.person.name, into.person.name)
            rename_documents(transfer, rows["documents"])
            transfer_rows(transfer, {kind: [row[0] for row in rows[kind]] for kind in rows})
        for clash in found_clashes:
            _link_replacement(clash, into)
        counts |= count_clashes(found_clashes)
        return _record_merge(person, into, moved, counts, author, now)


def lock_people(person: VenueContext, into: VenueContext, spaces: Iterable[UUID]) -> None:
    """Holds off who writes memories of either of them, then who speaks for them in these spaces: in that order, as
    whoever reads their conversations does."""
    people = sorted((person.person.id, into.person.id))
    for one in people:
        lock_writers(one)
    talks = Conversation.objects.select_for_update(of=("self",)).filter(space_id__in=list(spaces), person_id__in=people)
    list(talks.order_by("space_id", "id").values_list("id", flat=True))


def _redirect_name(person: VenueContext, into: VenueContext) -> None:
    """What is said under the one name from now on is the other's, who goes on for themselves whatever was before."""
    Person.objects.filter(id=person.person.id).update(merged_into=into.person.id)
    Person.objects.filter(id=into.person.id).update(merged_into=None)


def _moved_rows(found: Sequence[tuple[Transfer, RowsByKind]]) -> MovedRows:
    """What the record of the merge holds: [[space it was in, id, what else undoing needs]] by kind."""
    moved: MovedRows = {}
    for transfer, rows in found:
        for kind, listed in rows.items():
            moved_rows = [[str(transfer.from_space), str(row[0]), *row[1:]] for row in listed]
            moved.setdefault(kind, []).extend(moved_rows)
    return moved


def _resolve_clashes(transfer: Transfer, author: Author, now: datetime) -> list[Clash]:
    """Of what both keep, has the older give way while each is still where it was."""
    found_clashes = find_clashes(transfer)
    for clash in found_clashes:
        older = lock_memory(transfer.from_space, clash.older.id) or lock_memory(transfer.to_space, clash.older.id)
        if older is None:
            raise LookupError(f"{clash.older.id} is gone in the transaction that found it")
        if clash.same_text:
            gone = {"deleted_at": now, "deleted_by": author.label, "delete_reason": DUPLICATE_REASON}
            change_memory(
                older,
                operation="forget",
                author=author,
                now=now,
                reason=DUPLICATE_REASON,
                status=Status.DELETED,
                **gone,
            )
        else:
            replaced: dict[str, Any] = {"valid_to": now, "superseded_by": clash.newer.id}
            change_memory(older, operation="supersede", author=author, now=now, status=Status.SUPERSEDED, **replaced)
    return found_clashes


def _prepare_conversations(transfer: Transfer, conversations: Sequence[Sequence[Any]], now: datetime) -> None:
    """Ends what goes on, so that what the other says from now on is not in a conversation that may go back; and takes
    from it a name that the other's conversation there has."""
    ids = [row[0] for row in conversations]
    here = Conversation.objects.filter(space_id=transfer.from_space, id__in=ids)
    here.filter(ended_at=None).update(ended_at=now)
    called = {name: OuterRef(name) for name in ("visibility", "channel_name", "external_id")}
    existing = Conversation.objects.filter(space_id=transfer.to_space, person_id=transfer.to_person, **called)
    here.exclude(external_id="").filter(Exists(existing)).update(external_id="")


def _link_replacement(clash: Clash, into: VenueContext) -> None:
    if not clash.same_text:
        newer = Memory.objects.filter(space_id__in=into.venue.spaces, id=clash.newer.id, supersedes=None)
        newer.update(supersedes=clash.older.id)


def _last_merge(person: VenueContext, into: VenueContext) -> Merge | None:
    rows = Merge.objects.filter(space_id=into.venue.home, person=person.person, undone_at=None)
    return rows.order_by("-at", "-id").first()


def _record_merge(
    person: VenueContext, into: VenueContext, moved: MovedRows, counts: dict[str, int], author: Author, now: datetime
) -> Merge:
    merge = Merge(space_id=into.venue.home, person=person.person, at=now, by=author.label, moved=moved, counts=counts)
    merge.save(force_insert=True)
    log_merge(merge, "merge_people", author, now)
    return merge


def log_merge(merge: Merge, name: str, author: Author, now: datetime) -> None:
    """Writes to the log of both what was done, by ids and counts."""
    detail = {"merge": str(merge.id), "counts": merge.counts}
    for space, person in ((merge.space_id, None), (merge.person.space_id, merge.person_id)):
        Operation.objects.create(
            space_id=space,
            at=now,
            name=name,
            author=author.label,
            person_id=person,
            request_id=author.request,
            detail=detail,
        )
