"""What a person types in chat: answered in words, and as data; what it changes can be taken back."""

from typing import Any

import pytest
from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.summaries.daily_note import write_daily_note
from memory_app.engine.summaries.reflect import reflect
from memory_app.models import ApiKey, Memory, Person, Token, Turn
from memory_app.models.ids import new_id
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

PAUSED = "Memory is paused: nothing is listened to or noticed until you say /memory resume."
KITCHEN = {"space": "kitchen"}


def say(api: Api, text: str, status: int = 200, **fields: Any) -> Any:
    answer = api.post("/commands", {"person": "alice", "text": text, **fields})
    assert answer.status_code == status, answer.content
    return answer.json()


@pytest.fixture
def known(api: Api) -> Api:
    api.remember("alice", "We chose the blue tile", type="decision")
    api.remember("alice", "Alice prefers tea", type="preference")
    api.remember("alice", "Alice likes dogs", type="preference")
    return api


def test_the_overview(known: Api) -> None:
    answer = say(known, "/memory")
    assert answer["message"] == (
        "User Preferences\n1. Alice prefers tea\n2. Alice likes dogs\nPersonal Context\n3. We chose the blue tile\n"
        "I remember 3 memories of yours here: 2 preferences, 1 decision.\nMemory is on; /memory pause stops it."
    )
    data = answer["data"]
    assert (data["command"], data["memories"], data["memory_enabled"]) == ("view", 3, True)
    assert (data["by_type"], data["proposals_pending"]) == ({"preference": 2, "decision": 1}, 0)
    assert [memory["content"] for memory in data["latest"]] == [
        "Alice likes dogs",
        "Alice prefers tea",
        "We chose the blue tile",
    ]


def test_of_a_stranger_nothing_is_known(api: Api) -> None:
    assert say(api, "/memory")["message"] == "I know nothing of you here yet.\nMemory is on; /memory pause stops it."
    assert say(api, "/memories")["message"] == "I know nothing of you here yet."


def test_search(known: Api) -> None:
    answer = say(known, "/memory search blue tile")
    assert answer["message"].splitlines()[0] == "1. We chose the blue tile"
    assert answer["data"]["results"][0]["memory"]["content"] == "We chose the blue tile"
    assert say(known, "/memory search zebra")["message"] == "I couldn't find anything about “zebra”."
    assert say(known, "/memory search")["message"].startswith("Say what to look for")


def test_a_search_says_what_no_longer_holds(api: Api) -> None:
    rome = api.remember("alice", "Alice lives in Rome")
    api.post(f"/memories/{rome['id']}/correct", {"content": "Alice lives in Porto"})
    answer = say(api, "/memory search where Alice lives")
    assert sorted(line.split(". ")[1] for line in answer["message"].splitlines()) == [
        "Alice lives in Porto",
        "Alice lives in Rome (no longer: it was replaced)",
    ]
    assert {found["memory"]["status"] for found in answer["data"]["results"]} == {"active", "superseded"}
    assert say(api, "/memories")["message"] == "1. Alice lives in Porto"


def test_the_list(known: Api) -> None:
    answer = say(known, "/memories")
    assert answer["message"] == "1. Alice likes dogs\n2. Alice prefers tea\n3. We chose the blue tile"
    assert len(answer["data"]["items"]) == 3


def test_remember(api: Api) -> None:
    answer = say(api, "/remember we chose the blue tile")
    assert answer["message"] == "Got it, I'll remember that."
    assert answer["data"]["outcome"] == "added"
    assert answer["data"]["memory"]["source"]["type"] == "explicit"
    assert "nothing to remember" in say(api, "/remember")["message"]


def test_forget_asks_and_an_answer_is_read(known: Api) -> None:
    asked = say(known, "/memory forget blue tile")
    assert asked["message"] == "Do you want me to forget “We chose the blue tile”?"
    assert (asked["data"]["status"], len(asked["data"]["candidates"])) == ("confirm", 1)
    done = say(known, "yes", token=asked["data"]["token"])
    assert done["message"] == "I've forgotten “We chose the blue tile”."
    assert done["data"]["status"] == "done"
    assert [memory["content"] for memory in say(known, "/memories")["data"]["items"]] == [
        "Alice likes dogs",
        "Alice prefers tea",
    ]
    say(known, "yes", token=asked["data"]["token"], status=404)


def test_a_question_of_a_command_may_be_answered_as_any(known: Api) -> None:
    token = say(known, "/forget about the blue tile")["data"]["token"]
    answer = known.post("/forget/confirm", {"person": "alice", "token": token, "choice": "no"})
    assert answer.json()["message"] == "Okay, I'll keep that."


def test_clear_asks_first_and_can_be_taken_back(known: Api) -> None:
    asked = say(known, "/memory clear")
    assert asked["message"] == (
        "Do you want me to forget all 3 memories I have of you here? They can be brought back afterwards."
    )
    assert len(say(known, "/memories")["data"]["items"]) == 3
    assert say(known, "yes", token=asked["data"]["token"])["message"] == "I've forgotten 3 memories."
    with every_space():
        gone = list(Memory.objects.deleted().values_list("id", flat=True))
    assert len(gone) == 3
    for memory in gone:
        assert known.post(f"/admin/memories/{memory}/restore", {}).status_code == 200
    assert len(say(known, "/memories")["data"]["items"]) == 3


def test_clear_forgets_what_was_there_when_it_asked_and_names_what_stays(known: Api) -> None:
    token = say(known, "/memory clear")["data"]["token"]
    known.remember("alice", "The plumber comes on Friday.")
    done = say(known, "yes", token=token)
    assert done["message"] == "I've forgotten 3 memories. What came after I asked stays: 1 memory."
    assert (done["data"]["command"], done["data"]["status"]) == ("clear", "done")
    assert [item["content"] for item in say(known, "/memories")["data"]["items"]] == ["The plumber comes on Friday."]


def test_the_question_of_clear_does_not_grow_with_what_there_is(known: Api) -> None:
    say(known, "/memory clear")
    with every_space():
        [digest] = Token.objects.get(everything=True).memories
    assert len(digest) == 64


def test_what_was_changed_or_forgotten_after_clear_asked_goes_too(known: Api) -> None:
    token = say(known, "/memory clear")["data"]["token"]
    first, second, *_ = say(known, "/memories")["data"]["items"]
    known.call("DELETE", f"/memories/{first['id']}")
    known.call("PATCH", f"/memories/{second['id']}", {"tags": ["seen"]})
    assert say(known, "yes", token=token)["message"] == "I've forgotten 2 memories."


def test_what_came_in_of_old_after_clear_asked_is_not_forgotten_unasked(known: Api) -> None:
    memory = known.remember("alice", "The plumber comes on Friday.")
    token = say(known, "/memory clear")["data"]["token"]
    with every_space():  # as an import has it, which brings times as they were
        row = Memory.objects.get(id=memory["id"])
        Memory.objects.filter(id=row.id).delete()
        row.id = new_id()
        row.save(force_insert=True)
    answer = known.post("/commands", {"person": "alice", "text": "yes", "token": token})
    assert answer.status_code == 404
    assert len(say(known, "/memories")["data"]["items"]) == 4


def test_what_was_restored_after_clear_asked_stays(known: Api) -> None:
    memory = known.remember("alice", "The plumber comes on Friday.")
    known.call("DELETE", f"/memories/{memory['id']}")
    token = say(known, "/memory clear")["data"]["token"]
    known.post(f"/admin/memories/{memory['id']}/restore", {})
    say(known, "yes", token=token)
    assert [item["id"] for item in say(known, "/memories")["data"]["items"]] == [memory["id"]]


@pytest.mark.parametrize(
    ("question", "command"), [("/memory clear", "clear"), ("/memory forget the blue tile", "forget")]
)
def test_an_answer_names_its_command_and_says_that_memory_is_paused(known: Api, question: str, command: str) -> None:
    token = say(known, question)["data"]["token"]
    assert say(known, "no", token=token)["data"]["memory_enabled"] is True
    say(known, "/memory pause")
    for answer, status in (("no", "none"), ("yes", "done")):
        told = say(known, answer, token=say(known, question)["data"]["token"])
        assert told["message"].endswith(f"\n{PAUSED}")
        assert (told["data"]["command"], told["data"]["status"]) == (command, status)
        assert told["data"]["memory_enabled"] is False


def test_pausing_stops_listening_and_every_answer_says_so(known: Api) -> None:
    talk = known.post("/conversations", {"person": "alice"}).json()["id"]
    turns = {"turns": [{"role": "user", "content": f"I moved to Rome in May {at}"} for at in range(2000, 2008)]}
    assert known.post(f"/conversations/{talk}/turns", turns).status_code == 201
    assert say(known, "/memory pause")["message"] == PAUSED
    assert say(known, "/memory pause")["message"] == f"It was paused already. {PAUSED}"
    for text in ("/memory", "/memories", "/memory search tile", "/memory clear", "/remember I sing", "/dance"):
        answer = say(known, text)
        assert answer["message"].endswith(PAUSED)
        assert answer["data"]["memory_enabled"] is False
    heard = known.post(f"/conversations/{talk}/turns", {"role": "user", "content": "I live in Oslo"}).json()
    assert heard["message"] == "Memory is paused: nothing of this was stored."
    ended = known.post(f"/conversations/{talk}/end", {}).json()
    assert (ended["proposals"], ended["message"].endswith(PAUSED)) == ([], True)
    kept = known.post("/remember", {"person": "alice", "utterance": "remember that I dance"}).json()
    assert kept["message"] == f"Got it, I'll remember that.\n{PAUSED}"
    with every_space():
        assert Turn.objects.count() == 8


def test_pausing_stops_the_batch_even_where_it_had_begun(known: Api) -> None:
    begun_with = Person.objects.get(name="alice")
    say(known, "/memory pause")
    assert write_daily_note(person=begun_with, now=timezone.now()) is None
    assert reflect(person=begun_with, now=timezone.now(), encoder=current_encoder()) is None
    say(known, "/memory resume")
    assert write_daily_note(person=begun_with, now=timezone.now()) is not None
    assert reflect(person=begun_with, now=timezone.now(), encoder=current_encoder()) is not None


def test_resuming(known: Api) -> None:
    say(known, "/memory pause")
    assert say(known, "/memory resume")["message"] == "Memory is on again. What was said meanwhile is not kept."
    assert say(known, "/memory resume")["message"] == "Memory was on already."
    assert Person.objects.get(name="alice").memory_enabled


def test_an_unknown_command_is_answered_with_what_there_is(api: Api) -> None:
    answer = say(api, "/dance")
    assert answer["message"].startswith("I don't know this command. There is:\n/memory – ")
    assert answer["data"] == {"command": "help", "memory_enabled": True}
    assert say(api, "/help")["message"].startswith("/memory – ")


def test_in_a_shared_space_only_what_is_seen_there_is_told(known: Api) -> None:
    known.remember("alice", "Soup is on Tuesdays", venue=KITCHEN)
    known.remember("alice", "My card number is 4111 1111 1111 1111", source={"type": "explicit"}, visibility="global")
    answer = say(known, "/memory", venue=KITCHEN)
    assert "Soup is on Tuesdays" in answer["message"]
    assert "tile" not in answer["message"]
    assert (answer["data"]["memories"], answer["data"]["proposals_pending"]) == (1, None)
    assert (
        say(known, "/memory search blue tile", venue=KITCHEN)["message"]
        == "I couldn't find anything about “blue tile”."
    )
    for text in ("/memory", "/memories", "/memory search card number"):
        assert "4111 1111" not in str(say(known, text, venue=KITCHEN))
        assert "4111" in str(say(known, text))


def test_plain_words_are_remembered_or_searched(api: Api) -> None:
    assert say(api, "remember that my car is a green Volvo")["message"] == "Got it, I'll remember that."
    answer = say(api, "what do you know about my car?")
    assert (answer["message"], answer["data"]["command"]) == ("1. my car is a green Volvo", "search")
    assert say(api, "our boat")["message"] == "I couldn't find anything about “our boat”."
    assert "1. my car is a green Volvo" in say(api, "What do you know about me?")["message"]
    assert say(api, "forget about my car")["message"] == "Do you want me to forget “my car is a green Volvo”?"


def test_plain_words_are_read_in_the_language_of_the_person(api: Api) -> None:
    assert api.call("PATCH", "/people/alice", {"language": "german"}).status_code == 200
    assert say(api, "Merk dir, dass mein Auto grün ist")["data"]["command"] == "remember"


def test_a_profile_in_a_shared_space_tells_what_is_seen_there_alone(known: Api) -> None:
    known.remember("alice", "Alice prefers soup", type="preference", venue=KITCHEN)
    answer = say(known, "/memory", venue=KITCHEN)
    assert answer["message"].splitlines()[:3] == [
        "User Preferences",
        "1. Alice prefers soup",
        "I remember 1 memory of yours here: 1 preference.",
    ]


def test_a_profile_in_a_restricted_channel_tells_what_was_said_there(api: Api) -> None:
    leads = {"space": "guild", "channel": "leads", "restricted": True}
    api.remember("alice", "Alice prefers soup", type="preference", venue=leads)
    [told] = say(api, "/memory", venue=leads)["data"]["profile"]
    assert (told["content"], told["channel"]) == ("Alice prefers soup", "leads")


def test_what_changes_takes_a_key_that_writes(known: Api) -> None:
    _, token = ApiKey.issue("reader", scopes=["read"])
    reader = Api(token)
    for text in ("/memory", "/memories", "/memory search tile", "/help"):
        say(reader, text)
    changes = ("/memory pause", "/memory resume", "/memory clear", "/remember x y", "/forget tile")
    for text in (*changes, "remember that I sing"):
        say(reader, text, status=403)
    say(reader, "yes", token="x", status=403)
    _, token = ApiKey.issue("of bob", scopes=["read", "write"], people=["bob"])
    say(Api(token), "/memory", status=403)


def test_a_command_sent_again_with_its_key_is_carried_out_once(api: Api) -> None:
    body = {"person": "alice", "text": "/remember I sing in a choir"}
    first = api.post("/commands", body, Idempotency_Key="a")
    assert api.post("/commands", body, Idempotency_Key="a").json() == first.json()
    with every_space():
        assert [memory.source_count for memory in Memory.objects.all()] == [1]


def test_forget_that_means_what_a_command_has_just_told(known: Api) -> None:
    say(known, "/memory search blue tile")
    asked = say(known, "/forget that")
    assert asked["message"] == "Do you want me to forget “We chose the blue tile”?"


def test_forget_that_means_what_was_just_asked_about(known: Api) -> None:
    say(known, "/memory forget blue tile")
    asked = say(known, "/forget that")
    assert asked["message"] == "Do you want me to forget “We chose the blue tile”?"


def test_one_of_a_list_is_forgotten_by_its_place(known: Api) -> None:
    assert say(known, "/memories")["message"].splitlines()[1] == "2. Alice prefers tea"
    asked = say(known, "/forget the second one")
    assert asked["message"] == "Do you want me to forget “Alice prefers tea”?"
    missing = say(known, "/forget number 9")
    assert missing["message"] == "I couldn't find a memory of yours about that."


@pytest.mark.parametrize("asked", ["/memory clear", "/forget everything"])
def test_that_is_nothing_after_the_question_whether_all_is_to_go(known: Api, asked: str) -> None:
    """What went before it is what "that" means: of everything no memory is named."""
    say(known, "/memory search dogs")
    assert say(known, asked)["data"]["status"] == "confirm"
    assert say(known, "/forget that")["message"] == "I've forgotten “Alice likes dogs”."
