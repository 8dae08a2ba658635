"""How the worker takes tasks from its queue: as django-q2 does, but a dead worker's tasks are soon taken by another.

django-q2 locks a task for as long as any could take (`retry`), whoever dies meanwhile. Here it is recorded who took
it. The process that takes tasks for a cluster says every few seconds that the cluster lives, and gives back what was
taken by those who do not: by a worker of its own that was killed, or by a cluster that fell silent, on any host.
"""

import logging
import os
import threading
import time
from multiprocessing import parent_process
from typing import Any

from django.db import Error, close_old_connections, transaction
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.signals import pre_execute

from memory_app.jobs.process import is_child, process_name
from memory_app.models import TakenTask
from memory_app.postgres.availability import RETRY_SECONDS, is_unavailable

CONNECTION_TRUSTED_SECONDS = 10.0
"""How long a connection that was looked after is taken for good. One that breaks within costs what any break does: the
look fails, and the next one connects anew."""

HEARTBEAT_SECONDS = 10.0
"""How often a cluster says that it lives (`models.jobs.CLUSTER_SILENT_AFTER`), and looks for those that do not."""

MAX_WORKER_DEATHS = 3
"""A task whose workers died so often is given up. What it read was set aside before (`jobs/attempts.py`)."""

logger = logging.getLogger(__name__)


class Broker(ORM):  # type: ignore[misc]
    """An idle worker's look is one statement, not two."""

    _connection_checked_at: float | None = None
    _database_unavailable = False

    def get_connection(self, list_key: str | None = None) -> Any:
        now = time.monotonic()
        if self._connection_checked_at is not None and now - self._connection_checked_at < CONNECTION_TRUSTED_SECONDS:
            return OrmQ.objects.using(Conf.ORM)
        self._connection_checked_at = now
        return super().get_connection(list_key)

    def dequeue(self) -> list[tuple[int, str]] | None:
        """Tasks that are due and now this cluster's. While the database is away there are none, which is said once."""
        cluster_heartbeat.begin()
        try:
            waiting = self.get_connection().filter(key=self.list_key, lock__lt=timezone.now()).order_by("id")
            found = list(waiting[: Conf.BULK])
            taken = [(task.pk, task.payload) for task in found if self._take(task)]
        except Error as error:
            if not is_unavailable(error):
                raise
            self._wait_for_database(error)
            return None
        self._database_unavailable = False
        if not found:
            time.sleep(Conf.POLL)
        return taken or None

    def delete(self, task_id: int) -> None:
        super().delete(task_id)
        TakenTask.objects.filter(task=task_id).delete()

    def _take(self, task: OrmQ) -> bool:
        """Whether this cluster was the first. Taken and recorded together, whoever is killed in between."""
        with transaction.atomic():
            if not OrmQ.objects.filter(id=task.id, lock=task.lock).update(lock=self.timeout(task)):
                return False
            mine = {"cluster": cluster_heartbeat.cluster, "worker": None, "begun_at": None, "heartbeat": timezone.now()}
            TakenTask.objects.update_or_create(task=task.pk, defaults=mine)
            return True

    def _wait_for_database(self, error: Error) -> None:
        if not self._database_unavailable:
            logger.warning("the database is away (%s); tasks wait until it is back", type(error).__name__)
        self._database_unavailable, self._connection_checked_at = True, None
        time.sleep(RETRY_SECONDS)


class ClusterHeartbeat:
    """The thread that says that the cluster lives. Taking a task may wait long for a worker that is busy."""

    def __init__(self) -> None:
        self.process = 0
        self.cluster = ""

    def begin(self) -> None:
        """Once in each process that takes tasks, which was forked from the cluster's own."""
        if self.process == os.getpid():
            return
        self.process, self.cluster = os.getpid(), process_name(os.getppid())
        if parent_process() is not None:
            threading.Thread(target=self.run_forever, name="heartbeat of the cluster", daemon=True).start()

    def run_forever(self) -> None:
        parent = os.getppid()
        while os.getppid() == parent:  # without its parent this process is what is left of a dead cluster
            time.sleep(HEARTBEAT_SECONDS)
            try:
                close_old_connections()
                send_heartbeat(self.cluster, parent)
            except Error as error:
                if not is_unavailable(error):
                    logger.exception("the heartbeat of the cluster failed")


cluster_heartbeat = ClusterHeartbeat()


def send_heartbeat(cluster: str, parent: int) -> None:
    """Says that a cluster lives, and gives back the tasks of workers and clusters that do not.

    parent: the process whose children the cluster's workers are."""
    now = timezone.now()
    TakenTask.objects.filter(cluster=cluster).update(heartbeat=now)
    begun = TakenTask.objects.begun_by(cluster)
    dead = [task for task in begun if task.worker is not None and not is_child(task.worker, parent)]
    for task in [*dead, *TakenTask.objects.of_silent_clusters(now)]:
        _release(task)
    # Taken before tasks were recorded, by a version of this program that runs no more.
    unknown = OrmQ.objects.filter(lock__gt=now).exclude(id__in=TakenTask.objects.values("task"))
    unknown.update(lock=now)


def _release(task: TakenTask) -> None:
    """Only where it is still as it was seen: others look too."""
    now, deaths = timezone.now(), task.deaths + (task.worker is not None)
    seen = TakenTask.objects.filter(task=task.task, cluster=task.cluster, worker=task.worker, heartbeat=task.heartbeat)
    with transaction.atomic():
        if not seen.update(cluster="", worker=None, begun_at=None, deaths=deaths):
            return
        if deaths < MAX_WORKER_DEATHS:
            OrmQ.objects.filter(id=task.task).update(lock=now)
            return
        logger.error("task %s was given up: its worker died %s times", task.task, deaths)
        OrmQ.objects.filter(id=task.task).delete()
        TakenTask.objects.filter(task=task.task).delete()


def record_start(task: dict[str, Any], **_: object) -> None:
    """Receives django-q2's `pre_execute`, in the worker: which process has the task from now on."""
    try:
        TakenTask.objects.filter(task=task.get("ack_id", 0)).update(worker=os.getpid(), begun_at=timezone.now())
    except Error as error:
        logger.warning("who began a task was not recorded (%s)", type(error).__name__)


pre_execute.connect(record_start, dispatch_uid="note_begun")
