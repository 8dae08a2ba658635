"""Erasing: a memory is gone from every table with all that held its words, and the receipt tells and proves it."""

import threading
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from memory_app.engine.erasure import erase_memory as erasing
from memory_app.engine.erasure.erasure_receipt import is_genuine
from memory_app.models import ApiKey, Erasure, Memory, Operation, Proposal, Receipt, Version
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

WORDS = "The heliotrope parrot sings in the pantry"
EDITED = "The heliotrope parrot sings in the cellar"


@pytest.fixture
def memory(api: Api) -> dict[str, Any]:
    return _kept(api)


def _kept(api: Api) -> dict[str, Any]:
    """A memory whose words are everywhere they can be."""
    sent = {"person": "alice", "content": WORDS}
    kept = api.post("/memories", sent, Idempotency_Key="parrot").json()
    api.call("PATCH", f"/memories/{kept['id']}", {"content": EDITED})
    briefed = api.post("/context", {"person": "alice", "query": EDITED}).json()
    assert [item["id"] for item in briefed["memories"]] == [kept["id"]]
    api.post("/searches", {"person": "alice", "query": "parrot"})
    assert api.post("/forget", {"person": "alice", "utterance": "forget about the parrot"}).json()["token"]
    _propose(kept)
    return dict(kept)


def _propose(kept: dict[str, Any]) -> None:
    """It was a proposal once; another one quotes it; and one would replace it."""
    with every_space():
        row = Memory.objects.get(id=kept["id"])
        where = {"space_id": row.space_id, "person_id": row.person_id, "visibility": "private", "confidence": 0.9}
        shared = {**where, "type": "fact", "category": "fact", "extractor": "tests", "reason": f"like {WORDS}"}
        Proposal.objects.create(**shared, summary="Parrot", content=WORDS, memory_id=row.id, status="accepted")
        quotes = [{"turn": str(uuid4()), "position": 0, "text": f"Well, {WORDS.lower()}!"}]
        Proposal.objects.create(**shared, summary="Pantry", content="There is a pantry", quotes=quotes)
        target = {"relation": "supersede", "target_id": row.id}
        Proposal.objects.create(**{**shared, "reason": ""}, summary="Sold", content="The bird was sold", **target)
        own = Operation.objects.filter(memory_id=row.id, name="remember")
        own.update(detail={"decision": "add", "reason": f"nothing like {WORDS}"})


def _erase(api: Api, memory: dict[str, Any]) -> dict[str, Any]:
    answer = api.post(f"/admin/memories/{memory['id']}/erase", {})
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def _readable(text: str) -> dict[str, int]:
    """Where a text can be read in the database, whole tables as text: another way than the one under test."""
    found = {}
    with every_space(), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE %s', [f"%{text}%"])
            rows = cursor.fetchone()[0]
            if rows:
                found[table] = rows
    return found


def test_its_words_are_everywhere_before_and_nowhere_after(api: Api, memory: dict[str, Any]) -> None:
    assert {"memory", "memory_version", "proposal", "receipt", "idempotency", "operation", "search"} <= {
        *_readable("parrot")
    }
    told = _erase(api, memory)
    assert _readable("heliotrope") == {}
    assert _readable("parrot") == {}
    assert told["removed"] == {
        "idempotency": 1,
        "memory": 1,
        "memory_version": 1,
        "proposal": 1,
        "search": 1,
        "token": 1,
    }
    assert told["blanked"] == {"operation": 2, "proposal": 2, "receipt": 1}
    assert told["check"]["left"] == {}
    assert told["check"]["nothing_left"] is True
    assert told["check"]["searched_columns"] > 100
    assert "parrot" not in str(told)


def test_it_is_gone_for_everyone(api: Api, memory: dict[str, Any]) -> None:
    _erase(api, memory)
    for path in (f"/memories/{memory['id']}", f"/memories/{memory['id']}?person=alice"):
        assert api.get(path).status_code == 404
    assert api.post(f"/admin/memories/{memory['id']}/restore", {}).status_code == 404
    assert api.post(f"/admin/memories/{memory['id']}/erase", {}).status_code == 404
    assert api.post("/admin/search", {"query": "heliotrope"}).json()["items"] == []


def test_a_forgotten_memory_is_erased_too(api: Api, memory: dict[str, Any]) -> None:
    api.call("DELETE", f"/memories/{memory['id']}")
    assert _erase(api, memory)["removed"]["memory_version"] == 2
    assert _readable("heliotrope") == {}


def test_that_it_was_erased_stays_in_the_log_and_the_trail(api: Api, memory: dict[str, Any]) -> None:
    told = _erase(api, memory)
    trail = api.get(f"/admin/logs?memory={memory['id']}").json()["items"]
    assert trail[0]["operation"] == "erase"
    assert trail[0]["detail"]["erasure"] == told["id"]
    assert {"remember", "edit"} <= {entry["operation"] for entry in trail}


def test_what_others_keep_is_left_alone(api: Api, memory: dict[str, Any]) -> None:
    other = api.remember("alice", "The tap is brass")
    bobs = api.remember("bob", WORDS)
    told = _erase(api, memory)
    assert api.get(f"/memories/{other['id']}").status_code == 200
    assert api.get(f"/memories/{bobs['id']}").status_code == 200
    assert told["check"]["left"] == {"memory.content": 1, "memory.summary": 1}
    assert told["check"]["nothing_left"] is False


def test_what_was_said_is_kept_and_told(api: Api, memory: dict[str, Any]) -> None:
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": f"{WORDS}!"})
    told = _erase(api, memory)
    assert told["check"]["said"] == {"turn.content": 1}
    assert told["check"]["nothing_left"] is True
    assert "What was said or noted in the same words was kept: it is not the memory's." in told["remains"]


def test_what_was_derived_from_it_goes_too_and_what_that_replaced_holds_again(api: Api, memory: dict[str, Any]) -> None:
    source = api.remember("alice", "A second bird lives upstairs")
    made = api.remember("alice", "Two birds live in the house", attributes={"sources": [memory["id"], source["id"]]})
    above = api.remember("alice", "The house is loud", attributes={"sources": [made["id"]]})
    with every_space():
        Memory.objects.filter(id=made["id"]).update(source_type="consolidation")
        Memory.objects.filter(id=above["id"]).update(source_type="reflection")
        Memory.objects.filter(id=source["id"]).update(status="superseded", superseded_by=made["id"])
    told = _erase(api, memory)
    assert sorted(told["derived"]) == sorted([made["id"], above["id"]])
    assert told["removed"]["memory"] == 3
    assert _readable("Two birds") == {}
    left = api.get(f"/memories/{source['id']}").json()
    assert (left["status"], left["superseded_by"]) == ("active", None)


def test_no_other_memory_names_it_any_more(api: Api) -> None:
    meeting = api.post(
        "/meetings",
        {"person": "alice", "title": "The heliotrope plan", "summary": "We talked", "decisions": ["Buy seeds"]},
    ).json()
    told = _erase(api, meeting["memory"])
    decision = api.get(f"/memories/{meeting['decisions'][0]['id']}").json()
    assert decision["attributes"] == {}
    assert told["blanked"]["memory"] == 1
    assert _readable("heliotrope") == {}


def test_what_replaced_it_no_longer_says_so(api: Api) -> None:
    old = api.remember("alice", "I live in Rome", key="home")
    new = api.remember("alice", "I live in Berlin", key="home")
    assert new["supersedes"] == old["id"]
    _erase(api, old)
    assert api.get(f"/memories/{new['id']}").json()["supersedes"] is None


def test_a_short_text_is_not_looked_for_within_others(api: Api) -> None:
    short = api.remember("alice", "Parrots")
    api.remember("alice", "Parrots are loud birds")
    told = _erase(api, short)
    assert told["check"]["left"] == {}


def test_signs_of_patterns_and_of_json_are_found_as_they_are(api: Api) -> None:
    odd = 'She said "100%_sure" \\ and\nleft the café'
    kept = api.post("/memories", {"person": "alice", "content": odd}, Idempotency_Key="odd").json()
    api.remember("alice", 'She said "100X-sure" and left the café')
    told = _erase(api, kept)
    assert (told["removed"]["idempotency"], told["check"]["left"]) == (1, {})
    assert _readable("left the café") == {"memory": 1}


def test_what_was_asked_when_it_was_told_goes_and_other_questions_stay(api: Api, memory: dict[str, Any]) -> None:
    api.remember("alice", "The ladle hangs in the hall")
    asked = [
        api.post("/context", {"person": "alice", "query": query}).json()
        for query in (f"what of the heliotrope parrot, {EDITED}", "where does the ladle hang?")
    ]
    assert [memory["id"] in [item["id"] for item in one["memories"]] for one in asked] == [True, False]
    _erase(api, memory)
    left = [api.get(f"/receipts/{one['receipt']}").json()["query"] for one in asked]
    assert left == ["", "where does the ladle hang?"]


def test_the_receipt_is_signed_and_cannot_be_changed(api: Api, memory: dict[str, Any]) -> None:
    told = _erase(api, memory)
    read = api.get(f"/admin/erasures/{told['id']}").json()
    assert read == told
    assert (read["genuine"], len(read["signature"])) == (True, 64)
    Erasure.objects.filter(id=told["id"]).update(removed={"memory": 7})
    assert is_genuine(Erasure.objects.get()) is False
    assert api.get(f"/admin/erasures/{told['id']}").json()["genuine"] is False
    assert api.get(f"/admin/erasures/{uuid4()}").status_code == 404


def test_only_the_scope_admin_erases_and_only_what_its_key_reaches(api: Api, memory: dict[str, Any]) -> None:
    for scopes, people, status in ((["read", "write"], [], 403), (["admin"], ["bob"], 404)):
        _, token = ApiKey.issue("other", scopes=scopes, people=people)
        assert Api(token).post(f"/admin/memories/{memory['id']}/erase", {}).status_code == status
    assert api.get(f"/memories/{memory['id']}").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_with_very_many_rows_its_words_are_searched_for_afterwards(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "MAX_ROWS_SEARCHED_AT_ONCE", -1)
    told = _erase(api, _kept(api))
    for thread in threading.enumerate():
        if thread.name == "traces":
            thread.join()
    assert told["check"]["nothing_left"] is None
    read = api.get(f"/admin/erasures/{told['id']}").json()
    assert (read["check"]["nothing_left"], read["genuine"]) == (True, True)


def test_nothing_of_it_is_left_by_its_id_but_in_the_log(api: Api, memory: dict[str, Any]) -> None:
    _erase(api, memory)
    assert set(_readable(memory["id"])) <= {"operation", "erasure", "tombstone", "django_q_ormq"}
    with every_space():
        assert Version.objects.count() == 0
        assert [receipt.items for receipt in Receipt.objects.all()] == [[]]
        left = Proposal.objects.get(content="The bird was sold")
        assert (left.relation, left.target_id, left.status) == ("new", None, "pending")
        assert Proposal.objects.get(summary="Pantry").quotes == []
    assert UUID(memory["id"])
