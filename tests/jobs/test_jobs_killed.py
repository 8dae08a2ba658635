"""The night under a worker that is killed again and again, at any point of any job: it ends as one that was never
disturbed.

`KILLS=50 python -m pytest tests/jobs/test_jobs_killed.py` kills it 50 times.
"""

import os
import random
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.people.settings import change_settings
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs import run_scheduled
from memory_app.jobs.attempts import release_set_aside
from memory_app.models import (
    Attempt,
    Conversation,
    ExtractionRun,
    JobRun,
    JobState,
    Memory,
    Note,
    Operation,
    Proposal,
    Turn,
    Version,
)
from memory_app.models.row_security import every_space
from tests.workers import Workers

KILLS = int(os.environ.get("KILLS", "14"))
LONGEST_SECONDS = 0.5
"""A worker forks, connects and works for some tenths of a second: kills fall before, within and after what it does."""

NIGHT = ("attend", "embed", "daily", "enrich", "consolidate", "reflect", "fade")
AUTHOR = Author("key", "tests")
TOLD = (
    "I have decided to move to Lisbon in March.",
    "I prefer trains to planes, always.",
    "My sister Anna plays the cello in Berlin.",
    "I work as a nurse at the children's hospital.",
    "I have adopted a greyhound called Comet.",
    "My parents live in a village near Porto.",
)


def lived(person: str, policy: str, now: datetime) -> None:
    """A person with a day behind them: talks, memories that are new, and some that have faded."""
    venue_context = resolve_venue(person=person)
    change_settings(person=venue_context.person, changes={"extraction_policy": policy})
    conversation, _ = find_or_open_conversation(
        venue_context=venue_context, external_id="", now=now - timedelta(hours=2)
    )
    small = [
        TurnInput("assistant", "I see."),
        TurnInput("user", "Yes."),
        TurnInput("assistant", "Okay."),
        TurnInput("user", "Right."),
    ]
    said = [one for told in TOLD for one in (TurnInput("user", told), *small, TurnInput("assistant", "Good."))]
    add_turns(conversation=conversation.id, turns=said, now=now - timedelta(hours=2))
    for number in range(12):
        kept(person, f"{person} counted {number * 7919} sheep.", now - timedelta(days=4000))
    for text in ("We chose the blue tile.", "Anna likes the blue tile.", "The office moves to Lisbon."):
        kept(person, text, now - timedelta(hours=3))


def kept(person: str, content: str, at: datetime) -> None:
    remember(
        venue_context=resolve_venue(person=person),
        memory_input=MemoryInput(content, key=""),
        author=AUTHOR,
        now=at,
        encoder=current_encoder(),
    )


def state() -> dict[str, Any]:
    """All that the night may have changed, without ids and times."""
    with every_space():
        memories = Memory.objects.values_list("person__name", "content", "status", "delete_reason", "version")
        proposals = Proposal.objects.values_list("person__name", "content", "status", "number")
        runs = ExtractionRun.objects.values_list("person__name", "trigger", "from_position", "read", "proposed", "kept")
        return {
            "memories": sorted(memories),
            "embedded": Memory.objects.filter(embedding=None).count() + Turn.objects.filter(embedding=None).count(),
            "proposals": sorted(proposals),
            "runs": sorted(runs),
            "notes": sorted(Note.objects.values_list("person__name", "text")),
            "versions": sorted(Version.objects.values_list("memory__content", "number")),
            "operations": sorted(Operation.objects.exclude(name__startswith="job").values_list("name", flat=True)),
            "gone through": Conversation.objects.exclude(consolidated_at=None).count(),
        }


def undisturbed() -> dict[str, Any]:
    """The state in which a night ends that nothing disturbs; taken back."""
    with transaction.atomic():
        for job in NIGHT:
            run_scheduled(job)
        reached = state()
        transaction.set_rollback(True)
    return reached


def test_a_night_killed_anywhere_again_and_again_ends_as_one_that_was_not(committed: None, worker: Workers) -> None:
    now = timezone.now()
    lived("alice", "ask", now)
    lived("bob", "auto", now)
    before, expected, chance, cut_short = state(), undisturbed(), random.Random(6), 0
    assert state() == before
    for at, job in enumerate(NIGHT):
        for kill in range(at, KILLS, len(NIGHT)):
            wait = 0.0 if kill == at else chance.uniform(0, LONGEST_SECONDS)
            cut_short += worker.kill_in(job, wait)
            # As if a minute had passed: the heartbeats of killed workers are old.
            JobRun.objects.filter(state=JobState.RUNNING).update(heartbeat=F("heartbeat") - timedelta(minutes=2))
        for innocent in Attempt.objects.set_aside():
            release_set_aside(innocent.id)
        worker.run(job)
    assert cut_short
    assert state() == expected
    assert expected["embedded"] == 0
    assert len(expected["memories"]) > len(before["memories"])
    assert not JobRun.objects.alive().exists()
