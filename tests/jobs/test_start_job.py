"""The jobs from outside: over the API, by command, and in real workers that are killed and started again."""

import random
import traceback
from datetime import timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django_q.models import OrmQ, Schedule

from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs import JOBS, Job, JobFailed, carry_on, ensure_schedules, run_scheduled
from memory_app.jobs.runs import claim_run, get_or_create_run
from memory_app.models import COMMONS, ApiKey, Attempt, JobRun, JobState, Memory, Operation, Version
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.encoder import HashingEncoder
from tests.workers import Workers
from tests.worlds import NOON

KILLS, MEMORIES = 10, 240
"""Each worker is killed in another step; a batch of the tests holds four memories."""


def unembedded(number: int) -> None:
    """So many memories of Alice that wait for a vector."""
    venue_context = resolve_venue(person="alice")
    memories = [
        build_memory(venue_context, MemoryInput(f"Alice counted {n} sheep in the night {n}.", key=""), NOON).memory
        for n in range(number)
    ]
    with every_space():
        Memory.objects.bulk_create(memories)


def state() -> list[tuple[Any, ...]]:
    """What a job may have changed, row by row."""
    with every_space():
        rows = Memory.objects.order_by("id").values_list("id", "content", "version", "embedding_model", "embedding")
        return list(rows)


def taken_for_dead() -> None:
    """As if a minute had passed: the heartbeats of killed workers are old."""
    JobRun.objects.filter(state=JobState.RUNNING).update(heartbeat=F("heartbeat") - timedelta(minutes=2))


def test_a_worker_killed_anywhere_and_started_again_ends_in_the_same_state(committed: None, worker: Workers) -> None:
    unembedded(MEMORIES)
    before, killed = state(), 0
    steps = random.Random(6)
    for _ in range(KILLS):
        said = worker.kill_after("embed", steps.randint(0, 4))
        killed += not any(line.startswith("told") for line in said)
        taken_for_dead()
    worker.run("embed")
    assert killed == KILLS
    encoder = HashingEncoder()
    expected = [(*row[:3], encoder.name) for row in before]
    after = state()
    assert [row[:4] for row in after] == expected
    texts = [str(row[1]) for row in before]
    assert np.allclose([row[4] for row in after], encoder.documents(texts), atol=1e-3)
    assert not JobRun.objects.alive().exists()


def test_what_fades_in_a_worker_is_gone_once_and_versioned_once(committed: None, worker: Workers) -> None:
    unembedded(MEMORIES)
    with every_space():
        Memory.objects.update(reinforced_at=NOON - timedelta(days=4000))
    worker.kill_after("fade", 0)
    taken_for_dead()
    told = worker.run("fade", number=2)
    again = worker.run("fade")
    assert again == ["0 memories faded"]
    assert set(told) <= {f"{MEMORIES} memories faded", "0 memories faded", "begun already"}
    with every_space():
        assert Memory.objects.filter(delete_reason="faded", version=2).count() == MEMORIES
        assert Version.objects.count() == MEMORIES
        assert Operation.objects.filter(name="fade").count() == MEMORIES


def test_of_two_workers_at_once_one_does_the_work(committed: None, worker: Workers) -> None:
    unembedded(40)
    told = worker.run("embed", number=2)
    assert sorted(told) in (["40 embedded", "begun already"], ["0 embedded", "40 embedded"])
    assert sum(run.done for run in JobRun.objects.all()) == 40


@pytest.mark.django_db
def test_a_killed_run_is_queued_again_by_the_next_job() -> None:
    run = claim_run(get_or_create_run(kind="expire")[0].id, NOON)
    assert run is not None
    run_scheduled("partition")
    assert [task.func() for task in OrmQ.objects.all()] == ["memory_app.jobs.carry_on"]
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("queued", 1)


@pytest.mark.django_db
def test_every_job_has_one_schedule_whoever_starts_how_often() -> None:
    ensure_schedules()
    Schedule.objects.filter(name="expire").update(cron="0 5 * * *")
    ensure_schedules()
    planned = dict(Schedule.objects.values_list("name", "cron"))
    assert planned == {name: job.cron for name, job in JOBS.items() if job.cron} | {"expire": "0 5 * * *"}


def test_an_admin_key_sees_every_job(api: Api) -> None:
    ensure_schedules()
    run_scheduled("expire")
    items = {item["name"]: item for item in api.get("/admin/jobs").json()["items"]}
    assert set(items) == set(JOBS)
    assert items["expire"]["schedule"] == "15 0 * * *"
    assert items["expire"]["last"]["message"] == "0 proposals expired"
    assert items["expire"]["running"] is None
    assert items["embed"]["last"] is None


def test_running_a_job_now_queues_it_once(api: Api) -> None:
    first, again = api.post("/admin/jobs/expire/run", {}), api.post("/admin/jobs/expire/run", {})
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    assert first.json()["state"] == "queued"
    assert OrmQ.objects.count() == 1


def test_a_job_nobody_knows_is_not_there(api: Api) -> None:
    assert api.post("/admin/jobs/nap/run", {}).status_code == 404
    assert api.post("/admin/jobs/nap/cancel", {}).status_code == 404


def test_only_what_runs_can_be_cancelled(api: Api) -> None:
    assert api.post("/admin/jobs/expire/cancel", {}).status_code == 409
    api.post("/admin/jobs/expire/run", {})
    answer = api.post("/admin/jobs/expire/cancel", {})
    assert (answer.status_code, answer.json()["state"]) == (202, "cancelled")


def test_a_failed_run_is_retried_for_the_same_person_and_carried_out(api: Api) -> None:
    failed = JobRun.objects.create(kind="daily", subject="alice", state=JobState.FAILED, attempt=3)
    answer = api.post(f"/admin/jobs/daily/runs/{failed.id}/retry", {})
    told = answer.json()
    assert (answer.status_code, told["state"], told["subject"]) == (202, "queued", "alice")
    assert (told["retry_of"], told["attempt"]) == (str(failed.id), 3)
    assert [task.args() for task in OrmQ.objects.all()] == [(told["id"],)]
    assert carry_on(told["id"]) == "nobody of that name is left"
    assert JobRun.objects.get(id=told["id"]).attempt == 4
    assert api.post(f"/admin/jobs/daily/runs/{failed.id}/retry", {}).status_code == 409


def test_a_run_of_another_job_or_of_none_is_not_there_to_retry(api: Api) -> None:
    failed = JobRun.objects.create(kind="daily", state=JobState.FAILED)
    for path in (f"fade/runs/{failed.id}", f"nap/runs/{failed.id}", f"daily/runs/{COMMONS}"):
        assert api.post(f"/admin/jobs/{path}/retry", {}).status_code == 404
    assert not OrmQ.objects.exists()


def test_runs_are_listed_with_how_they_ended_and_why(api: Api) -> None:
    failed = JobRun.objects.create(kind="daily", subject="alice", state=JobState.FAILED, error="ZeroDivisionError")
    done = JobRun.objects.create(kind="daily", state=JobState.DONE)
    JobRun.objects.create(kind="fade", state=JobState.DONE)
    first = api.get("/admin/jobs/runs?job=daily&limit=1").json()
    then = api.get(f"/admin/jobs/runs?job=daily&limit=1&cursor={first['next_cursor']}").json()
    assert [one["id"] for one in (*first["items"], *then["items"])] == [str(done.id), str(failed.id)]
    [told] = api.get("/admin/jobs/runs?state=failed").json()["items"]
    assert (told["job"], told["state"], told["error"]) == ("daily", "failed", "ZeroDivisionError")


def test_what_is_set_aside_is_listed_without_its_words_and_tried_again(api: Api) -> None:
    one = Attempt.objects.create(kind="propose", space=COMMONS, unit=COMMONS, number=2, set_aside_at=NOON)
    [told] = api.get("/admin/jobs").json()["set_aside"]
    assert (told["kind"], told["unit"], told["attempts"]) == ("propose", str(COMMONS), 2)
    assert api.post(f"/admin/jobs/set-aside/{one.id}/retry", {}).status_code == 202
    assert api.get("/admin/jobs").json()["set_aside"] == []
    assert api.post(f"/admin/jobs/set-aside/{one.id}/retry", {}).status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("GET", "/runs"),
        ("POST", f"/set-aside/{COMMONS}/retry"),
        ("POST", "/expire/run"),
        ("POST", "/expire/cancel"),
        ("POST", f"/expire/runs/{COMMONS}/retry"),
    ],
)
@pytest.mark.django_db
def test_jobs_need_an_admin_key_that_is_limited_to_nobody(method: str, path: str) -> None:
    """A job goes through what is everyone's, and tells how much there is of it."""
    everything = ["read", "write", "admin"]
    limited: list[dict[str, Any]] = [
        {"scopes": ["read", "write"]},
        {"scopes": everything, "people": ["bob"]},
        {"scopes": everything, "spaces": ["garage"]},
    ]
    for grant in limited:
        _, token = ApiKey.issue("key", **grant)
        assert Api(token).call(method, f"/admin/jobs{path}", {}).status_code == 403


@pytest.mark.django_db
def test_the_command_runs_a_job_under_the_same_record(capsys: pytest.CaptureFixture[str]) -> None:
    out = StringIO()
    call_command("job", "run", "expire", stdout=out)
    run = JobRun.objects.get()
    assert out.getvalue() == "0 proposals expired\n"
    assert (run.kind, run.state, run.asked_by) == ("expire", "done", "command:job run")


@pytest.mark.django_db
def test_the_command_does_not_run_what_is_running(capsys: pytest.CaptureFixture[str]) -> None:
    run, _ = get_or_create_run(kind="expire")
    JobRun.objects.filter(id=run.id).update(state=JobState.RUNNING)
    with pytest.raises(CommandError, match="is running already"):
        call_command("job", "run", "expire")


def test_what_a_job_fails_of_is_stored_nowhere_by_its_words(
    monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    def fails(report: object) -> str:
        raise ValueError("heliotrope parrot")

    monkeypatch.setitem(JOBS, "expire", Job(fails, "Fails."))
    with pytest.raises(JobFailed, match="expire: ValueError") as raised:
        run_scheduled("expire")
    assert "heliotrope" not in "".join(traceback.format_exception(raised.value))
    assert JobRun.objects.get(kind="expire").error == "ValueError"
