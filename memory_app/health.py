"""Health: what must work for Keepsake to serve, each part with what is wrong with it."""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django_q.status import Stat

from .embedding.encoder import current
from .models import Memory
from .models.partitions import missing_partitions
from .models.scope import every_space
from .postgres import disk_state

WORKER_SILENT_AFTER = timedelta(seconds=30)
"""The worker says twice a second that it is there."""


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
    name = current().name
    with every_space():
        other = Memory.objects.kept().exclude(embedding_model=None).exclude(embedding_model=name)[:1].exists()
    return f"some vectors are of another model than {name}: run `manage.py job run reembed`" if other else ""


def worker() -> str:
    silent = timezone.now() - WORKER_SILENT_AFTER
    alive = any(stat.timestamp > silent for stat in Stat.get_all())
    return "" if alive else "no job worker has said anything for half a minute"


def log() -> str:
    """A month before nothing can be written any more: every change is written to the log too."""
    missing = missing_partitions(timezone.now())
    return f"the log has no table {' and '.join(missing)}: run `manage.py job run partition`" if missing else ""


def disk() -> str:
    state = disk_state(settings.KEEPSAKE_DATA)
    return "" if state.accepts_writes else state.message


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
            told = check()
        except DatabaseError as error:
            told = f"the database does not answer ({type(error).__name__})"
        if told:
            found[name] = told
        if name == "database" and told:
            break
    return found
