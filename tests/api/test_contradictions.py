"""Two memories that contradict each other: the answer tells of it, and the person says which of them holds."""

from typing import Any

import pytest
from django.utils import timezone

from memory_app.engine.author import Author
from memory_app.engine.forgetting.undo import undo
from memory_app.models import Operation
from memory_app.models.scope import every_space
from tests.conftest import Api

OLD, NEW = "Our plumber is called Marek", "Our plumber is called Henning"


@pytest.fixture
def pair(api: Api, real_encoder: object) -> dict[str, Any]:
    """What was kept first, what says otherwise, and what is put up of the two."""
    old, new = api.remember("alice", OLD), api.remember("alice", NEW)
    (proposal,) = waiting(api)
    return {"old": old, "new": new, "proposal": proposal}


def waiting(api: Api, status: str = "pending") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.get(f"/proposals?person=alice&status={status}").json()["items"]
    return items


def standing(api: Api) -> list[tuple[str, str, float, bool]]:
    items = api.get("/memories?person=alice&order=oldest").json()["items"]
    return [
        (item["content"], item["status"], item["confidence"], "conflicts_with" in item["attributes"]) for item in items
    ]


def test_the_answer_tells_what_is_contradicted_and_the_inbox_asks(api: Api, pair: dict[str, Any]) -> None:
    assert pair["old"]["contradicts"] is None
    assert pair["new"]["contradicts"] == pair["old"]["id"]
    assert pair["new"]["contradicted_by"] is None
    now = api.get(f"/memories/{pair['old']['id']}?person=alice").json()
    assert (now["contradicts"], now["contradicted_by"]) == (None, pair["new"]["id"])
    proposal = pair["proposal"]
    assert (proposal["relation"], proposal["content"]) == ("conflict", NEW)
    assert (proposal["target"], proposal["folds"]) == (pair["old"]["id"], pair["new"]["id"])


def test_so_do_the_answers_to_an_utterance_and_to_a_batch(api: Api, real_encoder: object) -> None:
    old = api.remember("alice", OLD)
    said = api.post("/remember", {"person": "alice", "utterance": f"remember that {NEW}"}).json()
    assert (said["outcome"], said["memory"]["contradicts"]) == ("added", old["id"])
    assert said["message"] == (
        "Got it, I'll remember that. "
        "It says otherwise than “Our plumber is called Marek”: your inbox asks which of the two holds."
    )
    more = [{"person": "alice", "content": "Our plumber is called Eve"}]
    (answer,) = api.post("/memories/batch", {"items": more}).json()["items"]
    assert (answer["outcome"], answer["memory"]["contradicts"]) == ("added", said["memory"]["id"])
    assert len(waiting(api)) == 2


def test_the_newest_holds_and_the_old_one_is_history(api: Api, pair: dict[str, Any]) -> None:
    accepted = api.post(f"/proposals/{pair['proposal']['id']}/accept", {"keep": "newest"}).json()
    assert (accepted["outcome"], accepted["memory"]["id"]) == ("superseded", pair["new"]["id"])
    assert accepted["memory"]["supersedes"] == pair["old"]["id"]
    assert standing(api) == [(OLD, "superseded", 0.3, True), (NEW, "active", 1.0, False)]


def test_an_acceptance_without_a_word_keeps_the_newest(api: Api, pair: dict[str, Any]) -> None:
    assert api.post(f"/proposals/{pair['proposal']['id']}/accept", {}).status_code == 200
    assert [status for _, status, *_ in standing(api)] == ["superseded", "active"]


def test_both_hold_and_neither_counts_for_less(api: Api, pair: dict[str, Any]) -> None:
    accepted = api.post(f"/proposals/{pair['proposal']['id']}/accept", {"keep": "both"}).json()
    assert accepted["outcome"] == "added"
    assert standing(api) == [(OLD, "active", 1.0, False), (NEW, "active", 1.0, False)]


def test_the_old_one_holds_and_the_newest_is_forgotten(api: Api, pair: dict[str, Any]) -> None:
    assert api.post(f"/proposals/{pair['proposal']['id']}/reject", {}).status_code == 200
    assert standing(api) == [(OLD, "active", 1.0, False)]


@pytest.mark.parametrize("decision", ["newest", "both", "reject"])
def test_what_was_chosen_is_undone(api: Api, pair: dict[str, Any], decision: str) -> None:
    before, at = standing(api), f"/proposals/{pair['proposal']['id']}"
    chosen = api.post(f"{at}/reject", {}) if decision == "reject" else api.post(f"{at}/accept", {"keep": decision})
    assert chosen.status_code == 200
    assert standing(api) != before
    assert api.post(f"{at}/reopen", {}).status_code == 200
    assert standing(api) == before == [(OLD, "active", 0.3, True), (NEW, "active", 1.0, True)]
    assert len(waiting(api)) == 1


def test_they_are_not_merged(api: Api, pair: dict[str, Any]) -> None:
    answer = api.post(f"/proposals/{pair['proposal']['id']}/accept", {"merged": "Marek, then Henning"})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {
            "field": "merged",
            "message": "Two that contradict each other are not merged: keep the newest, both, or reject it.",
        }
    ]
    assert len(waiting(api)) == 1


def test_nor_is_what_is_kept_already_edited_by_the_way(api: Api, pair: dict[str, Any]) -> None:
    answer = api.post(f"/proposals/{pair['proposal']['id']}/accept", {"content": "Our plumber is called Eve"})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"field": "content", "message": "Both are kept already: choose which holds, then edit that memory."}
    ]
    assert standing(api) == [(OLD, "active", 0.3, True), (NEW, "active", 1.0, True)]


def test_where_nothing_contradicts_there_is_nothing_to_choose(api: Api, real_encoder: object) -> None:
    for text in ("Alice is learning the piano", "Alice is learning the piano with a teacher in town"):
        api.remember("alice", text)
    (proposal,) = waiting(api)
    assert proposal["relation"] == "merge"
    assert api.post(f"/proposals/{proposal['id']}/accept", {"keep": "both"}).status_code == 422


def test_what_one_of_the_two_is_gone_of_can_only_be_let_go(api: Api, pair: dict[str, Any]) -> None:
    assert api.call("DELETE", f"/memories/{pair['old']['id']}?person=alice").status_code in (200, 204)
    at = f"/proposals/{pair['proposal']['id']}"
    assert api.post(f"{at}/accept", {"keep": "newest"}).status_code == 409
    assert api.post(f"{at}/reject", {}).status_code == 200
    assert [content for content, *_ in standing(api)] == [NEW]


def test_what_is_told_again_closes_the_question_of_before(api: Api, pair: dict[str, Any]) -> None:
    third = api.remember("alice", OLD)
    (proposal,) = waiting(api)
    assert (proposal["target"], proposal["folds"]) == (pair["new"]["id"], third["id"])
    assert [item["id"] for item in waiting(api, "expired")] == [pair["proposal"]["id"]]


def test_what_is_sensitive_is_told_of_without_its_words(api: Api, real_encoder: object) -> None:
    api.remember("alice", "My salary is 50,000 euros a year")
    said = api.post("/remember", {"person": "alice", "utterance": "remember that my salary is 60,000 euros a year"})
    assert said.json()["memory"]["contradicts"] is not None
    assert said.json()["message"] == "Got it, I'll remember that. It says otherwise than something I knew."
    assert waiting(api) == []


def test_a_batch_that_goes_back_and_forth_ends_with_what_was_said_last(api: Api, real_encoder: object) -> None:
    said = [OLD, NEW, OLD, OLD, "Our plumber is called Eve"]
    items = api.post("/memories/batch", {"items": [{"person": "alice", "content": text} for text in said]}).json()
    assert [item["outcome"] for item in items["items"]] == ["added", "added", "added", "duplicate", "added"]
    assert standing(api) == [
        (OLD, "superseded", 0.3, True),
        (NEW, "active", 0.3, True),
        (OLD, "active", 0.3, True),
        ("Our plumber is called Eve", "active", 1.0, True),
    ]


def test_what_contradicted_is_forgotten_and_what_it_contradicted_holds_again(api: Api, pair: dict[str, Any]) -> None:
    assert api.call("DELETE", f"/memories/{pair['new']['id']}?person=alice").status_code in (200, 204)
    assert standing(api) == [(OLD, "active", 1.0, False)]
    assert api.post(f"/admin/memories/{pair['new']['id']}/restore", {}).status_code == 200
    assert standing(api) == [(OLD, "active", 0.3, True), (NEW, "active", 1.0, True)]


def test_so_it_does_once_what_contradicted_it_is_erased(api: Api, pair: dict[str, Any]) -> None:
    assert api.post(f"/admin/memories/{pair['new']['id']}/erase", {}).status_code == 200
    assert standing(api) == [(OLD, "active", 1.0, False)]


MEETINGS = (
    "The meeting is on Monday",
    "The team meeting in room 4 is on Monday at noon",
    "The meeting is on Wednesday",
)
HELD = [(MEETINGS[0], "active", 1.0, False), (MEETINGS[1], "active", 1.0, False)]
DOUBTED = [(MEETINGS[0], "active", 0.3, True), (MEETINGS[1], "active", 0.3, True), (MEETINGS[2], "active", 1.0, True)]


def test_all_that_one_contradicted_hold_again_once_it_is_forgotten(api: Api, real_encoder: object) -> None:
    *_, newest = [api.remember("alice", text)["id"] for text in MEETINGS]
    assert standing(api) == DOUBTED
    assert api.call("DELETE", f"/memories/{newest}?person=alice").status_code in (200, 204)
    assert standing(api) == HELD
    assert api.post(f"/admin/memories/{newest}/restore", {}).status_code == 200
    assert standing(api) == DOUBTED


def test_so_do_they_where_one_of_the_questions_is_answered_so(api: Api, real_encoder: object) -> None:
    for text in MEETINGS:
        api.remember("alice", text)
    for asked in waiting(api):
        assert api.post(f"/proposals/{asked['id']}/reject", {}).status_code == 200
        assert standing(api) == HELD
        assert api.post(f"/proposals/{asked['id']}/reopen", {}).status_code == 200
        assert standing(api) == DOUBTED


def test_what_is_still_in_doubt_once_another_was_replaced_holds_again_too(api: Api, real_encoder: object) -> None:
    *_, newest = [api.remember("alice", text)["id"] for text in MEETINGS]
    named = api.get(f"/memories/{newest}?person=alice").json()["contradicts"]
    (first,) = [asked for asked in waiting(api) if asked["target"] == named]
    assert api.post(f"/proposals/{first['id']}/accept", {"keep": "newest"}).status_code == 200
    (left,) = waiting(api)
    assert api.get(f"/memories/{newest}?person=alice").json()["contradicts"] == left["target"]
    assert api.call("DELETE", f"/memories/{newest}?person=alice").status_code in (200, 204)
    assert api.get(f"/memories/{left['target']}?person=alice").json()["confidence"] == 1.0


CORRECTED = "Our plumber is called Henrik"


def test_a_correction_of_the_newer_one_takes_its_place_in_the_question(api: Api, pair: dict[str, Any]) -> None:
    corrected = api.post(f"/memories/{pair['new']['id']}/correct", {"content": CORRECTED}).json()
    (asked,) = waiting(api)
    assert (asked["id"], asked["content"]) == (pair["proposal"]["id"], CORRECTED)
    assert (asked["target"], asked["folds"]) == (pair["old"]["id"], corrected["id"])
    assert corrected["contradicts"] == pair["old"]["id"]
    older = api.get(f"/memories/{pair['old']['id']}?person=alice").json()
    assert (older["contradicted_by"], older["confidence"]) == (corrected["id"], 0.3)
    assert api.post(f"/proposals/{asked['id']}/reject", {}).status_code == 200
    assert (OLD, "active", 1.0, False) in standing(api)


def test_so_does_a_correction_of_the_older_one_which_is_the_newest_then(api: Api, pair: dict[str, Any]) -> None:
    corrected = api.post(f"/memories/{pair['old']['id']}/correct", {"content": CORRECTED}).json()
    (asked,) = waiting(api)
    assert (asked["target"], asked["folds"]) == (pair["new"]["id"], corrected["id"])
    assert standing(api)[1:] == [(NEW, "active", 0.3, True), (CORRECTED, "active", 1.0, True)]


@pytest.mark.parametrize("which", ["old", "new"])
def test_a_correction_by_which_both_may_be_true_closes_the_question(api: Api, pair: dict[str, Any], which: str) -> None:
    api.post(f"/memories/{pair[which]['id']}/correct", {"content": "Our gardener is called Henrik"})
    assert waiting(api) == []
    left = OLD if which == "new" else NEW
    assert [row for row in standing(api) if row[1] == "active"] == [
        (left, "active", 1.0, False),
        ("Our gardener is called Henrik", "active", 1.0, False),
    ]


@pytest.mark.parametrize("content", [CORRECTED, "Our gardener is called Henrik"])
def test_a_correction_that_is_undone_puts_the_question_as_it_was(api: Api, pair: dict[str, Any], content: str) -> None:
    before = standing(api)
    api.post(f"/memories/{pair['new']['id']}/correct", {"content": content}, X_Request_ID="a-correction")
    with every_space():
        asked = Operation.objects.filter(name="correct").get().request_id
        operations = list(Operation.objects.filter(request_id=asked))
    undo(operations=operations, author=Author("user", "alice"), now=timezone.now())
    assert standing(api) == before
    (question,) = waiting(api)
    assert (question["target"], question["folds"], question["content"]) == (pair["old"]["id"], pair["new"]["id"], NEW)


@pytest.mark.parametrize("gone", ["forgotten", "erased"])
def test_the_older_one_brought_back_alone_is_worth_what_it_was(api: Api, pair: dict[str, Any], gone: str) -> None:
    for which in ("old", "new"):
        api.call("DELETE", f"/memories/{pair[which]['id']}?person=alice")
    if gone == "erased":
        assert api.post(f"/admin/memories/{pair['new']['id']}/erase", {}).status_code == 200
    assert api.post(f"/admin/memories/{pair['old']['id']}/restore", {}).status_code == 200
    assert standing(api) == [(OLD, "active", 1.0, False)]
    if gone == "forgotten":
        assert api.post(f"/admin/memories/{pair['new']['id']}/restore", {}).status_code == 200
        assert standing(api) == [(OLD, "active", 0.3, True), (NEW, "active", 1.0, True)]


@pytest.mark.parametrize("content", [CORRECTED, "Our gardener is called Henrik"])
def test_brought_back_it_stands_against_what_was_corrected_meanwhile(
    api: Api, pair: dict[str, Any], content: str
) -> None:
    assert api.call("DELETE", f"/memories/{pair['old']['id']}?person=alice").status_code in (200, 204)
    corrected = api.post(f"/memories/{pair['new']['id']}/correct", {"content": content}).json()
    assert api.post(f"/admin/memories/{pair['old']['id']}/restore", {}).status_code == 200
    back = api.get(f"/memories/{pair['old']['id']}?person=alice").json()
    against = corrected["id"] if content == CORRECTED else None
    assert (back["contradicted_by"], back["confidence"]) == (against, 0.3 if against else 1.0)
    assert [asked["folds"] for asked in waiting(api)] == ([against] if against else [])


def test_what_is_replaced_by_the_new_value_of_its_key_passes_the_question_on(api: Api, real_encoder: object) -> None:
    old = api.remember("alice", "My sister Ann lives in Oslo")
    new = api.remember("alice", "My sister Ann lives in Rome", key="home_of_ann")
    third = api.remember("alice", "My sister Ann lives in Paris", key="home_of_ann")
    assert (third["supersedes"], third["contradicts"]) == (new["id"], old["id"])
    (asked,) = waiting(api)
    assert (asked["target"], asked["folds"], asked["content"]) == (old["id"], third["id"], third["content"])
    older = api.get(f"/memories/{old['id']}?person=alice").json()
    assert (older["contradicted_by"], older["confidence"]) == (third["id"], 0.3)
    assert api.post(f"/proposals/{asked['id']}/reject", {}).status_code == 200
    assert (old["content"], "active", 1.0, False) in standing(api)


@pytest.mark.parametrize("content", ["My sister Ann lives in Paris", "My sister Ann plays the harp"])
def test_that_undone_the_question_is_as_it_was(api: Api, real_encoder: object, content: str) -> None:
    old = api.remember("alice", "My sister Ann lives in Oslo")
    new = api.remember("alice", "My sister Ann lives in Rome", key="ann")
    before = standing(api)
    told = {"person": "alice", "content": content, "key": "ann"}
    assert api.post("/memories", told, X_Request_ID="a-new-value").status_code == 201
    assert standing(api) != before
    with every_space():
        asked = Operation.objects.filter(name="supersede").get().request_id
        operations = list(Operation.objects.filter(request_id=asked))
    undo(operations=operations, author=Author("user", "alice"), now=timezone.now())
    assert standing(api) == before
    (question,) = waiting(api)
    assert (question["target"], question["folds"], question["content"]) == (old["id"], new["id"], new["content"])


def test_or_closes_it_where_both_may_be_true(api: Api, real_encoder: object) -> None:
    api.remember("alice", "My sister Ann lives in Oslo")
    api.remember("alice", "My sister Ann lives in Rome", key="ann")
    api.remember("alice", "My sister Ann plays the harp", key="ann")
    assert waiting(api) == []
    assert [row for row in standing(api) if row[1] == "active"] == [
        ("My sister Ann lives in Oslo", "active", 1.0, False),
        ("My sister Ann plays the harp", "active", 1.0, False),
    ]


def test_in_one_batch_too(api: Api, real_encoder: object) -> None:
    said = [("Oslo", None), ("Rome", "ann"), ("Paris", "ann"), ("Oslo", None), ("Oslo", None)]
    items = [{"person": "alice", "content": f"My sister Ann lives in {town}", "key": key} for town, key in said]
    answers = api.post("/memories/batch", {"items": items}).json()["items"]
    assert [item["outcome"] for item in answers] == ["added", "added", "superseded", "added", "duplicate"]
    assert [(status, worth) for _, status, worth, _ in standing(api)] == [
        ("superseded", 0.3),
        ("superseded", 1.0),
        ("active", 0.3),
        ("active", 1.0),
    ]


@pytest.mark.parametrize("which", ["old", "new"])
@pytest.mark.parametrize("agreed", [NEW, "Our gardener is called Henrik"])
def test_an_edit_by_which_both_may_be_true_closes_the_question(
    api: Api, pair: dict[str, Any], which: str, agreed: str
) -> None:
    at, before = f"/memories/{pair[which]['id']}", standing(api)
    content = OLD if which == "new" and agreed == NEW else agreed
    assert api.call("PATCH", at, {"content": content}).status_code == 200
    assert waiting(api) == []
    assert [(worth, marked) for *_, worth, marked in standing(api)] == [(1.0, False), (1.0, False)]
    assert api.post(f"{at}/revert", {"version": pair[which]["version"] + (which == "old")}).status_code == 200
    assert standing(api) == before
    assert [asked["id"] for asked in waiting(api)] == [pair["proposal"]["id"]]


@pytest.mark.parametrize("which", ["old", "new"])
def test_an_edit_that_says_otherwise_still_is_shown_as_what_was_told_last(
    api: Api, pair: dict[str, Any], which: str
) -> None:
    assert api.call("PATCH", f"/memories/{pair[which]['id']}", {"content": CORRECTED}).status_code == 200
    (asked,) = waiting(api)
    assert (asked["id"], asked["content"], asked["folds"]) == (pair["proposal"]["id"], CORRECTED, pair[which]["id"])
    assert {content: worth for content, _, worth, _ in standing(api)} == {
        CORRECTED: 1.0,
        OLD if which == "new" else NEW: 0.3,
    }


@pytest.mark.parametrize("which", ["old", "new"])
def test_an_edit_that_contradicts_another_memory_is_asked_about(api: Api, real_encoder: object, which: str) -> None:
    said = [OLD, "Our gardener is called Henning"] if which == "new" else ["Our gardener is called Marek", NEW]
    old, new = (api.remember("alice", text) for text in said)
    held, changed = standing(api), old if which == "old" else new
    at = f"/memories/{changed['id']}"
    edited = api.call("PATCH", at, {"content": OLD if which == "old" else NEW}).json()
    other = (edited["contradicts"], edited["contradicted_by"])
    unchanged = new if which == "old" else old
    assert other == (unchanged["id"], None)
    (asked,) = waiting(api)
    assert (asked["target"], asked["folds"], asked["content"]) == (unchanged["id"], edited["id"], edited["content"])
    assert [(worth, marked) for *_, worth, marked in standing(api)] == (
        [(1.0, True), (0.3, True)] if which == "old" else [(0.3, True), (1.0, True)]
    )
    assert api.post(f"{at}/revert", {"version": 1}).status_code == 200
    assert standing(api) == held
    assert waiting(api) == []


def test_so_is_a_correction_that_does(api: Api, real_encoder: object) -> None:
    old, other = api.remember("alice", OLD), api.remember("alice", "Our gardener is called Henning")
    corrected = api.post(f"/memories/{other['id']}/correct", {"content": NEW}).json()
    assert corrected["contradicts"] == old["id"]
    assert [(asked["target"], asked["folds"]) for asked in waiting(api)] == [(old["id"], corrected["id"])]
    assert (OLD, "active", 0.3, True) in standing(api)


def test_an_edit_asks_nothing_again_that_was_answered(api: Api, pair: dict[str, Any]) -> None:
    assert api.post(f"/proposals/{pair['proposal']['id']}/accept", {"keep": "both"}).status_code == 200
    told = {"content": "Our good plumber is called Henning"}
    assert api.call("PATCH", f"/memories/{pair['new']['id']}", told).status_code == 200
    assert waiting(api) == []
    assert [(worth, marked) for *_, worth, marked in standing(api)] == [(1.0, False), (1.0, False)]


def test_an_answer_given_since_is_not_taken_back_by_a_revert(api: Api, pair: dict[str, Any]) -> None:
    at = f"/memories/{pair['old']['id']}"
    assert api.call("PATCH", at, {"content": "Our plumber is called Marek Nowak"}).status_code == 200
    assert api.post(f"/proposals/{pair['proposal']['id']}/accept", {"keep": "both"}).status_code == 200
    assert api.post(f"{at}/revert", {"version": 2}).status_code == 200
    assert standing(api) == [(OLD, "active", 1.0, False), (NEW, "active", 1.0, False)]
    assert waiting(api) == []


@pytest.mark.parametrize("which", ["old", "new"])
@pytest.mark.parametrize("content", ["Our gardener is called Henrik", CORRECTED])
def test_an_edit_that_is_undone_puts_the_question_as_it_was(
    api: Api, pair: dict[str, Any], which: str, content: str
) -> None:
    before = standing(api)
    api.call("PATCH", f"/memories/{pair[which]['id']}", {"content": content}, X_Request_ID="an-edit")
    with every_space():
        asked = Operation.objects.filter(name="edit").get().request_id
        operations = list(Operation.objects.filter(request_id=asked))
    undo(operations=operations, author=Author("user", "alice"), now=timezone.now())
    assert standing(api) == before
    (question,) = waiting(api)
    assert (question["id"], question["content"]) == (pair["proposal"]["id"], NEW)


def test_so_is_one_that_first_made_them_contradict(api: Api, real_encoder: object) -> None:
    old, new = (api.remember("alice", text) for text in (OLD, "Our gardener is called Henning"))
    before = standing(api)
    api.call("PATCH", f"/memories/{new['id']}", {"content": NEW}, X_Request_ID="an-edit")
    assert [asked["target"] for asked in waiting(api)] == [old["id"]]
    with every_space():
        operations = list(Operation.objects.filter(request_id=Operation.objects.get(name="edit").request_id))
    undo(operations=operations, author=Author("user", "alice"), now=timezone.now())
    assert (standing(api), waiting(api)) == (before, [])


def test_until_the_person_decides_they_are_described_by_the_newer(api: Api, pair: dict[str, Any]) -> None:
    def described() -> str:
        told: str = api.post("/context", {"person": "alice", "query": "", "profile": True}).json()["text"]
        return told

    assert described() == f"About alice:\n- {NEW}"
    api.post(f"/proposals/{pair['proposal']['id']}/accept", {"keep": "both"})
    assert described() == f"About alice:\n- {NEW}\n- {OLD}"


@pytest.mark.parametrize(
    ("kept", "said", "contradicts"),
    [
        ("Alice prefers tea", "I prefer coffee", True),
        ("Alice prefers tea", "I prefer window seats", False),
        ("I prefer tea", "Alice prefers window seats", False),
        ("I prefer tea", "I prefer window seats", False),
    ],
)
def test_preferences_of_two_things_both_hold(
    api: Api, real_encoder: object, kept: str, said: str, contradicts: bool
) -> None:
    api.remember("alice", kept)
    assert (api.remember("alice", said)["contradicts"] is not None) == contradicts


@pytest.mark.parametrize("path", ["/memories", "/memories/batch"])
def test_nobody_can_tell_what_contradicts_what(api: Api, path: str) -> None:
    """By attributes of those names a newer memory of no like would be held to contradict it."""
    other = api.remember("alice", "I play the cello")
    mine: dict[str, Any] = {"person": "alice", "content": "I like long walks"}
    mine |= {"attributes": {"conflicts_with": other["id"], "told_first": True, "mood": "good"}}
    assert api.post(path, {"items": [mine]} if path.endswith("batch") else mine).status_code in (200, 201)
    kept = api.get("/memories?person=alice&order=newest").json()["items"][0]
    assert (kept["content"], kept["attributes"]) == ("I like long walks", {"mood": "good"})
    assert kept["contradicts"] is kept["contradicted_by"] is None
