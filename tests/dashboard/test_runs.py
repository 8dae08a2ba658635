"""The page of a run: what one reading of a conversation did, and undoing all of it."""

from uuid import uuid4

from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.people.settings import change_settings
from memory_app.engine.proposals.consolidate import consolidate
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs import ensure_schedules, run_job_here
from memory_app.models import ExtractionRun, JobRun, Operation
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import get_page, memory_contents

TALK = (
    ("user", "I have decided to move to Lisbon in March."),
    ("assistant", "That is a big step."),
    ("user", "My sister Anna plays the cello in Berlin."),
    ("assistant", "Lovely."),
)


def gone_through(policy: str) -> ExtractionRun:
    venue_context = resolve_venue(person="alice")
    change_settings(person=venue_context.person, changes={"extraction_policy": policy})
    conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id="", now=timezone.now())
    held = add_turns(
        conversation=conversation.id, turns=[TurnInput(*turn) for turn in TALK], now=timezone.now()
    ).conversation
    run = consolidate(space=held.space_id, conversation=held.id, now=timezone.now(), encoder=current_encoder()).run
    assert run is not None
    return run


def test_proposals_of_a_run_are_shown_with_turns_and_undone(alice: Client) -> None:
    run = gone_through("ask")
    shown = get_page(alice, f"/runs/{run.id}/")
    assert "move to Lisbon in March" in shown
    assert f"/conversations/{run.conversation_id}/?turn=0#turn-0" in shown
    assert f"/runs/{run.id}/" in get_page(alice, f"/conversations/{run.conversation_id}/")
    said = alice.post(f"/runs/{run.id}/undo/", follow=True).content.decode()
    assert "taken out of the inbox" in said
    assert "Undo all of it" not in said
    assert "There was nothing left to undo." in alice.post(f"/runs/{run.id}/undo/", follow=True).content.decode()


def test_memories_saved_by_a_run_are_shown_and_deleted_together(alice: Client) -> None:
    run = gone_through("auto")
    told = alice.get(f"/runs/{run.id}/?format=json").json()
    assert [deed["kind"] for deed in told["did"]] == ["kept"] * run.kept
    assert (told["undoable"], told["did"][0]["turns"]) == (True, [0])
    assert len(memory_contents("alice")) == run.kept > 0
    alice.post(f"/runs/{run.id}/undo/")
    assert memory_contents("alice") == set()
    assert not alice.get(f"/runs/{run.id}/?format=json").json()["undoable"]


def test_a_run_that_only_wrote_notes_links_to_them(alice: Client) -> None:
    run = gone_through("auto")
    with every_space():
        ExtractionRun.objects.filter(id=run.id).update(kept=0, noted=2)
        Operation.objects.filter(detail__run=str(run.id)).delete()
    shown = get_page(alice, f"/runs/{run.id}/")
    assert "Nothing was put up or kept." not in shown
    assert f'<a href="/people/{run.person_id}/#notes">the notes of that day</a>' in shown
    assert get_page(alice, f"/people/{run.person_id}/")
    assert "read by Keepsake’s own rules in" in shown


def test_a_foreign_run_is_neither_shown_nor_undone(alice: Client, bob: Client) -> None:
    run = gone_through("ask")
    for identifier in (run.id, uuid4()):
        assert bob.get(f"/runs/{identifier}/").status_code == 404
        assert bob.post(f"/runs/{identifier}/undo/").status_code == 404


def test_memories_saved_at_the_end_of_a_conversation_are_undone_separately(api: Api, alice: Client) -> None:
    """Kept within a request, which is no run of a job. What the person says otherwise stays."""
    api.call("PATCH", "/people/alice", {"extraction_policy": "auto"})
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [{"role": role, "content": content} for role, content in TALK]
    api.post(f"/conversations/{conversation}/turns", {"turns": turns})
    api.post(f"/conversations/{conversation}/end", {})
    api.remember("alice", "Alice hums.")
    noticed = memory_contents("alice") - {"Alice hums."}
    assert noticed
    with every_space():
        run = ExtractionRun.objects.get()
    shown = get_page(alice, f"/runs/{run.id}/")
    assert all(escape(content) in shown for content in noticed)
    assert "Undo all of it" in shown
    assert "memories." in alice.post(f"/runs/{run.id}/undo/", follow=True).content.decode()
    assert memory_contents("alice") == {"Alice hums."}


def test_runs_are_reached_from_the_job_and_from_the_log(root: Client) -> None:
    run = gone_through("auto")
    link = f'href="/runs/{run.id}/"'
    assert link in get_page(root, "/jobs/consolidate/")
    assert link not in get_page(root, "/jobs/fade/")
    assert root.get("/jobs/consolidate/?format=json").json()["readings"] == [{"id": str(run.id), "trigger": "nightly"}]
    assert f"{link}>the run</a>" in get_page(root, "/logs/")
    assert get_page(root, f"/runs/{run.id}/")


def test_the_run_of_a_job_is_reached_from_the_log(root: Client) -> None:
    ensure_schedules()
    run_job_here("expire", "user:root", lambda done, total: None)
    [run] = JobRun.objects.filter(kind="expire")
    assert f'href="/jobs/expire/#run-{run.id}">the run</a>' in get_page(root, "/logs/")
    assert f'id="run-{run.id}"' in get_page(root, "/jobs/expire/")
