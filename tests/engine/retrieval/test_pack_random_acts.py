"""Whatever is done in whatever order, a search reads of segments and rows together what the rows say, and only that."""

import random
from collections import Counter
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.people.move_memory import move, possible_levels
from memory_app.engine.retrieval.check_segments import check_segments
from memory_app.engine.retrieval.pack import pack
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import KeepsakeError
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.packed import pack_all, units_in_segments, units_of_rows, units_searched
from tests.engine.test_engine_races import at_once, crashes

pytestmark = pytest.mark.django_db

THINGS = ("saw", "drill", "soup", "violin", "ladder", "boiler", "tent", "ferry", "hedge", "oven")
PLACES = ("attic", "kitchen", "garage", "garden", "cellar", "office")
ACTS = 60
AUTHOR = Author("key", "tests")


def _text() -> str:
    return f"The {random.choice(THINGS)} number {random.randrange(1000)} is in the {random.choice(PLACES)}"


def _report(done: int, total: int) -> None:
    pass


class Household:
    """Alice and Bob, who keep, change, move, forget and erase."""

    def __init__(self, api: Api) -> None:
        self.api, self.done = api, Counter[str]()

    def ask(self, act: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer; what cannot be done just now, and is answered so, is no act."""
        answer = self.api.call(method, path, body, **headers)
        assert answer.status_code in (200, 201, 204, 404, 409, 422), answer.content
        self.done[act] += answer.status_code < 300
        return answer

    def one(self, *, deleted: bool = False) -> tuple[str, str] | None:
        """The id of some memory, and whose it is."""
        with every_space():
            rows = Memory.objects.deleted() if deleted else Memory.objects.undeleted()
            found = [(str(row.id), row.person.name) for row in rows.select_related("person")]
        return random.choice(found) if found else None

    def add(self) -> None:
        level = random.choice(["private", "private", "global", "everyone"])
        long = " ".join(_text() for _ in range(20)) if random.random() < 0.1 else _text()
        self.ask("add", "POST", "/memories", {"person": self._person(), "content": long, "visibility": level})

    def say(self) -> None:
        conversation = self.ask(
            "open", "POST", "/conversations", {"person": self._person(), "external_id": "c"}
        ).json()["id"]
        turns = [{"role": random.choice(["user", "assistant"]), "content": _text()} for _ in range(2)]
        self.ask("say", "POST", f"/conversations/{conversation}/turns", {"turns": turns})

    def write(self) -> None:
        document = {"path": f"{random.randrange(100)}.md", "content": _text()}
        self.ask("write", "POST", f"/people/{self._person()}/documents", document)

    def change(self) -> None:
        if found := self.one():
            with every_space():
                version = Memory.objects.get(id=found[0]).version
            self.ask("change", "PATCH", f"/memories/{found[0]}", {"content": _text()}, If_Match=f'"{version}"')

    def move(self) -> None:
        if found := self.one():
            with every_space():
                memory = Memory.objects.get(id=found[0])
            venue_context = resolve_venue(person=found[1])
            level = random.choice(possible_levels(venue_context))
            at = MemoryRef(memory.space_id, memory.id)
            move(venue_context=venue_context, at=at, to=level, author=AUTHOR, now=timezone.now())
            self.done["move"] += memory.space_id != level.space

    def forget(self) -> None:
        if found := self.one():
            self.ask("forget", "DELETE", f"/memories/{found[0]}")

    def bring_back(self) -> None:
        if found := self.one(deleted=True):
            self.ask("bring_back", "POST", f"/admin/memories/{found[0]}/restore", {})

    def erase(self) -> None:
        if found := self.one():
            assert self.ask("erase", "POST", f"/admin/memories/{found[0]}/erase", {}).status_code == 200

    def take_back(self) -> None:
        conversation = self.ask(
            "open", "POST", "/conversations", {"person": self._person(), "external_id": "c"}
        ).json()["id"]
        self.ask("take_back", "DELETE", f"/conversations/{conversation}/turns/last")

    def merge(self) -> None:
        self.ask("merge", "POST", "/people/bob/merge", {"into": "alice"})

    def part(self) -> None:
        self.ask("part", "POST", "/people/bob/merge/undo", {"into": "alice"})

    def embed(self) -> None:
        embed_rows(encoder=current_encoder(), report=_report)

    def pack(self) -> None:
        pack_all()

    def _person(self) -> str:
        return random.choice(["alice", "bob"])


WEIGHTS: dict[Callable[[Household], None], int] = {
    Household.add: 12, Household.say: 4, Household.write: 3, Household.change: 6, Household.move: 4,
    Household.forget: 3, Household.bring_back: 3, Household.erase: 3, Household.take_back: 2, Household.merge: 1,
    Household.part: 1, Household.embed: 4, Household.pack: 8,
}  # fmt: skip


def test_what_is_searched_is_what_the_rows_say(api: Api) -> None:
    household = Household(api)
    done = []
    household.add()
    household.move()
    for act in random.choices(list(WEIGHTS), list(WEIGHTS.values()), k=ACTS):
        act(household)
        done.append(act.__name__)
        assert units_searched() == units_of_rows(), done
        assert check_segments(mend=False, report=_report).wrong == 0, done
    pack_all()
    assert units_in_segments() == units_of_rows()
    assert household.done["add"]
    assert household.done["change"] + household.done["forget"] + household.done["erase"]


@pytest.mark.usefixtures("transactional_db")
def test_who_packs_writes_and_erases_at_once_loses_nothing() -> None:
    encoder = current_encoder()
    over = Event()

    def add() -> list[Memory]:
        return [
            remember(
                venue_context=resolve_venue(person="alice"),
                memory_input=MemoryInput(_text()),
                author=AUTHOR,
                now=timezone.now(),
                encoder=encoder,
            ).memory
            for _ in range(10)
        ]

    there = add()

    def until_over(act: Callable[[], Any]) -> None:
        while not over.is_set():
            act()

    def pack_now() -> int:
        return pack(now=timezone.now(), report=_report, many=1)

    def write() -> None:
        try:
            added = add()
            for memory in (*there[:5], *added[:5]):
                erase(at=MemoryRef(memory.space_id, memory.id), author=AUTHOR, now=timezone.now())
        finally:
            over.set()

    def change() -> None:
        for memory in there[5:]:
            try:
                edit(at=MemoryRef(memory.space_id, memory.id), author=AUTHOR, now=timezone.now(),
                     encoder=encoder, changes={"content": _text()}, version=memory.version)  # fmt: skip
            except KeepsakeError:
                continue

    answers = at_once(lambda: until_over(pack_now), lambda: until_over(pack_now), write, change)
    assert crashes(answers) == []
    assert check_segments(mend=False, report=_report).wrong == 0
    pack_all()
    assert units_in_segments() == units_of_rows()
    assert check_segments(mend=False, report=_report).wrong == 0
