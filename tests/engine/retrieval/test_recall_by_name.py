"""Who or what a question names is found under all the names that it is known by, as far as these may be seen."""

from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.queries.question import names_in_question, read_question
from tests.api.test_entities import KITCHEN, id_of
from tests.conftest import Api
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

CHESS, PIANO, TEA = "My friend Robert plays chess", "My friend Bob got a piano", "My friend Anna likes tea"


def found(api: Api, query: str, method: str = "entity", person: str = "alice", **fields: object) -> list[str]:
    answer = api.post("/search", {"person": person, "query": query, "method": method, "explain": True, **fields})
    assert answer.status_code == 200, answer.content
    return [result["memory"]["content"] for result in answer.json()["results"]]


def because(api: Api, query: str, content: str) -> str:
    answer = api.post("/search", {"person": "alice", "query": query, "explain": True}).json()
    return next(str(one["because"]) for one in answer["results"] if one["memory"]["content"] == content)


def merged(api: Api, one: str, into: str, person: str = "alice") -> None:
    body = {"into": id_of(api, into, person)}
    assert api.post(f"/entities/{id_of(api, one, person)}/merge?person={person}", body).status_code == 200


@pytest.fixture
def kept(api: Api) -> None:
    for content in (CHESS, PIANO, TEA):
        api.remember("alice", content)


@pytest.mark.usefixtures("kept")
def test_a_name_finds_memories_under_its_other_names(api: Api) -> None:
    assert found(api, "What does Bob play?") == [PIANO]
    merged(api, "Bob", "Robert")
    assert set(found(api, "What does Bob play?")) == {CHESS, PIANO}
    assert set(found(api, "What does Robert play?")) == {CHESS, PIANO}
    assert "mentions Bob" in because(api, "What does Bob play?", CHESS)


@pytest.mark.usefixtures("kept")
def test_all_signals_together_know_other_names_too(api: Api) -> None:
    asked = "Has Bob a hobby?"
    assert found(api, asked, "hybrid")[0] == PIANO
    scores = {one["memory"]["content"]: one["why"] for one in api.post(
        "/search", {"person": "alice", "query": asked, "explain": True}).json()["results"]}  # fmt: skip
    assert "names" in {share["signal"] for share in scores[PIANO]}
    assert "names" not in {share["signal"] for share in scores.get(CHESS, [])}
    merged(api, "Bob", "Robert")
    assert set(found(api, asked, "hybrid")[:2]) == {PIANO, CHESS}


@pytest.mark.usefixtures("kept")
def test_a_known_name_needs_no_capital(api: Api) -> None:
    assert found(api, "what does bob play?") == [PIANO]
    assert found(api, "what does somebody play?") == []


@pytest.mark.usefixtures("kept")
def test_accents_and_letters_do_not_matter(api: Api) -> None:
    api.remember("alice", "My friend Jose sells tiles")
    assert found(api, "What does José sell?") == ["My friend Jose sells tiles"]


def test_two_people_of_one_name_are_both_meant(api: Api) -> None:
    memories = [api.remember("alice", text) for text in ("My friend Bob plays chess", "My friend Bob got a piano")]
    identifier = id_of(api, "Bob")
    api.post(f"/entities/{identifier}/split?person=alice", {"memories": [memories[0]["id"]]})
    assert len(found(api, "What does Bob play?")) == 2


def test_a_private_alias_of_another_person_is_unknown(api: Api) -> None:
    """Bob knows in private that Bobby is Robert; of that nothing is seen by Alice in the space that they share."""
    api.remember("bob", "Robert plays chess", venue=KITCHEN)
    api.remember("bob", "My friend Robert likes rain")
    api.remember("bob", "My friend Bobby likes snow")
    merged(api, "Bobby", "Robert", "bob")
    assert found(api, "What does Bobby play?", person="alice", venue=KITCHEN) == []
    assert found(api, "What does Robert play?", person="alice", venue=KITCHEN) == ["Robert plays chess"]


def test_a_name_merged_in_a_space_holds_for_all_who_see_it(api: Api) -> None:
    api.remember("bob", "My friend Robert plays chess", venue=KITCHEN)
    api.remember("bob", "My friend Bobby got a piano", venue=KITCHEN)
    items = api.get("/entities?person=bob&space=kitchen").json()["items"]
    ids = {item["name"]: item["id"] for item in items}
    answer = api.post(f"/entities/{ids['Bobby']}/merge?person=bob&space=kitchen", {"into": ids["Robert"]})
    assert answer.status_code == 200, answer.content
    assert len(found(api, "What does Bobby play?", person="alice", venue=KITCHEN)) == 2
    assert found(api, "What does Bobby play?", person="alice") == []


def test_a_name_of_several_words_covers_each_of_them() -> None:
    question = read_question("When does the Blue Harbor Cafe open?", at=NOON, timezone=ZoneInfo("UTC"))
    called = names_in_question(question)
    assert called["blue harbor cafe"] == 0b0111000
    assert called["harbor"] == 0b0010000
    assert "the" not in called


def test_a_role_finds_memories_by_name(api: Api) -> None:
    api.remember("alice", "My mother Ruth sings.")
    api.remember("alice", "Ruth got a piano")
    for question in ("What did Mum get?", "What did my mother get?"):
        assert any("piano" in text for text in found(api, question, person="alice"))
    api.remember("bob", "Mum bakes bread")
    assert not any("piano" in text for text in found(api, "What did Mum get?", person="bob"))
