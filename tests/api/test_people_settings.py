"""A person's settings: what they change is kept, and what they mean holds at once."""

from typing import Any
from urllib.parse import quote

import pytest

from memory_app.models import Turn
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

CARD = "My card number is 4111 1111 1111 1111"


def settle(api: Api, status: int = 200, **changes: Any) -> Any:
    answer = api.call("PATCH", "/people/alice", changes)
    assert answer.status_code == status, answer.content
    return answer.json()


def keep_card(api: Api, status: int = 201) -> None:
    body = {"person": "alice", "content": CARD, "source": {"type": "explicit"}}
    assert api.post("/memories", body).status_code == status


def test_settings_are_told_and_changed(api: Api) -> None:
    told = settle(api, language="german", sensitive_policy="sealed")
    assert (told["language"], told["sensitive_policy"]) == ("german", "sealed")
    assert api.get("/people/alice").json() == told


@pytest.mark.parametrize("wrong", [{"language": "klingon"}, {"language": ""}, {"sensitive_policy": "told"}])
def test_what_is_no_setting_is_refused(api: Api, wrong: dict[str, Any]) -> None:
    assert settle(api, 422, **wrong)["errors"][0]["field"] == next(iter(wrong))


def found(api: Api, query: str, kind: str) -> list[str]:
    body = {"person": "alice", "query": query, "kinds": [kind], "method": "text"}
    return [result[kind]["content"] for result in api.post("/search", body).json()["results"]]


def test_words_are_found_as_the_new_language_forms_them(api: Api) -> None:
    api.remember("alice", "Die Fliesen waren blau")
    talk = api.post("/conversations", {"person": "alice"}).json()["id"]
    api.post(f"/conversations/{talk}/turns", {"role": "user", "content": "Wir haben zwei Katzen"})
    assert (found(api, "Fliese", "memory"), found(api, "Katze", "turn")) == ([], [])
    settle(api, language="german")
    assert found(api, "Fliese", "memory") == ["Die Fliesen waren blau"]
    assert found(api, "Katze", "turn") == ["Wir haben zwei Katzen"]
    with every_space():
        assert "novemb" in str(Turn.objects.get().tsv)


def test_what_is_sensitive_is_told_in_private_unless_it_is_sealed(api: Api) -> None:
    keep_card(api)
    asked = {"person": "alice", "query": "what is my card number?"}
    assert "4111" in api.post("/context", asked).json()["text"]
    settle(api, sensitive_policy="sealed")
    assert api.post("/context", asked).json()["text"] == ""
    assert CARD in found(api, "card number", "memory")


def test_what_is_sensitive_may_be_refused(api: Api) -> None:
    settle(api, sensitive_policy="refused")
    keep_card(api, 422)
    assert api.post("/remember", {"person": "alice", "utterance": f"remember that {CARD}"}).status_code == 422
    settle(api, sensitive_policy="private")
    keep_card(api)


@pytest.mark.parametrize("name", ["Bob\nthe builder", "Bob\u2028", "a/b\nc"])
def test_a_person_with_a_line_break_in_the_name_is_met_by_it(api: Api, name: str) -> None:
    api.remember(name, "The tile is blue")
    answer = api.get(f"/people/{quote(name, safe='')}")
    assert (answer.status_code, answer.json()["person"]) == (200, name)
    assert api.get(f"/people/{quote(name, safe='')}/stats").json()["memories"]["total"] == 1
