"""Health: what must work for Keepsake to serve, each part with what is wrong with it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Q
from django.utils import timezone
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule
from django_q.status import Stat

from memory_app.embedding.encoder import current_encoder
from memory_app.llm.model import configured_model
from memory_app.llm.queue import MODEL_QUEUE
from memory_app.models import JobRun, JobState, Memory, TakenTask
from memory_app.models.jobs import RUN_SILENT_AFTER
from memory_app.models.operation import missing_partitions
from memory_app.models.row_security import every_space
from memory_app.postgres import disk_state

WORKER_SILENT_AFTER = timedelta(seconds=30)
"""The worker says twice a second that it is there."""

TASK_WAITS_AFTER = timedelta(minutes=2)
"""An idle worker takes a task within two seconds, and looks at its schedules every 30."""

TASK_HANGS_AFTER = timedelta(minutes=11)
"""A task is ended after ten minutes (`Q_CLUSTER`)."""


def database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def migrations() -> str:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(waiting)} migrations wait: run `manage.py migrate`" if waiting else ""


def embedding_model() -> str:
    """Search by meaning needs every vector to be of one model; search by text goes on without."""
    name = current_encoder().name
    with every_space():
        other = Memory.objects.undeleted().exclude(embedding_model=None).exclude(embedding_model=name)[:1].exists()
    return f"some vectors are of another model than {name}: run `manage.py job run reembed`" if other else ""


def worker() -> str:
    """That it lives, and does something: takes what is due, and has schedules become tasks."""
    now = timezone.now()
    alive = any(stat.timestamp > now - WORKER_SILENT_AFTER for stat in Stat.get_all())
    return unfinished_work(now) if alive else "no job worker has said anything for half a minute"


def unfinished_work(now: datetime) -> str:
    """What a worker leaves undone that says it lives; a job that runs and says so is reason enough to wait."""
    served = Q(key=Conf.PREFIX) | (Q(key=MODEL_QUEUE) if configured_model() else Q(pk=None))
    if OrmQ.objects.filter(served, lock__lt=now - TASK_WAITS_AFTER).exists():
        busy = JobRun.objects.filter(state=JobState.RUNNING, heartbeat__gte=now - RUN_SILENT_AFTER).exists()
        return "" if busy else f"the worker has taken no task for {TASK_WAITS_AFTER.seconds // 60} minutes: restart it"
    begun = TakenTask.objects.exclude(cluster="").filter(begun_at__lt=now - TASK_HANGS_AFTER)
    if begun.exists():
        return f"a task has run for more than {TASK_HANGS_AFTER.seconds // 60} minutes: restart the worker"
    if Schedule.objects.exclude(repeats=0).filter(cluster=None, next_run__lt=now - TASK_WAITS_AFTER).exists():
        return "the worker does not look at its schedules: restart it"
    return ""


def log() -> str:
    """A month before nothing can be written any more: every change is written to the log too."""
    missing = missing_partitions(timezone.now())
    return f"the log has no table {' and '.join(missing)}: run `manage.py job run partition`" if missing else ""


def disk() -> str:
    state = disk_state(settings.KEEPSAKE_DATA)
    return "" if state.accepts_writes else state.message


def warnings() -> dict[str, str]:
    """What works still and will not for long, by part."""
    state = disk_state(settings.KEEPSAKE_DATA)
    return {"disk": state.message} if state.level == "low" else {}


CHECKS: dict[str, Callable[[], str]] = {
    "database": database,
    "migrations": migrations,
    "embedding_model": embedding_model,
    "worker": worker,
    "log": log,
    "disk": disk,
}


def faults() -> dict[str, str]:
    """What is wrong, by part; empty while all is well. Without a database nothing else can be asked."""
    found: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            fault = check()
        except Error as error:
            fault = f"the database does not answer ({type(error).__name__})"
        if fault:
            found[name] = fault
        if name == "database" and fault:
            break
    return found


def readiness_answer(found: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """Status and document of `/readyz`: 200 when every part works, else 503 with which does not. What works still, but
    not for long, is told as well."""
    parts = dict.fromkeys(CHECKS, "ok") | warnings() | found
    return (503 if found else 200), {"ready": not found, **parts}
