"""Retry a run that failed: the same job for the same subject, as a run of its own that says which it tries again."""

from django.db import IntegrityError, transaction

from memory_app.errors import InConflict
from memory_app.models import JobRun, JobState


def retry(*, run: JobRun, asked_by: str) -> tuple[JobRun, bool]:
    """The retry of a run, in the queue; and whether it is new: asked for twice, it is the same while it is alive.

    Its attempts are counted on from those of the run that failed, so it is begun once more: who asked may ask again.
    Raises InConflict where the run did not fail, its retry is over already, or another for its subject is alive.
    """
    if run.state != JobState.FAILED:
        raise InConflict("Only a run that failed can be retried.")
    before = JobRun.objects.retrying([run]).filter(kind=run.kind).first()
    if before and before.is_alive:
        return before, False
    if before:
        raise InConflict("This run was retried already.")
    return _queued(run, asked_by)


def _queued(run: JobRun, asked_by: str) -> tuple[JobRun, bool]:
    fields = {"kind": run.kind, "subject": run.subject, "attempt": run.attempt, "asked_by": asked_by}
    try:
        with transaction.atomic():
            return JobRun.objects.create(retry_of=run.id, **fields), True
    except IntegrityError:
        alive = JobRun.objects.alive().filter(kind=run.kind, subject=run.subject).first()
    if alive and alive.retry_of == run.id:
        return alive, False
    raise InConflict(f"The job {run.kind!r} is running already; wait for it, or cancel it.")
