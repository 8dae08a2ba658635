"""What is sensitive is private to its owner: no answer to anyone else holds a word of it, whatever its level."""

from typing import Any

import pytest
from django.http import HttpResponse

from memory_app.models import ApiKey, Entity, Membership, Memory, Person, Space
from memory_app.models.row_security import every_space
from memory_app.nlp.privacy.sensitive import MASK
from tests.addresses import addresses
from tests.conftest import Api

pytestmark = pytest.mark.django_db

NOTHING = "0196f0a0-0000-7000-8000-0000000000ff"
KITCHEN = {"space": "kitchen"}


@pytest.fixture
def of_bob(api: Api) -> str:
    """A memory that Bob shares in the kitchen, and that is sensitive, as an edit or an old version may have left it."""
    api.remember("alice", "The oven is blue", venue=KITCHEN)
    kept = api.remember("bob", "Bob settles the quincunx matter with Zoe", venue=KITCHEN, keywords=["quincunx"])
    assert kept["visibility"] == "space"
    with every_space():
        Memory.objects.filter(id=kept["id"]).update(sensitive=True)
        alice, kitchen = Person.objects.get(name="alice"), Space.objects.get(name="kitchen")
        Membership.objects.get_or_create(person=alice, space=kitchen)
    identifier: str = kept["id"]
    return identifier


def _gets(memory: str, entity: str) -> list[str]:
    """Every address of the API that can be read, for Alice and for whoever holds the key."""
    given: dict[str, Any] = {"person": "alice", "space": "kitchen", "day": "2026-11-20", "name": "fade"}
    given |= {"memory_id": memory, "entity_id": entity}
    given = dict.fromkeys((name for address in addresses() for name in address.parameters), NOTHING) | given
    paths = [address.path(given) for address in addresses() if address.is_api]
    return [
        f"{path}?{asker}" for path in paths for asker in ("person=alice&space=kitchen&visible=true", "space=kitchen")
    ]


POSTS: dict[str, dict[str, Any]] = {
    "/search": {"query": "the matter with Zoe"},
    "/searches": {"query": "the matter with Zoe"},
    "/context": {"query": "What about the matter with Zoe?"},
    "/commands": {"text": "/memory search matter with Zoe"},
    "/forget": {"utterance": "forget the matter with Zoe"},
}


def test_no_answer_to_anyone_else_holds_its_words(api: Api, of_bob: str) -> None:
    with every_space():
        entity = str(Entity.objects.filter(name="Zoe").values_list("id", flat=True).first() or NOTHING)
    answers = {path: api.client.get(path) for path in _gets(of_bob, entity)}
    posted = {
        f"{path} {venue}": api.post(path, {"person": "alice", "venue": venue, **body})
        for path, body in POSTS.items()
        for venue in (None, KITCHEN)
    }
    anywhere = api.post("/admin/search", {"query": "quincunx", "tiers": ["active"]})
    assert [how for how, answer in {**answers, **posted}.items() if _tells(answer)] == []
    assert answers[f"/api/v1/memories/{of_bob}?space=kitchen"].json()["content"] == MASK
    assert anywhere.json()["items"][0]["memory"]["summary"] == MASK
    assert not _tells(anywhere)


def _tells(answer: HttpResponse) -> bool:
    return b"quincunx" in answer.getvalue().lower()


def test_its_owner_reads_it_in_private_alone(api: Api, of_bob: str) -> None:
    _, token = ApiKey.issue("of Bob", scopes=["read"], people=["bob"])
    assert _tells(api.get(f"/memories/{of_bob}?person=bob"))
    assert _tells(Api(token).get(f"/memories/{of_bob}"))
    assert _tells(api.post("/search", {"person": "bob", "query": "quincunx"}))
    assert not _tells(api.post("/search", {"person": "bob", "query": "quincunx", "venue": KITCHEN}))


def test_a_super_user_reveals_it(api: Api, of_bob: str) -> None:
    found = api.post("/admin/search", {"query": "quincunx", "tiers": ["active"], "reveal": True})
    assert _tells(found)


def test_what_is_sensitive_is_private_wherever_it_is_said_and_whatever_is_asked_for(api: Api) -> None:
    kept = api.remember("bob", "I take sertraline in the mornings", venue=KITCHEN, visibility="space")
    assert (kept["visibility"], kept["sensitive"]) == ("private", True)
    told = api.post(
        "/remember", {"person": "bob", "venue": KITCHEN, "utterance": "remember that I owe Jo 9 grand"}
    ).json()
    assert told["memory"]["visibility"] == "private"
    assert "only you can see it" in told["message"]
