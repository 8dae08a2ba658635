"""`manage.py worker`: the job worker as `serve` starts it; each of its processes tells by heartbeats that it runs."""

from typing import Any

from django_q.management.commands import qcluster

from memory_app.serving.heartbeat import start_heartbeat


class Command(qcluster.Command):  # type: ignore[misc]
    """django-q2's cluster. Its processes are forked from this one."""

    help = "Starts the job worker. `serve` does so by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        start_heartbeat()
        super().handle(*args, **options)
