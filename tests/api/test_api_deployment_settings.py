"""What a deployer sets holds for everyone: thresholds, times, and whether there is memory at all."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory_app.engine.deletion.fade import fade
from memory_app.engine.erasure.purge import purge_expired
from memory_app.models import Memory, Note, Operation, Proposal, Turn
from memory_app.models.row_security import every_space
from tests.api.problems import problem_of
from tests.api.test_conversations import talk
from tests.conftest import Api

pytestmark = pytest.mark.django_db

OFF = "Memory is switched off here for everyone: nothing is stored, listened to or noticed."


def test_no_more_is_proposed_of_a_conversation_than_is_set(api: Api, settings: Any) -> None:
    settings.KEEPSAKE_PROPOSALS = 1
    assert len(api.post(f"/conversations/{talk(api)}/end", {}).json()["proposals"]) == 1


def test_the_policy_auto_keeps_from_the_confidence_that_is_set(api: Api, settings: Any) -> None:
    settings.KEEPSAKE_AUTO_CONFIDENCE = 1.0
    api.call("PATCH", "/people/alice", {"extraction_policy": "auto"})
    api.post(f"/conversations/{talk(api)}/end", {})
    with every_space():
        assert (Memory.objects.count(), Note.objects.count() > 0) == (0, True)


def test_memories_fade_at_the_rate_and_below_the_strength_that_are_set(api: Api, settings: Any) -> None:
    settings.KEEPSAKE_FADE_RATE, settings.KEEPSAKE_FADE_BELOW = 0.1, 0.5
    memory = api.remember("alice", "The tile is blue")
    now = timezone.now()
    # ln(1 / 0.5) / 0.1 is 6.93 days.
    assert memory["fades_on"][:10] == (now + timedelta(days=6.93)).date().isoformat()
    assert fade(now + timedelta(days=6.8)) == 0
    assert fade(now + timedelta(days=7)) == 1


def test_notes_and_the_log_are_kept_for_the_days_that_are_set(api: Api, settings: Any) -> None:
    settings.KEEPSAKE_NOTE_DAYS, settings.KEEPSAKE_LOG_DAYS = 5, 2
    now = timezone.now()
    api.post(f"/people/alice/notes/{now.date()}", {"text": "Tiled the bath"})
    api.remember("alice", "The tile is blue")
    after_three, after_six = (purge_expired(now + timedelta(days=days)).rows for days in (3, 6))
    assert (after_three["notes"], after_six["notes"]) == (0, 1)
    assert after_three["entries of the log"] > 0
    with every_space():
        assert Operation.objects.count() == 0


def test_the_profile_has_no_more_words_than_are_set(api: Api, settings: Any) -> None:
    api.remember(
        "alice", "Alice plays the cello every evening with her neighbours from the house across the old bridge"
    )
    api.remember("alice", "The kitchen of the summer cottage has green walls, two windows and a stove made of iron")

    def lines() -> int:
        text: str = api.get("/people/alice/profile.md").content.decode()
        return text.count("\n- ")

    assert lines() == 2
    settings.KEEPSAKE_PROFILE_WORDS = 50
    assert lines() == 1


def test_with_memory_off_nothing_is_stored_of_anyone(api: Api, settings: Any) -> None:
    api.remember("alice", "The tile is blue")
    opened = api.post("/conversations", {"person": "alice"}).json()["id"]
    settings.KEEPSAKE_MEMORY = False
    day = timezone.now().date()
    for path, body in [
        ("/memories", {"person": "alice", "content": "The door is red"}),
        ("/remember", {"person": "alice", "utterance": "remember that the door is red"}),
        ("/journal", {"person": "alice", "text": "The door is red"}),
        (f"/people/alice/notes/{day}", {"text": "The door is red"}),
    ]:
        assert problem_of(api.post(path, body), 409)["detail"] == OFF
    heard = api.post(f"/conversations/{opened}/turns", {"role": "user", "content": "The door is red"}).json()
    assert heard["message"] == "Memory is paused: nothing of this was stored."
    with every_space():
        held = (Memory.objects.count(), Turn.objects.count(), Note.objects.count(), Proposal.objects.count())
    assert held == (1, 0, 0, 0)


def test_with_memory_off_what_was_kept_is_found_and_the_answers_say_so(api: Api, settings: Any) -> None:
    memory = api.remember("alice", "The tile is blue")
    settings.KEEPSAKE_MEMORY = False
    found = api.post("/search", {"person": "alice", "query": "tile"}).json()["results"]
    assert [result["memory"]["id"] for result in found] == [memory["id"]]
    shown = api.post("/commands", {"person": "alice", "text": "/memory"}).json()
    assert OFF in shown["message"]
    assert shown["data"]["memory_enabled"] is False
    assert api.call("DELETE", f"/memories/{memory['id']}?person=alice").status_code < 300
