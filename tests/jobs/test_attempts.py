"""What ends its reader twice is set aside, whoever reads it, and all the rest is read."""

import socket
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import NotFound
from memory_app.jobs import JobFailed, run_scheduled
from memory_app.jobs.attempts import (
    PartlyFailed,
    attempt_row,
    begin_attempts,
    end_attempts,
    for_each,
    release_set_aside,
    set_aside_ids,
)
from memory_app.models import Attempt, Conversation, JobRun, Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.jobs.test_start_job import taken_for_dead, unembedded
from tests.workers import Workers

DEADLY = "I prefer tea of deadly nightshade, always."
DEADLY_ROWS = {"embed": ("the memory", "the turn"), "attend": ("the conversation",)}
HARMLESS = "I prefer trains to planes, always."
ROW = (uuid4(), uuid4())


def spoken(person: str, words: str) -> Conversation:
    """A conversation that is over, in which that was said."""
    at = timezone.now() - timedelta(hours=2)
    conversation, _ = find_or_open_conversation(venue_context=resolve_venue(person=person), external_id="", now=at)
    small = [TurnInput("assistant", "I see."), TurnInput("user", "Yes."), TurnInput("assistant", "What else?")]
    add_turns(conversation=conversation.id, turns=[*small, TurnInput("user", words)], now=at)
    return conversation


def test_what_kills_whoever_reads_it_is_set_aside_and_all_the_rest_is_read(committed: None, worker: Workers) -> None:
    unembedded(20)
    with every_space():
        deadly = Memory.objects.order_by("id")[9]
        Memory.objects.filter(space_id=deadly.space_id, id=deadly.id).update(content=DEADLY)
    talk, other = spoken("alice", DEADLY), spoken("bob", HARMLESS)
    for job in ("embed", "attend"):
        deaths = 0
        while not worker.run(job):
            deaths += 1
            assert deaths <= 2 * len(DEADLY_ROWS[job])
            taken_for_dead()
    with every_space():
        assert set(Memory.objects.filter(embedding=None).values_list("id", flat=True)) == {deadly.id}
        read = {one.id: one.extracted_to for one in Conversation.objects.all()}
    assert read == {talk.id: 0, other.id: 4}
    assert (set_aside_ids("propose"), deadly.id in set_aside_ids("embed")) == ({talk.id}, True)


def killed() -> None:
    """As if the reader of what is in hand had been killed, and another process came by."""
    Attempt.objects.update(reader=f"{socket.gethostname()}/99999999/1.00")


@pytest.mark.django_db
def test_what_ended_two_readers_is_tried_again_only_when_someone_asks() -> None:
    for _ in range(2):
        assert begin_attempts("propose", [ROW]) == [ROW]
        killed()
    assert begin_attempts("propose", [ROW]) == []
    assert attempt_row("propose", ROW, lambda: "read") is None
    again = Attempt.objects.get()
    release_set_aside(again.id)
    assert attempt_row("propose", ROW, lambda: "read") == "read"
    assert not Attempt.objects.exists()
    with pytest.raises(NotFound):
        release_set_aside(again.id)


@pytest.mark.django_db
def test_what_raises_twice_is_set_aside_with_the_kind_of_its_error() -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            attempt_row("propose", ROW, lambda: 1 // 0)
    assert attempt_row("propose", ROW, lambda: 1) is None
    assert Attempt.objects.get().error == "ZeroDivisionError"


@pytest.mark.django_db
def test_an_outage_of_the_database_is_no_fault_of_what_was_read() -> None:
    def cut_off() -> None:
        raise OperationalError

    for _ in range(5):
        with pytest.raises(OperationalError), transaction.atomic():
            attempt_row("propose", ROW, cut_off)
    assert attempt_row("propose", ROW, lambda: "read") == "read"


@pytest.mark.django_db
def test_what_another_reader_has_in_hand_is_not_counted_against_it() -> None:
    begin_attempts("propose", [ROW])
    Attempt.objects.update(reader="elsewhere/7/1.00")
    for _ in range(5):
        assert begin_attempts("propose", [ROW]) == [ROW]
        end_attempts("propose", [ROW])
    assert Attempt.objects.get().number == 1
    Attempt.objects.update(begun_at=F("begun_at") - timedelta(minutes=12))
    begin_attempts("propose", [ROW])
    assert Attempt.objects.get().number == 2


def test_one_that_fails_holds_up_no_other() -> None:
    done, told = [], []

    def work(number: int) -> None:
        done.append(6 // number)

    with pytest.raises(PartlyFailed, match="1 of 3 could not be gone through"):
        for_each([3, 0, 1], work, lambda *progress: told.append(progress))
    assert (done, told) == ([2, 6], [(1, 3), (2, 3), (3, 3)])


def test_a_day_that_failed_is_told_with_its_error_until_one_succeeds(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.remember("alice", "Alice plays the cello")
    api.remember("bob", "Bob sings")
    with monkeypatch.context() as broken:
        broken.setattr("memory_app.engine.summaries.daily_note._count_activity", lambda *given: 1 // 0)
        with pytest.raises(JobFailed):
            run_scheduled("daily")
    [told] = api.get("/people/alice/runs").json()["items"]
    assert (told["status"], told["error"], told["written"]) == ("failed", "ZeroDivisionError", 0)
    assert api.get("/people/bob/runs").json()["items"][0]["status"] == "failed"
    JobRun.objects.all().delete()
    run_scheduled("daily")
    [told] = api.get("/people/alice/runs").json()["items"]
    assert (told["status"], told["error"], told["written"]) == ("done", None, 1)
