"""Merge people: what was kept of one, a guest or a thread, passes to another. `unmerge_people` takes it back.

Nothing is seen by more people than before: what is private is private to the other, and what was said in a shared space
passes only where the other belongs. The one who was merged stays, with nothing, and may begin anew.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ...errors import Invalid
from ...models import COMMONS, Conversation, Memory, Merge, Note, Operation, Proposal, Receipt, Status, Turn
from ...models.scope import within
from ...rules.unite import Clash, Held, clashes
from ..author import Author
from ..change import change, locked, one_writer
from ..enter import Entered
from .pass_on import pass_on
from .passage import Passage

TWICE = "merged"
"""Why a memory was forgotten that the other person has in the same words."""

Moved = dict[str, list[list[Any]]]


def merge_people(*, person: Entered, into: Entered, author: Author, now: datetime) -> Merge:
    """Passes on memories of all tiers, conversations, proposals, notes, receipts and whom they name, in one
    transaction; of two memories of one key or text the newer stands. Ids stay.

    Expects both in private. With nothing to pass on, the last merge of the two is answered. Raises Invalid where the
    two are one.
    """
    if person.person.id == into.person.id:
        raise Invalid("into", "Name another person to merge this one into.")
    with within(person.venue.spaces | into.venue.spaces):
        passages = _passages(person, into)
        hold(person, into, person.venue.spaces)
        found = [(passage, _found(passage)) for passage in passages]
        last = _last(person, into)
        if last and not any(ids for _, rows in found for ids in rows.values()):
            return last
        moved, counts = _moved(found), _counted(found)
        pairs = [pair for passage in passages for pair in _settled(passage, author, now)]
        moved["clashes"] = [[str(pair.older.id), str(pair.newer.id)] for pair in pairs]
        for passage, rows in found:
            _make_room(passage, rows["conversations"], now)
            pass_on(passage, {kind: [row[0] for row in rows[kind]] for kind in rows})
        for pair in pairs:
            _link(pair, into)
        counts |= {"duplicates": sum(pair.same_text for pair in pairs)}
        counts |= {"replaced": len(pairs) - counts["duplicates"]}
        return _recorded(person, into, moved, counts, author, now)


def hold(person: Entered, into: Entered, spaces: Iterable[UUID]) -> None:
    """Holds off whoever speaks for either of them in these spaces: their conversations first, as reading one does, then
    other writers of their memories."""
    people = sorted((person.person.id, into.person.id))
    talks = Conversation.objects.select_for_update(of=("self",)).filter(space_id__in=list(spaces), person_id__in=people)
    list(talks.order_by("space_id", "id").values_list("id", flat=True))
    for one in people:
        one_writer(one)


def _passages(person: Entered, into: Entered) -> list[Passage]:
    """From their own space to the other's; and, as they are, in spaces that the other belongs to."""
    of, to = person.person.id, into.person.id
    shared = sorted(person.venue.own & into.venue.member)
    home = Passage(person.venue.home, into.venue.home, of, to)
    return [home, *(Passage(space, space, of, to) for space in (COMMONS, *shared))]


Found = dict[str, list[list[Any]]]
"""By kind: the id, and what else is needed to take the passage back."""


def _found(passage: Passage) -> Found:
    here: dict[str, Any] = {"space_id": passage.from_space, "person_id": passage.of}
    talks = Conversation.objects.filter(**here).order_by("id")
    return {
        "memories": [[id, version] for id, version in Memory.objects.filter(**here).values_list("id", "version")],
        "conversations": [[id, name] for id, name in talks.values_list("id", "external_id")],
        "proposals": [[id] for id in Proposal.objects.filter(**here).values_list("id", flat=True)],
        "notes": [[id] for id in Note.objects.filter(**here).values_list("id", flat=True)],
        "receipts": [[id] for id in Receipt.objects.filter(**here).values_list("id", flat=True)],
    }


def _moved(found: Sequence[tuple[Passage, Found]]) -> Moved:
    """What the record of the merge holds: [[space it was in, id, what else undoing needs]] by kind."""
    moved: Moved = {}
    for passage, rows in found:
        for kind, listed in rows.items():
            told = [[str(passage.from_space), str(row[0]), *row[1:]] for row in listed]
            moved.setdefault(kind, []).extend(told)
    return moved


def _counted(found: Sequence[tuple[Passage, Found]]) -> dict[str, int]:
    counts = {kind: sum(len(rows[kind]) for _, rows in found) for kind in found[0][1]}
    counts["turns"] = sum(
        Turn.objects.filter(space_id=passage.from_space, person_id=passage.of).count() for passage, _ in found
    )
    return counts


def _settled(passage: Passage, author: Author, now: datetime) -> list[Clash]:
    """Of what both keep, has the older give way while each is still where it was."""
    pairs = clashes(_held(passage.from_space, passage.of), _held(passage.to_space, passage.to))
    for pair in pairs:
        older = locked(passage.from_space, pair.older.id) or locked(passage.to_space, pair.older.id)
        if older is None:
            raise LookupError(f"{pair.older.id} is gone in the transaction that found it")
        if pair.same_text:
            gone = {"deleted_at": now, "deleted_by": author.label, "delete_reason": TWICE}
            change(older, operation="forget", author=author, now=now, reason=TWICE, status=Status.DELETED, **gone)
        else:
            replaced: dict[str, Any] = {"valid_to": now, "superseded_by": pair.newer.id}
            change(older, operation="supersede", author=author, now=now, status=Status.SUPERSEDED, **replaced)
    return pairs


def _held(space: UUID, person: UUID) -> list[Held]:
    rows = Memory.objects.kept().filter(space_id=space, person_id=person, status=Status.ACTIVE)
    found = rows.values_list("id", "visibility", "channel_id", "key", "digest", "updated_at")
    return [Held(id, (level, at), key, bytes(digest), when) for id, level, at, key, digest, when in found]


def _make_room(passage: Passage, conversations: Sequence[Sequence[Any]], now: datetime) -> None:
    """Ends what goes on, so that what the other says from now on is not in a conversation that may go back; and takes
    from it a name that the other's conversation there has."""
    ids = [row[0] for row in conversations]
    here = Conversation.objects.filter(space_id=passage.from_space, id__in=ids)
    here.filter(ended_at=None).update(ended_at=now)
    theirs = Conversation.objects.filter(space_id=passage.to_space, person_id=passage.to).exclude(external_id="")
    here.filter(external_id__in=list(theirs.values_list("external_id", flat=True))).update(external_id="")


def _link(pair: Clash, into: Entered) -> None:
    if not pair.same_text:
        newer = Memory.objects.filter(space_id__in=into.venue.spaces, id=pair.newer.id, supersedes=None)
        newer.update(supersedes=pair.older.id)


def _last(person: Entered, into: Entered) -> Merge | None:
    rows = Merge.objects.filter(space_id=into.venue.home, person=person.person, undone_at=None)
    return rows.order_by("-at", "-id").first()


def _recorded(
    person: Entered, into: Entered, moved: Moved, counts: dict[str, int], author: Author, now: datetime
) -> Merge:
    merge = Merge(space_id=into.venue.home, person=person.person, at=now, by=author.label, moved=moved, counts=counts)
    merge.save(force_insert=True)
    log(merge, "merge_people", author, now)
    return merge


def log(merge: Merge, name: str, author: Author, now: datetime) -> None:
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
