"""What a language model makes of what was proposed, and that nothing is lost without its answer."""

import pytest
from django.conf import settings as django_settings
from django.utils import timezone

from memory_app.engine.audit.log import Author
from memory_app.engine.proposals.propose import undo_run
from memory_app.jobs import refine_run
from memory_app.models import ExtractionRun, Memory, Note, Proposal
from memory_app.models.row_security import every_space
from tests.api.test_conversations import talk
from tests.conftest import Api
from tests.model_server import ModelServer, answers, fails, says

pytestmark = pytest.mark.django_db


def local_run(api: Api) -> ExtractionRun:
    """The run of an ended conversation, read by the local extractor."""
    api.post(f"/conversations/{talk(api)}/end", {})
    with every_space():
        return ExtractionRun.objects.get(extractor="local-8")


def proposed() -> list[tuple[str, str]]:
    with every_space():
        return list(Proposal.objects.order_by("created_at", "number").values_list("summary", "status"))


NOTICED = {
    "items": [
        {
            "summary": "Anna is a nurse by profession",
            "content": "Anna is a nurse by profession",
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
    assert record.extractor == "extract-2 openai:small"
    assert proposed() == before


def test_what_the_model_noticed_besides_is_added_and_asked(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    before = proposed()
    server.will(answers(NOTICED))
    refine_run(str(run.space_id), str(run.id))
    assert proposed() == [*before, ("Anna is a nurse by profession", "pending")]
    assert "alice" in server.texts[0].casefold()


def test_an_answer_is_about_what_was_asked_not_what_was_added_since(api: Api, server: ModelServer) -> None:
    run = local_run(api)
    asked = len(proposed())
    server.will(answers(NOTICED))
    refine_run(str(run.space_id), str(run.id))
    replied = api.post(f"/conversations/{run.conversation_id}/reply", {"text": "yes"}).json()
    assert len(replied["accepted"]) == asked
    assert proposed()[-1] == ("Anna is a nurse by profession", "pending")


def by_itself(api: Api) -> ExtractionRun:
    """The local run of a person who lets what is sure be kept unasked."""
    api.call("PATCH", "/people/alice", {"extraction_policy": "auto"})
    return local_run(api)


def refined(run: ExtractionRun, server: ModelServer, **changes: object) -> ExtractionRun:
    """The record of a model's answer with one item, as NOTICED but for the changes."""
    server.will(answers({"items": [NOTICED["items"][0] | changes], "dismissed": []}))
    refine_run(str(run.space_id), str(run.id))
    with every_space():
        return ExtractionRun.objects.exclude(id=run.id).get()


def test_by_the_policy_auto_what_the_model_noticed_is_kept_unasked(api: Api, server: ModelServer) -> None:
    record = refined(by_itself(api), server)
    assert (record.kept, record.noted, record.proposed, record.error) == (1, 0, 0, "")
    assert proposed() == []
    with every_space():
        kept = Memory.objects.get(content="Anna is a nurse by profession")
    assert (kept.source_type, kept.confidence, kept.visibility) == ("extracted", 0.8, "private")
    assert len(kept.source_turns) == 1
    assert kept.changed_by == "model:extract-2 openai:small"


def test_by_the_policy_auto_what_the_model_is_unsure_of_goes_to_the_note(api: Api, server: ModelServer) -> None:
    record = refined(by_itself(api), server, confidence=0.5)
    assert (record.kept, record.noted, record.proposed) == (0, 1, 0)
    with every_space():
        assert Note.objects.filter(text="Anna is a nurse by profession").count() == 1
        assert not Memory.objects.filter(content="Anna is a nurse by profession").exists()


def test_what_the_model_would_do_to_a_memory_is_asked_by_the_policy_auto_too(api: Api, server: ModelServer) -> None:
    record = refined(by_itself(api), server, relation={"known": 1, "kind": "update"})
    assert (record.kept, record.noted, record.proposed) == (0, 0, 1)
    assert proposed() == [("Anna is a nurse by profession", "pending")]


def test_a_key_that_only_the_model_names_replaces_nothing(api: Api, server: ModelServer) -> None:
    api.remember("alice", "I live in Berlin", key="home")
    refined(by_itself(api), server, key="home")
    with every_space():
        assert Memory.objects.get(content="Anna is a nurse by profession").key == ""
        assert Memory.objects.get(content="I live in Berlin").status == "active"


def test_a_run_of_the_model_is_undone_like_any_other(api: Api, server: ModelServer) -> None:
    run = by_itself(api)
    record = refined(run, server)
    with every_space():
        author = Author("user", "alice")
        undone, _ = undo_run(run=record, author=author, now=timezone.now())
        assert Memory.objects.undeleted().filter(content="Anna is a nurse by profession").count() == 0
    assert undone.number == 1


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


@pytest.mark.parametrize(("whole", "added"), [(True, 0), (False, 1)])
def test_what_was_refused_is_not_put_up_again_in_better_words(
    api: Api, server: ModelServer, whole: bool, added: int
) -> None:
    """By the words that it rests on, whatever the model makes of them. What other words tell is asked all the same."""
    run = local_run(api)
    with every_space():
        refused = Proposal.objects.order_by("number")[0]
    [quote] = refused.quotes
    api.post(f"/proposals/{refused.id}/reject", {})
    before = proposed()
    text = quote["text"] if whole else "works as a nurse there"
    turn = quote["position"] + 1 if whole else 5
    reworded = {"summary": "A wholly different account", "content": "A wholly different account"} if whole else {}
    record = refined(run, server, quotes=[{"turn": turn, "text": text}], **reworded)
    assert (record.error, dict(record.dropped)) == ("", {})
    assert (record.duplicates, record.proposed) == (1 - added, added)
    assert len(proposed()) == len(before) + added
