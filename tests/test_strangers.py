"""Whatever a stranger does between two looks of Alice, in whatever order, she is told the same: over the API and on the
pages, in counts, order, scores, facets, names offered, and in the words of what is refused.

After all that a stranger can do she looks everywhere; after a few acts in an order drawn at random, in some places.
"""

import json
import random
import re
from collections.abc import Callable, Iterator, Set
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from memory_app.models import ApiKey
from tests.addresses import addresses
from tests.conftest import Api
from tests.dashboard.factories import create_login
from tests.worlds import NOON, undone

pytestmark = pytest.mark.django_db

TEXTS = ("Alice chose the blue tile", "Anna lives in Lisbon", "The kitchen opens at seven", "Not on Friday, Rome")
"""What Alice has said in private, and what others say too."""

FRESH = re.compile(
    rb'[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|"took_ms": ?[\d.e+-]+|'
    rb'name="csrfmiddlewaretoken" value="\w+"|"token": ?"[^"]+"|[\d.]+ ms'
)
"""What differs between any two answers: ids that are new, tokens of forms, the time it took."""


class Stranger:
    """Mallory, who knows the names of Alice's people and places, and whose key is for her and her guest alone."""

    def __init__(self) -> None:
        _, token = ApiKey.issue("mallory", scopes=["read", "write"], people=["mallory", "guest"], spaces=["garage"])
        self.api = Api(token)
        self.memories: list[str] = []
        self.conversations: list[str] = []

    def post(self, path: str, **body: Any) -> Any:
        answer = self.api.post(path, {"person": "mallory", **body} if "person" not in body else body)
        assert answer.status_code < 500, (path, answer.content)
        return answer.json() if answer.content else {}

    def keep(self, text: str) -> None:
        kept = self.post("/memories", content=text, key="tile", tags=["blue"])
        self.memories.append(kept["id"])

    def keep_in_the_garage(self, text: str) -> None:
        self.post("/memories", content=text, venue={"space": "garage", "channel": "bench", "restricted": True})

    def say_in_her_space(self, text: str) -> None:
        self.post("/memories", content=text, venue={"space": "kitchen"})  # refused: the key is for the garage

    def remember(self, text: str) -> None:
        self.post("/remember", utterance=f"remember that {text}")

    def forget(self, text: str) -> None:
        asked = self.post("/forget", utterance=f"forget about {text}")
        if asked.get("token"):
            self.post("/forget/confirm", token=asked["token"], choice=1)

    def take_back(self, text: str) -> None:
        for memory in self.memories[:1]:
            self.api.call("DELETE", f"/memories/{memory}")

    def correct(self, text: str) -> None:
        for memory in self.memories[-1:]:
            self.post(f"/memories/{memory}/correct", content=f"{text} after all")

    def converse(self, text: str) -> None:
        talk = self.post("/conversations", external_id="talk-1")["id"]
        turns = [{"role": role, "content": f"We decided: {text}."} for role in ("user", "assistant") * 3]
        self.api.post(f"/conversations/{talk}/turns", {"turns": turns})
        self.conversations.append(talk)

    def end(self, text: str) -> None:
        for talk in self.conversations[-1:]:
            self.api.post(f"/conversations/{talk}/end", {})
            self.api.post(f"/conversations/{talk}/reply", {"text": "yes"})

    def merge(self, text: str) -> None:
        self.post("/memories", person="guest", content=text)
        self.api.post("/people/guest/merge", {"into": "mallory"})

    def meet(self, text: str) -> None:
        self.post("/meetings", title=text, summary=text, decisions=[text], attendees=["alice", "Anna"])

    def settle(self, text: str) -> None:
        self.api.call("PATCH", "/people/mallory", {"display_name": "Alice", "extraction_policy": "auto"})

    def join_names(self, text: str) -> None:
        found = self.api.get("/entities?person=mallory").json()["items"]
        for one, other in pairwise(found):
            self.api.post(f"/entities/{one['id']}/merge", {"into": other["id"]})

    def command(self, text: str) -> None:
        for said in (f"/remember {text}", f"/memory search {text}", "/memory pause", "/memory resume"):
            self.post("/commands", text=said)

    def write_a_note(self, text: str) -> None:
        self.post("/people/mallory/notes/2026-11-20", person="mallory", text=text)

    def write_her_profile(self, text: str) -> None:
        self.api.client.put("/api/v1/people/mallory/profile.md", f"# M\n\n## Facts\n\n- {text}\n", "text/markdown")

    def keep_much(self, text: str) -> None:
        items = [{"person": "mallory", "content": f"{text} {number}", "tags": ["blue"]} for number in range(20)]
        self.api.post("/memories/batch", {"items": items})

    def try_her_name(self, text: str) -> None:
        """All of it is refused."""
        for path in ("/memories", "/conversations", "/journal"):
            self.post(path, person="alice", content=text, text=text, external_id="talk-1")
        self.api.post("/people/mallory/merge", {"into": "alice"})

    def write_a_document(self, text: str) -> None:
        self.api.post("/people/mallory/documents", {"path": "trip.md", "content": text})

    def put_items(self, text: str) -> None:
        items = [{"op": "put", "namespace": ["memories", "alice"], "key": "tile", "value": {"text": text}}]
        self.post("/items/batch", operations=items)
        self.api.post("/items/batch", {"person_label": 1, "operations": items})  # refused: Alice is not hers

    def ask(self, text: str) -> None:
        self.post("/context", query=text, profile=True)
        self.post("/searches", query=text)


ACTS: list[Callable[[Stranger, str], None]] = [
    getattr(Stranger, name) for name in vars(Stranger) if not name.startswith("_") and name != "post"
]


@pytest.fixture
def alice(encoder: object) -> Iterator[tuple[Api, Client]]:
    """Alice's key and browser, with something of everything that is hers; Bob shares the kitchen with her."""
    with time_machine.travel(NOON, tick=False):
        _, whole = ApiKey.issue("house", scopes=["read", "write", "admin"])
        house = Api(whole)
        for text in TEXTS:
            house.remember("alice", text, tags=["blue"])
        house.remember("bob", "Bob brings the bread to the kitchen", venue={"space": "kitchen"})
        house.remember("alice", "The oven is hot", venue={"space": "kitchen"})
        house.remember("mallory", "Mallory waits", venue={"space": "garage"})
        talk = house.post("/conversations", {"person": "alice"}).json()["id"]
        turns = [{"role": role, "content": "My sister Anna moved to Porto."} for role in ("user", "assistant") * 3]
        house.post(f"/conversations/{talk}/turns", {"turns": turns})
        house.post(f"/conversations/{talk}/end", {})
        _, token = ApiKey.issue("alice", scopes=["read", "write"], people=["alice"])
        browser = Client()
        browser.force_login(create_login("alice", person="alice"))
        browser.get("/account/")  # notes her session, or each look would number it anew
        yield Api(token), browser


SOME = 40
"""Of her looks, so many are drawn after a few acts."""

steps = st.lists(st.tuples(st.sampled_from(ACTS), st.sampled_from(TEXTS)), min_size=1, max_size=8)


def test_what_a_stranger_does_changes_nothing_that_alice_is_told(alice: tuple[Api, Client]) -> None:
    before = _look(*alice)
    every_act = [(act, text) for text in TEXTS[:2] for act in ACTS]
    some = {*random.sample(sorted(before), SOME)}

    @settings(max_examples=2, deadline=None, database=None, phases=[Phase.explicit, Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(done=steps)
    @example(done=every_act)
    def whatever_is_done(done: list[tuple[Callable[[Stranger, str], None], str]]) -> None:
        with undone():
            stranger = Stranger()
            for act, text in done:
                cache.clear()
                act(stranger, text)
            looks = {*before} if done == every_act else some
            after = _look(*alice, looks)
        assert {name for name in looks if before[name] != after[name]} == set()

    whatever_is_done()


def test_what_a_friend_does_is_told(alice: tuple[Api, Client]) -> None:
    """What the test above rests on: the same looks show what does concern her."""
    looks = {"/search", "/context", "/people/alice/stats", "/memories/", "/"}
    before = _look(*alice, looks)
    _, token = ApiKey.issue("bob", scopes=["read", "write"], people=["bob", "alice"])
    Api(token).remember("alice", "Alice now prefers the green tile of Anna")
    after = _look(*alice, looks)
    assert {name for name in looks if before[name] != after[name]} == looks


def _look(api: Api, browser: Client, looks: Set[str] = frozenset()) -> dict[str, bytes]:
    """All that Alice is told, or in some looks alone, each request undone; the same of new ids."""
    told = {}
    for path, body in _asked().items():
        if looks and path not in looks:
            continue
        with undone():
            cache.clear()
            told[path] = _bytes(api.get(path) if body is None else api.post(path.split("#")[0], body))
    for path in [path for path in PAGES if path in looks] if looks else PAGES:
        with undone():
            cache.clear()
            told[path] = _bytes(browser.get(path))
    return told


DOORS = ("login/", "logout/", "healthz", "readyz", "metrics")
"""Addresses that show nothing of hers, and what is counted of requests."""

PLAIN = sorted(f"/{at.route}" for at in addresses() if not (at.is_api or at.parameters or at.route in DOORS))
PAGES = (*PLAIN, *(f"{path}?format=json" for path in PLAIN if "2fa" not in path), "/memories/?q=tile",
         "/memories/?q=tile&format=json", "/search/?q=blue+tile&kind=memory&kind=turn", "/entities/?q=an",
         "/people/?q=mal", "/people/?q=guest&format=json", "/shared/?q=tile", "/memories/?entity=Anna",
         "/inbox/?status=rejected")  # fmt: skip
"""Every page that needs no id, and its JSON twin; and some that are searched or narrowed."""


def _asked() -> dict[str, Any]:
    """Paths with what is sent there, or None where nothing is. What follows # tells requests of one path apart."""
    asks = {"person": "alice", "query": "Which blue tile did Anna choose?"}
    both: dict[str, Any] = {**asks, "kinds": ["memory", "turn"], "explain": True}
    gets = ("/memories?person=alice", "/memories?person=alice&limit=2&order=updated", "/entities?person=alice",
            "/entities?person=alice&q=an&limit=1", "/people/alice", "/people/alice/stats", "/proposals?person=alice",
            "/people/alice/profile.md", "/people/alice/notes/2026-11-20", "/people/alice/documents",
            "/memories?person=alice&visible=true&entity=Anna",
            "/memories?person=mallory", "/people/mallory", "/people/nobody",
            "/memories?person=alice&visible=true&space=garage", "/people/alice/export",
            "/entities?person=alice&type=person",
            "/memories?person=alice&visible=true&tag=blue", "/proposals?person=alice&status=rejected",
            "/people/mallory/export", "/people/nobody/stats", "/people/mallory/stats")  # fmt: skip
    posts: dict[str, Any] = {
        **{f"/search#{method}": {**both, "method": method} for method in ("vector", "text", "entity", "rrf")},
        "/search": both,
        "/items/batch": {
            "person": "alice",
            "operations": [
                {"op": "search", "query": "tile"},
                {"op": "list_namespaces"},
                {"op": "search"},
                {"op": "get", "namespace": ["memories", "alice"], "key": "tile"},
            ],
        },
        "/search#kitchen": {**both, "venue": {"space": "kitchen"}},
        "/searches": asks,
        "/context": {**asks, "profile": True},
        "/context#everything": {**asks, "query": "what do you remember about Anna?"},
        **{
            f"/commands#{said}": {"person": "alice", "text": said}
            for said in ("/memory", "/memories", "/memory search tile", "/memory clear", "/remember I sing")
        },
        "/memories/batch": {"items": [{"person": "alice", "content": text, "key": "tile"} for text in TEXTS]},
        "/forget": {"person": "alice", "utterance": "forget about the blue tile"},
        "/conversations": {"person": "alice", "external_id": "talk-1"},
        "/memories": {"person": "alice", "content": TEXTS[1], "key": "tile"},
        "/remember": {"person": "alice", "utterance": f"remember that {TEXTS[2]}"},
        "/memories#refused": {"person": "alice", "content": TEXTS[0], "confidence": 7},
        "/memories#not granted": {"person": "mallory", "content": TEXTS[0]},
    }
    return {**dict.fromkeys(gets), **posts}


def _bytes(response: Any) -> bytes:
    headers = sorted(f"{name}: {value}" for name, value in response.items() if name not in ("X-Request-Id", "ETag"))
    assert response.status_code < 500, response.content
    lengths = re.sub(r"Content-Length: \d+", "", json.dumps(headers))
    return f"{response.status_code} {lengths} ".encode() + FRESH.sub(b"-", response.getvalue())
