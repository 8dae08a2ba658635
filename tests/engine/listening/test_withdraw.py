"""What waits is let go once a later run sees that it was told otherwise since; and comes back when that is undone."""

import pytest

from memory_app.embedding.encoder import Encoder, current
from memory_app.engine.author import Author
from memory_app.engine.listening.propose import Proposed, propose
from memory_app.engine.listening.undo_run import undo_run
from memory_app.engine.listening.withdraw import CHANGED_SINCE
from memory_app.jobs import refine_run
from memory_app.models import Conversation, ExtractionRun, Operation, Proposal, Trigger
from memory_app.models.scope import every_space
from tests.conftest import Api
from tests.model_server import ModelServer, answers

pytestmark = pytest.mark.django_db

IDLE = Author("job", "idle")
SAID_AT = "2026-05-04T10:00:00+00:00"
LATER = "2026-05-05T10:00:00+00:00"
BESIDE = ("what's a good pasta recipe?", "which wine goes with it?")


ITEM = {
    "summary": "Alice's recital was moved to 15 May 2026",
    "content": "Alice's recital was moved to 15 May 2026",
    "type": "event",
    "category": "personal",
    "key": "",
    "keywords": ["recital"],
    "confidence": 0.8,
    "global_safe": False,
    "candidate": None,
    "relation": None,
}


@pytest.fixture(autouse=True)
def _real(real_encoder: Encoder) -> None:
    """Closeness matters here."""


def opened(api: Api) -> str:
    conversation: str = api.post("/conversations", {"person": "alice"}).json()["id"]
    return conversation


def run(api: Api, conversation: str, *said: str, at: str = SAID_AT) -> Proposed:
    """What comes of the next turns of a conversation, read as they fall idle."""
    turns = []
    for text in (*said, *BESIDE):
        turns.append({"role": "user", "content": text, "spoken_at": at})
        turns.append({"role": "assistant", "content": "Here is what I found.", "spoken_at": at})
    assert api.post(f"/conversations/{conversation}/turns", {"turns": turns}).status_code == 201
    with every_space():
        row = Conversation.objects.get(id=conversation)
    return propose(
        space=row.space_id,
        conversation=row.id,
        trigger=Trigger.IDLE,
        author=IDLE,
        now=row.last_turn_at,
        encoder=current(),
    )


def stands(api: Api) -> list[tuple[str, str]]:
    items = [
        item
        for status in ("pending", "expired")
        for item in api.get(f"/proposals?person=alice&status={status}").json()["items"]
    ]
    return [(item["content"], item["status"]) for item in sorted(items, key=lambda item: str(item["id"]))]


MOVED = [
    ("My recital is on the 12th.", "The recital got moved to the 15th."),
    ("My recital is on the 12th.", "it got moved to the 15th"),
    ("The meeting is on Tuesday.", "we cancelled the meeting"),
    ("My sister's wedding is in June.", "the wedding has been postponed to September"),
    ("The wedding is on June 12th.", "sorry, I meant the 15th!"),
]


@pytest.mark.parametrize(("first", "later"), MOVED)
def test_a_plan_that_changes_after_it_was_put_up_is_withdrawn(api: Api, first: str, later: str) -> None:
    conversation = opened(api)
    (old,) = run(api, conversation, first).proposals
    (new,) = run(api, conversation, later).proposals
    assert stands(api) == [(old.content, "expired"), (new.content, "pending")]
    with every_space():
        gone = Proposal.objects.get(id=old.id)
        (logged,) = Operation.objects.filter(name="withdraw")
    assert (gone.reject_reason, gone.decided_by) == (CHANGED_SINCE, IDLE.label)
    assert (logged.detail["proposal"], logged.detail["run"]) == (str(old.id), str(new.run_id))


def test_so_is_one_that_is_told_of_another_day(api: Api) -> None:
    conversation = opened(api)
    (old,) = run(api, conversation, "My recital is on the 12th.").proposals
    (new,) = run(api, conversation, "My recital is on the 15th.").proposals
    assert stands(api) == [(old.content, "expired"), (new.content, "pending")]


@pytest.mark.parametrize("candidate", [None, 1])
def test_so_is_one_of_which_only_a_language_model_sees_it(api: Api, server: ModelServer, candidate: int | None) -> None:
    conversation = opened(api)
    (old,) = run(api, conversation, "My recital is on the 12th.").proposals
    said = "about that recital thing: turns out they'd rather have us play on the 15th"
    seen = run(api, conversation, said).run
    assert seen is not None
    item = {**ITEM, "candidate": candidate, "quotes": [{"turn": 1, "text": said}]}
    server.will(answers({"items": [item], "dismissed": []}))
    refine_run(str(seen.space_id), str(seen.id))
    assert (old.content, "expired") in stands(api)
    assert (ITEM["content"], "pending") in stands(api)


def test_it_can_be_opened_again(api: Api) -> None:
    conversation = opened(api)
    (old,) = run(api, conversation, *MOVED[0][:1]).proposals
    (new,) = run(api, conversation, *MOVED[0][1:]).proposals
    assert api.post(f"/proposals/{old.id}/reopen", {}).status_code == 200
    assert stands(api) == [(old.content, "pending"), (new.content, "pending")]


def test_undoing_the_run_that_withdrew_it_has_it_wait_again(api: Api) -> None:
    conversation = opened(api)
    (old,) = run(api, conversation, *MOVED[0][:1]).proposals
    seen = run(api, conversation, *MOVED[0][1:]).run
    assert seen is not None
    with every_space():
        undo_run(run=ExtractionRun.objects.get(id=seen.id), author=Author("user", "alice"), now=seen.started_at)
    assert stands(api) == [(old.content, "pending")]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("My recital is on the 12th.", "My recital got moved to the 15th."),
        ("I have a dentist appointment on Friday.", "My dentist appointment was cancelled."),
        ("My thesis defence is on 12 May.", "I cancelled my thesis defence."),
        ("My sister's wedding is in June.", "My sister's wedding has been postponed to September."),
    ],
)
def test_in_another_conversation_it_is_known_by_its_owner_and_name(api: Api, first: str, later: str) -> None:
    (old,) = run(api, opened(api), first).proposals
    (new,) = run(api, opened(api), later, at=LATER).proposals
    assert stands(api) == [(old.content, "expired"), (new.content, "pending")]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("I have a meeting with Bob on Tuesday.", "We cancelled the meeting."),
        ("Tom's birthday party is on Saturday.", "My birthday party got moved to Sunday."),
        ("My piano recital is on the 12th.", "My dance recital got moved to the 15th."),
        ("My recital is on the 12th.", "My recital went really well, I played Chopin."),
    ],
)
def test_what_may_be_another_plan_stays(api: Api, first: str, later: str) -> None:
    (old,) = run(api, opened(api), first).proposals
    run(api, opened(api), later, at=LATER)
    assert (old.content, "pending") in stands(api)


def test_so_does_one_that_was_over_by_then(api: Api) -> None:
    (old,) = run(api, opened(api), "My recital is on 12 May.").proposals
    run(api, opened(api), "My recital got moved to 15 September.", at="2026-08-01T10:00:00+00:00")
    assert (old.content, "pending") in stands(api)


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("My dentist appointment was cancelled.", "I have a dentist appointment on Friday."),
        ("My recital got moved to the 15th.", "My recital is on the 20th."),
    ],
)
def test_what_was_said_earlier_and_is_read_later_withdraws_nothing(api: Api, first: str, later: str) -> None:
    left_open = opened(api)
    (new,) = run(api, opened(api), later, at=LATER).proposals
    assert [found.relation for found in run(api, left_open, first).proposals] == ["new"]
    assert (new.content, "pending") in stands(api)


def test_what_was_decided_on_is_left_as_it_was(api: Api) -> None:
    conversation = opened(api)
    (old,) = run(api, conversation, *MOVED[0][:1]).proposals
    assert api.post(f"/proposals/{old.id}/accept", {}).status_code == 200
    (new,) = run(api, conversation, *MOVED[0][1:]).proposals
    assert new.relation == "conflict"
    assert stands(api) == [(new.content, "pending")]
