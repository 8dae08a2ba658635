"""`/jobs/`: what the worker does by itself, live; run now, cancel, and when. For super users."""

import json
from uuid import UUID

from django.http import HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import quote_etag
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import say, wants_json, warn
from dashboard.jobs_listed import STATES, jobs
from dashboard.reach import Reach
from dashboard.runs import readings_of
from memory_app.api.jobs import shown_job, shown_run, shown_set_aside
from memory_app.engine.running.attempts import try_again
from memory_app.engine.running.carry_out import cancel
from memory_app.engine.running.job_list import job_list
from memory_app.engine.running.plan import plan
from memory_app.errors import InConflict, Invalid, NotFound
from memory_app.jobs import JOBS, ask_for, retry_of
from memory_app.models import JobRun, JobState


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    """The list. Asked for again every other second, it answers 304 while nothing has changed."""
    only_super(reach)
    listed = jobs(timezone.now())
    tag = quote_etag(listed.mark)
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    if wants_json(request):
        items = [shown_job(row.listed).model_dump(mode="json") for row in listed.rows]
        aside = [shown_set_aside(one).model_dump(mode="json") for one in listed.set_aside]
        return JsonResponse({"items": items, "set_aside": aside}, headers={"ETag": tag})
    part = "#rows" if request.htmx.target == "jobs" else ""
    context = {"reach": reach, "jobs": listed, "sent": json.dumps({"If-None-Match": tag}), "states": STATES}
    answer = render(request, f"dashboard/jobs.html{part}", context)
    answer["ETag"] = tag
    return answer


@require_safe
@signed_in
def show_one(request: Asked, reach: Reach, name: str) -> HttpResponse:
    """One job: its runs as a table, and its schedule."""
    _known(reach, name)
    [listed] = job_list([name])
    readings = readings_of(name)
    if wants_json(request):
        runs = [shown_run(run).model_dump(mode="json") for run in listed.over]
        read = [{"id": reading.run.id, "trigger": reading.run.trigger} for reading in readings]
        return JsonResponse({**shown_job(listed).model_dump(mode="json"), "runs": runs, "readings": read})
    context = {"reach": reach, "job": listed, "about": JOBS[name].about, "states": STATES}
    return render(request, "dashboard/job.html", {**context, "readings": readings})


@require_POST
@signed_in
def run(request: Asked, reach: Reach, name: str) -> HttpResponse:
    _known(reach, name)
    ask_for(name, reach.author().label)
    say(request, f"“{name}” is with the worker.")
    return redirect("jobs")


@require_POST
@signed_in
def retry(request: Asked, reach: Reach, name: str, run: UUID) -> HttpResponse:
    """That very run once more: for the same person, its attempts counted on."""
    _known(reach, name)
    try:
        retry_of(name, run, reach.author().label)
        say(request, f"The run of “{name}” that failed is with the worker again.")
    except InConflict as error:
        warn(request, str(error))
    return redirect("jobs")


@require_POST
@signed_in
def read_again(request: Asked, reach: Reach, attempt: UUID) -> HttpResponse:
    """Has what was set aside read once more, by the next run that comes upon it."""
    only_super(reach)
    try_again(attempt)
    say(request, "It will be read again by the next run.")
    return redirect("jobs")


@require_POST
@signed_in
def stop(request: Asked, reach: Reach, name: str) -> HttpResponse:
    _known(reach, name)
    alive = JobRun.objects.alive().filter(kind=name).first()
    if alive and cancel(run=alive.id, now=timezone.now()):
        begun = alive.state == JobState.RUNNING
        say(request, f"“{name}” stops after its present step." if begun else f"“{name}” will not begin.")
    else:
        warn(request, f"“{name}” is not running.")
    return redirect("jobs")


@require_POST
@signed_in
def set_schedule(request: Asked, reach: Reach, name: str) -> HttpResponse:
    _known(reach, name)
    try:
        plan(job=name, cron=request.POST.get("cron", ""))
        say(request, "The schedule is changed.")
    except Invalid as error:
        warn(request, str(error))
    return redirect("job", name)


def _known(reach: Reach, name: str) -> None:
    only_super(reach)
    if name not in JOBS:
        raise NotFound
