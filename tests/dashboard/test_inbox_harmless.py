"""What is explicit and harmless is offered for wherever its person talks, to that person alone; they decide."""

import pytest
from django.test import Client

from memory_app.models import Proposal
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import create_memory, create_proposal, get_page, reload_memory

OFFER = "For everywhere"


def accepted(client: Client, proposal: Proposal) -> str:
    """The level of what accepting it everywhere made of it."""
    client.post(f"/inbox/{proposal.id}/accept/", {"everywhere": "1"})
    with every_space():
        memory = Proposal.objects.get(id=proposal.id).memory_id
    assert memory
    return reload_memory(memory).visibility


def test_a_harmless_proposal_is_accepted_as_global_and_undone(alice: Client) -> None:
    proposal = create_proposal("alice", "I prefer Python over Ruby.")
    assert OFFER in get_page(alice, f"/inbox/{proposal.id}/")
    assert alice.get(f"/inbox/{proposal.id}/?format=json").json()["harmless"]
    assert accepted(alice, proposal) == "global"
    alice.post(f"/inbox/{proposal.id}/reopen/")
    with every_space():
        assert Proposal.objects.get(id=proposal.id).status == "pending"


@pytest.mark.parametrize("content", ["Alice plays the cello.", "Alice does not use Vim.", "Alice lives in Porto."])
def test_other_proposals_cannot_be_accepted_as_global(alice: Client, content: str) -> None:
    proposal = create_proposal("alice", content)
    assert OFFER not in get_page(alice, f"/inbox/{proposal.id}/")
    assert accepted(alice, proposal) == "private"


def test_nobody_accepts_for_another_person(alice: Client, root: Client) -> None:
    proposal = create_proposal("alice", "I prefer Python over Ruby.")
    assert OFFER not in get_page(root, f"/inbox/{proposal.id}/")
    assert accepted(root, proposal) == "private"


def test_a_harmless_memory_can_be_made_global(alice: Client, root: Client) -> None:
    memory = create_memory("alice", "I use Neovim as my editor.")
    path, to = f"/memories/{memory.id}/", f"global:{memory.space_id}"
    offer = f'name="to" value="{to}"'
    assert offer in get_page(alice, path)
    assert offer not in get_page(root, path)
    alice.post(f"{path}move/", {"to": to})
    assert reload_memory(memory.id).visibility == "global"
    assert offer not in get_page(alice, path)
    assert 'name="to" value="global' not in get_page(
        alice, f"/memories/{create_memory('alice', 'I play the cello.').id}/"
    )


def test_the_api_says_of_a_proposal_whether_it_is_harmless(api: Api) -> None:
    create_proposal("alice", "My favourite editor is Vim.")
    create_proposal("alice", "Alice plays the cello.")
    items = api.get("/proposals?person=alice").json()["items"]
    assert {item["content"]: item["global_safe"] for item in items} == {
        "My favourite editor is Vim.": True,
        "Alice plays the cello.": False,
    }
