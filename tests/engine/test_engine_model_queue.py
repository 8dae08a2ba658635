"""What waits for a language model waits apart from all else, so that one that is down delays nothing."""

import pytest
from django_q.models import OrmQ, Schedule

from memory_app.jobs import carry_on, ensure_schedules, request_job
from memory_app.jobs.runs import get_or_create_run
from memory_app.llm.queue import MODEL_QUEUE, enqueue_model_task
from memory_app.models import JobRun
from tests.conftest import Api
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db


def waiting() -> list[tuple[str, str]]:
    """Queue and function of all that waits, in order."""
    return [(row.key, row.task["func"].rpartition(".")[2]) for row in OrmQ.objects.order_by("id")]


def test_model_jobs_have_a_queue_of_their_own(api: Api, server: ModelServer) -> None:
    api.remember("alice", "The kitchen closes at six, and the dynamo of the old lamp is to be looked after.")
    request_job("fade", "user:root")
    request_job("enrich", "user:root")
    assert waiting() == [(MODEL_QUEUE, "refine_kept_memory"), ("keepsake", "carry_on"), (MODEL_QUEUE, "carry_on")]


def test_a_job_that_would_ask_the_model_runs_with_the_others_where_none_is_set(api: Api) -> None:
    request_job("enrich", "user:root")
    assert waiting() == [("keepsake", "carry_on")]


def test_the_nightly_job_that_asks_the_model_is_planned_in_its_queue(server: ModelServer) -> None:
    ensure_schedules()
    ensure_schedules()
    assert list(Schedule.objects.filter(cluster=MODEL_QUEUE).values_list("name", flat=True)) == ["enrich"]


def test_without_a_model_no_task_waits_for_it() -> None:
    ensure_schedules()
    Schedule.objects.filter(name="enrich").update(cluster=MODEL_QUEUE)
    enqueue_model_task("refine_run", "space", "run")
    ensure_schedules()
    assert waiting() == []
    assert not Schedule.objects.filter(cluster=MODEL_QUEUE).exists()


def test_a_waiting_run_is_continued_by_any_worker() -> None:
    run, _ = get_or_create_run(kind="expire")
    assert carry_on(str(run.id)) == "0 proposals expired"
    assert JobRun.objects.get(id=run.id).state == "done"
