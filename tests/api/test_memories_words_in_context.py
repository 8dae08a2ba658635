"""What was said before words that do not stand alone: noticed, kept, found, changed, carried and erased with them."""

import pytest

from memory_app.models import Memory, Proposal
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

TURNS = (
    ("user", "Hello!"),
    ("assistant", "Hi! Have you any pets?"),
    ("user", "Two cats."),
    ("assistant", "I see."),
    ("user", "My sister Anna is a nurse."),
    ("assistant", "Nice."),
    ("user", "She's in Porto now"),
)
PETS = "Have you any pets?"


def ended(api: Api) -> dict[str, dict]:  # type: ignore[type-arg]
    held = api.post("/conversations", {"person": "alice"}).json()["id"]
    told = [{"role": role, "content": content} for role, content in TURNS]
    api.post(f"/conversations/{held}/turns", {"turns": told})
    answer = api.post(f"/conversations/{held}/end", {}).json()
    assert f"{PETS} – “Two cats.” (alice, " in answer["message"]
    return {proposal["content"]: proposal for proposal in answer["proposals"]}


def test_what_is_noticed_is_quoted_with_who_said_it_and_its_context(api: Api) -> None:
    noticed = ended(api)
    assert (noticed["Two cats."]["context"], noticed["Two cats."]["speaker"]) == (PETS, "alice")
    assert noticed["Two cats."]["said_at"]
    assert noticed["She's in Porto now"]["context"] == "My sister Anna is a nurse."
    assert noticed["My sister Anna is a nurse."]["context"] is None
    kept = api.post(f"/proposals/{noticed['Two cats.']['id']}/accept", {}).json()["memory"]
    assert (kept["content"], kept["context"], kept["speaker"]) == ("Two cats.", PETS, "alice")
    assert kept["said_at"] == kept["valid_from"]
    found = api.post("/search", {"person": "alice", "query": "pets"}).json()["results"]
    assert kept["id"] in [item["memory"]["id"] for item in found]


def test_context_is_set_changed_and_undone_like_the_words(api: Api) -> None:
    kept = api.remember("alice", "The blue one", context="Which tent did you buy?")
    changed = api.call("PATCH", f"/memories/{kept['id']}", {"context": "Which bicycle did you buy?"}).json()
    assert (changed["content"], changed["context"]) == ("The blue one", "Which bicycle did you buy?")
    found = api.post("/search", {"person": "alice", "query": "bicycle"}).json()["results"]
    assert [item["memory"]["id"] for item in found] == [kept["id"]]
    back = api.post(f"/memories/{kept['id']}/revert", {"version": 1}).json()
    assert back["context"] == "Which tent did you buy?"
    assert api.call("PATCH", f"/memories/{kept['id']}", {"context": None}).json()["context"] is None


def test_sensitive_context_makes_a_memory_sensitive(api: Api) -> None:
    assert api.remember("alice", "Since March", context="Do you take antidepressants for your depression?")["sensitive"]


def test_what_is_erased_goes_from_the_context_of_others(api: Api) -> None:
    anna = api.remember("alice", "My sister Anna is a nurse.")
    porto = api.remember("alice", "She's in Porto now", context="My sister Anna is a nurse.")
    assert api.post(f"/admin/memories/{anna['id']}/erase", {}).status_code == 200
    with every_space():
        assert Memory.objects.get(id=porto["id"]).context == ""
        assert not Proposal.objects.exclude(context="").exists()
