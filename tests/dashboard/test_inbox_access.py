"""Who sees what was noticed and said, and who may decide on it: another's looks exactly like a missing one."""

from uuid import UUID, uuid4

import pytest
from django.test import Client

from memory_app.engine.venue_context import VenueNames
from tests.dashboard.factories import (
    create_conversation,
    create_login,
    create_proposal,
    memory_contents,
    reload_memory,
    reload_proposal,
)

NOBODYS = UUID(int=1)

FORMS = ("accept", "edit", "merge", "reject", "snooze", "reopen")


@pytest.mark.parametrize("path", ["/inbox/", f"/inbox/{NOBODYS}/", f"/conversations/{NOBODYS}/"])
@pytest.mark.django_db
def test_the_inbox_asks_to_sign_in(path: str) -> None:
    assert Client().get(path)["Location"] == f"/login/?next={path.replace('/', '%2F')}"


def test_a_person_sees_only_their_own_proposals(alice: Client, bob: Client) -> None:
    create_proposal("alice", "We chose the blue tile.")
    create_proposal("bob", "Bob rides a red bicycle.")
    for path in ("/inbox/", "/inbox/?status=all", "/inbox/?q=bicycle", "/inbox/?person=bob", "/"):
        assert "bicycle." not in alice.get(path).content.decode()
    assert alice.get("/inbox/?format=json").json()["total"] == 1
    assert bob.get("/inbox/?format=json").json()["items"][0]["summary"] == "Bob rides a red bicycle."


def test_proposals_of_others_in_a_shared_space_are_not_shown(alice: Client) -> None:
    create_conversation("alice", place=VenueNames("family"))
    talk = create_conversation("bob", place=VenueNames("family"))
    theirs = create_proposal("bob", "I practise every evening", of=talk)
    assert alice.get("/inbox/?format=json").json()["total"] == 0
    assert alice.get(f"/inbox/{theirs.id}/").status_code == 404
    assert alice.get(f"/conversations/{talk.id}/").status_code == 404


@pytest.mark.parametrize("verb", ["", *(f"{form}/" for form in FORMS)])
def test_a_foreign_proposal_answers_as_missing(alice: Client, verb: str) -> None:
    theirs, typed = (
        create_proposal("bob", "Bob rides a red bicycle."),
        {"content": "mine", "type": "fact", "category": "fact"},
    )
    for method in ("get", "post"):
        real = getattr(alice, method)(f"/inbox/{theirs.id}/{verb}", {**typed, "merged": "mine"})
        missing = getattr(alice, method)(f"/inbox/{uuid4()}/{verb}", {**typed, "merged": "mine"})
        assert real.status_code == missing.status_code
        assert real.status_code in (404, 405)
        assert real.content == missing.content
    assert reload_proposal(theirs).status == "pending"
    assert reload_proposal(theirs).snoozed_until is None
    assert memory_contents("bob") == set()


def test_foreign_proposals_are_skipped_among_several(alice: Client, bob: Client) -> None:
    mine, theirs = (
        create_proposal("alice", "We chose the blue tile."),
        create_proposal("bob", "Bob rides a red bicycle."),
    )
    alice.post("/inbox/decide/", {"act": "reject", "proposal": [mine.id, theirs.id]})
    alice.post("/inbox/decide/", {"act": "reject", "every": "on", "next": "/inbox/?person=bob"})
    assert (reload_proposal(mine).status, reload_proposal(theirs).status) == ("rejected", "pending")
    bob.post(f"/inbox/{theirs.id}/reject/")
    answer = alice.post("/inbox/reopen/", {"proposal": [theirs.id]}, follow=True)
    assert "There was nothing to undo." in answer.content.decode()
    assert reload_proposal(theirs).status == "rejected"


def test_a_foreign_conversation_answers_as_missing(alice: Client) -> None:
    theirs = create_conversation("bob")
    for method, path in (("get", ""), ("post", "reveal/")):
        real = getattr(alice, method)(f"/conversations/{theirs.id}/{path}")
        missing = getattr(alice, method)(f"/conversations/{uuid4()}/{path}")
        assert (real.status_code, real.content) == (404, missing.content)


def test_a_super_user_sees_everyones_and_decides_in_the_name_of_the_owner(root: Client) -> None:
    talk = create_conversation("bob")
    create_proposal("alice", "We chose the blue tile.")
    theirs = create_proposal("bob", "I practise every evening", of=talk)
    listed = root.get("/inbox/?format=json").json()
    assert listed["facets"]["person"] == {"alice": 1, "bob": 1}
    assert [item["person"] for item in root.get("/inbox/?person=bob&format=json").json()["items"]] == ["bob"]
    html = root.get("/inbox/").content.decode()
    assert "<strong>bob</strong>" in html
    assert "Only bob." in html
    assert root.get(f"/conversations/{talk.id}/").status_code == 200
    root.post(f"/inbox/{theirs.id}/accept/")
    memory = reload_proposal(theirs).memory_id
    assert memory is not None
    assert (reload_memory(memory).person.name, reload_proposal(theirs).decided_by) == ("bob", "user:root")


@pytest.mark.parametrize(
    "path", ["/inbox/decide/", "/inbox/reopen/", *(f"/inbox/{NOBODYS}/{v}/" for v in ("accept", "reject", "snooze"))]
)
def test_get_requests_decide_nothing(alice: Client, path: str) -> None:
    assert alice.get(path).status_code == 405


def test_a_form_from_another_site_decides_nothing(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_login("alice", person="alice"))
    proposal = create_proposal("alice", "We chose the blue tile.")
    for path in (f"/inbox/{proposal.id}/accept/", "/inbox/decide/", "/inbox/reopen/"):
        assert client.post(path, {"act": "accept", "proposal": proposal.id}).status_code == 403
    assert reload_proposal(proposal).status == "pending"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/inbox/", "javascript:alert(1)"])
def test_no_form_or_link_of_the_inbox_leads_to_another_site(alice: Client, elsewhere: str) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.")
    assert alice.post("/inbox/decide/", {"next": elsewhere})["Location"] == "/inbox/"
    html = alice.get(f"/inbox/{proposal.id}/edit/", {"next": elsewhere}).content.decode()
    assert f'href="{elsewhere}"' not in html
    assert alice.post(f"/inbox/{proposal.id}/accept/", {"next": elsewhere})["Location"] == "/inbox/"


def test_inbox_pages_are_not_cached(alice: Client) -> None:
    proposal, talk = create_proposal("alice", "We chose the blue tile."), create_conversation("alice")
    for path in ("/inbox/", f"/inbox/{proposal.id}/", f"/conversations/{talk.id}/"):
        assert alice.get(path)["Cache-Control"] == "private, no-store"
