"""The page of jobs: live, for super users alone, and it says 304 while nothing has changed."""

import pytest
import time_machine
from django.test import Client
from django.utils.html import escape
from django_q.models import Schedule

from memory_app.jobs import JOBS, ensure_schedules, run_scheduled
from memory_app.jobs.runs import claim_run, get_or_create_run, run_job
from memory_app.models import COMMONS, Attempt, JobRun, JobState
from tests.dashboard.factories import NOON, one_line


def page(client: Client, path: str = "/jobs/", **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.content
    return one_line(answer.content.decode())


@pytest.mark.parametrize("path", ["/jobs/", "/jobs/embed/"])
def test_jobs_are_for_super_users_only(path: str, alice: Client, root: Client) -> None:
    assert alice.get(path).status_code == 404
    assert root.get(path).status_code == 200


@pytest.mark.parametrize("act", ["run", "cancel", "schedule"])
def test_others_can_start_and_change_nothing(act: str, alice: Client) -> None:
    ensure_schedules()
    assert alice.post(f"/jobs/embed/{act}/", {"cron": "0 0 * * *"}).status_code == 404
    assert not JobRun.objects.exists()
    assert Schedule.objects.get(name="embed").cron == "* * * * *"


def test_every_job_is_listed_with_what_it_does(root: Client) -> None:
    html = page(root)
    for name, job in JOBS.items():
        assert f'id="job-{name}"' in html
        assert escape(job.about) in html


def test_run_now_queues_the_job_and_cancel_takes_it_back(root: Client) -> None:
    html = root.post("/jobs/expire/run/", follow=True).content.decode()
    assert "Waits for the worker" in html
    run = JobRun.objects.get()
    assert (run.kind, run.state, run.asked_by) == ("expire", "queued", "user:root")
    html = root.post("/jobs/expire/cancel/", follow=True).content.decode()
    assert "Cancelled" in html
    run.refresh_from_db()
    assert run.state == "cancelled"


@pytest.mark.parametrize("path", ["/jobs/", "/jobs/daily/"])
def test_a_failed_run_offers_its_retry_once(path: str, root: Client) -> None:
    failed = JobRun.objects.create(kind="daily", subject="alice", state=JobState.FAILED, attempt=3, finished_at=NOON)
    act = f"/jobs/daily/runs/{failed.id}/retry/"
    assert act in page(root, path)
    assert "is with the worker again" in root.post(act, follow=True).content.decode()
    again = JobRun.objects.get(retry_of=failed.id)
    assert (again.subject, again.state, again.attempt, again.asked_by) == ("alice", "queued", 3, "user:root")
    assert act not in page(root, path)
    JobRun.objects.filter(id=again.id).update(state=JobState.DONE, finished_at=NOON)
    assert act not in page(root, path)
    assert "This run was retried already." in root.post(act, follow=True).content.decode()


def test_only_super_users_retry_runs(alice: Client) -> None:
    failed = JobRun.objects.create(kind="daily", state=JobState.FAILED)
    assert alice.post(f"/jobs/daily/runs/{failed.id}/retry/").status_code == 404
    assert JobRun.objects.count() == 1


def test_progress_shows_while_a_job_runs(root: Client) -> None:
    run, _ = get_or_create_run(kind="embed")
    JobRun.objects.filter(id=run.id).update(state=JobState.RUNNING, done=1200, total=4800, attempt=2)
    html = page(root)
    assert "Running: 1,200 of 4,800" in html
    assert '<progress max="4800" value="1200"' in html
    assert "(attempt 2)" in html


@time_machine.travel(NOON, tick=False)
def test_the_list_answers_304_until_something_changes(root: Client) -> None:
    first = root.get("/jobs/", headers={"HX-Request": "true", "HX-Target": "jobs"})
    tag = first.headers["ETag"]
    again = root.get("/jobs/", headers={"HX-Request": "true", "HX-Target": "jobs", "If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    run_scheduled("expire")
    changed = root.get("/jobs/", headers={"HX-Request": "true", "HX-Target": "jobs", "If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    assert changed.content.decode().lstrip().startswith('<ul class="jobs"')


def test_the_list_has_a_json_twin(root: Client) -> None:
    run_scheduled("expire")
    items = {item["name"]: item for item in root.get("/jobs/?format=json").json()["items"]}
    assert set(items) == set(JOBS)
    assert items["expire"]["last"]["state"] == "done"
    assert root.get("/jobs/expire/?format=json").json()["runs"][0]["message"] == "0 proposals expired"


def test_a_job_page_lists_runs_and_errors(root: Client) -> None:
    run = claim_run(get_or_create_run(kind="expire")[0].id, NOON)
    assert run is not None
    with pytest.raises(ZeroDivisionError):
        run_job(run=run, work=lambda report: str(1 // 0))
    assert "Failed: ZeroDivisionError" in page(root, "/jobs/expire/")


def test_a_schedule_is_changed_and_a_wrong_one_is_refused(root: Client) -> None:
    ensure_schedules()
    root.post("/jobs/expire/schedule/", {"cron": "30  4 * * 1"})
    assert Schedule.objects.get(name="expire").cron == "30 4 * * 1"
    for wrong in ("", "every day", "61 4 * * *", "0 4 * * * 2 2"):
        html = root.post("/jobs/expire/schedule/", {"cron": wrong}, follow=True).content.decode()
        assert "Write five fields" in html
    html = root.post("/jobs/expire/schedule/", {"cron": "0 0 30 2 *"}, follow=True).content.decode()
    assert "There is no such day" in html
    assert Schedule.objects.get(name="expire").cron == "30 4 * * 1"


def test_a_job_page_shows_queued_and_cancelled_runs(root: Client) -> None:
    root.post("/jobs/fade/run/")
    waiting = page(root, "/jobs/fade/")
    assert "Waits for the worker." in waiting
    assert "It has not run yet." not in waiting
    assert "“fade” will not begin." in root.post("/jobs/fade/cancel/", follow=True).content.decode()
    assert "Waits for the worker." not in page(root, "/jobs/fade/")


def test_set_aside_items_are_marked_and_retried_by_super_users_only(root: Client, alice: Client) -> None:
    one = Attempt.objects.create(kind="propose", space=COMMONS, unit=COMMONS, number=2, set_aside_at=NOON)
    act = f"/jobs/set-aside/{one.id}/retry/"
    assert act in page(root)
    assert root.get("/jobs/?format=json").json()["set_aside"][0]["kind"] == "propose"
    assert alice.post(act).status_code == 404
    assert "It will be read again" in root.post(act, follow=True).content.decode()
    assert act not in page(root)
