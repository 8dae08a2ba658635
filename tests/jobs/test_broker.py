"""The worker's look into its queue: what waits is found once, an idle look asks for nothing else, and what a dead
worker took is given to another."""

import os
import subprocess
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django import db
from django.db.models import F
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.tasks import async_task

from memory_app.jobs.broker import MAX_WORKER_DEATHS, cluster_heartbeat, record_start, send_heartbeat
from memory_app.models import TakenTask
from tests.test_database_away import away


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """A process of this one, as a worker is of its cluster."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def taken(worker: int | None = None) -> int:
    """A task that this cluster took; worker: the process that began it."""
    async_task("memory_app.jobs.embed_new")
    found = get_broker().dequeue()
    assert found is not None
    [(task, _)] = found
    TakenTask.objects.filter(task=task).update(worker=worker)
    return int(task)


def is_due(task: int) -> bool:
    return bool(OrmQ.objects.filter(id=task, lock__lte=timezone.now()).exists())


@pytest.mark.django_db(transaction=True)
def test_of_several_looks_the_first_asks_whether_the_connection_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(db, "close_old_connections", lambda: asked.append("does it hold?"))
    monkeypatch.setattr(Conf, "POLL", 0)
    broker = get_broker()
    assert [broker.dequeue() for _ in range(3)] == [None, None, None]
    assert asked == ["does it hold?"]


@pytest.mark.django_db
def test_what_waits_is_given_out_once() -> None:
    task = taken()
    broker = get_broker()
    assert broker.dequeue() is None
    broker.acknowledge(task)
    assert broker.queue_size() == 0
    assert not TakenTask.objects.exists()


@pytest.mark.django_db
def test_a_task_stays_with_its_worker_while_that_lives_and_goes_to_another_when_it_was_killed(
    worker: subprocess.Popen[bytes],
) -> None:
    task = taken(worker.pid)
    send_heartbeat(cluster_heartbeat.cluster, os.getpid())
    assert not is_due(task)
    worker.kill()
    worker.wait()
    send_heartbeat(cluster_heartbeat.cluster, os.getpid())
    assert is_due(task)


@pytest.mark.django_db
def test_a_task_that_waits_for_a_busy_worker_stays_with_its_cluster() -> None:
    task = taken()
    send_heartbeat(cluster_heartbeat.cluster, os.getpid())
    assert not is_due(task)


@pytest.mark.django_db
def test_tasks_of_a_cluster_that_fell_silent_go_to_another_within_a_minute() -> None:
    task = taken()
    TakenTask.objects.update(heartbeat=F("heartbeat") - timedelta(seconds=35))
    send_heartbeat("elsewhere/1/1.00", os.getpid())
    assert not is_due(task)
    TakenTask.objects.update(heartbeat=F("heartbeat") - timedelta(seconds=10))
    send_heartbeat("elsewhere/1/1.00", os.getpid())
    assert is_due(task)


@pytest.mark.django_db
def test_a_lock_that_nobody_is_known_to_hold_is_lifted() -> None:
    task = taken()
    TakenTask.objects.all().delete()
    send_heartbeat(cluster_heartbeat.cluster, os.getpid())
    assert is_due(task)


@pytest.mark.django_db
def test_a_task_that_kills_every_worker_is_given_up() -> None:
    task = taken()
    for _ in range(MAX_WORKER_DEATHS):
        assert OrmQ.objects.filter(id=task).exists()
        record_start({"ack_id": task})
        TakenTask.objects.update(cluster="elsewhere/1/1.00", heartbeat=F("heartbeat") - timedelta(minutes=2))
        send_heartbeat(cluster_heartbeat.cluster, os.getpid())
    assert not OrmQ.objects.exists()
    assert not TakenTask.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_while_the_database_is_away_nothing_is_due_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("memory_app.jobs.broker.RETRY_SECONDS", 0)
    monkeypatch.setattr(Conf, "POLL", 0)
    async_task("memory_app.jobs.embed_new")
    broker = get_broker()
    with away():
        assert [broker.dequeue() for _ in range(3)] == [None, None, None]
    assert len(caplog.records) == 1
    assert broker.dequeue() is not None
