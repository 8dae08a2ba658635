"""People whose language is German or French ask in it: to remember, to forget, and what is remembered."""

import pytest

from memory_app.embedding.encoder import Encoder
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def _speaks(api: Api, language: str) -> None:
    assert api.call("PATCH", "/people/alice", {"language": language}).status_code == 200


def _kept(api: Api) -> set[str]:
    return {item["content"] for item in api.get("/memories?person=alice").json()["items"]}


@pytest.mark.parametrize(
    ("language", "remember", "kept", "forget"),
    [
        ("de", "merk dir, dass ich in Bern wohne", "ich in Bern wohne", "vergiss, dass ich in Bern wohne"),
        ("fr", "souviens-toi que j'habite à Lyon", "j'habite à Lyon", "oublie que j'habite à Lyon"),
    ],
)
def test_what_is_asked_to_be_kept_is_kept_and_goes_when_that_is_asked(
    api: Api, language: str, remember: str, kept: str, forget: str
) -> None:
    _speaks(api, language)
    assert api.post("/remember", {"person": "alice", "utterance": remember}).status_code == 201
    assert _kept(api) == {kept}
    asked = api.post("/forget", {"person": "alice", "utterance": forget}).json()
    assert asked["status"] == "confirm"
    told = api.post("/forget/confirm", {"person": "alice", "token": asked["token"], "choice": "yes"})
    assert told.json()["status"] == "done"
    assert _kept(api) == set()


def test_an_english_person_asks_in_english_as_before(api: Api) -> None:
    assert api.post("/remember", {"person": "alice", "utterance": "merk dir, dass ich rauche"}).status_code == 422


@pytest.mark.parametrize(
    ("language", "known", "asked"),
    [("de", "ich wohne in Bern", "was weißt du über mich?"), ("fr", "j'habite à Lyon", "que sais-tu de moi ?")],
)
def test_what_is_known_of_oneself_is_told(
    api: Api, real_encoder: Encoder, language: str, known: str, asked: str
) -> None:
    _speaks(api, language)
    api.remember("alice", known)
    assert known in api.post("/context", {"person": "alice", "query": asked}).json()["text"]


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Mach das Licht aus"), ("de", "Danke schön!"), ("fr", "Éteins la lumière"), ("fr", "merci")],
)
def test_no_brief_is_made_for_small_talk(api: Api, language: str, said: str) -> None:
    _speaks(api, language)
    api.remember("alice", said)
    told = api.post("/context", {"person": "alice", "query": said}).json()
    assert told["text"] == ""
    assert "small talk" in api.get(f"/receipts/{told['receipt']}").json()["reason"]


@pytest.mark.parametrize(
    ("language", "replies"),
    [
        ("de", ["zeig mir mehr", "zurück", "keins davon", "das zweite"]),
        ("fr", ["plus", "retour", "aucun", "le deuxième"]),
    ],
)
def test_a_search_goes_on_by_what_is_replied(api: Api, language: str, replies: list[str]) -> None:
    _speaks(api, language)
    for number in range(6):
        api.remember("alice", f"Rezept Nummer {number} mit Linsen")
    search = api.post("/searches", {"person": "alice", "query": "Rezept mit Linsen"}).json()
    more, back, none, one = [api.post(f"/searches/{search['id']}/reply", {"text": text}).json() for text in replies]
    shown = [[memory["id"] for memory in answer["batch"]] for answer in (search, more, back, none)]
    assert shown[0] == shown[2] != shown[1] == shown[3]
    assert one["selected"]["id"] == shown[3][1]
