"""What was decided of words is in the log with its reason, in ids and counts: of a brief, of requests to remember and
to forget, of a proposal put off."""

from typing import Any

import pytest

from dashboard.wording import describe_author as named
from memory_app.api.request_log import request_log
from memory_app.models import ApiKey, Memory, Operation, Receipt, Token
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import create_proposal

pytestmark = pytest.mark.django_db

TILE = "we decided to go with the blue tile"


def _logged(name: str) -> list[dict[str, Any]]:
    """The detail of what the log holds by a name, oldest first."""
    request_log.flush()
    with every_space():
        return [row.detail for row in Operation.objects.filter(name=name).order_by("id")]


def _brief(api: Api, query: str, **fields: object) -> None:
    assert api.post("/context", {"person": "alice", "query": query, **fields}).status_code == 200


@pytest.mark.usefixtures("real_encoder")
def test_a_logged_brief_has_gate_results_without_the_query(api: Api) -> None:
    api.remember("alice", TILE)
    api.remember("alice", "Anna is allergic to peanuts")
    _brief(api, "which tile did we choose?")
    [told] = _logged("brief")
    with every_space():
        [receipt] = Receipt.objects.all()
    assert told == {
        "decision": "let through",
        "reason": "",
        "found": 2,
        "relevant": 1,
        "told": 1,
        "receipt": str(receipt.id),
    }


@pytest.mark.usefixtures("real_encoder")
def test_a_logged_empty_brief_has_its_reason(api: Api) -> None:
    api.remember("alice", TILE)
    _brief(api, "thanks!")
    _brief(api, "which tile?", intent="timer_set")
    _brief(api, "who won the football match in Lisbon?")
    _brief(api, "which tile did we choose?", token_budget=1)
    reasons = [(told["decision"], told["reason"]) for told in _logged("brief")]
    assert reasons == [
        ("left empty", "small talk"),
        ("left empty", "intent"),
        ("left empty", "nothing relevant"),
        ("left empty", "nothing fits"),
    ]
    assert "timer" not in str(_logged("brief"))


@pytest.mark.usefixtures("encoder")
def test_a_brief_for_an_unknown_person_is_not_logged() -> None:
    _, token = ApiKey.issue("reader", scopes=["read"])
    _brief(Api(token), "which tile did we choose?")
    assert _logged("brief") == []


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize(
    ("utterance", "reason"),
    [("I don't remember that film, the one with Zorro.", "no request"), ("Remember that", "nothing said to keep")],
)
def test_words_that_ask_for_nothing_to_be_kept_are_logged_with_their_request(
    api: Api, utterance: str, reason: str
) -> None:
    api.remember("alice", "Tea is at five.")
    assert api.post("/remember", {"person": "alice", "utterance": utterance}).status_code == 422
    request_log.flush()
    with every_space():
        [entry] = Operation.objects.filter(name="remember_request")
        asked = Operation.objects.get(name="request", detail__status=422)
    assert entry.detail == {"decision": "nothing kept", "reason": reason}
    assert (entry.request_id, entry.person_id, entry.author) == (asked.request_id, asked.person_id, asked.author)


@pytest.mark.usefixtures("encoder")
def test_a_logged_forget_request_says_how_it_was_read(api: Api) -> None:
    tile, tap = (api.remember("alice", text)["id"] for text in ("The tile is blue", "The tap is brass"))
    for utterance in ("I forgot my keys", "forget that", "forget about the blue tile", "forget the green door"):
        assert api.post("/forget", {"person": "alice", "utterance": utterance}).status_code == 200
    assert _logged("forget_request") == [
        {"decision": "nothing forgotten", "reason": "no request", "memories": []},
        {"decision": "forgotten", "reason": "just made", "memories": [tap]},
        {"decision": "asked whether", "reason": "described", "memories": [tile]},
        {"decision": "nothing forgotten", "reason": "nothing like it", "memories": []},
    ]


@pytest.mark.usefixtures("encoder")
def test_answers_to_questions_are_logged(api: Api) -> None:
    tile = api.remember("alice", "The tile is blue")["id"]
    for answer in ("no", "yes"):
        asked = api.post("/forget", {"person": "alice", "utterance": "forget about the blue tile"}).json()
        api.post("/forget/confirm", {"person": "alice", "token": asked["token"], "choice": answer})
    api.post("/commands", {"person": "alice", "text": "/memory clear"})
    assert _logged("forget_answer") == [
        {"decision": "nothing forgotten", "reason": "to be kept", "memories": []},
        {"decision": "forgotten", "reason": "chosen", "memories": [tile]},
    ]
    assert _logged("forget_request")[-1] == {"decision": "nothing forgotten", "reason": "everything", "memories": []}


@pytest.mark.usefixtures("encoder")
def test_undo_covers_the_decision_of_a_forget_request(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.remember("alice", "The tile is blue")

    def broken(*_: object, **__: object) -> str:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(Token, "issue", broken)
    with pytest.raises(RuntimeError):
        api.post("/forget", {"person": "alice", "utterance": "forget about the blue tile"})
    assert _logged("forget_request") == []


def test_snoozing_and_reopening_are_logged(api: Api) -> None:
    proposal = create_proposal("alice", "Alice plays the cello")
    until = "2099-01-01T08:00:00+00:00"
    assert api.post(f"/proposals/{proposal.id}/snooze", {"until": until}).status_code == 200
    for _ in range(2):
        assert api.post(f"/proposals/{proposal.id}/reopen", {}).status_code == 200
    [put_off], [reopened] = _logged("snooze"), _logged("reopen")
    assert (put_off["proposal"], put_off["until"]) == (str(proposal.id), until)
    assert reopened["proposal"] == str(proposal.id)
    assert "cello" not in str(put_off)


@pytest.mark.usefixtures("encoder")
def test_the_log_is_filtered_to_decisions(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    for utterance in ("I forgot my keys", "forget about the blue tile"):
        api.post("/forget", {"person": "alice", "utterance": utterance})
    found = api.get("/admin/logs?decision=asked%20whether").json()["items"]
    assert [(item["operation"], item["detail"]["reason"]) for item in found] == [("forget_request", "described")]
    with every_space():
        assert Memory.objects.count() == 1
    assert named(found[0]["author"]).startswith("an assistant")
