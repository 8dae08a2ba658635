"""Nothing a person may not see changes what they see: two worlds that differ only in that answer byte for byte alike.

What is shared is made once; then the answers of the API are compared before and after rows are added that Alice may
not see from where she is. The clock stands still, for strength and times would differ otherwise.
`WORLDS=200 python -m pytest tests/test_isolation.py` draws as many worlds as that for each test.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core.cache import cache
from django.http import HttpResponse
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from memory_app.engine.retrieval import recall, signals
from memory_app.engine.retrieval.visible_rows import shape_sql
from memory_app.models import Memory, Space
from memory_app.models.row_security import every_space
from memory_app.models.visible import VisibleQuerySet
from tests.conftest import Api
from tests.engine.packed import pack_all
from tests.worlds import LEVELS, NOON, PEOPLE, Row, World, store, undone

pytestmark = pytest.mark.django_db

WORDS = ("blue", "tile", "kitchen", "Anna", "dentist", "Friday", "cello", "not", "42", "Rome")
QUESTIONS = ("Which blue tile for the kitchen?", "Anna", "not 42", "Rome Rome cello")
FORGET = ("forget that", "forget everything", "forget about the blue tile")
COMMANDS = ("/memory", "/memories", "/memory clear", "/memory forget blue tile", "/memory pause", "/dance")
METHODS = ("hybrid", "rrf", "vector", "text", "entity")
TAKEN = re.compile(rb'"took_ms": ?[\d.e+-]+')
ELSEWHERE = ("bench", "garage")

VENUES: dict[str, dict[str, Any] | None] = {
    "private": None,
    "private, naming a space": None,
    "restricted channel": {"space": "kitchen", "channel": "cooks", "restricted": True},
    "space": {"space": "kitchen"},
}
"""Where Alice is, and the venue that her requests send."""


@dataclass(frozen=True)
class Case:
    """A venue, the rows of both worlds, and those that are only in the second, as far as they are not seen."""

    venue: str
    shared: list[Row]
    added: list[Row]
    question: str = "Which blue tile for the kitchen?"
    packed: str = ""
    """Which rows are packed before anything is asked: none, "shared" or "all"."""


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@st.composite
def rows(draw: st.DrawFn) -> Row:
    person = draw(st.sampled_from(PEOPLE))
    place = draw(st.sampled_from([at for at in LEVELS if person != "alice" or at not in ELSEWHERE]))
    said = draw(st.integers(0, 3)) == 0
    return Row(
        person=person,
        place=place,
        level=draw(st.sampled_from(LEVELS[place])),
        text=draw(texts),
        key=draw(st.sampled_from(["", "", "home"])),
        deleted=not said and draw(st.integers(0, 5)) == 0,  # what was only said is never in tier 2
        edited=draw(st.booleans()),
        vector=draw(st.sampled_from(["current", "current", "current", "other", "none"])),
        minutes=draw(st.integers(1, 90_000)),
        said=said,
    )


cases = st.builds(
    Case,
    venue=st.sampled_from(sorted(VENUES)),
    shared=st.lists(rows(), max_size=8),
    added=st.lists(rows(), min_size=1, max_size=8),
    question=st.sampled_from(QUESTIONS),
    packed=st.sampled_from(["", "shared", "all"]),
)


@pytest.fixture
def world(encoder: object) -> Iterator[World]:
    with time_machine.travel(NOON, tick=False):
        yield World.build()


bounded = settings(
    max_examples=int(os.environ.get("WORLDS", "3")),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a world is small enough to read as it was found
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@bounded
@given(case=cases)
@example(
    case=Case(
        "private",
        [Row("alice", "private", "private", "blue tile", key="home"), Row("alice", "cooks", "channel", "Anna")],
        [Row("bob", "private", "private", "blue tile", key="home"), Row("bob", "cooks", "channel", "blue tile Anna")],
        packed="shared",
    )
)
@example(
    case=Case(
        "space",
        [Row("bob", "kitchen", "space", "blue tile"), Row("alice", "kitchen", "space", "42")],
        [Row("alice", "private", "private", "Which blue tile for the kitchen"), Row("alice", "cooks", "channel", "42")],
        packed="all",
    )
)
def test_what_may_not_be_seen_changes_no_answer(case: Case, world: World, api: Api) -> None:
    with undone():
        before, after = _compared(case, world, api, _may_see)
    assert before == after


@bounded
@given(case=cases)
def test_rows_of_other_spaces_change_no_answer_by_row_security_alone(
    case: Case, world: World, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _without_the_rule(monkeypatch), undone():
        before, after = _compared(case, world, api, _reaches)
    assert before == after


def _may_see(venue: str, row: Row) -> bool:
    """The table of the design, written out for Alice."""
    own, space = row.person == "alice", row.place == "kitchen" and row.level == "space"
    always = row.level == "everyone" or (own and row.level == "global")
    seen = {
        "private": own,
        "private, naming a space": own or space,
        "restricted channel": space or (own and row.place == "cooks"),
        "space": space,
    }
    return (always or seen[venue]) and not row.deleted


def _reaches(venue: str, row: Row) -> bool:
    """Whether the row is in a space that the venue touches at all."""
    if row.level == "everyone" or row.place in ("kitchen", "cooks", "chefs"):
        return True
    if row.place == "private":
        return row.person == "alice"
    return row.place == "attic" and venue.startswith("private")


def test_without_both_the_comparison_does_tell_a_difference(
    world: World, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the two tests above rest on: with neither the rule nor row security, a stranger's row shows."""

    @contextmanager
    def everywhere(spaces: object) -> Iterator[None]:
        with every_space():
            yield

    hers = [Row("alice", "kitchen", "space", "blue"), Row("alice", "kitchen", "space", "Anna tile kitchen")]
    case = Case("space", hers, [Row("bob", "bench", "channel", "blue")])
    with _without_the_rule(monkeypatch):
        with undone():
            before, after = _compared(case, world, api, _may_see)
        assert before == after
        monkeypatch.setattr(recall, "allowed_spaces", everywhere)
        before, after = _compared(case, world, api, _may_see)
        assert before != after


@contextmanager
def _without_the_rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The application filters nothing; nor does the SQL that was written while it did."""
    with monkeypatch.context() as patched:
        patched.setattr(VisibleQuerySet, "visible_from", lambda rows, venue: rows)
        patched.setattr(signals, "searched_spaces", lambda venue: [*Space.objects.values_list("id", flat=True)])
        shape_sql.cache_clear()
        try:
            yield
        finally:
            shape_sql.cache_clear()


def _compared(
    case: Case, world: World, api: Api, seen: Callable[[str, Row], bool]
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """All answers in the world of the shared rows, and in the one with those added that are not seen."""
    cache.clear()  # the clock stands still, so that the limit of requests a second would be reached
    taken: set[tuple[str, ...]] = set()
    store(_placed(case.shared, world, taken))
    added = [row for row in case.added if not seen(case.venue, row)]
    if case.venue.startswith("private"):  # of her own she is told everything in private, how many are deleted included
        added = [row for row in added if row.person != "alice"]
    unseen = list(_placed(added, world, taken))
    foreign = [memory.id for _, memory in unseen][:3]
    if case.packed:
        pack_all()
    before = _answers(api, case, foreign)
    store(unseen)
    if case.packed == "all":
        pack_all()
    return before, _answers(api, case, foreign)


def _placed(rows: list[Row], world: World, taken: set[tuple[str, ...]]) -> Iterator[tuple[Row, Memory]]:
    """Rows with their memories, unsaved; of two with one key in one place, the second goes without."""
    for row in rows:
        memory = world.memory(row)
        if row.slot in taken:
            memory.key = ""
        taken.add(row.slot)
        yield row, memory


def _answers(api: Api, case: Case, foreign: list[UUID]) -> dict[str, bytes]:
    """What Alice is told, by request; each is undone, so that none changes the next one's answer."""
    told = {}
    for name, (method, path, body) in _requests(case, foreign).items():
        with undone():
            response = api.call(method, path, body)
            told[name] = _bytes(response)
            assert response.status_code < 500, (name, told[name])
    for limit in (1, 3):
        if case.venue.startswith("private"):
            told[f"pages of {limit}"] = b"".join(_pages(api, limit))
    return told


def _bytes(response: HttpResponse) -> bytes:
    """Status, headers and body, but for the time it took, and what is new: a receipt, a memory just made."""
    headers = sorted(
        f"{name}: {value}" for name, value in response.items() if name not in ("X-Request-Id", "Content-Length")
    )
    body = response.getvalue()  # of a stream, once
    content = TAKEN.sub(b"", body)
    for fresh in _fresh(response, body):
        content = content.replace(fresh.encode(), b"new")
    return f"{response.status_code} {headers} ".encode() + content


def _fresh(response: HttpResponse, body: bytes) -> list[str]:
    if not response.get("Content-Type", "").startswith("application/json") or response.status_code >= 400:
        return []
    shown = json.loads(body)
    kept = [shown, shown.get("memory"), *(item.get("memory") for item in shown.get("items", []))]
    made = [
        item["id"]
        for item in kept
        if item and item.get("version") == 1 and item["created_at"] == "2026-11-20T12:00:00Z"
    ]
    search = [shown["id"]] if "awaiting_clarification" in shown else []
    told = {**shown, **shown.get("data", {})}
    return [*made, *search, *(told[name] for name in ("receipt", "token") if told.get(name))]


def _pages(api: Api, limit: int) -> Iterator[bytes]:
    cursor = ""
    while cursor is not None:
        answer = api.get(f"/memories?person=alice&visible=true&limit={limit}" + (f"&cursor={cursor}" if cursor else ""))
        yield answer.content
        cursor = answer.json()["next_cursor"]


Request = tuple[str, str, Any]


def _requests(case: Case, foreign: list[UUID]) -> dict[str, Request]:
    venue = VENUES[case.venue]
    spoken: dict[str, Any] = {"person": "alice"} | ({"venue": venue} if venue else {})
    reading = _reading(case, foreign) if venue is None else {"space": ("GET", "/memories?space=kitchen", None)}
    if case.venue == "private, naming a space":
        return reading
    return {**_recalling(spoken, case.question), **_keeping(spoken, [row.text for row in case.added]), **reading}


def _recalling(spoken: dict[str, Any], question: str) -> dict[str, Request]:
    asked = {**spoken, "query": question}
    both = {"kinds": ["memory", "turn"]}
    narrowed = {"limit": 1, "since": "2026-11-01T00:00:00Z", "types": ["fact"]}
    return {
        **{method: ("POST", "/search", {**asked, **both, "method": method, "explain": True}) for method in METHODS},
        "search, narrowed": ("POST", "/search", {**asked, **narrowed}),
        "search by threes": ("POST", "/searches", asked),
        "context": ("POST", "/context", {**asked, "profile": True}),
        "context, narrowed": ("POST", "/context", {**asked, "token_budget": 12, "limit": 2}),
        **{said: ("POST", "/commands", {**spoken, "text": said}) for said in (*COMMANDS, f"/memory search {question}")},
    }


def _keeping(spoken: dict[str, Any], texts: list[str]) -> dict[str, Request]:
    """Alice says what someone she does not see has said: neither uniqueness nor deduplication may tell."""
    items = [{**spoken, "content": text, **more} for text in texts for more in ({}, {"key": "home"})]
    # Said in a space or a channel, to be kept where it is not seen from there: nor is what is there already.
    hidden = [{**item, "visibility": level} for item in items for level in ("private", "global")]
    return {
        **{f"keep out of sight, {number}": ("POST", "/memories", item) for number, item in enumerate(hidden[:4])},
        "keep all, hidden": ("POST", "/memories/batch", {"items": hidden}),
        "keep": ("POST", "/memories", items[0]),
        "keep, keyed": ("POST", "/memories", items[1]),
        "keep all": ("POST", "/memories/batch", {"items": items}),
        "remember": ("POST", "/remember", {**spoken, "utterance": f"remember that {texts[0]}"}),
        "refused": ("POST", "/memories", {**spoken, "content": texts[0], "confidence": 7}),
        **{said: ("POST", "/forget", {**spoken, "utterance": said}) for said in FORGET},
        "forget all of it": ("POST", "/forget", {**spoken, "utterance": f"forget about {texts[0]}"}),
    }


def _reading(case: Case, foreign: list[UUID]) -> dict[str, Request]:
    """Lists and single memories, as Alice in private; the ids are of rows that she may not see, or that are not."""
    named = "&space=kitchen" if case.venue == "private, naming a space" else ""
    lists = ("order=oldest", "order=updated", "type=fact", "category=fact", "status=active", "tag=blue",
             "since=2026-11-01T00:00:00Z", "until=2026-11-01T00:00:00Z", "space=garage", "space=attic",
             "order=fades", "entity=Anna")  # fmt: skip
    read: dict[str, Request] = {
        name: ("GET", f"/memories?person=alice&visible=true&{name}{named}", None) for name in lists
    }
    read["entities"] = ("GET", f"/entities?person=alice{named}", None)
    read["entities, named"] = ("GET", f"/entities?person=alice&q=an&limit=1{named}", None)
    for number, memory in enumerate(foreign):
        path, asker = f"/memories/{memory}", f"?person=alice{named}"
        read[f"foreign {number}"] = ("GET", path + asker, None)
        read[f"history {number}"] = ("GET", f"{path}/history{asker}", None)
        read[f"edit {number}"] = ("PATCH", path + asker, {"content": "mine"})
        read[f"confirm {number}"] = ("POST", f"{path}/confirm{asker}", {})
        read[f"correct {number}"] = ("POST", f"{path}/correct", {"content": "mine", "person": "alice"})
        read[f"forget {number}"] = ("DELETE", path + asker, None)
    read["proposals"] = ("GET", "/proposals?person=alice", None)
    for part in ("profile.md", "export", "notes/2026-11-20"):
        read[part] = ("GET", f"/people/alice/{part}", None)
    return {**read, "stats": ("GET", "/people/alice/stats", None), "person": ("GET", "/people/alice", None)}
