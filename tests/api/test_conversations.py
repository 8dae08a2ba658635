"""Conversations over the API: heard, noticed, put to the person, and kept only if they say so."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db.models import F
from django.utils import timezone

from memory_app.jobs import JOBS, propose_from
from memory_app.models import ApiKey, ExtractionRun, Memory, Note, Proposal, Turn
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

TALK = [
    ("user", "Hi! I just got back from the weekend."),
    ("assistant", "Welcome back! How was it?"),
    ("user", "We decided to renovate the kitchen, and the budget is 50,000 dollars."),
    ("assistant", "That is a big project. Anything else?"),
    ("user", "My sister Anna moved to Lisbon last month and works as a nurse there."),
    ("assistant", "How nice for her."),
    ("user", "I started playing the cello in March, I practise every evening."),
    ("assistant", "Wonderful!"),
]


def talk(api: Api, person: str = "alice", **opened: object) -> str:
    """A conversation with TALK in it; its id."""
    conversation = api.post("/conversations", {"person": person, **opened}).json()["id"]
    turns = [{"role": role, "content": content} for role, content in TALK]
    answer = api.post(f"/conversations/{conversation}/turns", {"turns": turns})
    assert answer.status_code == 201, answer.content
    return str(conversation)


def test_turns_are_stored_in_order_and_found_at_once(api: Api) -> None:
    conversation = talk(api)
    one = api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": "The tiles will be blue."})
    assert one.json()["items"][0]["position"] == 8
    found = api.post("/search", {"person": "alice", "query": "tiles", "kinds": ["turn"], "method": "text"}).json()
    assert [result["turn"]["content"] for result in found["results"]] == ["The tiles will be blue."]
    assert found["results"][0]["memory"] is None


def test_the_same_external_id_is_the_same_conversation(api: Api) -> None:
    first = api.post("/conversations", {"person": "alice", "external_id": "thread-1"}).json()
    again = api.post("/conversations", {"person": "alice", "external_id": "thread-1"}).json()
    other = api.post("/conversations", {"person": "bob", "external_id": "thread-1"}).json()
    assert first["id"] == again["id"] != other["id"]


def test_ending_asks_and_keeps_nothing(api: Api) -> None:
    ended = api.post(f"/conversations/{talk(api)}/end", {}).json()
    assert 1 <= len(ended["proposals"]) <= 5
    assert ended["message"].startswith("Should I remember anything from our conversation? I noticed:\n1. ")
    for proposal in ended["proposals"]:
        for quote in proposal["quotes"]:
            assert quote["text"] in TALK[quote["position"]][1]
            assert TALK[quote["position"]][0] == "user"
    assert api.get("/memories?person=alice").json()["items"] == []


def test_exactly_what_was_chosen_is_kept(api: Api) -> None:
    conversation = talk(api)
    proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert len(proposals) >= 3
    reply = api.post(f"/conversations/{conversation}/reply", {"text": "all but the second"}).json()
    assert [item["proposal"] for item in reply["accepted"]] == [p["id"] for n, p in enumerate(proposals) if n != 1]
    assert [item["id"] for item in reply["rejected"]] == [proposals[1]["id"]]
    kept = api.get("/memories?person=alice&order=oldest").json()["items"]
    assert [item["content"] for item in kept] == [p["content"] for n, p in enumerate(proposals) if n != 1]
    assert {item["source"]["type"] for item in kept} == {"extracted"}
    assert all(item["source"]["conversation"] == conversation and item["source"]["turns"] for item in kept)
    assert reply["message"] == f"Got it, I'll remember those {len(proposals) - 1} things."


def test_what_an_answer_leaves_open_is_named_until_it_is_answered(api: Api) -> None:
    conversation = talk(api)
    proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert len(proposals) == 3
    first = api.post(f"/conversations/{conversation}/reply", {"text": "not 2"}).json()
    assert [item["id"] for item in first["rejected"]] == [proposals[1]["id"]]
    assert first["message"] == (
        "Okay, I won't remember that. Numbers 1 and 3 still wait: say 'yes', 'no', or which of them to remember."
    )
    second = api.post(f"/conversations/{conversation}/reply", {"text": "1 but not 2"}).json()
    assert [item["proposal"] for item in second["accepted"]] == [proposals[0]["id"]]
    assert second["message"] == (
        "Got it, I'll remember that. Number 3 still waits: say 'yes', 'no', or which of them to remember."
    )
    third = api.post(f"/conversations/{conversation}/reply", {"text": "forget it"}).json()
    assert [item["id"] for item in third["rejected"]] == [proposals[2]["id"]]
    assert third["message"] == "Okay, I won't remember any of that."


def test_whoever_says_not_now_refuses_nothing(api: Api) -> None:
    conversation = talk(api)
    proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    later = api.post(f"/conversations/{conversation}/reply", {"text": "Not now"}).json()
    assert later == {"accepted": [], "rejected": [], "message": "Okay, that can wait: you find it in your inbox."}
    waiting = api.get("/proposals?person=alice&status=pending").json()["items"]
    assert {item["id"] for item in waiting} == {item["id"] for item in proposals}


def test_an_unclear_reply_is_told_which_numbers_there_are(api: Api) -> None:
    conversation = talk(api)
    proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert len(proposals) == 3
    unclear = api.post(f"/conversations/{conversation}/reply", {"text": "4"}).json()
    assert (unclear["accepted"], unclear["rejected"]) == ([], [])
    assert unclear["message"].startswith("I did not understand that. There are 1, 2 and 3. Say 'yes', 'no', or ")
    for proposal in proposals[:2]:
        api.post(f"/proposals/{proposal['id']}/reject", {})
    left = api.post(f"/conversations/{conversation}/reply", {"text": "banana"}).json()
    assert left["message"] == "I did not understand that. There is one, number 3: say 'yes' or 'no'."


def test_what_is_kept_and_said_otherwise_now_is_put_up_with_what_it_contradicts(api: Api, real_encoder: object) -> None:
    conversation = talk(api)
    api.post(f"/conversations/{conversation}/end", {})
    api.post(f"/conversations/{conversation}/reply", {"text": "yes"})
    anna = next(item for item in api.get("/memories?person=alice").json()["items"] if "Lisbon" in item["content"])
    other = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [(role, content.replace("Lisbon", "Porto")) for role, content in TALK]
    said = {"turns": [{"role": role, "content": content} for role, content in turns]}
    api.post(f"/conversations/{other}/turns", said)
    (proposal,) = api.post(f"/conversations/{other}/end", {}).json()["proposals"]
    assert "Porto" in proposal["content"]
    assert (proposal["relation"], proposal["target"]) == ("conflict", anna["id"])


def test_no_keeps_nothing_and_is_never_asked_again(api: Api) -> None:
    first = talk(api)
    refused = len(api.post(f"/conversations/{first}/end", {}).json()["proposals"])
    assert api.post(f"/conversations/{first}/reply", {"text": "no thanks"}).json()["accepted"] == []
    again = api.post(f"/conversations/{talk(api)}/end", {}).json()
    assert again == {"proposals": [], "message": ""}
    with every_space():
        assert Proposal.objects.filter(status="rejected").count() == refused
        assert ExtractionRun.objects.order_by("-started_at", "-id")[0].duplicates == refused


def test_an_answer_that_is_not_understood_changes_nothing(api: Api) -> None:
    conversation = talk(api)
    waiting = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    reply = api.post(f"/conversations/{conversation}/reply", {"text": "what's the weather like?"}).json()
    assert (reply["accepted"], reply["rejected"]) == ([], [])
    assert len(api.get("/proposals?person=alice").json()["items"]) == len(waiting)


def test_a_proposal_is_edited_accepted_and_undone(api: Api) -> None:
    proposal = api.post(f"/conversations/{talk(api)}/end", {}).json()["proposals"][0]
    path = f"/proposals/{proposal['id']}"
    accepted = api.post(f"{path}/accept", {"content": "The kitchen budget is 40,000 dollars", "type": "project"}).json()
    assert accepted["memory"]["content"] == "The kitchen budget is 40,000 dollars"
    assert accepted["memory"]["type"] == "project"
    assert api.post(f"{path}/reject", {}).status_code == 409
    assert api.post(f"{path}/reopen", {}).json()["status"] == "pending"
    assert api.get(f"/memories/{accepted['memory']['id']}").status_code == 404


def test_a_snoozed_proposal_waits(api: Api) -> None:
    proposal = api.post(f"/conversations/{talk(api)}/end", {}).json()["proposals"][0]
    later = (timezone.now() + timedelta(days=1)).isoformat()
    assert api.post(f"/proposals/{proposal['id']}/snooze", {"until": later}).json()["snoozed_until"] is not None
    past = (timezone.now() - timedelta(days=1)).isoformat()
    assert api.post(f"/proposals/{proposal['id']}/snooze", {"until": past}).status_code == 422


def test_what_is_put_off_is_listed_until_it_waits_again(api: Api) -> None:
    first, *_ = api.post(f"/conversations/{talk(api)}/end", {}).json()["proposals"]
    path = "/proposals?person=alice&status=snoozed"
    assert api.get(path).json()["items"] == []
    api.post(f"/proposals/{first['id']}/snooze", {"until": (timezone.now() + timedelta(days=1)).isoformat()})
    assert [(one["id"], one["status"]) for one in api.get(path).json()["items"]] == [(first["id"], "pending")]
    assert first["id"] in [one["id"] for one in api.get("/proposals?person=alice").json()["items"]]
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        assert api.get(path).json()["items"] == []


def test_a_conversation_is_read_once_however_often_it_is_asked(api: Api) -> None:
    conversation = talk(api)
    first = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    again = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert [p["id"] for p in first] == [p["id"] for p in again]
    with every_space():
        assert ExtractionRun.objects.count() == 1


def test_what_is_said_after_the_end_opens_a_follow_up(api: Api) -> None:
    conversation = talk(api)
    api.post(f"/conversations/{conversation}/end", {})
    later = api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": "One more thing."}).json()
    more = api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": "And another."}).json()
    assert later["conversation"] == more["conversation"] != conversation
    assert [item["items"][0]["position"] for item in (later, more)] == [0, 1]


def test_ambient_words_are_not_stored_and_commands_are_never_extracted(api: Api) -> None:
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [{"role": "user", "content": content, "mode": "ambient"} for _, content in TALK]
    heard = api.post(f"/conversations/{conversation}/turns", {"turns": turns}).json()
    assert [item["stored"] for item in heard["items"]] == [False] * 8
    turns = [{"role": "user", "content": content, "mode": "command"} for _, content in TALK]
    api.post(f"/conversations/{conversation}/turns", {"turns": turns})
    assert api.post(f"/conversations/{conversation}/end", {}).json()["proposals"] == []
    with every_space():
        assert Turn.objects.count() == 8


def test_paused_memory_stores_nothing_and_says_so(api: Api) -> None:
    api.call("PATCH", "/people/alice", {"memory_enabled": False})
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    heard = api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": "I moved to Rome."}).json()
    assert heard["items"][0]["stored"] is False
    assert "paused" in heard["message"]


def test_the_policy_auto_keeps_what_is_sure_and_notes_the_rest(api: Api) -> None:
    api.call("PATCH", "/people/alice", {"extraction_policy": "auto"})
    ended = api.post(f"/conversations/{talk(api)}/end", {}).json()
    assert ended["proposals"] == []
    with every_space():
        run = ExtractionRun.objects.get()
        assert run.kept == Memory.objects.filter(source_type="extracted").count()
        assert run.noted == Note.objects.count()
        lasting = Memory.objects.filter(source_type="extracted", event_time__isnull=False)
        assert lasting
        assert lasting.filter(event_end__gt=F("event_time")).count() == lasting.count()
        assert run.kept + run.noted >= 3


def test_the_policy_off_reads_nothing(api: Api) -> None:
    api.call("PATCH", "/people/alice", {"extraction_policy": "off"})
    assert api.post(f"/conversations/{talk(api)}/end", {}).json()["proposals"] == []
    with every_space():
        assert ExtractionRun.objects.count() == 0


def test_secrets_are_never_proposed(api: Api) -> None:
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    said = [*(content for _, content in TALK if content), "My card number is 4111 1111 1111 1111, I use it for books."]
    turns = [{"role": "user", "content": content} for content in said]
    api.post(f"/conversations/{conversation}/turns", {"turns": turns})
    ended = api.post(f"/conversations/{conversation}/end", {}).json()
    assert ended["proposals"]
    assert "4111 1111" not in str(ended)


def test_an_idle_conversation_is_read_by_the_worker(api: Api) -> None:
    talk(api)
    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        assert JOBS["attend"].run(lambda done, total: None) == "1 conversation read"
    assert api.get("/proposals?person=alice").json()["items"]


def test_opening_another_conversation_reads_the_one_before(api: Api) -> None:
    conversation = talk(api)
    with every_space():
        space = Turn.objects.all()[0].space_id
    propose_from(str(space), conversation, "switch")
    with every_space():
        assert ExtractionRun.objects.get().trigger == "switch"


def test_the_last_words_after_a_reading_are_read_too(api: Api) -> None:
    conversation = talk(api)
    small_talk = ["It rained again.", "I see.", "Nice.", "Right.", "Okay then.", "Good to know."]
    api.post(f"/conversations/{conversation}/turns", {"turns": [{"role": "user", "content": c} for c in small_talk]})
    with every_space():
        space = Turn.objects.all()[0].space_id
    propose_from(str(space), conversation, "count")
    earlier = api.get("/proposals?person=alice").json()["items"]
    last = ["By the way, my brother Tom moved to Oslo in June and works as a pilot there.", "That is all for today."]
    api.post(f"/conversations/{conversation}/turns", {"turns": [{"role": "user", "content": c} for c in last]})
    ended = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    new = [item for item in ended if item["id"] not in {known["id"] for known in earlier}]
    assert [quote["position"] for item in new for quote in item["quotes"]] == [14]
    assert "Tom" in new[0]["content"]
    with every_space():
        runs = ExtractionRun.objects.order_by("from_position")
        assert [(run.from_position, run.to_position, run.read) for run in runs] == [(0, 14, 14), (14, 16, 2)]


def test_proposals_expire_after_a_month(api: Api) -> None:
    api.post(f"/conversations/{talk(api)}/end", {})
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        JOBS["expire"].run(lambda done, total: None)
    assert api.get("/proposals?person=alice").json()["items"] == []
    assert api.get("/proposals?person=alice&status=expired").json()["items"]


def test_what_is_said_in_a_space_stays_at_its_level(api: Api) -> None:
    conversation = talk(api, venue={"space": "kitchen", "channel": "cooks", "restricted": True})
    proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert {proposal["visibility"] for proposal in proposals} == {"channel"}
    accepted = api.post(f"/proposals/{proposals[0]['id']}/accept", {}).json()["memory"]
    assert (accepted["visibility"], accepted["space"], accepted["channel"]) == ("channel", "kitchen", "cooks")


def test_a_stranger_is_told_nothing_of_a_conversation(api: Api) -> None:
    conversation = talk(api)
    proposal = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"][0]["id"]
    bobs = Api(ApiKey.issue("bob", scopes=["read", "write"], people=["bob"])[1])
    for foreign, missing in (
        (f"/conversations/{conversation}/end", f"/conversations/{uuid4()}/end"),
        (f"/conversations/{conversation}/reply", f"/conversations/{uuid4()}/reply"),
        (f"/proposals/{proposal}/accept", f"/proposals/{uuid4()}/accept"),
        (f"/proposals/{proposal}/reject", f"/proposals/{uuid4()}/reject"),
    ):
        body = {"text": "yes"} if "reply" in foreign else {}
        told, unknown = bobs.post(foreign, body), bobs.post(missing, body)
        assert (told.status_code, told.content) == (404, unknown.content)


def test_a_meeting_and_its_decisions_are_kept(api: Api) -> None:
    answer = api.post(
        "/meetings",
        {
            "person": "alice",
            "title": "Azure migration planning",
            "summary": "We went through the plan for moving the servers.",
            "decisions": ["The servers move in May", "Contoso runs the network"],
            "attendees": ["John", "Mary"],
            "held_at": "2026-03-18T10:00:00Z",
        },
    )
    assert answer.status_code == 201
    kept = answer.json()
    assert (kept["memory"]["type"], kept["memory"]["summary"]) == ("meeting", "Azure migration planning")
    assert [item["type"] for item in kept["decisions"]] == ["decision", "decision"]
    assert {item["attributes"]["meeting"] for item in kept["decisions"]} == {kept["memory"]["id"]}


def test_a_journal_entry_and_notes_are_kept(api: Api) -> None:
    entry = api.post("/journal", {"person": "alice", "text": "Feeling good about the interview", "date": "2026-03-18"})
    assert entry.status_code == 201
    assert entry.json()["memory"]["type"] == "journal"
    api.post("/people/alice/notes/2026-03-18", {"text": "Read two articles"})
    api.post("/people/alice/notes/2026-03-18", {"text": "Called Anna"})
    assert (
        api.get("/people/alice/notes/2026-03-18").json()["text"]
        == "# 2026-03-18\n\n- Read two articles\n- Called Anna\n"
    )


def test_numbers_mean_what_the_question_said_whatever_was_decided_since(api: Api) -> None:
    conversation = talk(api)
    proposals = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    api.post(f"/proposals/{proposals[0]['id']}/accept", {})
    reply = api.post(f"/conversations/{conversation}/reply", {"text": "2"}).json()
    assert [item["proposal"] for item in reply["accepted"]] == [proposals[1]["id"]]


def test_what_is_put_off_is_not_asked_again_at_the_end(api: Api) -> None:
    conversation = talk(api)
    first = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    later = (timezone.now() + timedelta(days=1)).isoformat()
    api.post(f"/proposals/{first[0]['id']}/snooze", {"until": later})
    again = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert [(item["id"], item["number"]) for item in again] == [
        (item["id"], number) for number, item in enumerate(first[1:], 1)
    ]


def test_an_answer_reaches_what_was_asked_in_the_follow_up(api: Api) -> None:
    conversation = talk(api)
    api.post(f"/conversations/{conversation}/end", {})
    api.post(f"/conversations/{conversation}/reply", {"text": "no"})
    said = [
        "My brother Tom is a pilot at a cargo airline.",
        "We sold the old caravan in July.",
        "I prefer trains to planes for long trips.",
        "I joined a rowing club near the harbour in September.",
    ]
    api.post(f"/conversations/{conversation}/turns", {"turns": [{"role": "user", "content": text} for text in said]})
    asked = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert asked
    reply = api.post(f"/conversations/{conversation}/reply", {"text": "yes"}).json()
    assert [item["proposal"] for item in reply["accepted"]] == [item["id"] for item in asked]


def test_remember_that_means_what_was_last_told_not_said_in_passing(api: Api) -> None:
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    for content in ("My editor is Vim.", "thanks", "Remember that."):
        api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": content})
    asked = {"person": "alice", "utterance": "Barnabee, remember that", "conversation": conversation}
    assert api.post("/remember", asked).json()["memory"]["content"] == "My editor is Vim."


def _told(api: Api, *said: str) -> str:
    conversation: str = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [turn for text in said for turn in (("user", text), ("assistant", "Noted. What else?"))]
    sent = [{"role": role, "content": content} for role, content in turns]
    api.post(f"/conversations/{conversation}/turns", {"turns": sent})
    return conversation


TRIP, DOG = "My flight to Japan leaves on 3 June 2027.", "My dog is called Rex."


@pytest.mark.parametrize(
    ("utterance", "kept"),
    [
        ("remember everything", ["My dog is called Rex.", "My flight to Japan leaves on 3 June 2027."]),
        (
            "please keep everything I said",
            ["My dog is called Rex.", "My flight to Japan leaves on 3 June 2027."],
        ),
        ("Barnabee, remember everything I told you about Japan", ["My flight to Japan leaves on 3 June 2027."]),
    ],
)
def test_remember_everything_keeps_what_was_told_in_the_conversation(api: Api, utterance: str, kept: list[str]) -> None:
    conversation = _told(api, TRIP, "can you suggest a hotel?", DOG, utterance)
    asked = {"person": "alice", "utterance": utterance, "conversation": conversation}
    answer = api.post("/remember", asked).json()
    memories = [answer["memory"], *(other["memory"] for other in answer["others"])]
    assert sorted(memory["content"] for memory in memories) == kept
    assert {memory["source"]["type"] for memory in memories} == {"explicit"}
    # What was kept is not asked about again.
    asked_about = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    assert not {proposal["content"] for proposal in asked_about} & set(kept)


def test_remember_everything_with_nothing_told_keeps_nothing(api: Api) -> None:
    answer = api.post("/remember", {"person": "alice", "utterance": "remember everything"})
    assert answer.status_code == 422
    assert api.get("/memories?person=alice").json()["items"] == []


def test_what_is_put_to_a_person_tells_all_that_a_yes_keeps(api: Api) -> None:
    held = api.post("/conversations", {"person": "alice"}).json()["id"]
    said = "My sister Clara moved to Lisbon with me in May. We found a flat near the river."
    turns = [("user", "Hello"), ("assistant", "Hi!"), ("user", said), ("assistant", "How nice.")]
    told = [{"role": role, "content": content} for role, content in turns]
    api.post(f"/conversations/{held}/turns", {"turns": told})
    ended = api.post(f"/conversations/{held}/end", {}).json()
    for proposal in ended["proposals"]:
        assert f"{proposal['number']}. “{proposal['content']}” (alice, " in ended["message"]
    assert "near the river" in ended["message"]


def test_one_external_id_in_two_venues_is_two_conversations(api: Api) -> None:
    venues = [
        None,
        {"space": "guild"},
        {"space": "guild", "channel": "general"},
        {"space": "guild", "channel": "tiles"},
        {"space": "guild", "channel": "leads", "restricted": True},
    ]

    def opened() -> list[str]:
        bodies = [{"person": "alice", "venue": venue, "external_id": "thread-1"} for venue in venues]
        return [api.post("/conversations", body).json()["id"] for body in bodies]

    first = opened()
    assert len(set(first)) == len(venues)
    assert opened() == first
