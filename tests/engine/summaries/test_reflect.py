"""Reflection: a week summed up, each line with its sources, never wider than they are, and not too often."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import TextField
from django.db.models.functions import Cast

from memory_app.embedding.encoder import Encoder, current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.clear import clear_memories
from memory_app.engine.deletion.fade import fade
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.delete_and_restore import delete_memory, restore
from memory_app.engine.memories.edit import MemoryRef, confirm, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.retrieval.brief_sections import profile_sections
from memory_app.engine.summaries.reflect import reflect
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.jobs import run_job_for
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import EntityLink, Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.engine.queued import run_queued
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("key", "tests")


def kept(content: str, *, days: float = 1, place: VenueNames = PRIVATE_VENUE, **memory_input: Any) -> Memory:
    told = NOON - timedelta(days=days)
    venue_context = resolve_venue(person="alice", place=place)
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, key="", **memory_input),
        author=AUTHOR,
        now=told,
        encoder=current_encoder(),
    ).memory


def reflection(now: Any = NOON) -> Memory | None:
    return reflect(person=resolve_venue(person="alice").person, now=now, encoder=current_encoder())


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
    shared = kept("The kitchen closes at six.", place=VenueNames("kitchen"), type="decision")
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
    erase(at=MemoryRef(week[0].space_id, week[0].id), author=AUTHOR, now=later)
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
    delete_memory(at=MemoryRef(week[0].space_id, week[0].id), author=AUTHOR, now=NOON)
    [lately] = [part for part in profile_sections(resolve_venue(person="alice"), NOON) if part.heading == "Lately:"]
    assert not any("chose" in line for line in lately.lines)
    assert any("Anna" in line for line in lately.lines)


def _by_its_words(why: list[dict[str, Any]]) -> bool:
    """Not only because it is there."""
    return bool({"words", "meaning"} & {signal["signal"] for signal in why})


def _lines(answer: Any) -> list[str]:
    return b"".join(answer.streaming_content).decode().splitlines()


def _told(api: Api, made: Memory, words: str) -> tuple[bool, bool, bool, bool]:
    """Whether the reflection says these words where it is shown, in an export, in the index, and found by them."""
    shown = api.get(f"/memories/{made.id}").content.decode()
    exported = [json.loads(line) for line in _lines(api.get("/people/alice/export"))]
    [line] = [line for line in exported if line.get("id") == str(made.id)]
    found = api.post("/search", {"person": "alice", "query": words, "explain": True}).json()["results"]
    with every_space():
        rows = Memory.objects.filter(id=made.id).annotate(lexemes=Cast("tsv", TextField()))
        [(lexemes, content)] = rows.values_list("lexemes", "content")
    return (
        words in shown,
        words in json.dumps(line),
        words in lexemes or words in content,
        any(_by_its_words(one["why"]) for one in found if one["memory"]["id"] == str(made.id)),
    )


@pytest.mark.parametrize("way", ["forget", "clear", "fade", "expire", "edit"])
def test_words_of_what_is_gone_are_nowhere_in_it(way: str, week: list[Memory], api: Api) -> None:
    """The time is now for the API, which tells what a person would see."""
    made = reflection()
    assert made is not None
    assert _told(api, made, "blue") == (True, True, True, True)
    at = MemoryRef(week[0].space_id, week[0].id)
    if way == "forget":
        api.call("DELETE", f"/memories/{week[0].id}")
    elif way == "clear":
        clear_memories(venue_context=resolve_venue(person="alice"), author=AUTHOR, now=NOON)
    elif way == "edit":
        edit(at=at, changes={"content": "We took none."}, author=AUTHOR, now=NOON, encoder=current_encoder())
    else:
        changes = {"expire": {"expires_at": NOON}, "fade": {"reinforced_at": NOON - timedelta(days=4000)}}
        with every_space():
            Memory.objects.filter(id=week[0].id).update(**changes[way])
        fade(NOON)
    assert _told(api, made, "blue") == (False, False, False, False)
    if way == "clear":
        return
    with every_space():
        left = Memory.objects.get(id=made.id)
    assert (left.version, left.embedding, "Anna came up in 2 memories" in left.content) == (1, None, True)


def test_what_is_restored_is_told_again_in_its_place(week: list[Memory], api: Api) -> None:
    made = reflection()
    assert made is not None
    for memory in week:
        delete_memory(at=MemoryRef(memory.space_id, memory.id), author=AUTHOR, now=NOON)
    with every_space():
        assert Memory.objects.get(id=made.id).content == "- 4 memories are new: 2 personal, 1 on work and 1 other."
    for memory in reversed(week):
        restore(at=MemoryRef(memory.space_id, memory.id), author=AUTHOR, now=NOON)
    with every_space():
        again = Memory.objects.get(id=made.id)
    assert (again.content, again.attributes) == (made.content, made.attributes)
    embed_rows(encoder=current_encoder(), report=lambda *_: None)
    assert _told(api, made, "blue") == (True, True, True, True)


def test_what_the_person_made_of_it_stays(week: list[Memory]) -> None:
    made = reflection()
    assert made is not None
    mine = made.content.splitlines()[1] + "\nThe tile was a mistake."
    edit(
        at=MemoryRef(made.space_id, made.id),
        changes={"content": mine},
        author=AUTHOR,
        now=NOON,
        encoder=current_encoder(),
    )
    delete_memory(at=MemoryRef(week[0].space_id, week[0].id), author=AUTHOR, now=NOON)
    with every_space():
        assert Memory.objects.get(id=made.id).content == "The tile was a mistake."
    restore(at=MemoryRef(week[0].space_id, week[0].id), author=AUTHOR, now=NOON)
    with every_space():
        assert Memory.objects.get(id=made.id).content == mine


def test_it_can_be_tried_for_one_person(week: list[Memory]) -> None:
    with time_machine.travel(NOON, tick=False):
        assert "4 memories are new" in run_job_for("reflect", "alice", "command:job run", dry_run=True)
    with every_space():
        assert not Memory.objects.filter(type="reflection").exists()


def contents() -> str:
    with every_space():
        return Memory.objects.get(type="reflection").content


def test_what_was_kept_is_not_told_to_be_about_to_fade_any_more(week: list[Memory]) -> None:
    fading, recalled = kept("The attic is cold.", days=295), kept("The cellar is damp.", days=294)
    assert reflection() is not None
    confirm(at=MemoryRef(fading.space_id, fading.id), author=AUTHOR, now=NOON)
    assert "attic" not in contents()
    assert "cellar" in contents()
    with every_space():
        Memory.objects.filter(id=recalled.id).update(reinforced_at=NOON + timedelta(hours=1))
    fade(NOON + timedelta(days=1))
    assert "cellar" not in contents()
    assert "blue tile" in contents()
