"""Erasing a person: everything of theirs goes, in every space; what others keep stays."""

import json
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from psycopg.errors import DeadlockDetected

from memory_app.engine.erasure import erase_person as erasing
from memory_app.engine.erasure.erase_person import finish_erasure
from memory_app.engine.erasure.rows_of_person import RowsOfPerson
from memory_app.jobs import run_scheduled
from memory_app.models import ApiKey, Erasure, Person, User
from memory_app.models.person import lock_writers
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

KITCHEN = {"space": "kitchen"}
BACKSTAGE = {"space": "kitchen", "channel": "cooks", "restricted": True}


def _lives(api: Api, person: str, word: str) -> dict[str, str]:
    """Someone of whom there is something in every table: in private, in a space, in a channel. Ids of the memories."""
    ids = {}
    for name, venue in {"private": None, "space": KITCHEN, "channel": BACKSTAGE}.items():
        sent = {"person": person, "content": f"The {word} is in the {name} drawer"} | (
            {"venue": venue} if venue else {}
        )
        kept = api.post("/memories", sent, Idempotency_Key=f"{person} {name}").json()
        api.call("PATCH", f"/memories/{kept['id']}", {"tags": [word]})
        ids[name] = kept["id"]
    conversation = api.post("/conversations", {"person": person, "venue": KITCHEN}).json()["id"]
    turns = [{"role": "user", "content": f"I bought a {word} number {n}"} for n in range(6)]
    api.post(f"/conversations/{conversation}/turns", {"turns": turns})
    api.post(f"/conversations/{conversation}/end", {})
    api.post(f"/people/{person}/notes/2026-11-20", {"text": f"Sharpened the {word}"})
    api.post("/context", {"person": person, "query": f"Where is the {word} drawer?", "venue": KITCHEN})
    api.post("/searches", {"person": person, "query": word})
    api.post("/forget", {"person": person, "utterance": "forget everything"})
    return ids


def _readable(text: str) -> dict[str, int]:
    """Where a text can be read, whole rows as text."""
    found = {}
    with every_space(), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE %s', [f"%{text}%"])
            if rows := cursor.fetchone()[0]:
                found[table] = rows
    return found


def test_a_person_written_to_meanwhile_is_still_erased(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.remember("alice", "The saw is blunt")
    write_tombstones, asked = RowsOfPerson.write_tombstones, []

    def meanwhile(theirs: RowsOfPerson, erasure: UUID) -> None:
        """The first time, someone else is in the way, and the database takes all of it back."""
        asked.append(erasure)
        if len(asked) == 1:
            raise OperationalError from DeadlockDetected()
        write_tombstones(theirs, erasure)

    monkeypatch.setattr(RowsOfPerson, "write_tombstones", meanwhile)
    assert _erase(api, "alice")["finished_at"]
    assert (len(asked), Erasure.objects.count()) == (2, 1)
    assert api.get("/people/alice").status_code == 404


def _erase(api: Api, person: str) -> dict[str, Any]:
    answer = api.call("DELETE", f"/people/{person}")
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def test_erasing_a_person_clears_every_table(api: Api) -> None:
    _lives(api, "alice", "colander")
    with every_space():
        person = Person.objects.get(name="alice")
    before = _readable("colander")
    assert {"memory", "memory_version", "turn", "note", "receipt", "idempotency", "search"} <= {*before}
    told = _erase(api, "alice")
    assert _readable("colander") == {}
    assert set(_readable(str(person.id))) == {"erasure"}
    assert set(_readable(str(person.space_id))) == {"erasure"}
    assert {"memory": 3, "memory_version": 3, "conversation": 1, "turn": 6, "note": 1, "receipt": 1}.items() <= told[
        "removed"
    ].items()
    assert (told["removed"]["person"], told["removed"]["space"], told["removed"]["membership"]) == (1, 1, 1)
    assert (told["erased"], UUID(told["subject"]), told["check"]["left"]) == ("person", person.id, {})
    assert (told["check"]["nothing_left"], told["genuine"]) == (True, True)
    assert "alice" not in str(told)


def test_memories_and_turns_of_others_stay(api: Api) -> None:
    bobs = _lives(api, "bob", "whisk")
    before = {table: rows for table, rows in _readable("whisk").items() if table != "idempotency"}
    _lives(api, "alice", "colander")
    _erase(api, "alice")
    assert {table: rows for table, rows in _readable("whisk").items() if table != "idempotency"} == before
    for memory in bobs.values():
        assert api.get(f"/memories/{memory}").status_code == 200


def test_briefs_and_searches_of_others_no_longer_show_it(api: Api) -> None:
    ids = _lives(api, "alice", "colander")
    api.remember("bob", "I wash up", venue=KITCHEN)
    asked = {"person": "bob", "query": "Where is the colander in the space drawer?", "venue": KITCHEN}
    receipt = api.post("/context", asked).json()
    assert ids["space"] in [item["id"] for item in receipt["memories"]]
    api.post("/searches", {"person": "bob", "query": "colander", "venue": KITCHEN})
    _erase(api, "alice")
    assert api.get(f"/receipts/{receipt['receipt']}").json()["items"] == []
    assert set(_readable(ids["space"])) == {"tombstone"}


def test_a_later_person_of_that_name_is_someone_new(api: Api) -> None:
    _lives(api, "alice", "colander")
    _erase(api, "alice")
    assert api.get("/people/alice").status_code == 404
    api.remember("alice", "The ladle is new")
    assert [item["content"] for item in api.get("/memories?person=alice").json()["items"]] == ["The ladle is new"]


def test_the_login_stays_without_a_person(api: Api) -> None:
    api.remember("alice", "The ladle is new")
    user = User.objects.create_user("alice-login", person=Person.objects.get(name="alice"))
    assert _erase(api, "alice")["blanked"] == {"dashboard_user": 1}
    user.refresh_from_db()
    assert user.person_id is None


def test_names_containing_the_erased_name_are_reported_as_remaining(api: Api) -> None:
    kitchen = {"space": "Alice and Bob's kitchen", "channel": "plans of ALICE", "restricted": True}
    api.remember("alice", "The tap is brass", venue=kitchen)
    api.remember("malice", "The saw is blunt", venue={"space": "palace"})
    User.objects.create_user("alice")
    ApiKey.issue("alice's phone", scopes=["read"])
    ApiKey.issue("chalice", scopes=["read"])
    receipt = api.call("DELETE", "/people/alice").json()
    named = {"dashboard_user.username": 1, "api_key.name": 1, "space.name": 1, "channel.name": 1}
    assert receipt["check"]["said"] == named
    assert (receipt["check"]["nothing_left"], receipt["genuine"]) == (True, True)
    assert any(sentence.endswith(f"by hand: {', '.join(named)}.") for sentence in receipt["remains"])
    assert "alice" not in json.dumps(receipt).lower()


def test_a_key_of_the_erased_person_opens_nothing_for_a_namesake(api: Api) -> None:
    api.remember("alice", "The ladle is new")
    (alone, own), (both, shared) = (
        ApiKey.issue("kitchen", scopes=["read", "write"], people=people) for people in (["alice"], ["alice", "bob"])
    )
    assert _erase(api, "alice")["blanked"] == {"api_key": 2}
    for key, left in ((alone, [""]), (both, ["", "bob"])):
        key.refresh_from_db()
        assert key.people == left
    said = {"person": "alice", "content": "The ladle is old"}
    assert [Api(token).post("/memories", said).status_code for token in (own, shared)] == [403, 403]
    assert Api(shared).post("/memories", {**said, "person": "bob"}).status_code == 201


def test_only_an_admin_who_reaches_them_erases_a_person(api: Api) -> None:
    api.remember("alice", "The ladle is new")
    for scopes, people in ((["read", "write"], []), (["admin"], ["bob"])):
        _, token = ApiKey.issue("other", scopes=scopes, people=people)
        assert Api(token).call("DELETE", "/people/alice").status_code == 403
    assert api.call("DELETE", "/people/nobody").status_code == 404
    assert api.get("/people/alice").status_code == 200
    assert Erasure.objects.count() == 0


def test_the_log_records_the_erasure_without_the_name(api: Api) -> None:
    api.remember("alice", "The ladle is new")
    told = _erase(api, "alice")
    entry = api.get("/admin/logs?operation=erase_person").json()["items"][0]
    assert (entry["person"], entry["detail"]["erasure"]) == (None, told["id"])


@pytest.fixture
def by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were very many rows: three go at a step."""
    monkeypatch.setattr(erasing, "MAX_ROWS_AT_ONCE", 2)
    monkeypatch.setattr(erasing, "ROWS_PER_STEP", 3)


def _begin(api: Api, person: str) -> dict[str, Any]:
    answer = api.call("DELETE", f"/people/{person}")
    assert answer.status_code == 202, answer.content
    told: dict[str, Any] = answer.json()
    assert answer["Location"] == f"/api/v1/admin/erasures/{told['id']}"
    return told


@pytest.mark.usefixtures("by_steps")
def test_a_large_erasure_hides_everything_at_once(api: Api) -> None:
    ids = _lives(api, "alice", "colander")
    told = _begin(api, "alice")
    assert (told["state"], told["genuine"], told["check"]["nothing_left"]) == ("erasing", True, None)
    assert 0 < told["progress"]["done"] < told["progress"]["total"]
    assert api.get("/people/alice").status_code == 404
    asked = {"person": "bob", "query": "Where is the colander drawer?", "venue": KITCHEN}
    assert api.post("/search", asked).json()["results"] == []
    assert api.get(f"/memories/{ids['space']}").status_code == 404
    api.remember("alice", "The ladle is new")
    assert [item["content"] for item in api.get("/memories?person=alice").json()["items"]] == ["The ladle is new"]


@pytest.mark.usefixtures("by_steps")
def test_a_large_erasure_runs_in_steps_with_progress_in_the_receipt(api: Api) -> None:
    _lives(api, "alice", "colander")
    begun = _begin(api, "alice")
    total = begun["progress"]["total"]
    seen: list[tuple[int, int]] = []
    finish_erasure(erasure=UUID(begun["id"]), now=timezone.now(), report=lambda *how_far: seen.append(how_far))
    assert len(seen) > 3
    assert [how_far[0] for how_far in seen] == sorted({how_far[0] for how_far in seen})
    told = api.get(f"/admin/erasures/{begun['id']}").json()
    assert (told["state"], told["progress"]) == ("erased", {"done": total, "total": total})
    assert (told["check"]["nothing_left"], told["genuine"], told["removed"]["memory"]) == (True, True, 3)
    assert _readable("colander") == {}
    assert set(_readable(told["subject"])) == {"erasure"}
    assert begun["removed"].items() <= told["removed"].items()


@pytest.mark.usefixtures("by_steps")
def test_an_erasure_killed_half_way_is_resumed(api: Api) -> None:
    _lives(api, "alice", "colander")
    begun = _begin(api, "alice")

    def kill(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        finish_erasure(erasure=UUID(begun["id"]), now=timezone.now(), report=kill)
    half = api.get(f"/admin/erasures/{begun['id']}").json()
    assert begun["progress"]["done"] < half["progress"]["done"] < half["progress"]["total"]
    assert run_scheduled("erase") == "1 people erased"
    assert _readable("colander") == {}
    assert run_scheduled("erase") == "0 people erased"
    assert api.get(f"/admin/erasures/{begun['id']}").json()["state"] == "erased"


@pytest.mark.usefixtures("by_steps")
def test_memories_of_others_stay_in_a_stepwise_erasure(api: Api) -> None:
    _lives(api, "bob", "whisk")
    before = {table: rows for table, rows in _readable("whisk").items() if table != "idempotency"}
    _lives(api, "alice", "colander")
    _begin(api, "alice")
    run_scheduled("erase")
    assert {table: rows for table, rows in _readable("whisk").items() if table != "idempotency"} == before


def test_erasures_are_listed_the_latest_first(api: Api) -> None:
    for person in ("alice", "bob", "charlie"):
        api.remember(person, "The ladle is new")
    told = [_erase(api, person) for person in ("alice", "bob", "charlie")]
    first = api.get("/admin/erasures?limit=2").json()
    assert first["items"] == [told[2], told[1]]
    assert api.get(f"/admin/erasures?limit=2&cursor={first['next_cursor']}").json() == {
        "items": [told[0]],
        "next_cursor": None,
    }
    _, token = ApiKey.issue("other", scopes=["admin"], people=["bob"])
    assert Api(token).get("/admin/erasures").status_code == 403


def test_among_many_rows_traces_are_searched_in_the_background(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "MAX_ROWS_SEARCHED_AT_ONCE", -1)
    api.remember("alice", "The ladle is new")
    told = _erase(api, "alice")
    assert (told["state"], told["check"]["nothing_left"]) == ("erased", None)
    assert _readable("ladle") == {}
    assert run_scheduled("erase") == "1 people erased"
    read = api.get(f"/admin/erasures/{told['id']}").json()
    assert (read["check"]["nothing_left"], read["genuine"]) == (True, True)
    assert run_scheduled("erase") == "0 people erased"


@pytest.mark.usefixtures("transactional_db")
def test_of_concurrent_erasures_of_a_person_one_runs(api: Api, key: str) -> None:
    api.remember("alice", "Alice plays the cello")
    answers: list[int] = []

    def erasing_too() -> None:
        try:
            answers.append(Api(key).call("DELETE", "/people/alice").status_code)
        finally:
            connection.close()

    others = [Thread(target=erasing_too) for _ in range(3)]
    with every_space():
        lock_writers(Person.objects.get(name="alice").id)
        for other in others:
            other.start()
        others[0].join(1)
        assert answers == []
    for other in others:
        other.join(20)
    assert sorted(answers) == [200, 404, 404]
    assert Erasure.objects.count() == 1
