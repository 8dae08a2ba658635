"""/admin/jobs: what the worker does by itself, how far it is, and running it now."""

from typing import Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema, Status

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, require_unlimited_key
from memory_app.api.fields import PageQuery
from memory_app.api.pagination import Order, page
from memory_app.errors import ConflictError, NotFound
from memory_app.jobs import JOBS, queue_retry, request_job
from memory_app.jobs.attempts import release_set_aside
from memory_app.jobs.runs import cancel_run
from memory_app.jobs.schedules import job_statuses
from memory_app.models import Attempt, JobRun
from memory_app.serializers import Page
from memory_app.serializers.job import JobOut, JobRunOut, SetAsideOut, job_out, job_run_out, set_aside_out

router = Router(tags=["operation"])

MAX_SET_ASIDE = 200
"""Shown of what is set aside; where there is more, something else is wrong."""


class JobPage(Schema):
    items: list[JobOut]
    set_aside: list[SetAsideOut]
    next_cursor: str | None = None


class RunQuery(PageQuery):
    job: fields.Word | None = None
    state: Literal["queued", "running", "done", "failed", "cancelled"] | None = None


JobRunPage = Page[JobRunOut]


@router.get("/admin/jobs", response=JobPage, auth=admin_key)
def list_jobs(request: HttpRequest) -> JobPage:
    """Every job: what it does, when it runs next, how far it is, and how its last run ended; and what is set aside,
    because reading it ended its reader twice. Jobs go through what is
    everyone's: this and the next two take an admin key that is limited to no one."""
    require_unlimited_key(request)
    set_aside = [set_aside_out(one) for one in Attempt.objects.set_aside()[:MAX_SET_ASIDE]]
    return JobPage(items=[job_out(listed) for listed in job_statuses(JOBS)], set_aside=set_aside)


@router.get("/admin/jobs/runs", response=JobRunPage, auth=admin_key)
def list_runs(request: HttpRequest, query: Query[RunQuery]) -> JobRunPage:
    """Runs of jobs, the latest first, of the last 30 days: of one job or in one state, if either is named."""
    require_unlimited_key(request)
    filters = {name: value for name, value in (("kind", query.job), ("state", query.state)) if value is not None}
    found, following = page(JobRun.objects.filter(**filters), Order("created_at"), query.limit, query.cursor)
    return JobRunPage(items=[job_run_out(run) for run in found], next_cursor=following)


@router.post("/admin/jobs/set-aside/{attempt}/retry", response={202: SetAsideOut}, auth=admin_key)
def retry_set_aside(request: HttpRequest, attempt: UUID) -> Status[SetAsideOut]:
    """Lets what was set aside, because it ended its reader twice, be read again by the next run that comes upon it."""
    require_unlimited_key(request)
    return Status(202, set_aside_out(release_set_aside(attempt)))


@router.post("/admin/jobs/{name}/run", response={202: JobRunOut}, auth=admin_key)
def run_job(request: HttpRequest, name: str) -> Status[JobRunOut]:
    """Queues a job for the worker. One that is queued or running already is answered as it is."""
    require_unlimited_key(request)
    return Status(202, job_run_out(request_job(name, author_of(request).label)))


@router.post("/admin/jobs/{name}/cancel", response={202: JobRunOut}, auth=admin_key)
def cancel_job(request: HttpRequest, name: str) -> Status[JobRunOut]:
    """Stops a job after its present step; what it did until then stays done."""
    require_unlimited_key(request)
    if name not in JOBS:
        raise NotFound(f"There is no job {name!r}.")
    run = JobRun.objects.alive().filter(kind=name).first()
    if run is None or not cancel_run(run=run.id, now=timezone.now()):
        raise ConflictError(f"The job {name!r} is not running; there is nothing to cancel.")
    run.refresh_from_db()
    return Status(202, job_run_out(run))


@router.post("/admin/jobs/{name}/runs/{run}/retry", response={202: JobRunOut}, auth=admin_key)
def retry_job(request: HttpRequest, name: str, run: UUID) -> Status[JobRunOut]:
    """Queues a failed run once more, for the same person where it was for one: a run of its own, whose `retry_of` is
    the run that failed, and whose attempts count on. 409 where it did not fail or was retried, or the job runs."""
    require_unlimited_key(request)
    return Status(202, job_run_out(queue_retry(name, run, author_of(request).label)))
