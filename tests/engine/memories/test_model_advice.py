"""What a language model adds to a memory that was asked for, and that the write never waits for it nor is lost."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memory_app.embedding.encoder import Encoder
from memory_app.engine.memories.model_advice import refine_memory
from memory_app.llm.protocol import Completion, Prompt
from memory_app.llm.remote import RemoteModel
from memory_app.models import Memory, Operation
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.queued import queued, run_queued
from tests.model_server import ModelServer, answers, fails, hangs_up, says

pytestmark = pytest.mark.django_db

LONG = (
    "Bob's workshop closes at five on weekdays and at noon on Saturdays, so pick up the bike before that, and bring "
    "the old lamp, because it needs a new dynamo as well"
)
GOOD = {
    "type": "task",
    "category": "personal",
    "key": "bike_pickup",
    "summary": "Pick up the bike from Bob's workshop before it closes",
    "keywords": ["bike", "workshop", "dynamo"],
    "event_time": "2026-11-26T17:00:00+01:00",
}
OPEN = ["type", "category", "key", "summary", "keywords", "event_time"]


def logged() -> dict[str, Any]:
    with every_space():
        detail: dict[str, Any] = Operation.objects.get(name="refine").detail
    return detail


def test_a_write_is_answered_before_the_model_is_asked(api: Api, server: ModelServer) -> None:
    kept = api.remember("alice", LONG)
    assert server.requests == []
    assert [args[1:] for args in queued("refine_kept_memory")] == [(kept["id"], OPEN)]


def test_fields_not_given_are_taken_from_the_model(api: Api, server: ModelServer) -> None:
    kept = api.remember("alice", LONG)
    server.will(answers(GOOD))
    assert run_queued("refine_kept_memory") == ["type, category, keywords, key, event_time, summary set, 150 tokens"]
    now = api.get(f"/memories/{kept['id']}").json()
    assert {name: now[name] for name in OPEN} == {**GOOD, "event_time": "2026-11-26T16:00:00Z"}
    assert (now["content"], now["version"]) == (LONG, 2)
    assert api.get(f"/memories/{kept['id']}/history").json()["items"][-1]["changed_by"] == (
        "model:understand-2 openai:small"
    )


def test_fields_given_by_the_caller_stay(api: Api, server: ModelServer) -> None:
    said = {"type": "note", "summary": "The bike", "keywords": ["bike"], "key": "bike"}
    kept = api.remember("alice", LONG, **said)
    assert [args[2] for args in queued("refine_kept_memory")] == [["category", "event_time"]]
    server.will(answers(GOOD))
    run_queued("refine_kept_memory")
    now = api.get(f"/memories/{kept['id']}").json()
    assert {name: now[name] for name in said} == said


def test_a_request_in_words_is_read_too(api: Api, server: ModelServer) -> None:
    api.post("/remember", {"person": "alice", "utterance": f"remember that {LONG}"})
    assert len(queued("refine_kept_memory")) == 1


def test_duplicates_and_sensitive_texts_are_not_sent(api: Api, server: ModelServer) -> None:
    api.remember("alice", LONG)
    api.remember("alice", LONG)
    api.remember("alice", "My passport number is K12345678")
    assert len(queued("refine_kept_memory")) == 1


def test_an_import_in_a_batch_is_not_sent(api: Api, server: ModelServer) -> None:
    items = [{"person": "alice", "content": f"Recipe {number} needs {number} eggs"} for number in range(21)]
    api.post("/memories/batch", {"items": items})
    assert queued("refine_kept_memory") == []
    api.post("/memories/batch", {"items": [*items[:2], {"person": "bob", "content": "Bob cooks"}]})
    assert len(queued("refine_kept_memory")) == 1


@pytest.mark.parametrize("reply", [fails(404), says(b"no JSON"), answers({"type": 7}), hangs_up])
def test_without_a_good_answer_the_memory_stays_as_it_was(api: Api, server: ModelServer, reply: Any) -> None:
    kept = api.remember("alice", LONG)
    server.will(reply)
    run_queued("refine_kept_memory")
    assert api.get(f"/memories/{kept['id']}").json() == kept
    assert logged()["error"]


def test_words_that_the_memory_does_not_hold_are_not_used(api: Api, server: ModelServer) -> None:
    kept = api.remember("alice", LONG)
    invented = {"type": "gossip", "category": "", "key": "", "summary": "Call Charlie at 9", "keywords": []}
    server.will(answers({**invented, "event_time": None}))
    run_queued("refine_kept_memory")
    assert api.get(f"/memories/{kept['id']}").json() == kept
    assert logged()["dropped"] == {"invented": 1, "unknown type": 1}


@dataclass
class Meddled:
    """A provider whose answer takes so long that something else happens first."""

    meanwhile: Callable[[], object]

    def complete(self, prompt: Prompt, schema: dict[str, Any], seconds: float | None = None) -> Completion:
        self.meanwhile()
        return Completion(json.dumps(GOOD), tokens_in=120, tokens_out=30)


def test_a_change_made_meanwhile_stands(api: Api, encoder: Encoder) -> None:
    kept = api.remember("alice", LONG)
    meddled = Meddled(lambda: api.call("PATCH", f"/memories/{kept['id']}", {"type": "note"}))
    with every_space():
        space = Memory.objects.get().space_id
    told = refine_memory(
        space=space,
        memory=UUID(kept["id"]),
        fields=OPEN,
        model=RemoteModel("openai:small", lambda: meddled),
        now=timezone.now(),
        encoder=encoder,
    )
    assert told.startswith("This memory is now version 2")
    now = api.get(f"/memories/{kept['id']}").json()
    assert (now["type"], now["summary"], now["version"]) == ("note", kept["summary"], 2)


def test_a_key_that_another_memory_holds_is_not_taken(api: Api, server: ModelServer) -> None:
    other = api.remember("alice", "The spare key hangs in the shed", **dict(GOOD, key="bike_pickup", type="fact"))
    kept = api.remember("alice", LONG)
    server.will(answers(GOOD))
    run_queued("refine_kept_memory")
    assert api.get(f"/memories/{kept['id']}").json()["key"] is None
    assert api.get(f"/memories/{other['id']}").json()["key"] == "bike_pickup"


def test_without_a_model_nothing_is_queued(api: Api) -> None:
    api.remember("alice", LONG)
    assert queued("refine_kept_memory") == []
