"""A period, from when to when: noticed, put to the person, kept, edited and carried out whole."""

from typing import Any

import pytest
import time_machine

from memory_app.engine.transfer.export import export_person
from memory_app.engine.venue_context import resolve_venue
from tests.conftest import Api

pytestmark = pytest.mark.django_db

SAID = [
    "Hello!",
    "I'm visiting my sister Anna in Lisbon from Monday to Friday.",
    "She works as a nurse there.",
    "Have a good day!",
]
MONDAY, SATURDAY = "2026-11-23T00:00:00Z", "2026-11-28T00:00:00Z"


@pytest.fixture
def proposed(api: Api) -> dict[str, Any]:
    """What was noticed of the visit; it was said on Friday the 20th."""
    with time_machine.travel("2026-11-20T12:00:00Z", tick=False):
        conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
        api.post(f"/conversations/{conversation}/turns", {"turns": [{"role": "user", "content": s} for s in SAID]})
        proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    found: dict[str, Any] = next(item for item in proposals if "Lisbon" in item["content"])
    return found


def test_a_period_is_proposed_and_kept_whole(api: Api, proposed: dict[str, Any]) -> None:
    assert (proposed["event_time"], proposed["event_end"]) == (MONDAY, SATURDAY)
    kept = api.post(f"/proposals/{proposed['id']}/accept", {}).json()["memory"]
    assert (kept["event_time"], kept["event_end"]) == (MONDAY, SATURDAY)
    carried = list(export_person(resolve_venue(person="alice", create=False)))
    assert (carried[0]["event_time"], carried[0]["event_end"]) == (MONDAY, SATURDAY)


def test_undone_and_accepted_again_it_is_the_same(api: Api, proposed: dict[str, Any]) -> None:
    api.post(f"/proposals/{proposed['id']}/accept", {})
    again = api.post(f"/proposals/{proposed['id']}/reopen", {}).json()
    assert (again["event_time"], again["event_end"]) == (MONDAY, SATURDAY)
    kept = api.post(f"/proposals/{proposed['id']}/accept", {}).json()["memory"]
    assert kept["event_end"] == SATURDAY


def test_a_period_may_be_given_and_edited(api: Api) -> None:
    kept = api.remember("alice", "The fair", event_time=MONDAY, event_end=SATURDAY)
    assert kept["event_end"] == SATURDAY
    sooner = api.call("PATCH", f"/memories/{kept['id']}", {"event_end": "2026-11-27T00:00:00Z"}).json()
    assert (sooner["event_time"], sooner["event_end"]) == (MONDAY, "2026-11-27T00:00:00Z")
    moved = api.call("PATCH", f"/memories/{kept['id']}", {"event_time": "2026-12-04T00:00:00Z"}).json()
    assert (moved["event_time"], moved["event_end"]) == ("2026-12-04T00:00:00Z", None)


@pytest.mark.parametrize("period", [{"event_end": MONDAY}, {"event_time": SATURDAY, "event_end": MONDAY}])
def test_an_end_without_a_beginning_before_it_is_refused(api: Api, period: dict[str, str]) -> None:
    answer = api.post("/memories", {"person": "alice", "content": "The fair", **period})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "event_end"
