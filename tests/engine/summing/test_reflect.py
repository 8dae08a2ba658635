"""Reflection: a week summed up, each line with its sources, never wider than they are, and not too often."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from memory_app.embedding.encoder import Encoder, current
from memory_app.engine.author import Author
from memory_app.engine.edit import At
from memory_app.engine.enter import PRIVATE, Place, enter
from memory_app.engine.erasing.erase import erase
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.remember import remember
from memory_app.engine.recalling.about import about
from memory_app.engine.summing.reflect import reflect
from memory_app.jobs import run_for
from memory_app.models import EntityLink, Memory
from memory_app.models.scope import every_space
from tests.engine.queued import run_queued
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("key", "tests")


def kept(content: str, *, days: float = 1, place: Place = PRIVATE, **given: Any) -> Memory:
    told = NOON - timedelta(days=days)
    entered = enter(person="alice", place=place)
    return remember(
        entered=entered, given=Given(content, key="", **given), author=AUTHOR, now=told, encoder=current()
    ).memory


def reflection(now: Any = NOON) -> Memory | None:
    return reflect(person=enter(person="alice").person, now=now, encoder=current())


@pytest.fixture
def week() -> list[Memory]:
    return [
        kept("We chose the blue tile for the bathroom.", type="decision", category="personal"),
        kept("My friend Anna likes the bathroom tile.", category="personal"),
        kept("My friend Anna plays the cello.", category="fact"),
        kept("The office moves to Lisbon.", category="work"),
    ]


def test_a_week_is_summed_up_line_by_line(week: list[Memory]) -> None:
    fading = kept("The attic is cold.", days=295)
    made = reflection()
    assert made is not None
    lines = made.content.splitlines()
    assert lines[0] == "- 4 memories are new: 2 personal, 1 on work and 1 other."
    assert "- Decided: We chose the blue tile for the bathroom." in lines
    assert (
        "- Anna came up in 2 memories: My friend Anna plays the cello. / My friend Anna likes the bathroom tile."
        in lines
    )
    assert "- About to fade, on 25 November: The attic is cold." in lines
    assert made.summary == "The week from 2026-11-13 to 2026-11-20"
    assert (made.type, made.visibility, made.source_type, made.tags) == (
        "reflection", "private", "reflection", ["weekly"],
    )  # fmt: skip
    assert made.fades_on is None
    ids = {str(memory.id) for memory in (*week, fading)}
    assert set(made.attributes["sources"]) == ids
    assert {line["text"] for line in made.attributes["lines"]} == {line.removeprefix("- ") for line in lines}


def test_each_line_names_its_own_sources(week: list[Memory]) -> None:
    made = reflection()
    assert made is not None
    sources = {line["text"]: line["sources"] for line in made.attributes["lines"]}
    assert sources["Decided: We chose the blue tile for the bathroom."] == [str(week[0].id)]
    [anna] = [text for text in sources if text.startswith("Anna came up")]
    assert sources[anna] == [str(week[1].id), str(week[2].id)]


def test_what_came_up_again_is_told_by_one_of_them(real_encoder: Encoder) -> None:
    for text in ("We painted the bathroom blue.", "The bathroom gets blue tiles.", "Zig has no garbage collector."):
        kept(text)
    made = reflection()
    assert made is not None
    line = next(line for line in made.content.splitlines() if "go together" in line)
    assert line.startswith("- 2 memories go together: ")
    assert line.count("bathroom") == 2


def test_too_little_is_not_reflected_on() -> None:
    kept("We chose the blue tile.")
    kept("Anna plays the cello.")
    kept("The attic is cold.", days=8)
    assert reflection() is None


def test_it_is_made_at_most_every_six_days(week: list[Memory]) -> None:
    assert reflection() is not None
    assert reflection(NOON + timedelta(days=5)) is None
    for number in range(3):
        kept(f"Sheep {number * 7919} jumped.", days=-6)
    assert reflection(NOON + timedelta(days=7)) is not None


def test_nothing_of_a_shared_space_nor_anything_sensitive_is_in_it(week: list[Memory]) -> None:
    shared = kept("The kitchen closes at six.", place=Place("kitchen"), type="decision")
    secret = kept("My card number is 4111 1111 1111 1111.", type="decision")
    made = reflection()
    assert made is not None
    assert "kitchen" not in made.content
    assert "4111 1111" not in made.content
    assert not {str(shared.id), str(secret.id)} & set(made.attributes["sources"])


def test_it_names_nobody_by_itself_and_contradicts_nothing(week: list[Memory]) -> None:
    made = reflection()
    assert made is not None
    with every_space():
        assert not EntityLink.objects.filter(memory_id=made.id).exists()
        assert set(Memory.objects.values_list("version", flat=True)) == {1}


def test_erasing_a_source_has_it_made_again_of_its_own_week(week: list[Memory]) -> None:
    made = reflection()
    assert made is not None
    later = NOON + timedelta(days=30)
    erase(at=At(week[0].space_id, week[0].id), author=AUTHOR, now=later)
    with every_space():
        assert not Memory.objects.filter(id=made.id).exists()
    with time_machine.travel(later, tick=False):
        assert run_queued("reflect_again") == ["made again"]
        assert run_queued("reflect_again") == ["too little is left"], "run twice, it is there"
    with every_space():
        again = Memory.objects.get(type="reflection")
    assert (again.created_at, again.summary) == (NOON, "The week from 2026-11-13 to 2026-11-20")
    assert "blue tile" not in again.content
    assert "Anna" in again.content


def test_what_was_forgotten_since_is_not_told_by_it(week: list[Memory]) -> None:
    assert reflection() is not None
    forget(at=At(week[0].space_id, week[0].id), author=AUTHOR, now=NOON)
    [lately] = [part for part in about(enter(person="alice"), NOON) if part.heading == "Lately:"]
    assert not any("chose" in line for line in lately.lines)
    assert any("Anna" in line for line in lately.lines)


def test_it_can_be_tried_for_one_person(week: list[Memory]) -> None:
    with time_machine.travel(NOON, tick=False):
        assert "4 memories are new" in run_for("reflect", "alice", "command:job run", dry_run=True)
    with every_space():
        assert not Memory.objects.filter(type="reflection").exists()
