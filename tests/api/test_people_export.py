"""Leaving with one's things: everything of a person over the API, and read back with nothing lost."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory_app.embedding.encoder import current_encoder
from memory_app.jobs.embed_items import embed_items
from memory_app.models import Conversation, Memory, Note, Person, Proposal, Receipt, Turn, Version
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.transfer.test_import_records import _empty as empty

pytestmark = pytest.mark.django_db


def lines(api: Api, person: str = "alice") -> list[dict[str, Any]]:
    answer = api.get(f"/people/{person}/export")
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.getvalue().splitlines()]


def of_kind(told: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in told if line["kind"] == kind]


@pytest.fixture
def told(api: Api) -> Api:
    """Alice, of whom there is something of every kind."""
    api.call("PATCH", "/people/alice", {"timezone": "Europe/Paris", "display_name": "Alice"})
    memory = api.remember("alice", "Anna is Alice's sister")
    api.call("PATCH", f"/memories/{memory['id']}", {"content": "Anna Smith is Alice's big sister"})
    api.remember("alice", "Soup is on Tuesdays", venue={"space": "kitchen"})
    api.remember("alice", "The secret is nutmeg", venue={"space": "kitchen", "channel": "cooks", "restricted": True})
    api.remember("alice", "The card number is 4111 1111 1111 1111", source={"type": "explicit"})
    api.remember("alice", "The budget for the kitchen is 50,000 tiles")
    api.remember("alice", "The budget for the kitchen is 60,000 tiles")
    gone = api.remember("alice", "Alice hums in the bath")
    api.call("DELETE", f"/memories/{gone['id']}")
    talk_of(api, "alice", {"space": "kitchen", "channel": "cooks", "restricted": True}, "c-1")
    talk_of(api, "alice", None, "c-2")
    api.post("/people/alice/notes/2026-11-20", {"text": "Rain all day"})
    document = api.post("/people/alice/documents", {"path": "plans/trip.md", "content": "Rome in May"}).json()
    api.call("PATCH", f"/people/alice/documents/{document['id']}", {"content": "Rome in June"})
    put = {"op": "put", "namespace": ["memories", "alice"], "key": "tea", "value": {"drink": "green tea"}, "ttl": 999}
    api.post("/items/batch", {"person": "alice", "operations": [put]})
    assert api.post("/context", {"person": "alice", "query": "who is Anna Smith?"}).json()["memories"]
    return api


def talk_of(api: Api, person: str, venue: dict[str, Any] | None, external_id: str) -> None:
    opened = api.post("/conversations", {"person": person, "venue": venue, "external_id": external_id}).json()
    said = [
        "I moved to Rome last week.",
        "Good!",
        "I work as a baker at Bread & Co.",
        "Nice.",
        "I prefer tea.",
        "Noted.",
    ]
    turns = [{"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(said)]
    api.post(f"/conversations/{opened['id']}/turns", {"turns": turns})
    assert api.post(f"/conversations/{opened['id']}/end", {}).json()["proposals"]


def test_an_export_holds_everything_of_a_person(told: Api) -> None:
    exported = lines(told)
    assert exported[0] == {
        "kind": "person",
        "person": "alice",
        "display_name": "Alice",
        "timezone": "Europe/Paris",
    }
    memories = {line["content"]: line for line in of_kind(exported, "memory")}
    assert set(memories) == {
        "Anna Smith is Alice's big sister",
        "Soup is on Tuesdays",
        "The secret is nutmeg",
        "The card number is 4111 1111 1111 1111",
        "The budget for the kitchen is 50,000 tiles",
        "The budget for the kitchen is 60,000 tiles",
        "Alice hums in the bath",
    }
    assert memories["The card number is 4111 1111 1111 1111"]["sensitive"] is True
    assert memories["Alice hums in the bath"]["status"] == "deleted"
    sister = memories["Anna Smith is Alice's big sister"]
    assert [past["state"]["content"] for past in sister["versions"]] == ["Anna is Alice's sister"]
    assert "Anna Smith" in [name["entity"]["name"] for name in sister["names"]]
    assert [line["channel"] for line in of_kind(exported, "conversation")] == ["cooks", None]
    assert len(of_kind(exported, "turn")) == 12
    assert len({line["conversation"] for line in of_kind(exported, "proposal")}) == 2
    assert [(line["content"], line["delete_reason"]) for line in of_kind(exported, "document")] == [
        ("Rome in June", ""),
        ("Rome in May", "replaced"),
    ]
    assert [(line["namespace"], line["value"]) for line in of_kind(exported, "item")] == [
        (["memories", "alice"], {"drink": "green tea"})
    ]
    assert [line["text"] for line in of_kind(exported, "note")] == ["Rain all day"]
    assert [line["query"] for line in of_kind(exported, "receipt")] == ["who is Anna Smith?"]


def test_an_export_is_imported_without_loss(told: Api, tmp_path: Path) -> None:
    before = lines(told)
    file = tmp_path / "alice.jsonl"
    file.write_bytes(told.get("/people/alice/export").getvalue())
    empty()
    call_command("memory", "import", str(file))
    assert lines(told) == before
    assert len(told.get("/conflicts?person=alice").json()["items"]) == len(of_kind(before, "conflict")) == 1
    call_command("memory", "import", str(file))
    assert lines(told) == before
    with every_space():
        assert Version.objects.count() == 2


def test_imported_memories_are_found(told: Api, tmp_path: Path) -> None:
    file = tmp_path / "alice.jsonl"
    file.write_bytes(told.get("/people/alice/export").getvalue())
    empty()
    call_command("memory", "import", str(file))
    found = told.post("/search", {"person": "alice", "query": "who works as a baker?", "kinds": ["turn"]}).json()
    assert found["results"][0]["turn"]["content"] == "I work as a baker at Bread & Co."
    asked = {"person": "alice", "operations": [{"op": "search", "query": "green tea", "refresh_ttl": False}]}
    assert told.post("/items/batch", asked).json()["results"][0]["items"][0]["score"] < 0.5
    assert embed_items(encoder=current_encoder(), report=lambda done, total: None) == 1
    assert told.post("/items/batch", asked).json()["results"][0]["items"][0]["score"] > 0.5
    named = told.get("/entities?person=alice&q=Anna%20Smith").json()["items"]
    assert [entity["name"] for entity in named] == ["Anna Smith"]


def test_a_turn_of_an_unknown_conversation_is_reported(told: Api, tmp_path: Path, capsys: Any) -> None:
    turn = of_kind(lines(told), "turn")[0]
    file = tmp_path / "alice.jsonl"
    file.write_text(json.dumps(turn) + "\n" + json.dumps({**turn, "id": 5}) + "\n")
    empty()
    with suppress(CommandError):
        call_command("memory", "import", str(file))
    printed = capsys.readouterr()
    assert "line 1: conversation: this turn is of none that is here" in printed.err
    assert printed.out == "2 failed\n"


def test_an_export_holds_nothing_of_others(told: Api) -> None:
    told.remember("bob", "Bob is allergic to nuts", venue={"space": "kitchen"})
    told.remember("bob", "The office is shut on Friday", visibility="everyone")
    assert not [line for line in lines(told) if "Bob is allergic" in str(line) or "The office" in str(line)]


def test_a_stranger_is_not_found(api: Api) -> None:
    assert api.get("/people/nobody/export").status_code == 404


def test_a_name_may_hold_a_slash(api: Api) -> None:
    api.remember("alice/home", "Alice plays the cello")
    assert api.get("/people/alice%2Fhome").json()["person"] == "alice/home"
    assert api.get("/people/alice%2Fhome/stats").json()["memories"]["total"] == 1
    assert [line["content"] for line in lines(api, "alice%2Fhome")] == ["Alice plays the cello"]
    assert api.call("PATCH", "/people/alice%2Fhome", {"display_name": "Alice"}).json()["display_name"] == "Alice"
    assert api.get("/people/alice%2Fhome/profile.md").status_code == 200
    assert api.post("/people/alice%2Fhome/notes/2026-11-20", {"text": "Rain"}).status_code == 201
    assert api.get("/people/alice").status_code == 404


@pytest.mark.parametrize("name", ["alice/stats", "team/alice/merge/undo", "alice/notes/2026-11-20"])
def test_a_name_that_could_not_be_read_is_refused_at_once(api: Api, name: str) -> None:
    api.remember("alice", "Alice plays the cello")
    for path, field in (("/memories", "content"), ("/remember", "utterance"), ("/journal", "text")):
        answer = api.post(path, {"person": name, field: "remember that I sing"})
        assert answer.status_code == 422
        [error] = answer.json()["errors"]
        assert error["field"] == "person"
        assert "is no name for a person" in error["message"]
    assert api.post("/people/alice/merge", {"into": name}).status_code == 422
    assert list(Person.objects.values_list("name", flat=True)) == ["alice"]


def test_nothing_of_an_erased_person_is_imported(told: Api, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "alice.jsonl"
    file.write_bytes(told.get("/people/alice/export").getvalue())
    told.call("DELETE", "/people/alice")
    call_command("memory", "import", str(file))
    assert "refused" in capsys.readouterr().out
    with every_space():
        assert [model._default_manager.count() for model in (Memory, Conversation, Turn, Proposal, Note, Receipt)] == [
            0
        ] * 6


def test_proposals_of_erased_memories_are_not_imported(told: Api, tmp_path: Path) -> None:
    proposal = of_kind(lines(told), "proposal")[0]
    kept = told.post(f"/proposals/{proposal['id']}/accept", {}).json()["memory"]
    file = tmp_path / "alice.jsonl"
    file.write_bytes(told.get("/people/alice/export").getvalue())
    told.post(f"/admin/memories/{kept['id']}/erase", {})
    call_command("memory", "import", str(file))
    again = lines(told)
    assert kept["id"] not in [line["id"] for line in of_kind(again, "memory")]
    assert proposal["id"] not in [line["id"] for line in of_kind(again, "proposal")]


def test_an_import_under_another_name_is_complete(told: Api, tmp_path: Path, capsys: Any) -> None:
    before, file, ids = lines(told), tmp_path / "alice.jsonl", tmp_path / "ids.csv"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in before))
    call_command("memory", "import", str(file), "--person", "zoe", "--ids", str(ids))
    theirs = lines(told, "zoe")
    for kind in ("memory", "conversation", "turn", "proposal", "note", "receipt", "conflict"):
        assert len(of_kind(theirs, kind)) == len(of_kind(before, kind)) > 0
    became = dict(row.split(",") for row in ids.read_text().splitlines()[1:])
    assert became.keys() == {line["id"] for line in before if "id" in line}
    assert {line["id"] for line in theirs if "id" in line} == set(became.values())
    said = {line["id"] for line in of_kind(theirs, "turn")}
    assert {quote["turn"] for line in of_kind(theirs, "proposal") for quote in line["quotes"]} <= said
    talks = {line["id"] for line in of_kind(theirs, "conversation")}
    assert {line["conversation"] for line in of_kind(theirs, "turn")} == talks
    held = {item["memory"] for line in of_kind(theirs, "receipt") for item in line["items"]}
    assert held <= {line["id"] for line in of_kind(theirs, "memory")}
    assert lines(told) == before
    capsys.readouterr()
    call_command("memory", "import", str(file), "--person", "zoe")
    out = capsys.readouterr().out
    assert "added" not in out
    assert "have other ids here, for they were another's or someone else holds theirs:" in out
    assert lines(told, "zoe") == theirs
