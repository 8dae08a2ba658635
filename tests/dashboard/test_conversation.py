"""`/conversations/{id}/`: what was said, word for word, what was noticed in it, and what was read of it."""

import re
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from memory_app.engine.conversations.add_turns import mark_ended
from memory_app.engine.venue_context import VenueNames
from memory_app.models import Conversation, ExtractionRun
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_conversation, create_proposal, extract_proposals

SECRET = [("user", "My card number is 4111 1111 1111 1111."), ("assistant", "Understood.")]


def page(client: Client, conversation: Conversation, query: str = "") -> str:
    answer = client.get(f"/conversations/{conversation.id}/{query}")
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_the_whole_dialogue_is_shown_with_its_quotes_marked(alice: Client) -> None:
    talk = create_conversation("alice", external_id="thread-1")
    proposal = create_proposal("alice", "The budget.", of=talk, quoting=["the budget is 50,000 dollars"])
    html = page(alice, talk)
    assert "thread-1" in html
    assert len(re.findall(r'class="turn[ "]', html)) == 8
    assert html.count("<strong>You</strong>") == html.count("<strong>Assistant</strong>") == 4
    assert "We decided to renovate the kitchen, and <mark>the budget is 50,000 dollars</mark>." in html
    assert f'<a href="/inbox/{proposal.id}/">' in html
    assert ">waits</span>" in html
    alice.post(f"/inbox/{proposal.id}/reject/")
    assert ">rejected</span>" in page(alice, talk)


def test_reading_runs_are_listed_with_counts(alice: Client) -> None:
    talk = create_conversation("alice")
    assert "Nothing has read it yet" in page(alice, talk)
    proposals = extract_proposals(talk)
    with every_space():
        ExtractionRun.objects.update(milliseconds=1234, error="The model was down: the local result stands.")
    html = page(alice, talk)
    assert "it ended" in html
    assert "1–8" in html
    assert "1,234" in html
    assert "Keepsake’s own rules" in html
    assert "The model was down: the local result stands." in html
    run = alice.get(f"/conversations/{talk.id}/?format=json").json()["runs"][0]
    assert (run["read"], run["proposed"], run["trigger"]) == (8, len(proposals), "end")


def test_rejected_model_answers_are_shown_with_a_reason(alice: Client) -> None:
    talk = create_conversation("alice")
    extract_proposals(talk)
    with every_space():
        ExtractionRun.objects.update(dropped={"unknown turn": 2, "quote not said": 1})
    assert "Not used: 1 × quote not said, 2 × unknown turn." in page(alice, talk)
    assert "Not used: 1 × quote not said" in alice.get(f"/people/{talk.person_id}/").content.decode()
    run = alice.get(f"/conversations/{talk.id}/?format=json").json()["runs"][0]
    assert run["dropped"] == {"unknown turn": 2, "quote not said": 1}


def test_sensitive_text_is_hidden_until_revealed(alice: Client) -> None:
    talk = create_conversation("alice", SECRET)
    path = f"/conversations/{talk.id}/"
    assert "4111 1111" not in page(alice, talk)
    assert "4111 1111" not in alice.get(f"{path}?format=json").content.decode()
    alice.post(f"{path}reveal/")
    assert "4111 1111 1111 1111" in page(alice, talk)
    alice.post(f"{path}reveal/", {"hide": "1"})
    assert "4111 1111" not in page(alice, talk)


def test_commands_and_failed_turns_are_marked_differently(alice: Client) -> None:
    talk = create_conversation("alice", [("user", "Set a timer.")])
    with every_space():
        talk.turns.update(mode="command", outcome="failed")
    html = page(alice, talk)
    assert ">command</span>" in html
    assert ">failed</span>" in html


def test_a_long_conversation_is_shown_in_pages(alice: Client) -> None:
    talk = create_conversation("alice", [("user", f"Sentence {number}.") for number in range(230)])
    assert "Page 1 of 3" in page(alice, talk)
    assert "Sentence 99." in page(alice, talk)
    assert "Sentence 100." not in page(alice, talk)
    assert "Sentence 229." in page(alice, talk, "?page=3")
    assert 'id="turn-150"' in page(alice, talk, "?turn=150")
    assert "Page 3 of 3" in page(alice, talk, "?page=99999999999")
    assert "Page 1 of 3" in page(alice, talk, "?page=x&turn=-1")


def test_a_conversation_links_to_its_follow_up(alice: Client) -> None:
    talk = create_conversation("alice", external_id="thread-1", place=VenueNames("family"))
    mark_ended(conversation=talk, now=timezone.now())
    later = create_conversation(
        "alice", external_id="thread-1", place=VenueNames("family"), now=timezone.now() + timedelta(minutes=1)
    )
    assert later.id != talk.id
    assert f'href="/conversations/{later.id}/">a later one' in page(alice, talk)
    html = page(alice, later)
    assert f'href="/conversations/{talk.id}/">an earlier one' in html
    assert "In family." in html


def test_a_memory_links_to_its_conversation(alice: Client) -> None:
    talk = create_conversation("alice")
    proposal = create_proposal("alice", "I practise every evening", of=talk)
    alice.post(f"/inbox/{proposal.id}/accept/")
    memory = alice.get("/memories/?format=json").json()["items"][0]["id"]
    html = alice.get(f"/memories/{memory}/").content.decode()
    assert f'href="/conversations/{talk.id}/"' in html
