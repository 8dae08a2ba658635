"""Attempts: count what a job reads before it reads it, and set aside what ended its reader twice.

A reader that is killed, or hangs until it is, can record nothing afterwards. So each row is written down first, and
struck out when it was read; what is found written down by a reader that is gone ended that reader.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.db import OperationalError, transaction
from django.utils import timezone

from memory_app.errors import KeepsakeError, NotFound
from memory_app.jobs.process import is_on_this_host, is_running, process_name
from memory_app.models import Attempt
from memory_app.models.jobs import MAX_ATTEMPTS_PER_ROW
from memory_app.postgres.availability import is_unavailable
from memory_app.progress import ReportProgress

Done = TypeVar("Done")
Item = TypeVar("Item")
RowPlace = tuple[UUID, UUID]
"""The space of a row, and its id there."""

SET_ASIDE = "set aside: its reader ended twice"
"""What a job answers that leaves it alone."""

logger = logging.getLogger(__name__)


class PartlyFailed(KeepsakeError):
    """Some of what a job went through could not be read; the rest was."""


def attempt_row(kind: str, row: RowPlace, work: Callable[[], Done]) -> Done | None:
    """Does the work on one row. None, and nothing done, where that row is set aside.

    What raises counts as well, but not where the database or what others did meanwhile is to blame.
    """
    if not begin_attempts(kind, [row]):
        return None
    try:
        done = work()
    except (KeepsakeError, OperationalError):
        raise
    except Exception as error:
        Attempt.objects.filter(kind=kind, unit=row[1]).update(reader="", error=type(error).__name__)
        raise
    end_attempts(kind, [row])
    return done


def begin_attempts(kind: str, rows: Sequence[RowPlace]) -> list[RowPlace]:
    """Writes down that these rows are about to be read; returns those that may be. Expects no transaction around it."""
    now, me = timezone.now(), process_name()
    with transaction.atomic():
        new = [Attempt(kind=kind, space=space, unit=unit, reader="new", begun_at=now) for space, unit in sorted(rows)]
        Attempt.objects.bulk_create(new, ignore_conflicts=True)
        found = Attempt.objects.select_for_update().filter(kind=kind, unit__in=[unit for _, unit in rows])
        begun = [one for one in found.order_by("id") if _count_attempt(one, me, now)]
        for one in begun:
            one.reader, one.begun_at = me, now
        Attempt.objects.bulk_update(begun, ["reader", "begun_at", "number"])
        refused = set(found.set_aside().values_list("unit", flat=True))
    return [row for row in rows if row[1] not in refused]


def end_attempts(kind: str, rows: Iterable[RowPlace]) -> None:
    """Strikes out what was read; what another reader has in hand as well stays until that one is done."""
    units = [unit for _, unit in rows]
    Attempt.objects.filter(kind=kind, unit__in=units, reader=process_name(), set_aside_at=None).delete()


def tried_before(kind: str, rows: Collection[RowPlace]) -> set[UUID]:
    """Of these, the ids of those whose reader ended over them, and that are to be read alone now."""
    units = [unit for _, unit in rows]
    return set(Attempt.objects.filter(kind=kind, unit__in=units).values_list("unit", flat=True))


def set_aside_ids(kind: str) -> set[UUID]:
    """Ids of what is not read any more."""
    return set(Attempt.objects.set_aside().filter(kind=kind).values_list("unit", flat=True))


def release_set_aside(identifier: UUID) -> Attempt:
    """Has what was set aside read again by the next run that comes upon it. Raises NotFound."""
    found = Attempt.objects.set_aside().filter(id=identifier).first()
    if found is None:
        raise NotFound("Nothing of this id is set aside.")
    Attempt.objects.filter(id=found.id).delete()
    return found


def for_each(items: Sequence[Item], work: Callable[[Item], object], report: ReportProgress) -> None:
    """Goes through all of them, also where some fail. Raises PartlyFailed at the end, or at once what says that the
    database is away, or that the run is to stop."""
    failed = 0
    for done, item in enumerate(items, 1):
        try:
            work(item)
        except Exception as error:
            if is_unavailable(error):
                raise
            logger.exception("one of %s could not be gone through", len(items))
            failed += 1
        report(done, len(items))
    if failed:
        raise PartlyFailed(f"{failed} of {len(items)} could not be gone through; the log of the server says why.")


def _count_attempt(one: Attempt, me: str, now: datetime) -> bool:
    """Counts the attempt, or sets the row aside. One that is in hand elsewhere is not counted, and may be read: what
    reads it sees to it that it is read once."""
    if one.set_aside_at is not None or _is_being_read(one, me, now):
        return False
    if one.number >= MAX_ATTEMPTS_PER_ROW:
        Attempt.objects.filter(id=one.id).update(set_aside_at=now)
        logger.error("%s %s was set aside: its reader ended %s times", one.kind, one.unit, one.number)
        return False
    # Still this process's: an outage of the database interrupted it, which is no fault of what was read.
    one.number += one.reader != me
    return True


def _is_being_read(one: Attempt, me: str, now: datetime) -> bool:
    if one.reader in ("", "new", me):
        return False
    return is_running(one.reader) if is_on_this_host(one.reader) else not one.is_old(now)
