"""What "clear" clears beside memories does not come back: not with the end of a conversation, nor with the night."""

from typing import Any

import pytest
from django.utils import timezone

from memory_app.jobs import run_scheduled
from memory_app.models import Conversation, Memory, Note, Proposal
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import CONVERSATION, create_conversation, extract_proposals

pytestmark = pytest.mark.django_db


def _say(api: Api, text: str, **more: Any) -> str:
    return str(api.post("/commands", {"person": "alice", "text": text, **more}).json()["message"])


def _clear(api: Api, **venue: Any) -> str:
    asked = api.post("/commands", {"person": "alice", "text": "/memory clear", **venue}).json()
    assert "what was said and not read yet" in asked["message"]
    return _say(api, "yes", token=asked["data"]["token"], **venue)


def _left() -> tuple[int, int, int]:
    """Memories, notes and proposals of Alice that wait."""
    with every_space():
        memories, notes = (
            rows.filter(person__name="alice").count() for rows in (Memory.objects.undeleted(), Note.objects.undeleted())
        )
        return memories, notes, Proposal.objects.filter(person__name="alice").waiting(timezone.now()).count()


def _night() -> None:
    for job in ("daily", "propose", "consolidate", "attend"):
        run_scheduled(job)


def test_nothing_that_was_cleared_grows_back(api: Api) -> None:
    api.remember("alice", "Alice likes dogs")
    api.post(f"/people/alice/notes/{timezone.now():%Y-%m-%d}", {"text": "The plumber mended the boiler"})
    api.post("/signals", {"person": "alice", "kind": "save", "subject": "A book about tiles"})
    extract_proposals(create_conversation("alice"))
    unread = create_conversation("alice", [*CONVERSATION[6:], *CONVERSATION[2:6]])
    create_conversation("alice", [*CONVERSATION] * 5)
    bobs = create_conversation("bob")
    memories, notes, proposals = _left()
    assert (memories, notes, proposals > 0) == (1, 1, True)
    counted = f"1 memory, 1 note, {proposals} proposals and what was said and not read yet"
    assert _clear(api) == f"I've forgotten {counted}."
    assert _left() == (0, 0, 0)
    api.post(f"/conversations/{unread.id}/end", {})
    _night()
    assert _left() == (0, 0, 0)
    with every_space():
        assert Proposal.objects.filter(person__name="bob", conversation_id=bobs.id).exists()
    assert _say(api, "/memory clear") == "There is nothing of yours here to forget."


def test_what_is_said_after_the_question_is_read_and_kept(api: Api) -> None:
    talk = create_conversation("alice")
    token = api.post("/commands", {"person": "alice", "text": "/memory clear"}).json()["data"]["token"]
    later = ("I adopted a greyhound called Comet.", "Nice.", "My brother Tom works as a baker in Porto.", "I see.")
    turns = [{"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(later)]
    api.post(f"/conversations/{talk.id}/turns", {"turns": turns})
    _say(api, "yes", token=token)
    api.post(f"/conversations/{talk.id}/end", {})
    with every_space():
        told = " ".join(Proposal.objects.values_list("content", flat=True))
    assert "Comet" in told
    assert "cello" not in told


def test_in_a_shared_space_what_is_private_stays(api: Api) -> None:
    api.post(f"/people/alice/notes/{timezone.now():%Y-%m-%d}", {"text": "The plumber mended the boiler"})
    private = create_conversation("alice")
    api.post("/conversations", {"person": "alice", "venue": {"space": "family"}})
    with every_space():
        family = Conversation.objects.get(visibility="space")
    turns = [{"role": role, "content": text} for role, text in CONVERSATION]
    api.post(f"/conversations/{family.id}/turns", {"turns": turns})
    assert _clear(api, venue={"space": "family"}) == "I've forgotten what was said and not read yet."
    api.post(f"/conversations/{family.id}/end", {})
    api.post(f"/conversations/{private.id}/end", {})
    with every_space():
        assert {row.conversation_id for row in Proposal.objects.all()} == {private.id}
        assert Note.objects.undeleted().count() == 1
