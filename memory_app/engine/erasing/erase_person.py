"""Erase a person: everything of theirs in every space, what they said included; and tell what went.

Few rows go in one transaction. Of many, the first takes the name and all that others could see; the rest, which nobody
can speak for any more, goes step by step, in a job that may be killed anywhere. What others keep and said stays,
though it may speak of them.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.erasing.erased_outside import write_outside
from memory_app.engine.erasing.proof import sign
from memory_app.engine.erasing.tally import Tally
from memory_app.engine.erasing.their_rows import TheirRows, ids_left
from memory_app.engine.erasing.traces import SEARCHED_AT_ONCE, Texts, about_rows_in_all, traces
from memory_app.errors import NotFound
from memory_app.models import COMMONS, Erased, Erasure, ExtractionPolicy, Operation, Person
from memory_app.models.scope import every_space

ROWS_AT_ONCE = 20_000
"""Rows of a person up to which they go while the caller waits: about two seconds."""

ROWS_A_STEP = 5_000
"""Half a second, after which it shows how far it is, and others have their turn."""

TRIES = 3
"""Someone may go on speaking while they are erased, and be in the way of it."""

Report = Callable[[int, int], None]


def erase_person(*, name: str, author: Author, now: datetime) -> Erasure:
    """Erases a person, or begins to: `finish_erasing` is to go on where `finished_at` is None or nothing is searched.

    Whoever is called so next is someone new, from now on. Raises NotFound.
    """
    for _ in range(TRIES - 1):
        try:
            return _erase(name, author, now)
        except (IntegrityError, OperationalError):  # written to meanwhile: what came is there the next time
            continue
    return _erase(name, author, now)


def _erase(name: str, author: Author, now: datetime) -> Erasure:
    with every_space():
        person = Person.objects.filter(name=name).first()
        if person is None:
            raise NotFound(f"Nothing is known of a person {name!r}.")
        one_writer(person.id)
        if not Person.objects.filter(id=person.id, name=name).exists():  # another was first
            raise NotFound(f"Nothing is known of a person {name!r}.")
        erasure = Erasure(kind=Erased.PERSON, subject=person.id, of_space=person.space_id, at=now, by=author.label)
        _begin(erasure, person, now)
        sign(erasure).save(force_insert=True)
        transaction.on_commit(lambda: write_outside([erasure]), robust=True)
        _log(erasure, author, now)
    return erasure


def finish_erasing(*, erasure: UUID, now: datetime, report: Report) -> Erasure:
    """Goes on with what was begun, each step a transaction; run again after a kill, it goes on from there."""
    begun = Erasure.objects.get(id=erasure)
    theirs = TheirRows(begun.subject, begun.of_space)
    while gone := _step(begun, theirs):
        begun.done += gone
        report(begun.done, begun.total)
    with every_space():
        one_writer(begun.subject)
        ended = Erasure.objects.select_for_update().get(id=erasure)
        if ended.finished_at is None:
            _end(ended, theirs, now)
            sign(ended).save()
            transaction.on_commit(lambda: write_outside([ended]), robust=True)
    return _searched(ended)


def _begin(erasure: Erasure, person: Person, now: datetime) -> None:
    theirs, tally = TheirRows.of(person), Tally()
    erasure.quoted = theirs.names_that_hold_theirs(person.display_name)
    theirs.unname(tally)
    tally.removed += theirs.count()
    theirs.bury(erasure.id)
    rows = sum(tally.removed.values())
    if rows > ROWS_AT_ONCE:
        theirs.remove_elsewhere()
        _take_name(person, erasure)
        erasure.total, erasure.done = rows, rows - sum(theirs.count().values())
    _tell(erasure, tally)
    if rows <= ROWS_AT_ONCE:
        _end(erasure, theirs, now)
        if about_rows_in_all(now) <= SEARCHED_AT_ONCE:
            _search(erasure)


def _take_name(person: Person, erasure: Erasure) -> None:
    """Nobody knows this name; whatever still holds the person's id notices nothing more."""
    person.name, person.display_name = f"erased {erasure.id}", "Someone being erased"
    person.memory_enabled, person.extraction_policy = False, ExtractionPolicy.OFF
    person.save(update_fields=["name", "display_name", "memory_enabled", "extraction_policy"])


def _step(erasure: Erasure, theirs: TheirRows) -> int:
    with every_space():
        gone = theirs.remove_some(ROWS_A_STEP)
        if gone:
            Erasure.objects.filter(id=erasure.id).update(done=F("done") + gone)
    return gone


def _end(erasure: Erasure, theirs: TheirRows, now: datetime) -> None:
    """What is left, and the person. Expects `every_space()`."""
    tally = Tally()
    theirs.remove()
    theirs.remove_person(tally)
    tally.removed.update(erasure.removed)
    tally.blanked.update(erasure.blanked)
    _tell(erasure, tally)
    erasure.done, erasure.finished_at = erasure.total, now


def _tell(erasure: Erasure, tally: Tally) -> None:
    erasure.removed = dict(sorted(tally.removed.items()))
    erasure.blanked = dict(sorted(tally.blanked.items()))


def _searched(erasure: Erasure) -> Erasure:
    """Apart from what removes, for it reads every table, and holds nobody up."""
    with every_space():
        found = Erasure.objects.select_for_update().get(id=erasure.id)
        if not found.searched:
            _search(found)
            sign(found).save()
    return found


def _search(erasure: Erasure) -> None:
    """Whether any column still holds the id of the person or of their space."""
    ids = [erasure.subject, erasure.of_space]
    left = traces(Texts.of(map(str, ids)))
    found, columns = ids_left(ids)
    erasure.found = {**left.left, **left.said, **found}
    erasure.searched = left.searched + columns


def _log(erasure: Erasure, author: Author, now: datetime) -> None:
    """Names the erasure only: an entry that named the person would be one more trace."""
    Operation.objects.create(
        space_id=COMMONS,
        at=now,
        name="erase_person",
        author=author.label,
        request_id=author.request,
        detail={"erasure": str(erasure.id), "removed": erasure.removed},
    )
