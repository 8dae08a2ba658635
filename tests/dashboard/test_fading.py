"""The page of what fades: what goes first, how many a week, what another rate would do, and keeping it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from dashboard.charts import strength_chart, strength_percent
from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_memory, reload_memory

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


def old(content: str, days: float, person: str = "alice", **given: Any) -> Memory:
    """A memory last strong so many days ago: at the rate of what was asked for, it fades after 300."""
    return create_memory(person, content, now=NOW - timedelta(days=days), key="", **given)


def listed(client: Client, query: str = "") -> list[str]:
    return [item["content"] for item in client.get(f"/fading/?format=json&{query}").json()["items"]]


def test_memories_are_listed_in_order_of_fading_up_to_the_horizon(alice: Client) -> None:
    old("The attic is cold.", 290)
    old("The cellar is damp.", 295)
    old("The roof leaks.", 230)
    old("The garden is green.", 10)
    old("Bob rides a red bicycle.", 295, person="bob")
    assert listed(alice) == ["The cellar is damp.", "The attic is cold."]
    assert listed(alice, "within=90") == ["The cellar is damp.", "The attic is cold.", "The roof leaks."]
    assert listed(alice, "within=all")[-1] == "The garden is green."


def test_the_forecast_counts_by_week_and_in_all(alice: Client) -> None:
    for days in (295, 294, 280, 230):
        old(f"Told {days} days ago about {days * 31}.", days)
    told = alice.get("/fading/?format=json").json()
    assert (told["in_30"], told["in_90"], told["total"]) == (3, 4, 3)
    numbers = [week["number"] for week in told["weeks"]]
    assert (sum(numbers), numbers[0], numbers[2], numbers[9]) == (4, 2, 1, 1)


def test_another_rate_is_previewed_without_being_saved(alice: Client) -> None:
    memory = old("The roof leaks.", 140)
    assert listed(alice) == []
    assert listed(alice, "rate=2") == ["The roof leaks."]
    html = alice.get("/fading/?rate=2").content.decode()
    assert "With the rates as they are set, it would be 0 in 90 days." in html
    assert reload_memory(memory.id).decay_rate == 0.01


def test_one_click_protects_a_memory(alice: Client) -> None:
    memory = old("The attic is cold.", 290)
    answer = alice.post("/fading/keep/", {"only": str(memory.id), "next": "/fading/?within=90"}, follow=True)
    assert "Kept 1 memory for good." in answer.content.decode()
    assert answer.redirect_chain == [("/fading/?within=90", 302)]
    assert reload_memory(memory.id).protected
    assert listed(alice, "within=all") == []


def test_ticked_memories_are_protected_but_no_one_elses(alice: Client) -> None:
    mine, also = old("The attic is cold.", 290), old("The cellar is damp.", 290)
    theirs = old("Bob rides a red bicycle.", 290, person="bob")
    alice.post("/fading/keep/", {"memory": [str(mine.id), str(also.id), str(theirs.id), "no-uuid"]})
    assert [reload_memory(memory.id).protected for memory in (mine, also, theirs)] == [True, True, False]


def test_a_super_user_sees_whose_memories_fade(root: Client) -> None:
    old("The attic is cold.", 290)
    old("Bob rides a red bicycle.", 240, person="bob")
    html = "".join(line.strip() for line in root.get("/fading/").content.decode().splitlines())
    assert '<tr><th scope="row">alice</th><td>1</td><td>1</td></tr>' in html
    assert '<tr><th scope="row">bob</th><td>0</td><td>1</td></tr>' in html


def test_sensitive_text_is_masked(alice: Client) -> None:
    old("My card number is 4111 1111 1111 1111.", 290)
    assert "4111 1111" not in alice.get("/fading/").content.decode()
    assert "4111 1111" not in alice.get("/fading/?format=json").content.decode()


@pytest.mark.parametrize("query", ["within=x", "rate=nan", "page=-3", "page=x", "within=&rate="])
def test_invalid_query_parameters_are_ignored(alice: Client, query: str) -> None:
    assert alice.get(f"/fading/?{query}").status_code == 200


def test_the_curve_falls_from_the_confidence_to_the_threshold(alice: Client) -> None:
    memory = old("The attic is cold.", 150)
    assert memory.fades_on is not None
    drawn = strength_chart(memory, memory.fades_on, memory.decay_rate, NOW)
    points = [tuple(float(part) for part in point.split(",")) for point in drawn.points.split()]
    assert points[0] == (0.0, 0.0)
    assert points[-1] == (120.0, 30.4)
    assert drawn.threshold == 30.4
    assert drawn.today == (60.1, 24.9)
    assert [strength_percent(memory, days, 0.01, NOW) for days in (0, 30, 90)] == [22, 17, 9]


def test_an_empty_forecast_says_so(alice: Client) -> None:
    with every_space():
        assert not Memory.objects.exists()
    assert "Nothing fades in this time" in alice.get("/fading/").content.decode()
