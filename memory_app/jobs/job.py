"""A job: what the worker may do by itself, how it is put before the worker, and how it says how much it did."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django_q.tasks import async_task

from memory_app.jobs.runs import get_or_create_run
from memory_app.llm.model import configured_model
from memory_app.llm.queue import MODEL_QUEUE
from memory_app.models import JobRun, Person
from memory_app.progress import ReportProgress


@dataclass(frozen=True, slots=True)
class Job:
    """A job: what it runs, and when (cron, UTC), if by itself.

    run_for_person: runs it for one person alone, where that can be; its second argument: whether to leave nothing
    behind.
    asks_model: whether a language model, where one is set, is asked: then it waits for that one's worker.
    """

    run: Callable[[ReportProgress], str]
    about: str
    cron: str = ""
    run_for_person: Callable[[Person, bool], str] | None = None
    asks_model: bool = False

    @property
    def cluster(self) -> str | None:
        """Whose queue it waits in; None: everyone's."""
        return MODEL_QUEUE if self.asks_model and configured_model() else None


def counted_noun(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def enqueue_run(run: JobRun, cluster: str | None) -> None:
    """Enqueues a run; it joins the transaction. cluster: whose queue it waits in, None for everyone's."""
    options = {"cluster": cluster} if cluster else {}
    async_task("memory_app.jobs.carry_on", str(run.id), q_options=options)


def enqueue_job(name: str, asked_by: str, cluster: str | None = None) -> JobRun:
    """The run of a job that is alive, else a new one, in the queue."""
    with transaction.atomic():
        run, new = get_or_create_run(kind=name, asked_by=asked_by)
        if new:
            enqueue_run(run, cluster)
    return run
