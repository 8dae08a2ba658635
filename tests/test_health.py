"""Readiness: a worker that lives and does nothing is told, and so is a disk that is filling."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

from memory_app import health, metrics
from memory_app.health import unfinished_work
from memory_app.jobs import ensure_schedules
from memory_app.models import JobRun, JobState, TakenTask
from memory_app.postgres import DiskState
from tests.conftest import Api

pytestmark = pytest.mark.django_db

MIB = 1024 * 1024


def test_a_worker_that_takes_no_task_is_told_unless_it_is_at_a_job_that_says_so() -> None:
    now = timezone.now()
    async_task("memory_app.jobs.embed_new")
    assert unfinished_work(now) == ""
    OrmQ.objects.update(lock=now - timedelta(minutes=3))
    assert unfinished_work(now) == "the worker has taken no task for 2 minutes: restart it"
    run = JobRun.objects.create(kind="embed", state=JobState.RUNNING)
    assert unfinished_work(now) == ""
    JobRun.objects.filter(id=run.id).update(heartbeat=now - timedelta(minutes=2))
    assert unfinished_work(now)


def test_metrics_tell_memories_briefs_jobs_and_the_queue(api: Api) -> None:
    metrics.database_collector.counted_at = 0.0
    api.remember("alice", "Alice plays the cello")
    api.post("/context", {"person": "alice", "query": "zzz"})
    JobRun.objects.create(kind="fade", state=JobState.FAILED)
    async_task("memory_app.jobs.embed_new")
    told = Client().get("/metrics", REMOTE_ADDR="127.0.0.1").content.decode()
    assert 'keepsake_memories{status="active"} 1.0' in told
    assert 'keepsake_briefs_total{empty="true"} ' in told
    assert 'keepsake_job_runs{job="fade",state="failed"} 1.0' in told
    assert 'keepsake_queue_length{queue="' in told
    assert 'keepsake_queue_age_seconds{queue="' in told


def test_a_task_that_never_ends_is_told() -> None:
    now = timezone.now()
    TakenTask.objects.create(
        task=7, cluster="here/1/1.00", worker=8, heartbeat=now, begun_at=now - timedelta(minutes=9)
    )
    assert unfinished_work(now) == ""
    assert "more than 11 minutes" in unfinished_work(now + timedelta(minutes=3))


def test_a_worker_that_does_not_look_at_its_schedules_is_told() -> None:
    now = timezone.now()
    ensure_schedules()
    Schedule.objects.update(next_run=now + timedelta(minutes=1))
    assert unfinished_work(now) == ""
    assert unfinished_work(now + timedelta(minutes=4)) == "the worker does not look at its schedules: restart it"


def test_a_disk_that_is_filling_is_told_before_anything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    free = 1200 * MIB
    monkeypatch.setattr(health, "disk_state", lambda data: DiskState(free=free, total=9000 * MIB))
    assert Client().get("/readyz").json()["disk"] == "ok"
    free = 900 * MIB
    assert Client().get("/readyz").json()["disk"].startswith("The disk is getting full: 900 MiB")
    assert "disk" not in health.faults()
