"""The page of jobs in a real browser: it follows the work by itself."""

from playwright.sync_api import expect

from memory_app.jobs import ensure_schedules, run_scheduled
from memory_app.jobs.runs import get_or_create_run
from memory_app.models import JobRun, JobState
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import PHONE, Visit
from tests.dashboard.factories import create_login


def test_the_page_follows_a_job_while_it_runs(visit: Visit) -> None:
    window = visit(create_login("root", everyone=True))
    window.go("/jobs/")
    run, _ = get_or_create_run(kind="embed")
    expect(window.page.get_by_text("Waits for the worker")).to_be_visible()
    JobRun.objects.filter(id=run.id).update(state=JobState.RUNNING, done=30, total=90)
    expect(window.page.get_by_text("Running: 30 of 90")).to_be_visible()
    window.page.get_by_role("button", name="Cancel embed").click()
    expect(window.page.get_by_text("Stopping: 30 of 90")).to_be_visible()
    JobRun.objects.filter(id=run.id).update(state=JobState.CANCELLED)
    expect(window.page.get_by_role("button", name="Run now: embed")).to_be_visible()


CUT_OFF = "[...document.querySelectorAll('.table-responsive')].some(one => one.scrollWidth > one.clientWidth)"


def test_the_job_pages_have_no_accessibility_faults(visit: Visit) -> None:
    ensure_schedules()
    run_scheduled("expire")
    run, _ = get_or_create_run(kind="embed")
    JobRun.objects.filter(id=run.id).update(state=JobState.RUNNING, done=30, total=90)
    window, found = visit(create_login("root", everyone=True)), []
    for path in ("/jobs/", "/jobs/expire/"):
        window.go(path)
        assert not window.page.evaluate(CUT_OFF), path
        found += faults(window, on_phone=True)
        window.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        assert not window.page.evaluate(CUT_OFF), path
    assert found == []
