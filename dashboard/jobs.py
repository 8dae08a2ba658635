"""`/jobs/`: what the worker does by itself, live: run now, cancel, and schedule. For super users."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import quote_etag

from dashboard.access import SignedInRequest, get_view, post_view, requested_part, require_super_user
from dashboard.charts import DurationChart, duration_chart
from dashboard.responses import show_message, show_warning, wants_json
from dashboard.runs import runs_of_job
from dashboard.viewer import Viewer
from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.jobs import JOBS, queue_retry, request_job
from memory_app.jobs.attempts import release_set_aside
from memory_app.jobs.runs import cancel_run
from memory_app.jobs.schedules import JobStatus, job_statuses, reschedule_job
from memory_app.models import Attempt, JobRun, JobState
from memory_app.serializers.job import job_out, job_run_out, set_aside_out

MAX_SET_ASIDE = 50
"""Attempts that are listed, the latest first."""


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job."""

    listed: JobStatus
    about: str
    durations: DurationChart

    @property
    def shown(self) -> JobRun | None:
        """The run that is alive, else the last."""
        return self.listed.alive or self.listed.last


@dataclass(frozen=True, slots=True)
class JobListing:
    """All jobs. etag: differs whenever the page would."""

    rows: Sequence[JobRow]
    set_aside: Sequence[Attempt]
    etag: str


def list_jobs(now: datetime) -> JobListing:
    """Every job as it is now. The page shows times to the minute, so the etag changes each minute."""
    listed = job_statuses(JOBS)
    rows = [JobRow(item, JOBS[item.name].about, duration_chart(item.over)) for item in listed]
    set_aside = list(Attempt.objects.set_aside()[:MAX_SET_ASIDE])
    return JobListing(rows, set_aside, _etag(listed, set_aside, now))


def _etag(listed: Sequence[JobStatus], set_aside: Sequence[Attempt], now: datetime) -> str:
    facts = [f"{now:%Y-%m-%d %H:%M}", *(str(one.id) for one in set_aside)]
    for item in listed:
        runs = [run for run in (item.alive, item.last) if run]
        facts.append(f"{item.name} {item.cron} {item.next_run} {len(item.over)}")
        facts += [f"{run.id} {run.state} {run.done} {run.total} {run.cancel_requested} {run.attempt}" for run in runs]
    return hashlib.blake2b("\n".join(facts).encode(), digest_size=12).hexdigest()


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """The list. Asked for again every other second, it answers 304 while nothing has changed."""
    require_super_user(viewer)
    listing = list_jobs(timezone.now())
    tag = quote_etag(listing.etag)
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    if wants_json(request):
        items = [job_out(row.listed).model_dump(mode="json") for row in listing.rows]
        set_aside = [set_aside_out(one).model_dump(mode="json") for one in listing.set_aside]
        return JsonResponse({"items": items, "set_aside": set_aside}, headers={"ETag": tag})
    part = requested_part(request, "rows", target="jobs")
    context = {
        "viewer": viewer,
        "listing": listing,
        "headers": json.dumps({"If-None-Match": tag}),
    }
    answer = render(request, f"dashboard/jobs.html{part}", context)
    answer["ETag"] = tag
    return answer


@get_view
def show_one(request: SignedInRequest, viewer: Viewer, name: str) -> HttpResponse:
    """One job: its runs as a table, and its schedule."""
    _require_job(viewer, name)
    [listed] = job_statuses([name])
    readings = runs_of_job(name)
    if wants_json(request):
        runs = [job_run_out(run).model_dump(mode="json") for run in listed.over]
        read = [{"id": reading.run.id, "trigger": reading.run.trigger} for reading in readings]
        return JsonResponse({**job_out(listed).model_dump(mode="json"), "runs": runs, "readings": read})
    context = {"viewer": viewer, "job": listed, "about": JOBS[name].about}
    return render(request, "dashboard/job.html", {**context, "readings": readings})


@post_view
def run_now(request: SignedInRequest, viewer: Viewer, name: str) -> HttpResponse:
    _require_job(viewer, name)
    request_job(name, viewer.author().label)
    show_message(request, f"“{name}” is with the worker.")
    return redirect("jobs")


@post_view
def retry_run(request: SignedInRequest, viewer: Viewer, name: str, run: UUID) -> HttpResponse:
    """The same run once more: for the same person, and its attempts go on counting."""
    _require_job(viewer, name)
    try:
        queue_retry(name, run, viewer.author().label)
        show_message(request, f"The run of “{name}” that failed is with the worker again.")
    except ConflictError as error:
        show_warning(request, str(error))
    return redirect("jobs")


@post_view
def retry_set_aside(request: SignedInRequest, viewer: Viewer, attempt: UUID) -> HttpResponse:
    """Lets the next run try again what was set aside."""
    require_super_user(viewer)
    release_set_aside(attempt)
    show_message(request, "It will be read again by the next run.")
    return redirect("jobs")


@post_view
def cancel_job(request: SignedInRequest, viewer: Viewer, name: str) -> HttpResponse:
    _require_job(viewer, name)
    alive = JobRun.objects.alive().filter(kind=name).first()
    if alive and cancel_run(run=alive.id, now=timezone.now()):
        begun = alive.state == JobState.RUNNING
        show_message(request, f"“{name}” stops after its present step." if begun else f"“{name}” will not begin.")
    else:
        show_warning(request, f"“{name}” is not running.")
    return redirect("jobs")


@post_view
def set_schedule(request: SignedInRequest, viewer: Viewer, name: str) -> HttpResponse:
    _require_job(viewer, name)
    try:
        reschedule_job(job=name, cron=request.POST.get("cron", ""))
        show_message(request, "The schedule is changed.")
    except Invalid as error:
        show_warning(request, str(error))
    return redirect("job", name)


def _require_job(viewer: Viewer, name: str) -> None:
    require_super_user(viewer)
    if name not in JOBS:
        raise NotFound
