"""Erase a person: all that is theirs in every space, with what they said, and answer a receipt.

Few rows go in one transaction. Of many, the first transaction takes the name and all that others could see; a job that
may be killed anywhere removes the rest in steps. What others keep or said stays, though it may name the person.
"""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F

from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erasure_receipt import sign_erasure
from memory_app.engine.erasure.row_counts import RowCounts
from memory_app.engine.erasure.rows_of_person import RowsOfPerson, find_ids
from memory_app.engine.erasure.tombstone_file import append_erasures
from memory_app.engine.erasure.traces import MAX_ROWS_SEARCHED_AT_ONCE, SearchTexts, estimated_row_count, find_traces
from memory_app.errors import NotFound
from memory_app.models import COMMONS, Erased, Erasure, ExtractionPolicy, Operation, Person
from memory_app.models.person import lock_writers
from memory_app.models.row_security import every_space
from memory_app.progress import ReportProgress

MAX_ROWS_AT_ONCE = 20_000
"""Rows of a person up to which they go while the caller waits: about two seconds."""

ROWS_PER_STEP = 5_000
"""Half a second, after which it shows how far it is, and others have their turn."""

MAX_TRIES = 3
"""Someone may go on speaking while they are erased, and be in the way of it."""


def erase_person(*, name: str, author: Author, now: datetime) -> Erasure:
    """Erases a person, or begins to: `finish_erasure` is to go on where `finished_at` is None or nothing is searched.

    Whoever is called so next is someone new, from now on. Raises NotFound.
    """
    for _ in range(MAX_TRIES - 1):
        try:
            return _try_to_erase(name, author, now)
        except (IntegrityError, OperationalError):  # written to meanwhile: what came is there the next time
            continue
    return _try_to_erase(name, author, now)


def _try_to_erase(name: str, author: Author, now: datetime) -> Erasure:
    with every_space():
        person = Person.objects.filter(name=name).first()
        if person is None:
            raise NotFound(f"Nothing is known of a person {name!r}.")
        lock_writers(person.id)
        if not Person.objects.filter(id=person.id, name=name).exists():  # another was first
            raise NotFound(f"Nothing is known of a person {name!r}.")
        erasure = Erasure(kind=Erased.PERSON, subject=person.id, of_space=person.space_id, at=now, by=author.label)
        _begin(erasure, person, now)
        sign_erasure(erasure).save(force_insert=True)
        transaction.on_commit(lambda: append_erasures([erasure]), robust=True)
        _log_erasure(erasure, author, now)
    return erasure


def finish_erasure(*, erasure: UUID, now: datetime, report: ReportProgress) -> Erasure:
    """Goes on with what was begun, each step a transaction; run again after a kill, it goes on from there."""
    begun = Erasure.objects.get(id=erasure)
    person_rows = RowsOfPerson(begun.subject, begun.of_space)
    while removed := _step(begun, person_rows):
        begun.done += removed
        report(begun.done, begun.total)
    with every_space():
        lock_writers(begun.subject)
        ended = Erasure.objects.select_for_update().get(id=erasure)
        if ended.finished_at is None:
            _finish(ended, person_rows, now)
            sign_erasure(ended).save()
            transaction.on_commit(lambda: append_erasures([ended]), robust=True)
    return _search_if_needed(ended)


def _begin(erasure: Erasure, person: Person, now: datetime) -> None:
    person_rows, row_counts = RowsOfPerson.of(person), RowCounts()
    erasure.quoted = person_rows.names_containing_name(person.display_name)
    person_rows.remove_references(row_counts)
    row_counts.removed += person_rows.count()
    person_rows.write_tombstones(erasure.id)
    rows = sum(row_counts.removed.values())
    if rows > MAX_ROWS_AT_ONCE:
        person_rows.remove_outside_home()
        _release_name(person, erasure)
        erasure.total, erasure.done = rows, rows - sum(person_rows.count().values())
    _set_counts(erasure, row_counts)
    if rows <= MAX_ROWS_AT_ONCE:
        _finish(erasure, person_rows, now)
        if estimated_row_count(now) <= MAX_ROWS_SEARCHED_AT_ONCE:
            _search(erasure)


def _release_name(person: Person, erasure: Erasure) -> None:
    """Nobody knows this name; whatever still holds the person's id notices nothing more."""
    person.name, person.display_name = f"erased {erasure.id}", "Someone being erased"
    person.memory_enabled, person.extraction_policy = False, ExtractionPolicy.OFF
    person.save(update_fields=["name", "display_name", "memory_enabled", "extraction_policy"])


def _step(erasure: Erasure, person_rows: RowsOfPerson) -> int:
    with every_space():
        removed = person_rows.remove_some(ROWS_PER_STEP)
        if removed:
            Erasure.objects.filter(id=erasure.id).update(done=F("done") + removed)
    return removed


def _finish(erasure: Erasure, person_rows: RowsOfPerson, now: datetime) -> None:
    """What is left, and the person. Expects `every_space()`."""
    row_counts = RowCounts()
    person_rows.remove()
    person_rows.remove_person(row_counts)
    row_counts.removed.update(erasure.removed)
    row_counts.blanked.update(erasure.blanked)
    _set_counts(erasure, row_counts)
    erasure.done, erasure.finished_at = erasure.total, now


def _set_counts(erasure: Erasure, row_counts: RowCounts) -> None:
    erasure.removed = dict(sorted(row_counts.removed.items()))
    erasure.blanked = dict(sorted(row_counts.blanked.items()))


def _search_if_needed(erasure: Erasure) -> Erasure:
    """Apart from what removes, for it reads every table, and holds nobody up."""
    with every_space():
        found = Erasure.objects.select_for_update().get(id=erasure.id)
        if not found.searched:
            _search(found)
            sign_erasure(found).save()
    return found


def _search(erasure: Erasure) -> None:
    """Whether any column still holds the id of the person or of their space."""
    ids = [erasure.subject, erasure.of_space]
    left = find_traces(SearchTexts.of(map(str, ids)))
    found, columns = find_ids(ids)
    erasure.found = {**left.elsewhere, **left.in_speech, **found}
    erasure.searched = left.searched + columns


def _log_erasure(erasure: Erasure, author: Author, now: datetime) -> None:
    """Names the erasure only: an entry that named the person would be one more trace."""
    Operation.objects.create(
        space_id=COMMONS,
        at=now,
        name="erase_person",
        author=author.label,
        request_id=author.request,
        detail={"erasure": str(erasure.id), "removed": erasure.removed},
    )
