"""Any query is safe and means what it says: a number, an address, signs, nothing at all."""

import pytest

from memory_app.embedding.encoder import Encoder, use_encoder
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept", "real_encoder")]

MAIL, PLUMBER, ORDER, TEST, CHINESE, CODE, CAKE = (
    "Anna's email is anna.berg@example.org",
    "The plumber's number is +49 30 901820, call before noon",
    "The order number is A-2024-00017",
    "I passed my driving test on 12 March 2024",
    "我住在北京，喜欢吃饺子",
    "The API returns 404 when get_user(id) is called with None",
    "Mia turns five 🎂 on 5 May",
)
SIGNS = ["?", "!!!", "(((", "\\", "%", "😀", "'\"&|!():*<->", "x" * 10_000]


@pytest.fixture(scope="module")
def kept(module_api: Api, loaded_encoder: Encoder) -> None:
    items = [{"person": "alice", "content": text} for text in (MAIL, PLUMBER, ORDER, TEST, CHINESE, CODE, CAKE)]
    with use_encoder(loaded_encoder):
        assert module_api.post("/memories/batch", {"items": items}).status_code == 201


def found(api: Api, query: str) -> list[str]:
    answer = api.post("/search", {"person": "alice", "query": query})
    assert answer.status_code == 200, answer.content
    return [result["memory"]["content"] for result in answer.json()["results"]]


def briefed(api: Api, query: str) -> list[str]:
    answer = api.post("/context", {"person": "alice", "query": query})
    return [memory["summary"] for memory in answer.json()["memories"]]


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("ANNA.BERG@example.org", MAIL),
        ("+49 30 901820", PLUMBER),
        ("901820", PLUMBER),
        ("A-2024-00017", ORDER),
        ("12 March 2024", TEST),
        ("2024-03-12", TEST),
        ("北京", CHINESE),
        ("get_user(id)", CODE),
        ("404", CODE),
        ("🎂", CAKE),
        ('"driving" AND -test', TEST),
        ("driving " * 1_400, TEST),
    ],
)
def test_what_is_named_is_found_first(api: Api, query: str, meant: str) -> None:
    assert found(api, query)[0] == meant


@pytest.mark.parametrize("query", SIGNS)
def test_what_says_nothing_finds_nothing(api: Api, query: str) -> None:
    assert found(api, query) == briefed(api, query) == []


@pytest.mark.parametrize("query", ["4930901821", "00018", "555-0123"])
def test_another_number_is_not_told_of_one_that_looks_like_it(api: Api, query: str) -> None:
    assert briefed(api, query) == []


@pytest.mark.parametrize(("query", "meant"), [("901820", PLUMBER), ("12 March 2024", TEST), ("404", CODE)])
def test_a_number_that_is_known_is_told(api: Api, query: str, meant: str) -> None:
    assert meant in briefed(api, query)
