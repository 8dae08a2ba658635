"""Merge people: what was kept of one, a guest or a thread, passes to another. `unmerge_people` takes it back.

Nothing is seen by more people than before: what is private is private to the other, and what was said in a shared space
passes only where the other belongs. The one who was merged stays, with nothing; who is called by that name later is the
other (`enter`), but to a key that reaches the first alone, for which they begin anew.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from memory_app.engine.author import Author
from memory_app.engine.change import change, locked, one_writer
from memory_app.engine.enter import Entered
from memory_app.engine.passing.pass_on import pass_on
from memory_app.engine.passing.passage import Passage
from memory_app.engine.passing.what_passes import Found, counted, given_way, in_both, what_is_there
from memory_app.errors import Invalid
from memory_app.models import Conversation, Memory, Merge, Operation, Person, Status
from memory_app.models.scope import within
from memory_app.rules.unite import Clash

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
        hold(person, into, person.venue.spaces)
        found = what_is_there(person, into)
        _go_on_as(person, into)
        last = _last(person, into)
        if last and not any(ids for _, rows in found for ids in rows.values()):
            return last
        moved, counts = _moved(found), counted(found)
        pairs = [pair for passage, _ in found for pair in _settled(passage, author, now)]
        moved["clashes"] = [[str(pair.older.id), str(pair.newer.id)] for pair in pairs]
        for passage, rows in found:
            _make_room(passage, rows["conversations"], now)
            pass_on(passage, {kind: [row[0] for row in rows[kind]] for kind in rows})
        for pair in pairs:
            _link(pair, into)
        counts |= given_way(pairs)
        return _recorded(person, into, moved, counts, author, now)


def hold(person: Entered, into: Entered, spaces: Iterable[UUID]) -> None:
    """Holds off who writes memories of either of them, then who speaks for them in these spaces: in that order, as
    whoever reads their conversations does."""
    people = sorted((person.person.id, into.person.id))
    for one in people:
        one_writer(one)
    talks = Conversation.objects.select_for_update(of=("self",)).filter(space_id__in=list(spaces), person_id__in=people)
    list(talks.order_by("space_id", "id").values_list("id", flat=True))


def _go_on_as(person: Entered, into: Entered) -> None:
    """What is said under the one name from now on is the other's, who goes on for themselves whatever was before."""
    Person.objects.filter(id=person.person.id).update(merged_into=into.person.id)
    Person.objects.filter(id=into.person.id).update(merged_into=None)


def _moved(found: Sequence[tuple[Passage, Found]]) -> Moved:
    """What the record of the merge holds: [[space it was in, id, what else undoing needs]] by kind."""
    moved: Moved = {}
    for passage, rows in found:
        for kind, listed in rows.items():
            told = [[str(passage.from_space), str(row[0]), *row[1:]] for row in listed]
            moved.setdefault(kind, []).extend(told)
    return moved


def _settled(passage: Passage, author: Author, now: datetime) -> list[Clash]:
    """Of what both keep, has the older give way while each is still where it was."""
    pairs = in_both(passage)
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


def _make_room(passage: Passage, conversations: Sequence[Sequence[Any]], now: datetime) -> None:
    """Ends what goes on, so that what the other says from now on is not in a conversation that may go back; and takes
    from it a name that the other's conversation there has."""
    ids = [row[0] for row in conversations]
    here = Conversation.objects.filter(space_id=passage.from_space, id__in=ids)
    here.filter(ended_at=None).update(ended_at=now)
    called = {name: OuterRef(name) for name in ("visibility", "channel_name", "external_id")}
    theirs = Conversation.objects.filter(space_id=passage.to_space, person_id=passage.to, **called)
    here.exclude(external_id="").filter(Exists(theirs)).update(external_id="")


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
