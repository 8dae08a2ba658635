"""Queued: runs put before the worker. The queue holds the id of a run and no more."""

from django.db import transaction
from django_q.tasks import async_task

from memory_app.engine.running.carry_out import ask
from memory_app.models import JobRun


def queue(run: JobRun, cluster: str | None) -> None:
    """Enqueues a run; it joins the transaction. cluster: whose queue it waits in, None for everyone's."""
    options = {"cluster": cluster} if cluster else {}
    async_task("memory_app.jobs.carry_on", str(run.id), q_options=options)


def queued(name: str, asked_by: str, cluster: str | None = None) -> JobRun:
    """The run of a job that is alive, else a new one, in the queue."""
    with transaction.atomic():
        run, new = ask(kind=name, asked_by=asked_by)
        if new:
            queue(run, cluster)
    return run
