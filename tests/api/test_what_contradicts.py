"""What contradicts what, as it is told: in one breath with other things, of what is settled, in other languages."""

from typing import Any

import pytest

from tests.conftest import Api


def waiting(api: Api) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.get("/proposals?person=alice&status=pending").json()["items"]
    return items


def test_what_is_told_among_other_things_contradicts_what_it_says_otherwise(api: Api, real_encoder: object) -> None:
    home, budget = api.remember("alice", "I live in Oslo"), api.remember("alice", "My budget is 40,000")
    api.remember("alice", "I moved to Rome and my budget is now 50,000")
    assert {asked["target"] for asked in waiting(api)} == {home["id"], budget["id"]}


def test_a_meeting_on_another_day_contradicts_none(api: Api, real_encoder: object) -> None:
    for text in ("Meeting with Ann on Monday", "Meeting with Bob on Wednesday", "I have a meeting with Ann on Friday"):
        assert api.remember("alice", text)["contradicts"] is None


@pytest.mark.parametrize(
    ("old", "new", "contradicts"),
    [
        ("My exam is on Monday", "I have my exam on Friday", True),
        ("I'm engaged", "I'm single", True),
        ("I'm divorced", "I'm a widow", True),
        ("I have an exam on Monday", "I have an exam on Friday", False),
        ("I'm divorced", "I'm engaged", False),
        ("I have a dog", "I have a cat", False),
        ("I am a nurse", "I'm a teacher now", True),
        ("I'm a plumber at Hansen & Sons", "I'm a primary school teacher", True),
        ("I am a mother", "I am a nurse", False),
        ("I'm a nurse", "I'm a vegan and a painter", False),
        ("I have a call at 9", "I have a call at 11", False),
        ("My shift starts at 9", "My shift starts at 11", True),
    ],
)
def test_what_is_settled_told_otherwise_contradicts(
    api: Api, real_encoder: object, old: str, new: str, contradicts: bool
) -> None:
    first, second = api.remember("alice", old), api.remember("alice", new)
    assert second["id"] != first["id"]
    assert second["contradicts"] == (first["id"] if contradicts else None)


@pytest.mark.parametrize(
    ("old", "new", "contradicts"),
    [
        ("Ich wohne in Berlin", "Ich wohne in Hamburg", True),
        ("Unser Budget ist 40.000 Euro", "Unser Budget liegt jetzt bei 50.000 Euro", True),
        ("Ich esse Fleisch", "Ich esse kein Fleisch", True),
        ("I live in Berlin with Bob", "I live in Hamburg with Bob", True),
        ("Ich wohne in Berlin", "Meine Schwester wohnt in Hamburg", False),
        ("Treffen mit Anna am Montag", "Treffen mit Bernd am Mittwoch", False),
    ],
)
def test_so_it_is_told_by_who_speaks_german(
    api: Api, real_encoder: object, old: str, new: str, contradicts: bool
) -> None:
    first = api.remember("alice", old)
    assert api.call("PATCH", "/people/alice", {"language": "german"}).status_code == 200
    assert api.remember("alice", new)["contradicts"] == (first["id"] if contradicts else None)


@pytest.mark.parametrize(
    ("old", "new", "contradicts"),
    [
        ("Ma sœur habite à Paris", "Ma sœur habite maintenant à Lyon", True),
        ("Notre budget est de 40 000 euros", "Notre budget s’élève à 50 000 euros", True),
        ("Je mange de la viande", "Je ne mange plus de viande", True),
        ("Ma sœur habite à Paris", "Mon frère habite à Lyon", False),
        ("J'ai un chien", "J'ai un chat", False),
        ("Rendez-vous avec Anne lundi", "Rendez-vous avec Bernard mercredi", False),
    ],
)
def test_or_by_who_speaks_french(api: Api, real_encoder: object, old: str, new: str, contradicts: bool) -> None:
    first = api.remember("alice", old)
    assert api.call("PATCH", "/people/alice", {"language": "french"}).status_code == 200
    assert api.remember("alice", new)["contradicts"] == (first["id"] if contradicts else None)


@pytest.mark.parametrize(
    ("language", "old", "new", "slot"),
    [
        ("german", "Ich wohne in Berlin", "Ich bin nach Hamburg gezogen", "home"),
        ("german", "Ich wohne in Berlin", "Ich wohne jetzt in Hamburg", "home"),
        ("german", "Ich arbeite bei Bosch", "Ich arbeite jetzt bei Siemens", "employer"),
        ("german", "Ich bin 34 Jahre alt", "Alice ist 35 Jahre alt", "age"),
        ("german", "Ich bin Vegetarierin", "Ich bin Veganerin", "diet"),
        ("french", "J'habite à Paris", "J’habite maintenant à Lyon", "home"),
        ("french", "Je travaille comme professeur", "Je travaille comme médecin", "role"),
        ("french", "J'ai 34 ans", "J'ai 35 ans", "age"),
    ],
)
def test_a_new_value_of_a_slot_replaces_the_old_in_any_language(
    api: Api, real_encoder: object, language: str, old: str, new: str, slot: str
) -> None:
    assert api.call("PATCH", "/people/alice", {"language": language}).status_code == 200
    first, second = api.remember("alice", old), api.remember("alice", new)
    assert (first["key"], second["key"], second["supersedes"]) == (slot, slot, first["id"])
    assert waiting(api) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("german", "Ich lebe in Trennung"),
        ("german", "Mein Job ist anstrengend"),
        ("german", "Meine Schwester wohnt in Berlin"),
        ("german", "Ich wohne nicht in Berlin"),
        ("german", "Ich wohnte in Berlin"),
        ("french", "Mon nom est difficile"),
        ("french", "J'habite à la campagne"),
        ("french", "Je voudrais habiter à Paris"),
        ("french", "J'habitais à Paris"),
    ],
)
def test_what_tells_no_such_value_fills_no_slot(api: Api, real_encoder: object, language: str, text: str) -> None:
    assert api.call("PATCH", "/people/alice", {"language": language}).status_code == 200
    assert api.remember("alice", text)["key"] is None


@pytest.mark.parametrize("attributes", [{"room": "kitchen"}, {"conflicts_with": "nothing"}, None])
def test_other_attributes_leave_what_contradicts_it(
    api: Api, real_encoder: object, attributes: dict[str, str] | None
) -> None:
    old, new = api.remember("alice", "I live in Berlin with Bob"), api.remember("alice", "I live in Hamburg with Bob")
    for memory, other in ((old, new), (new, old)):
        where = f"/memories/{memory['id']}?person=alice"
        now = api.call("PATCH", where, {"attributes": attributes}).json()
        assert now["attributes"] == {**(attributes or {}), "conflicts_with": other["id"]}
    assert api.get(f"/memories/{old['id']}?person=alice").json()["contradicted_by"] == new["id"]
