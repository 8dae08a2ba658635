"""What a language model makes of what was proposed, and that nothing is lost without its answer."""

import pytest
from django.conf import settings as django_settings

from memory_app.jobs import refine_run
from memory_app.models import ExtractionRun, Proposal
from memory_app.models.scope import every_space
from tests.api.test_conversations import talk
from tests.conftest import Api
from tests.model_server import ModelServer, answers, fails, says

pytestmark = pytest.mark.django_db


def local_run(api: Api) -> ExtractionRun:
    """The run of an ended conversation, read by the local extractor."""
    api.post(f"/conversations/{talk(api)}/end", {})
    with every_space():
        return ExtractionRun.objects.get(extractor="local-3")


def proposed() -> list[tuple[str, str]]:
    with every_space():
        return list(Proposal.objects.order_by("created_at", "number").values_list("summary", "status"))


NOTICED = {
    "items": [
        {
            "summary": "Anna works as a nurse in Lisbon",
            "content": "Anna works as a nurse in Lisbon",
            "type": "person",
            "category": "personal",
            "key": "",
            "keywords": ["nurse"],
            "confidence": 0.8,
            "global_safe": False,
            "candidate": None,
            "relation": None,
            "quotes": [{"turn": 5, "text": "works as a nurse there"}],
        }
    ],
    "dismissed": [],
}


@pytest.mark.parametrize("reply", [fails(500), says(b"no JSON at all"), answers({"items": "nonsense"})])
def test_without_a_good_answer_the_local_result_stands(api: Api, server: ModelServer, reply: object) -> None:
    run = local_run(api)
    before = proposed()
    assert before
    server.will(reply, reply)  # type: ignore[arg-type]
    refine_run(str(run.space_id), str(run.id))
    assert proposed() == before
    with every_space():
        record = ExtractionRun.objects.exclude(id=run.id).get()
    assert record.error
    assert record.read == run.read


def test_the_run_of_the_model_tells_its_tokens(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    before = proposed()
    server.will(answers({"items": [], "dismissed": []}, read=120, written=30))
    refine_run(str(run.space_id), str(run.id))
    with every_space():
        record = ExtractionRun.objects.exclude(id=run.id).get()
    assert (record.error, record.tokens) == ("", 150)
    assert record.extractor == "extract-1 openai:small"
    assert proposed() == before


def test_what_the_model_noticed_besides_is_added_and_asked(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    before = proposed()
    server.will(answers(NOTICED))
    refine_run(str(run.space_id), str(run.id))
    assert proposed() == [*before, ("Anna works as a nurse in Lisbon", "pending")]
    assert "alice" in server.texts[0].casefold()


def test_an_answer_is_about_what_was_asked_not_what_was_added_since(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    asked = len(proposed())
    server.will(answers(NOTICED))
    refine_run(str(run.space_id), str(run.id))
    replied = api.post(f"/conversations/{run.conversation_id}/reply", {"text": "yes"}).json()
    assert len(replied["accepted"]) == asked
    assert proposed()[-1] == ("Anna works as a nurse in Lisbon", "pending")


def test_what_the_model_said_in_vain_is_recorded_with_its_reason(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    noticed = NOTICED["items"][0]
    unsaid = {**noticed, "quotes": [{"turn": 5, "text": "works as a spy"}]}
    unknown = {**noticed, "quotes": [{"turn": 77, "text": "works as a nurse there"}]}
    untyped = {**noticed, "type": "gossip"}
    server.will(answers({"items": [unsaid, unknown, untyped], "dismissed": [99]}))
    refine_run(str(run.space_id), str(run.id))
    with every_space():
        record = ExtractionRun.objects.exclude(id=run.id).get()
    assert record.dropped == {
        "quote not said": 1,
        "unknown turn": 1,
        "no evidence": 2,
        "unknown type or category": 1,
        "unknown candidate": 1,
    }
    assert (record.proposed, record.error) == (0, "")


def test_what_a_failed_question_cost_is_recorded_too(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    server.will(answers("no JSON at all", read=100, written=5))
    refine_run(str(run.space_id), str(run.id))
    with every_space():
        record = ExtractionRun.objects.exclude(id=run.id).get()
    assert record.error.startswith("BadAnswer: ")
    assert record.tokens == 210


def test_no_model_is_called_where_none_is_set(api: Api) -> None:
    assert django_settings.KEEPSAKE_LLM == ""
    run = local_run(api)
    assert refine_run(str(run.space_id), str(run.id)) == "no language model is set"
