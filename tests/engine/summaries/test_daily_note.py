"""The daily batch: each person's last 24 hours, once a day, noted in their own time zone; and conversations gone
through once."""

from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.engine.memories.remember import remember
from memory_app.engine.people.settings import change_settings
from memory_app.engine.proposals.consolidate import consolidate, conversations_to_consolidate
from memory_app.engine.summaries.daily_note import people_with_memory_on, write_daily_note
from memory_app.engine.summaries.interests import record_signal
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs import run_job_for, run_scheduled
from memory_app.models import Conversation, DailyRun, ExtractionRun, JobRun, Note, Person, Proposal, Signal
from memory_app.models.row_security import every_space

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 11, 20, 23, tzinfo=UTC)
AUTHOR = Author("key", "tests")
TALK = (
    ("user", "I have decided to move to Lisbon in March."),
    ("assistant", "That is a big step."),
    ("user", "Yes. I prefer trains to planes."),
    ("assistant", "Noted."),
)


def talked(person: str = "alice", *, hours: float = 2) -> Conversation:
    venue_context, told = resolve_venue(person=person), NIGHT - timedelta(hours=hours)
    conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id="", now=told)
    return add_turns(conversation=conversation.id, turns=[TurnInput(*turn) for turn in TALK], now=told).conversation


def kept(content: str, source: str = "api", *, person: str = "alice", hours: float = 2) -> None:
    memory_input = MemoryInput(content, key="", source=MemorySource(source))
    told = NIGHT - timedelta(hours=hours)
    remember(
        venue_context=resolve_venue(person=person),
        memory_input=memory_input,
        author=AUTHOR,
        now=told,
        encoder=current_encoder(),
    )


def notes(person: str = "alice") -> list[tuple[date, str]]:
    with every_space():
        return list(Note.objects.filter(person__name=person).values_list("date", "text"))


def alice() -> Person:
    return resolve_venue(person="alice").person


def test_the_last_day_is_counted_and_noted() -> None:
    talked()
    kept("We chose the blue tile.", "explicit")
    kept("Anna plays the cello.")
    kept("The attic is cold.", hours=30)
    kept("My card number is 4111 1111 1111 1111.")
    done = write_daily_note(person=alice(), now=NIGHT)
    assert done is not None
    assert (done.run.turns, done.run.conversations, done.run.written, done.run.date) == (4, 1, 3, date(2026, 11, 20))
    assert notes() == [
        (
            date(2026, 11, 20),
            "Talked: 4 turns in 1 conversation\nDiscussed:\n- lisbon, trains, planes\n"
            "Opinions:\n- “I prefer trains to planes.”\nRemembered on request:\n- We chose the blue tile.\n"
            "Learned:\n- Anna plays the cello.",
        )
    ]


def test_a_day_is_gone_through_once() -> None:
    kept("We chose the blue tile.")
    assert write_daily_note(person=alice(), now=NIGHT) is not None
    assert write_daily_note(person=alice(), now=NIGHT) is None
    assert len(notes()) == 1
    assert write_daily_note(person=alice(), now=NIGHT + timedelta(days=1)) is not None
    assert len(notes()) == 1, "nothing happened that day"


def test_what_happened_is_noted_on_the_day_it_happened_by_the_persons_clock() -> None:
    change_settings(person=alice(), changes={"timezone": "Asia/Tokyo"})
    kept("We chose the blue tile.", hours=2)
    kept("Anna plays the cello.", hours=10)
    done = write_daily_note(person=alice(), now=NIGHT)
    assert done is not None
    assert done.run.date == date(2026, 11, 21)
    assert notes() == [
        (date(2026, 11, 20), "Learned:\n- Anna plays the cello."),
        (date(2026, 11, 21), "Decided:\n- We chose the blue tile."),
    ]


def test_nothing_is_noted_twice_nor_missed_whenever_the_runs_begin() -> None:
    kept("We chose the blue tile.", hours=-0.5)
    kept("Anna plays the cello.", hours=-1.5)
    assert write_daily_note(person=alice(), now=NIGHT + timedelta(hours=0.9)) is not None
    assert write_daily_note(person=alice(), now=NIGHT + timedelta(hours=60)) is not None
    assert [note for _, note in notes()] == ["Decided:\n- We chose the blue tile.", "Learned:\n- Anna plays the cello."]


def test_the_job_goes_through_everyone_whose_memory_is_on() -> None:
    talked()
    kept("Rides a red bicycle.", person="bob")
    kept("Likes tea.", person="charlie")
    change_settings(person=resolve_venue(person="charlie").person, changes={"memory_enabled": False})
    with time_machine.travel(NIGHT, tick=False):
        assert run_scheduled("daily") == "2 people gone through"
        assert run_scheduled("daily") == "2 people gone through"
    assert [person.name for person in people_with_memory_on()] == ["alice", "bob"]
    with every_space():
        assert sorted(DailyRun.objects.values_list("person__name", flat=True)) == ["alice", "bob"]
        assert ExtractionRun.objects.get().trigger == "nightly"
        assert Proposal.objects.count() == DailyRun.objects.get(person__name="alice").proposed > 0
    assert len(notes("bob")) == 1


def test_a_trial_reads_what_is_left_and_takes_it_back() -> None:
    talked()
    with time_machine.travel(NIGHT, tick=False):
        out = StringIO()
        call_command("job", "run", "daily", "--person", "alice", "--dry-run", stdout=out)
        assert "Put up to be confirmed: " in out.getvalue()
    with every_space():
        assert not ExtractionRun.objects.exists()
        assert not Proposal.objects.exists()
        assert Conversation.objects.get().extracted_to == 0


def test_one_person_by_command_and_tried_before() -> None:
    kept("We chose the blue tile.", hours=0)
    with time_machine.travel(NIGHT, tick=False):
        out = StringIO()
        call_command("job", "run", "daily", "--person", "alice", "--dry-run", stdout=out)
        assert "1 memories written" in out.getvalue()
        assert "- We chose the blue tile." in out.getvalue()
        assert notes() == []
        assert not JobRun.objects.exists()
        with every_space():
            assert not DailyRun.objects.exists()
        call_command("job", "run", "daily", "--person", "alice", stdout=out)
    assert len(notes()) == 1
    run = JobRun.objects.get()
    assert (run.kind, run.subject, run.state) == ("daily", "alice", "done")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["daily", "--person", "nobody"], "Nothing is known of a person"),
        (["fade", "--person", "alice"], "is not run for one person"),
        (["daily", "--dry-run"], "Name the person"),
    ],
)
def test_what_cannot_be_run_for_one_says_so(words: list[str], told: str) -> None:
    resolve_venue(person="alice")
    with pytest.raises(CommandError, match=told):
        call_command("job", "run", *words)


def test_a_conversation_that_is_over_is_gone_through_once() -> None:
    held = talked()
    [found] = conversations_to_consolidate(NIGHT)
    assert found.id == held.id
    first = consolidate(space=held.space_id, conversation=held.id, now=NIGHT, encoder=current_encoder())
    again = consolidate(space=held.space_id, conversation=held.id, now=NIGHT, encoder=current_encoder())
    assert len(first.proposals) > 0
    assert (again.proposals, conversations_to_consolidate(NIGHT)) == ((), [])
    with every_space():
        assert Conversation.objects.get().consolidated_at == NIGHT
        assert ExtractionRun.objects.count() == 1


def test_a_conversation_that_goes_on_is_left_alone() -> None:
    talked(hours=0.1)
    assert conversations_to_consolidate(NIGHT) == []


def test_the_job_of_the_night_goes_through_all_that_are_over() -> None:
    talked()
    talked("bob")
    with time_machine.travel(NIGHT, tick=False):
        assert run_scheduled("consolidate") == "2 conversations gone through"
        assert run_scheduled("consolidate") == "0 conversations gone through"


def test_a_day_that_is_not_gone_through_tells_which_one_reason_it_has() -> None:
    person = alice()
    assert run_job_for("daily", "alice", "command:job run").startswith("0 turns, 0 memories written")
    assert run_job_for("daily", "alice", "command:job run") == "this day was gone through already"
    change_settings(person=person, changes={"memory_enabled": False})
    assert run_job_for("daily", "alice", "command:job run") == "memory is paused"


def test_a_note_has_sections_and_is_not_cut() -> None:
    for number in range(12):
        kept(f"Anna owns painting number {number}.")
    kept("I finished the book The Waves.")
    venue_context = resolve_venue(person="alice")
    told = NIGHT - timedelta(hours=1)
    signal = Signal(action="save", subject="Understanding CRDTs", url="https://example.org", at=told, created_at=told)
    record_signal(venue_context, signal)
    assert write_daily_note(person=alice(), now=NIGHT) is not None
    [(_, text)] = notes()
    assert text.count("- Anna owns painting number") == 12
    assert "Read:\n- I finished the book The Waves.\n- Saved: Understanding CRDTs <https://example.org>" in text
