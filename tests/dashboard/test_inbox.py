"""`/inbox/`: what was noticed is shown with the words it came from, and decided on by its person alone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memory_app.engine.venue_context import VenueNames
from memory_app.models import Proposal
from memory_app.models.row_security import every_space
from tests.dashboard.factories import (
    create_conversation,
    create_memory,
    create_proposal,
    extract_proposals,
    memory_contents,
    one_line,
    reload_memory,
    reload_proposal,
)

SWAP = {"HX-Request": "true", "HX-Target": "results"}


def page(client: Client, path: str = "/inbox/", **parameters: str) -> str:
    answer = client.get(path, parameters)
    assert answer.status_code == 200, answer.content
    return one_line(answer.content.decode())


def act(client: Client, proposal: Proposal, verb: str, **data: Any) -> str:
    """What the page says after a form was sent."""
    answer = client.post(f"/inbox/{proposal.id}/{verb}/", data, follow=True)
    assert answer.status_code == 200, answer.content
    return one_line(answer.content.decode())


def shown(client: Client, **parameters: str) -> list[str]:
    """Summaries in the list, by its JSON twin."""
    answer = client.get("/inbox/", {**parameters, "format": "json"}).json()
    return [item["summary"] for item in answer["items"]]


def shown_memories(client: Client) -> list[str]:
    """What the list of memories shows as current."""
    return [item["content"] for item in client.get("/memories/?format=json").json()["items"]]


def counts(client: Client, facet: str, **parameters: str) -> dict[str, int]:
    found: dict[str, int] = client.get("/inbox/", {**parameters, "format": "json"}).json()["facets"].get(facet, {})
    return found


def test_the_json_twin_lists_recent_decisions(alice: Client, bob: Client) -> None:
    proposal = create_proposal("alice", "Alice plays the cello")
    act(alice, proposal, "reject", reason="Not true")
    [told] = alice.get("/inbox/?format=json").json()["decisions"]
    assert (told["status"], told["author"], told["reason"]) == ("rejected", "user:alice", "Not true")
    assert told["proposals"] == [str(proposal.id)]
    assert bob.get("/inbox/?format=json").json()["decisions"] == []


def about(relation: str, old: str, new: str, **fields: Any) -> Proposal:
    """A proposal of Alice's that is about a memory she has."""
    return create_proposal("alice", new, relation=relation, target_id=create_memory("alice", old).id, **fields)


def test_a_proposal_is_shown_with_the_words_it_came_from(alice: Client) -> None:
    talk = create_conversation("alice")
    create_proposal("alice", "The kitchen budget is 50,000 dollars.", of=talk, quoting=["the budget is 50,000 dollars"])
    html = page(alice)
    assert "<mark>the budget is 50,000 dollars</mark>." in html
    assert "Welcome back! How was it?" in html
    assert "That is a big project. Anything else?" in html
    assert "Hi! I just got back" not in html
    assert f'href="/conversations/{talk.id}/?turn=2#turn-2"' in html


def test_a_proposal_says_how_sure_why_and_who_would_see_it(alice: Client) -> None:
    create_proposal(
        "alice", "We chose the blue tile.", confidence=0.72, reason="states a decision", category="personal"
    )
    html = page(alice)
    assert "fairly sure, 0.72" in html
    assert "States a decision." in html
    assert "Under Personal. Only you. It comes up in private talks with you, and nowhere else." in html


def test_proposals_from_a_shared_space_name_its_audience(alice: Client) -> None:
    talk = create_conversation("alice", place=VenueNames("family", "cooks", restricted=True))
    with every_space():
        channel = talk.channel_id
    create_proposal("alice", "I practise every evening", of=talk, channel_id=channel)
    assert "Only you: in private, and in the channel “cooks” of family, where it was said." in page(alice)


def test_sensitive_surrounding_turns_are_hidden(alice: Client) -> None:
    turns = [("assistant", "Which card?"), ("user", "I have a new card. It is 4111 1111 1111 1111.")]
    create_proposal(
        "alice", "Alice has a new card.", of=create_conversation("alice", turns), quoting=["I have a new card."]
    )
    html = page(alice)
    assert "<mark>I have a new card.</mark>" in html
    assert "4111 1111" not in html
    assert "4111 1111" not in alice.get("/inbox/?format=json").content.decode()


def test_a_proposal_warns_in_its_last_week(alice: Client) -> None:
    now = timezone.now()
    create_proposal("alice", "We chose the blue tile.", created_at=now - timedelta(days=27, hours=1))
    create_proposal("alice", "Bob plays chess.", created_at=now - timedelta(days=20))
    assert page(alice).count("badge expires") == 1
    assert "2 things were noticed</a> and wait to be decided on; 1 of them expires within a week." in page(alice, "/")


@pytest.mark.parametrize(
    ("relation", "heading"),
    [
        ("supersede", "It would replace a memory"),
        ("conflict", "It may not hold beside a memory"),
        ("merge", "It is much like a memory you have"),
        ("duplicate", "This is kept already"),
    ],
)
def test_a_proposal_shows_the_memory_it_would_change(alice: Client, relation: str, heading: str) -> None:
    about(relation, "We chose the red tile.", "We chose the blue tile.")
    html = page(alice)
    assert heading in html
    assert "We chose the <del>red</del> tile." in html
    assert "We chose the <ins>blue</ins> tile." in html


def test_a_proposal_hides_a_sensitive_neighbour(alice: Client) -> None:
    about("merge", "My card number is 4111 1111 1111 1111.", "Alice has a card.")
    html = page(alice)
    assert "It is much like a memory you have that is sensitive" in html
    assert "4111 1111" not in html
    assert "/merge/" not in html


def test_accepting_saves_a_memory_and_can_be_undone(alice: Client) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.", type="decision")
    html = act(alice, proposal, "accept")
    assert "Kept." in html
    assert memory_contents("alice") == {"We chose the blue tile."}
    assert shown(alice) == []
    alice.post("/inbox/reopen/", {"proposal": [proposal.id]})
    assert memory_contents("alice") == set()
    assert shown(alice) == ["We chose the blue tile."]


def test_recent_decisions_can_be_undone(alice: Client) -> None:
    first, second = create_proposal("alice", "We chose the blue tile."), create_proposal("alice", "Bob plays chess.")
    act(alice, first, "accept")
    act(alice, second, "reject", reason="Not worth keeping")
    page(alice)
    lately = page(alice).partition('id="decided-lately"')[2]
    assert "You rejected" in lately
    assert "Not worth keeping" in lately
    assert "You kept" in lately
    assert f'name="proposal" value="{second.id}"' in lately
    said_then = alice.post("/inbox/reopen/", {"proposal": [second.id]}, follow=True).content.decode()
    assert "Undone: it waits again." in said_then
    assert shown(alice) == ["Bob plays chess."]


def test_a_proposal_can_be_edited_before_it_is_accepted(alice: Client) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.", summary="Tile")
    assert "We chose the blue tile.</textarea>" in page(alice, f"/inbox/{proposal.id}/edit/")
    act(
        alice,
        proposal,
        "edit",
        content="We chose the green tile.",
        summary="Tile",
        type="decision",
        category="personal",
    )
    memory = reload_proposal(proposal).memory_id
    assert memory is not None
    now = reload_memory(memory)
    assert (now.content, now.type, now.category) == ("We chose the green tile.", "decision", "personal")
    assert now.summary == "We chose the green tile."


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ({"content": "", "type": "fact", "category": "fact"}, "This field is required."),
        ({"content": "My card is 4111 1111 1111 1111.", "type": "fact", "category": "fact"}, "Sensitive text"),
        ({"content": "The tile", "type": "dream", "category": "fact"}, "dream is not one of the available choices."),
    ],
)
def test_an_invalid_edit_keeps_the_typed_text(alice: Client, typed: dict[str, str], error: str) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.")
    answer = alice.post(f"/inbox/{proposal.id}/edit/", typed)
    assert answer.status_code == 422
    assert error in answer.content.decode()
    assert f"{typed['content']}</textarea>" in answer.content.decode()
    assert reload_proposal(proposal).status == "pending"


def test_a_proposal_is_merged_into_a_similar_memory(alice: Client) -> None:
    old = create_memory("alice", "Alice takes oat milk.")
    new = "Alice takes oat milk in her coffee."
    proposal = create_proposal("alice", new, relation="merge", target_id=old.id)
    assert f"{new}</textarea>" in page(alice, f"/inbox/{proposal.id}/merge/")
    assert alice.post(f"/inbox/{proposal.id}/merge/", {"merged": " "}).status_code == 422
    assert "Merged into one memory." in act(alice, proposal, "merge", merged="Oat milk, in coffee and in tea.")
    assert memory_contents("alice") == {"Oat milk, in coffee and in tea."}
    act(alice, proposal, "reopen")
    assert memory_contents("alice") == {"Alice takes oat milk."}


def test_a_rejection_reason_is_saved(alice: Client) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.")
    act(alice, proposal, "reject", reason="Not true" + "!" * 300)
    assert reload_proposal(proposal).reject_reason == "Not true" + "!" * 192
    assert "Not true!" in page(alice, f"/inbox/{proposal.id}/")


def test_snoozing_lasts_until_morning_in_the_readers_time_zone(alice: Client) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.")
    proposal.person.timezone = "Asia/Tokyo"
    proposal.person.save()
    act(alice, proposal, "snooze", until="week")
    until = reload_proposal(proposal).snoozed_until
    assert until is not None
    assert (until.hour, until.minute) == (23, 0)
    assert timedelta(days=6) < until - timezone.now() < timedelta(days=8)
    assert shown(alice) == []
    assert shown(alice, status="snoozed") == ["We chose the blue tile."]
    assert "put off until" in page(alice, status="snoozed")
    act(alice, proposal, "reopen")
    assert shown(alice) == ["We chose the blue tile."]


def test_a_proposal_decided_meanwhile_is_reported_and_not_decided_again(alice: Client) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.")
    act(alice, proposal, "reject")
    for verb in ("accept", "reject", "snooze"):
        assert "This was rejected already; undo that first." in act(alice, proposal, verb)
    form = {"content": "x", "type": "fact", "category": "fact"}
    assert alice.post(f"/inbox/{proposal.id}/edit/", form).status_code == 200
    assert memory_contents("alice") == set()


def test_several_are_decided_on_together_and_undone_together(alice: Client) -> None:
    first, second, third = (
        create_proposal("alice", text) for text in ("Blue tile.", "Bob plays chess.", "Tea at five.")
    )
    answer = alice.post("/inbox/decide/", {"act": "accept", "proposal": [first.id, second.id]}, follow=True)
    assert "Kept 2 proposals." in answer.content.decode()
    assert memory_contents("alice") == {"Blue tile.", "Bob plays chess."}
    assert shown(alice) == [third.summary]
    assert "You kept 2 proposals" in page(alice)
    answer = alice.post("/inbox/reopen/", {"proposal": [first.id, second.id]}, follow=True)
    assert "Undone: 2 wait again." in answer.content.decode()
    assert memory_contents("alice") == set()


@pytest.mark.parametrize(("verb", "status"), [("reject", "rejected"), ("tomorrow", "snoozed"), ("week", "snoozed")])
def test_only_proposals_matching_the_filters_are_decided(alice: Client, verb: str, status: str) -> None:
    for number in range(25):
        create_proposal("alice", f"Event {number} of {number * 7919}.", type="event")
    create_proposal("alice", "Bob plays chess.")
    seen = timezone.now().isoformat()
    create_proposal("alice", "An event that came in later.", type="event")
    form = {"act": verb, "every": "on", "seen": seen, "next": "/inbox/?type=event"}
    answer = alice.post("/inbox/decide/", form)
    assert answer["Location"] == "/inbox/?type=event"
    assert sorted(shown(alice)) == ["An event that came in later.", "Bob plays chess."]
    assert counts(alice, "status", type="event")[status] == 25


@pytest.mark.parametrize(
    "form", [{}, {"act": "accept"}, {"act": "erase", "every": "on"}, {"act": "accept", "proposal": "x"}]
)
def test_deciding_without_a_selection_does_nothing(alice: Client, form: dict[str, str]) -> None:
    create_proposal("alice", "We chose the blue tile.")
    assert "Tick the proposals first." in alice.post("/inbox/decide/", form, follow=True).content.decode()
    assert shown(alice) == ["We chose the blue tile."]


def test_the_list_is_filtered_by_query_parameters(alice: Client) -> None:
    talk = create_conversation("alice", external_id="thread-1")
    create_proposal("alice", "The budget.", of=talk, quoting=["the budget is 50,000 dollars"], type="decision")
    other = create_conversation("alice", now=datetime(2026, 3, 3, 14, 5, tzinfo=UTC))
    create_proposal("alice", "Anna moved to Lisbon.", of=other, quoting=["Lisbon"], type="event", relation="supersede")
    create_proposal("alice", "Bob plays chess.", type="event")
    assert sorted(shown(alice, type="event")) == ["Anna moved to Lisbon.", "Bob plays chess."]
    assert shown(alice, type="event", relation="supersede") == ["Anna moved to Lisbon."]
    assert shown(alice, conversation=str(talk.id)) == ["The budget."]
    assert shown(alice, q="50,000 DOLLARS") == ["The budget."]
    assert shown(alice, q="lisbon") == ["Anna moved to Lisbon."]
    assert shown(alice, q="turn") == []
    assert counts(alice, "type") == {"event": 2, "decision": 1}
    assert counts(alice, "relation", type="event") == {"new": 1, "supersede": 1}
    assert counts(alice, "status", type="event")["waiting"] == 2
    html = page(alice)
    assert "thread-1" in html
    assert "3 March, 14:05" in html


@pytest.mark.parametrize(
    "query",
    ["status=?", "type=dream&page=0", "page=99999999", "conversation=x", "q=%00", "q=%25&page=-1", "person=bob"],
)
def test_invalid_query_parameters_still_show_the_page(alice: Client, query: str) -> None:
    create_proposal("alice", "We chose the blue tile.")
    assert alice.get(f"/inbox/?{query}").status_code == 200
    assert alice.get(f"/inbox/?{query}&format=json").status_code == 200


def test_every_page_counts_open_proposals(alice: Client, root: Client) -> None:
    for person, text in (("alice", "We chose the blue tile."), ("alice", "Tea at five."), ("bob", "Bob plays chess.")):
        create_proposal(person, text)
    for path in ("/", "/inbox/", "/memories/", "/deleted/", "/account/", "/account/password/"):
        assert '<span id="waiting" class="count">2<' in page(alice, path), path
    assert '<span id="waiting" class="count">3<' in page(root, "/")
    alice.post("/inbox/decide/", {"act": "week", "every": "on", "next": "/inbox/"})
    assert 'class="count"' not in page(alice, "/")


def test_a_swap_replaces_only_the_changed_card(alice: Client) -> None:
    first, second = create_proposal("alice", "We chose the blue tile."), create_proposal("alice", "Bob plays chess.")
    form = {"next": f"/inbox/?status=all#proposal-{second.id}"}
    answer = alice.post(f"/inbox/{first.id}/accept/", form, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert "<article" not in html
    assert '<span id="waiting" hx-swap-oob="true" class="count">1<' in html
    assert "<strong>2</strong> proposals" in html
    assert "Kept." in html
    assert "You kept" in html
    assert "decided" in answer["HX-Trigger-After-Settle"]


def test_a_failed_swap_reloads_the_list(alice: Client) -> None:
    proposal = create_proposal("alice", "We chose the blue tile.")
    act(alice, proposal, "reject")
    answer = alice.post(f"/inbox/{proposal.id}/accept/", {"next": "/inbox/"}, headers={"HX-Request": "true"})
    assert answer["HX-Retarget"] == "#results"
    assert "This was rejected already" in answer.content.decode()


def test_a_part_is_swapped_by_the_filters(alice: Client) -> None:
    create_proposal("alice", "We chose the blue tile.")
    html = alice.get("/inbox/?status=all", headers=SWAP).content.decode()
    assert "<html" not in html
    assert '<div id="announce" hx-swap-oob="innerHTML">1 proposal</div>' in html


def test_the_json_twins_match_the_pages(alice: Client) -> None:
    talk = create_conversation("alice")
    old = create_memory("alice", "Alice takes oat milk.")
    create_proposal(
        "alice",
        "Alice takes oat milk in her coffee.",
        of=talk,
        quoting=["I practise every evening"],
        relation="merge",
        target_id=old.id,
    )
    listed = alice.get("/inbox/", headers={"Accept": "application/json"}).json()
    item = listed["items"][0]
    assert (listed["total"], listed["page"], listed["pages"], listed["next"]) == (1, 1, 1, None)
    assert item["draft"] == "Alice takes oat milk in her coffee."
    assert item["target"] == str(old.id)
    assert [line["speaker"] for line in item["dialogue"]] == ["Assistant", "You", "Assistant"]
    assert [line["quoted"] for line in item["dialogue"]] == [False, True, False]
    one = alice.get(f"/inbox/{item['id']}/", headers={"Accept": "application/json"}).json()
    assert one == item


def test_extracted_proposals_are_shown_verbatim(alice: Client) -> None:
    proposals = extract_proposals(create_conversation("alice"))
    html = page(alice)
    assert proposals
    for proposal in proposals:
        assert proposal.summary.replace("'", "&#x27;") in html
    assert html.count("<mark>") >= len(proposals)


@pytest.mark.parametrize("until", ["rubbish", "", "2026-02-30"])
def test_snoozing_until_an_invalid_day_is_refused(alice: Client, until: str) -> None:
    one = create_proposal("alice", "Alice plays the cello")
    answer = alice.post(f"/inbox/{one.id}/snooze/", {"until": until})
    assert answer.status_code == 400
    assert "until=tomorrow or until=week" in answer.content.decode()
    assert reload_proposal(one).snoozed_until is None
