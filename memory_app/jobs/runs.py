"""Carry out a job under its record: started once whoever asks, with progress, and cancelled between steps.

It is started again when its worker was killed, and retried by hand when it failed. What the work is, and who queues it,
is the caller's.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import Error, IntegrityError, connections, transaction
from django.utils import timezone

from memory_app.engine.audit.log import Author, log_event
from memory_app.errors import ConflictError, KeepsakeError
from memory_app.models import JobRun, JobState
from memory_app.models.jobs import RUN_RETENTION, JobRunQuerySet
from memory_app.progress import ReportProgress, RunStopped, TurnOver

MAX_ATTEMPTS = 3
"""How often a run is begun before it is given up."""

RETRY_DELAYS = (timedelta(minutes=1), timedelta(minutes=5))
"""How long a run that failed waits for its second and its third attempt."""

TURN_SECONDS = 480.0
"""How long the worker stays with one run before it lets others have their turn; the queue kills a task at 600."""

FIRST_WRITE_SECONDS = 2.0
WRITE_SECONDS = 0.5
HEARTBEAT_SECONDS = 10.0
"""From when on and how often, at most, progress is written; and how often at least a heartbeat is
(`models.jobs.RUN_SILENT_AFTER`)."""

FINISHED_STATES = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)

Work = Callable[[ReportProgress], str]


@dataclass
class Progress:
    """How far a run is. Written by its own thread and connection, so that it shows while the work's transactions are
    open; `stop` is what came back from there."""

    run: JobRun
    turn_ends: float | None
    done: int = 0
    total: int = 0
    stop: bool = False
    written: tuple[int, int] = (0, 0)
    finished: threading.Event = field(default_factory=threading.Event)

    def report(self, done: int, total: int) -> None:
        """What the work calls between its steps. Raises RunStopped, TurnOver."""
        self.done, self.total = done, total
        if self.stop:
            raise RunStopped
        if self.turn_ends is not None and time.monotonic() > self.turn_ends:
            raise TurnOver

    def write_until_over(self) -> None:
        """A run that ends at once never gets here to write, nor opens a connection: on a busy machine that may take a
        second."""
        written_once, last_heartbeat = False, time.monotonic()
        try:
            while not self.finished.wait(WRITE_SECONDS if written_once else FIRST_WRITE_SECONDS):
                if (
                    self.written == (self.done, self.total)
                    and time.monotonic() - last_heartbeat < HEARTBEAT_SECONDS
                    and written_once
                ):
                    continue
                mine, last_heartbeat = self.write(), time.monotonic()
                # Before its first success it may only be that the row is not committed yet.
                self.stop = self.stop or (written_once and not mine)
                written_once = written_once or mine
        finally:
            connections.close_all()

    def write(self) -> bool:
        """Whether the run is still this worker's, and nobody cancelled it."""
        now = (self.done, self.total)
        try:
            mine = _own_run(self.run)
            found = bool(mine.update(done=now[0], total=now[1], heartbeat=timezone.now()))
            if found and mine.filter(cancel_requested=True).exists():
                self.stop = True
        except Error:  # the work itself will meet what is wrong
            return True
        self.written = now
        return found


def get_or_create_run(*, kind: str, subject: str = "", asked_by: str = "") -> tuple[JobRun, bool]:
    """The run of a job that is alive, else a new one in the queue; and whether it is new."""
    try:
        with transaction.atomic():
            return JobRun.objects.create(kind=kind, subject=subject, asked_by=asked_by), True
    except IntegrityError:
        found = JobRun.objects.alive().filter(kind=kind, subject=subject).first()
        return (found, False) if found else get_or_create_run(kind=kind, subject=subject, asked_by=asked_by)


def claim_run(run: UUID, now: datetime) -> JobRun | None:
    """The run, begun, for whoever is first; None for everyone else."""
    waiting = JobRun.objects.filter(id=run, state=JobState.QUEUED, cancel_requested=False)
    row = waiting.first()
    if row is None:
        return None
    fields = {"attempt": row.attempt + 1, "started_at": row.started_at or now, "heartbeat": now, "error": ""}
    won = waiting.filter(attempt=row.attempt).update(state=JobState.RUNNING, **fields)
    return JobRun.objects.get(id=run) if won else None


def run_job(*, run: JobRun, work: Work, seconds: float | None = None, watch: ReportProgress | None = None) -> JobRun:
    """Does the work of a claimed run, and records how it ended; raises what the work raised.

    seconds: how long to stay with it; then it is queued again and goes on from where it is. watch: is told of
    progress as well.
    """
    progress = Progress(run, None if seconds is None else time.monotonic() + seconds)

    def report(done: int, total: int) -> None:
        if watch:
            watch(done, total)
        progress.report(done, total)

    try:
        with _progress_written(progress):
            message = work(report)
    except RunStopped:
        return _finish_run(progress, JobState.CANCELLED, message="stopped when asked to")
    except TurnOver:
        # It went on, so what went before is no failed attempt.
        return _finish_run(progress, JobState.QUEUED, message="goes on in its next turn", attempt=0)
    except Exception as error:
        again = seconds is not None and run.attempt < MAX_ATTEMPTS
        _finish_run(progress, JobState.QUEUED if again else JobState.FAILED, error=_error_text(error))
        raise
    return _finish_run(progress, JobState.DONE, message=message[:500])


def cancel_run(*, run: UUID, now: datetime) -> bool:
    """Asks a run to stop: at once where it is queued, after its present step where it runs. False: it was over."""
    fields = {"state": JobState.CANCELLED, "finished_at": now, "message": "cancelled before it began"}
    if JobRun.objects.filter(id=run, state=JobState.QUEUED).update(cancel_requested=True, **fields):
        return True
    return bool(JobRun.objects.filter(id=run, state=JobState.RUNNING).update(cancel_requested=True))


def requeue_killed_runs(now: datetime) -> list[JobRun]:
    """Runs whose worker was killed, or that nobody began, back in the queue; what was begun too often fails.

    The caller queues a task for each: one too many does no harm, for only one can claim the run.
    """
    killed = JobRun.objects.killed(now)
    too_often = {"error": f"its worker was killed {MAX_ATTEMPTS} times", "finished_at": now}
    killed.filter(cancel_requested=True).update(state=JobState.CANCELLED, finished_at=now)
    killed.filter(attempt__gte=MAX_ATTEMPTS).update(state=JobState.FAILED, **too_often)
    back = list(killed) + list(JobRun.objects.lost(now))
    return [
        run
        for run in back
        if JobRun.objects.filter(id=run.id, state=run.state, attempt=run.attempt, heartbeat=run.heartbeat).update(
            state=JobState.QUEUED, heartbeat=now
        )
    ]


def delete_old_runs(run: JobRun, now: datetime) -> None:
    """Of runs that found nothing to do, the latest stands for all; and what is old goes."""
    if run.state == JobState.DONE and not run.done:
        same = JobRun.objects.filter(kind=run.kind, subject=run.subject, state=JobState.DONE, done=0, asked_by="")
        same.exclude(id=run.id).delete()
    JobRun.objects.filter(kind=run.kind, finished_at__lt=now - RUN_RETENTION).delete()


@contextmanager
def _progress_written(progress: Progress) -> Iterator[None]:
    writer = threading.Thread(target=progress.write_until_over, name="job progress", daemon=True)
    writer.start()
    try:
        yield
    finally:
        progress.finished.set()
        writer.join()


def _finish_run(progress: Progress, state: JobState, **fields: object) -> JobRun:
    """Only where the run is still this worker's: one taken for dead may have been begun by another."""
    run = progress.run
    now = timezone.now()
    ended = {"finished_at": None if state is JobState.QUEUED else now, "heartbeat": now}
    values = {"state": state, "done": progress.done, "total": progress.total, **ended, **fields}
    _own_run(run).update(**values)
    finished = {"state": JobState.CANCELLED, "finished_at": now, "message": "stopped when asked to"}
    JobRun.objects.filter(id=run.id, state=JobState.QUEUED, cancel_requested=True).update(**finished)
    run.refresh_from_db()
    if run.state in FINISHED_STATES and (run.done or run.asked_by or run.state == JobState.FAILED):
        _log_run(run, now)
    return run


def _log_run(run: JobRun, now: datetime) -> None:
    """That it ran and how it ended. A run that found nothing to do is not told, nor whom it was for."""
    detail = {
        "job": run.kind,
        "run": str(run.id),
        "state": run.state,
        "done": run.done,
        "attempt": run.attempt,
        "seconds": run.seconds,
        "error": run.error,
        "asked_by": run.asked_by,
    }
    log_event("job", detail, author=Author("job", run.kind), now=now)


def _own_run(run: JobRun) -> JobRunQuerySet:
    return JobRun.objects.filter(id=run.id, state=JobState.RUNNING, attempt=run.attempt)


def _error_text(error: Exception) -> str:
    """Our own errors never repeat what may not be seen; of others only the kind is told, for a database's error holds
    the row."""
    return str(error)[:500] if isinstance(error, KeepsakeError) else type(error).__name__


def retry_delay(run: JobRun) -> timedelta:
    """How long a run that failed waits for its next attempt."""
    return RETRY_DELAYS[min(run.attempt, len(RETRY_DELAYS)) - 1]


def retry_run(*, run: JobRun, asked_by: str) -> tuple[JobRun, bool]:
    """The retry of a run, in the queue; and whether it is new: asked for twice, it is the same while it is alive.

    Its attempts are counted on from those of the run that failed, so it is begun once more: who asked may ask again.
    Raises ConflictError where the run did not fail, its retry is over already, or another for its subject is alive.
    """
    if run.state != JobState.FAILED:
        raise ConflictError("Only a run that failed can be retried.")
    earlier = JobRun.objects.retrying([run]).filter(kind=run.kind).first()
    if earlier and earlier.is_alive:
        return earlier, False
    if earlier:
        raise ConflictError("This run was retried already.")
    return _create_retry(run, asked_by)


def _create_retry(run: JobRun, asked_by: str) -> tuple[JobRun, bool]:
    fields = {"kind": run.kind, "subject": run.subject, "attempt": run.attempt, "asked_by": asked_by}
    try:
        with transaction.atomic():
            return JobRun.objects.create(retry_of=run.id, **fields), True
    except IntegrityError:
        alive = JobRun.objects.alive().filter(kind=run.kind, subject=run.subject).first()
    if alive and alive.retry_of == run.id:
        return alive, False
    raise ConflictError(f"The job {run.kind!r} is running already; wait for it, or cancel it.")
