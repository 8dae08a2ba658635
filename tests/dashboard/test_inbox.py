"""`/inbox/`: what was noticed is shown with the words it came from, and decided on by its person alone."""

from django.test import Client

from .proposals import noticed, said


def page(client: Client, path: str = "/inbox/", **parameters: str) -> str:
    answer = client.get(path, parameters)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_a_proposal_is_shown_with_the_words_it_came_from(alice: Client) -> None:
    talk = said("alice", external_id="thread-1")
    noticed("alice", "The kitchen budget is 50,000 dollars.", of=talk, quoting=["the budget is 50,000 dollars"])
    html = page(alice)
    assert "<mark>the budget is 50,000 dollars</mark>" in html
    assert "Welcome back! How was it?" in html
    assert "That is a big project. Anything else?" in html
    assert "Hi! I just got back" not in html
    assert f"/conversations/{talk.id}/?turn=2#turn-2" in html
