"""What was made from a memory goes with it: the text it was merged into, the lines of a day's note."""

from typing import Any

import pytest
from django.utils import timezone

from memory_app.engine.summaries.daily_note import write_daily_note
from memory_app.models import Conflict, Memory, Note, Person, Version
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("encoder")]

DRAWER, SHED = "Bob keeps the saw in the heliotrope drawer", "Bob has a vermilion saw in the shed"
BOTH = "Bob keeps the vermilion saw in the heliotrope drawer of the shed"


def _erase(api: Api, memory: str) -> dict[str, Any]:
    answer = api.post(f"/admin/memories/{memory}/erase", {})
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def _merged(api: Api) -> tuple[str, str]:
    """The memory that says both since the two were merged, and the older one, whose words it took over."""
    older, newer = (api.remember("bob", text)["id"] for text in (SHED, DRAWER))
    with every_space():
        Conflict.objects.all().delete()
        rows = [Memory.objects.get(id=memory) for memory in (older, newer)]
        conflict = Conflict.between(rows[1], rows[0], reason="tests", now=timezone.now())
        conflict.save()
    answered = api.post(f"/conflicts/{conflict.id}/answer", {"keep": "merged", "content": BOTH})
    assert answered.status_code == 200, answered.content
    return newer, older


def _read(memory: str) -> Memory:
    with every_space():
        return Memory.objects.get(id=memory)


def test_what_it_was_merged_into_says_again_what_that_said_before(api: Api) -> None:
    target, folded = _merged(api)
    assert _read(target).content == BOTH
    told = _erase(api, folded)
    left = _read(target)
    assert (left.content, left.status, left.embedding, "vermilion" in str(left.tsv)) == (DRAWER, "active", None, False)
    assert (told["blanked"]["memory"], told["check"]["left"], told["derived"]) == (1, {}, [])
    with every_space():
        assert [past.state["content"] for past in Version.objects.filter(memory_id=target)] == [DRAWER]


def test_what_it_became_after_the_merge_goes_too(api: Api) -> None:
    target, folded = _merged(api)
    api.call("PATCH", f"/memories/{target}", {"content": f"{BOTH}, behind the door"})
    _erase(api, folded)
    assert _read(target).content == DRAWER
    with every_space():
        assert "vermilion" not in str([past.state for past in Version.objects.all()])


def test_one_that_was_forgotten_since_stays_forgotten(api: Api) -> None:
    target, folded = _merged(api)
    api.call("DELETE", f"/memories/{target}")
    _erase(api, folded)
    left = _read(target)
    assert (left.content, left.status, left.deleted_at is None) == (DRAWER, "deleted", False)


def test_the_note_of_its_day_says_it_no_more_and_what_one_noted_oneself_stays(api: Api) -> None:
    tea, soup = (api.remember("alice", text)["id"] for text in ("Tea is at five", "Soup is on Tuesdays"))
    today = timezone.now().date().isoformat()
    api.post(f"/people/alice/notes/{today}", {"text": "- Tea is at five"})
    assert write_daily_note(person=Person.objects.get(name="alice"), now=timezone.now()) is not None
    told = _erase(api, tea)
    assert (told["blanked"]["note"], told["check"]["said"]) == (1, {"note.content": 1})
    with every_space():
        texts = sorted(Note.objects.order_by("created_at").values_list("text", flat=True))
    assert texts[0] == "- Tea is at five"
    assert ("- Soup is on Tuesdays" in texts[1], "Tea" in texts[1]) == (True, False)
    assert _read(soup).content == "Soup is on Tuesdays"


def test_of_a_chain_each_goes_by_itself(api: Api) -> None:
    first, second, third = (
        api.remember("alice", f"I live in {town} near the sea", key="home")["id"]
        for town in ("Oldton", "Midton", "Newton")
    )
    _erase(api, second)
    with every_space():
        assert "Midton" not in str([past.state for past in Version.objects.all()])
    assert (_read(first).superseded_by, _read(first).status) == (None, "superseded")
    assert (_read(third).supersedes, _read(third).status) == (None, "active")
