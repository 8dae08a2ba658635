"""All that is someone's, taken back in another server's words: nothing of it comes back as a memory."""

import pytest
from django.utils import timezone

from memory_app.jobs import run_scheduled
from memory_app.models import Document, Memory, Note, Proposal
from memory_app.models.row_security import every_space
from tests.compat.conftest import Compat
from tests.conftest import Api
from tests.dashboard.factories import CONVERSATION, create_conversation, extract_proposals

pytestmark = pytest.mark.django_db

ALL_OF_ALICE = [
    ("mem0", "/v1/memories/?user_id=alice"),
    ("mem0", "/memories?user_id=alice"),
    ("mem0", "/v1/entities/user/alice/"),
    ("mem0", "/v2/entities/user/alice/"),
    ("mem0", "/entities/user/alice"),
    ("hindsight", "/v1/default/banks/alice"),
    ("hindsight", "/v1/default/banks/alice/memories"),
]


def _left(person: str) -> list[int]:
    """Memories, notes, documents, and proposals that wait."""
    with every_space():
        kept = [rows.undeleted() for rows in (Memory.objects, Note.objects, Document.objects)]
        waiting = Proposal.objects.all().waiting(timezone.now())
        return [rows.filter(person__name=person).count() for rows in (*kept, waiting)]


def _settle(api: Api, person: str) -> str:
    """A memory, a note, a document, proposals, and turns that nobody has read: the id of their conversation."""
    api.remember(person, "The spare key is under the mat")
    api.post(f"/people/{person}/notes/{timezone.now():%Y-%m-%d}", {"text": "The plumber mended the boiler"})
    added = api.post(f"/people/{person}/documents", {"path": "plans/attic", "content": "The attic gets a window."})
    assert added.status_code == 201, added.content
    extract_proposals(create_conversation(person))
    unread = create_conversation(person, [*CONVERSATION[6:], *CONVERSATION[2:6]])
    assert all(_left(person))
    return str(unread.id)


@pytest.mark.parametrize(("server", "path"), ALL_OF_ALICE)
def test_nothing_that_was_cleared_comes_back(api: Api, key: str, server: str, path: str) -> None:
    unread = _settle(api, "alice")
    _settle(api, "bob")
    bobs = _left("bob")
    assert Compat(key, server).send("DELETE", path).status_code == 200
    assert _left("alice") == [0, 0, 0, 0]
    assert _left("bob") == bobs
    api.post(f"/conversations/{unread}/end", {})
    for job in ("daily", "propose", "consolidate", "attend"):
        run_scheduled(job)
    assert _left("alice") == [0, 0, 0, 0]


def test_what_is_narrowed_leaves_the_rest(api: Api, mem0: Compat) -> None:
    _settle(api, "alice")
    before = _left("alice")
    mem0.call("DELETE", "/v1/memories/?user_id=alice&agent_id=cook")
    assert _left("alice") == before
