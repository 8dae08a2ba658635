"""What waits in the queue of the worker, to be run by a test here and now."""

from importlib import import_module
from typing import Any

from django_q.models import OrmQ


def queued(name: str) -> list[tuple[Any, ...]]:
    """The arguments of the calls of that job that wait, in order."""
    tasks = [task.task for task in OrmQ.objects.order_by("id")]
    return [task["args"] for task in tasks if task["func"] == f"memory_app.jobs.{name}"]


def run_queued(name: str) -> list[str]:
    """Runs them; what each answered."""
    job = getattr(import_module("memory_app.jobs"), name)
    return [job(*args) for args in queued(name)]
