"""A language model that is waited for: what it says in time is put up, what comes later replaces that, and slow, broken
or lying it costs nothing."""

import threading
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone
from pytest_django import Settings

from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.undo import undo_operations
from memory_app.llm.model import MAX_WAITING_CALLS, with_timeout
from memory_app.models import Conflict, ExtractionRun, Memory, Operation, Proposal
from memory_app.models.row_security import every_space
from tests.api.test_conversations import talk
from tests.conftest import Api
from tests.engine.queued import queued, run_queued
from tests.model_server import Exchange, ModelServer, Reply, answers, fails, never, resets, says

pytestmark = pytest.mark.django_db

LONG_ENOUGH, TOO_SHORT = 20.0, 0.3
WORDED = "Alice plays the cello since March and practises every evening"
FLAT, HOUSE = "I live in a small flat in Ghent", "we gave up the flat in Ghent and live in a house"
BIKE, BIKE_AGAIN = "my bike is the old red one in the shed", "my bike is the old red thing in the shed"


@pytest.fixture
def waits(settings: Settings, server: ModelServer) -> ModelServer:
    settings.KEEPSAKE_LLM_SECONDS = LONG_ENOUGH
    return server


def item(**fields: Any) -> dict[str, Any]:
    return {
        "candidate": 1,
        "content": WORDED,
        "summary": "Alice plays the cello",
        "type": "fact",
        "category": "personal",
        "key": "",
        "keywords": ["cello"],
        "confidence": 1,
        "global_safe": False,
        "relation": None,
        "quotes": [{"turn": 7, "text": "I started playing the cello in March, I practise every evening"}],
    } | fields


def noticed(*items: dict[str, Any]) -> Reply:
    return answers({"items": list(items), "dismissed": []})


def filed(*relations: tuple[int, str], **fields: Any) -> Reply:
    said: dict[str, Any] = {"type": "", "category": "", "key": "", "summary": "", "keywords": [], "event_time": None}
    return answers(said | fields | {"relations": [{"known": known, "kind": kind} for known, kind in relations]})


def ended(api: Api) -> list[dict[str, Any]]:
    answer = api.post(f"/conversations/{talk(api)}/end", {})
    assert answer.status_code == 200, answer.content
    proposals: list[dict[str, Any]] = answer.json()["proposals"]
    return proposals


def remembered(api: Api, what: str) -> dict[str, Any]:
    answer = api.post("/remember", {"person": "alice", "utterance": f"remember that {what}"})
    assert answer.status_code == 201, answer.content
    kept: dict[str, Any] = answer.json()
    return kept


def statuses() -> dict[str, str]:
    with every_space():
        return dict(Memory.objects.values_list("content", "status"))


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
def test_model_wording_in_time_is_proposed(api: Api, waits: ModelServer, settings: Settings, provider: str) -> None:
    settings.KEEPSAKE_LLM = f"{provider}:small"
    settings.KEEPSAKE_LLM_BASE_URL = waits.url if provider == "anthropic" else f"{waits.url}/v1"
    waits.will(noticed(item()))
    proposals = ended(api)
    assert [(one["content"], one["reworded"]) for one in proposals if one["summary"] == "Alice plays the cello"] == [
        (WORDED, False)
    ]
    assert [one["number"] for one in proposals] == [*range(1, len(proposals) + 1)]
    assert queued("refine_run") == []


def test_late_model_wording_replaces_the_proposal_and_says_so(
    api: Api, server: ModelServer, settings: Settings
) -> None:
    settings.KEEPSAKE_LLM_SECONDS = TOO_SHORT
    server.will(never, noticed(item()), never)
    shown = ended(api)
    run_queued("refine_run")
    with every_space():
        now = {one.number: (one.content, one.reworded) for one in Proposal.objects.filter(status="pending")}
    assert now == {one["number"]: (one["content"], False) for one in shown} | {1: (WORDED, True)}
    memory = remembered(api, HOUSE)["memory"]
    assert [args[1] for args in queued("refine_kept_memory")] == [memory["id"]]


@pytest.mark.parametrize("reply", [says(b"no JSON at all"), fails(500), resets, answers({"items": 5, "type": 5})])
def test_a_broken_model_loses_no_write(api: Api, server: ModelServer, settings: Settings, reply: Reply) -> None:
    settings.KEEPSAKE_LLM_SECONDS = TOO_SHORT
    server.will(reply)
    proposals = ended(api)
    assert proposals
    assert all(one["content"] in {quote["text"] for quote in one["quotes"]} for one in proposals)
    assert remembered(api, HOUSE)["memory"]["content"] == HOUSE


def test_invented_items_are_dropped_and_recorded(api: Api, waits: ModelServer) -> None:
    unsaid = item(candidate=None, quotes=[{"turn": 7, "text": "I started playing the drums"}])
    unknown = item(candidate=None, relation={"known": 77, "kind": "update"})
    waits.will(noticed(unsaid, unknown))
    shown = {one["content"] for one in ended(api)}
    with every_space():
        record = ExtractionRun.objects.get(extractor="extract-2 openai:small")
        assert Proposal.objects.filter(target_id=None).count() == len(shown)
    assert record.dropped == {"quote not said": 1, "no evidence": 1, "unknown relation": 1}


def test_an_update_replaces_the_old_memory_which_can_be_undone(api: Api, waits: ModelServer) -> None:
    api.remember("alice", FLAT)
    waits.will(filed((1, "update"), type="event"))
    kept = remembered(api, HOUSE)
    assert (kept["outcome"], kept["memory"]["type"]) == ("superseded", "event")
    assert FLAT in waits.texts[0]
    assert statuses() == {FLAT: "superseded", HOUSE: "active"}
    with every_space():
        undo_operations(
            operations=Operation.objects.filter(name="supersede"), author=Author("user", "alice"), now=timezone.now()
        )
    assert statuses()[FLAT] == "active"


def test_a_contradiction_is_asked_and_the_same_is_counted_without_losing_a_word(api: Api, waits: ModelServer) -> None:
    api.remember("alice", FLAT)
    waits.will(filed((1, "contradiction")))
    assert [one["content"] for one in remembered(api, HOUSE)["conflicts"]] == [FLAT]
    bike = api.remember("alice", BIKE)
    waits.will(filed((1, "same")))
    kept = remembered(api, BIKE_AGAIN)
    assert (kept["outcome"], kept["memory"]["id"]) == ("duplicate", bike["id"])
    assert kept["memory"]["attributes"] == {"also_said": [BIKE_AGAIN]}
    with every_space():
        assert Conflict.objects.count() == 1


def test_the_models_claim_of_sameness_is_checked(api: Api, waits: ModelServer) -> None:
    api.remember("alice", BIKE)
    waits.will(filed((1, "same"), (9, "update"), type="gossip", summary="Bob's bike"))
    assert remembered(api, "the cello lesson is in the old school")["outcome"] == "added"
    with every_space():
        dropped = Operation.objects.get(name="refine", author__startswith="model:understand").detail["dropped"]
    assert dropped["unknown relation"] == 1


def test_nothing_sensitive_is_sent(api: Api, waits: ModelServer) -> None:
    api.remember("alice", "my salary is 4,000 euros a month at the bank")
    waits.will(filed())
    remembered(api, "the bank is in the market street")
    remembered(api, "my PIN is 4711")
    assert len(waits.texts) == 1
    assert "4,000" not in waits.texts[0]


def test_late_model_advice_supersedes_the_old_memory(api: Api, server: ModelServer) -> None:
    api.remember("alice", FLAT)
    remembered(api, HOUSE)
    server.will(filed(), filed((1, "update")))
    run_queued("refine_kept_memory")
    assert statuses() == {FLAT: "superseded", HOUSE: "active"}


def test_accepting_an_update_supersedes_the_old_memory(api: Api, waits: ModelServer) -> None:
    old = api.remember("alice", "Alice plays the violin every evening")
    waits.will(noticed(item(relation={"known": 1, "kind": "update"})))
    [proposal] = [one for one in ended(api) if one["content"] == WORDED]
    assert (proposal["relation"], proposal["target"]) == ("supersede", old["id"])
    assert api.post(f"/proposals/{proposal['id']}/accept", {}).json()["outcome"] == "superseded"
    assert statuses()["Alice plays the violin every evening"] == "superseded"


@pytest.mark.django_db(transaction=True)
def test_writers_are_not_blocked_while_the_model_runs(api: Api, waits: ModelServer) -> None:
    open_meanwhile: list[int] = []

    def writing(answer: Reply) -> Reply:
        def reply(exchange: Exchange) -> None:
            try:
                api.remember("alice", f"Parcel number {len(open_meanwhile)} is at the neighbour's")
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        " AND state LIKE 'idle in transaction%'"
                    )
                    open_meanwhile.append(cursor.fetchone()[0])
            finally:
                connections.close_all()
            answer(exchange)

        return reply

    waits.will(writing(filed(type="event")), writing(noticed(item())))
    assert remembered(api, HOUSE)["memory"]["type"] == "event"  # the first that is heard of alice
    assert WORDED in {one["content"] for one in ended(api)}
    assert open_meanwhile == [0, 0]


def test_only_a_few_requests_wait_for_the_model(api: Api, waits: ModelServer) -> None:
    release = threading.Event()
    others = [threading.Thread(target=with_timeout, args=(release.wait, LONG_ENOUGH)) for _ in range(MAX_WAITING_CALLS)]
    try:
        for other in others:
            other.start()
        assert remembered(api, HOUSE)["memory"]["content"] == HOUSE
        assert waits.requests == []
        assert len(queued("refine_kept_memory")) == 1
    finally:
        release.set()
        for other in others:
            other.join()


DENTIST, SHED = "the dentist is on Monday at nine", "we painted the shed green"
MOVED = "sure about the teeth, though they moved it to Tuesday, and who cares about the shed"
TUESDAY = "the dentist is on Tuesday at nine"


def decision(thing: int, act: str, words: str, text: str = "") -> dict[str, Any]:
    return {"thing": thing, "act": act, "text": text, "words": words}


def replied(api: Api, server: ModelServer, *decisions: dict[str, Any], text: str = MOVED) -> dict[str, Any]:
    """What became of a reply to two proposals."""
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    items = [{"content": DENTIST}, {"content": SHED}]
    api.post("/proposals", {"person": "alice", "conversation": conversation, "items": items})
    api.post(f"/conversations/{conversation}/end", {})
    server.will(answers({"decisions": list(decisions)}))
    answer: dict[str, Any] = api.post(f"/conversations/{conversation}/reply", {"text": text}).json()
    return answer


def test_a_reply_that_the_grammar_does_not_understand_is_read(api: Api, waits: ModelServer) -> None:
    corrected = decision(1, "correct", "they moved it to Tuesday", TUESDAY)
    answer = replied(api, waits, corrected, decision(2, "drop", "who cares about the shed"))
    assert [one["memory"]["content"] for one in answer["accepted"]] == [TUESDAY]
    assert [one["content"] for one in answer["rejected"]] == [SHED]


@pytest.mark.parametrize(
    "decided",
    [
        decision(3, "keep", "the shed"),
        decision(1, "keep", "the dentist is fine"),
        decision(1, "keep", "sure about the teeth"),
        decision(1, "correct", "they moved it to Tuesday", "Bob pays the rent on Tuesday"),
        decision(1, "correct", "they moved it to Tuesday", "the dentist is on Tuesday at nine in Paris"),
        decision(1, "forget everything", "the teeth"),
    ],
)
def test_an_implausible_model_reading_saves_nothing(api: Api, waits: ModelServer, decided: dict[str, Any]) -> None:
    answer = replied(api, waits, decided, decision(2, "drop", "who cares about the shed"))
    assert (answer["accepted"], answer["rejected"]) == ([], [])
    assert statuses() == {}


def test_what_the_grammar_understands_or_is_unsure_is_not_sent(api: Api, waits: ModelServer) -> None:
    assert len(replied(api, waits, text="no")["rejected"]) == 2
    assert replied(api, waits, decision(1, "keep", "the dentist"), text="not sure about the dentist")["accepted"] == []
    assert waits.requests == []


def forgetting(api: Api) -> dict[str, Any]:
    said = "I'd feel better if the shed were gone from your notes"
    answer: dict[str, Any] = api.post("/forget", {"person": "alice", "utterance": said}).json()
    return answer


def test_a_request_to_forget_in_other_words_is_understood_and_asked(api: Api, waits: ModelServer) -> None:
    api.remember("alice", SHED)
    waits.will(answers({"asks": True, "about": "the shed"}))
    asked = forgetting(api)
    assert (asked["status"], [one["summary"] for one in asked["candidates"]]) == ("confirm", [SHED])
    waits.will(answers({"asks": True, "about": "everything about the cello"}))
    assert forgetting(api)["status"] == "none"
    assert statuses() == {SHED: "active"}


@pytest.mark.parametrize(("helping", "briefed"), [([], False), ([1], True), ([7], True)])
def test_a_brief_leaves_out_what_does_not_help_only_where_that_is_set(
    api: Api, waits: ModelServer, settings: Settings, helping: list[int], briefed: bool
) -> None:
    api.remember("alice", "Anna sings in the town choir")
    asked = {"person": "alice", "query": "what do you remember about Anna?"}
    assert "choir" in api.post("/context", asked).json()["text"]
    assert waits.requests == []
    settings.KEEPSAKE_LLM_BRIEFS = True
    waits.will(answers({"helping": helping}))
    assert ("choir" in api.post("/context", asked).json()["text"]) == briefed
