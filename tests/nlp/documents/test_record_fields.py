"""Foreign records read as ours."""

from typing import Any

import pytest

from memory_app.nlp.documents.record_fields import map_record, parse_mapping

KNOWN = {"person", "content", "category", "key", "tags", "type", "event_time"}


def test_pairs() -> None:
    assert parse_mapping(["user=person", " text = content ", "junk="]) == {
        "user": "person",
        "text": "content",
        "junk": "",
    }


@pytest.mark.parametrize("pair", ["user", "=person", ""])
def test_what_is_no_pair_is_told(pair: str) -> None:
    with pytest.raises(ValueError, match="old=new"):
        parse_mapping([pair])


@pytest.mark.parametrize(
    ("record", "pairs", "expected"),
    [
        (
            {"user": "alice", "text": "Alice sings", "junk": 5},
            ["user=person", "text=content", "junk="],
            [{"person": "alice", "content": "Alice sings"}],
        ),
        (
            {"name": "alice", "favourite_food": "pizza", "shoe-size": 42, "pets": ["a cat", "a dog"], "car": ""},
            ["name=person"],
            [
                {"person": "alice", "content": "Favourite food: pizza", "key": "favourite_food"},
                {"person": "alice", "content": "Shoe size: 42", "key": "shoe_size"},
                {"person": "alice", "content": "Pets: a cat"},
                {"person": "alice", "content": "Pets: a dog"},
            ],
        ),
        (
            {"name": "alice", "food": "pizza"},
            ["name=person", "food=favourite food"],
            [{"person": "alice", "content": "Favourite food: pizza", "key": "favourite_food"}],
        ),
        (
            {"preferences": {"tea": "green"}, "facts": ["Alice has two cats"], "work": {"role": "baker"}},
            [],
            [
                {"content": "Tea: green", "key": "tea", "category": "preference"},
                {"content": "Alice has two cats", "category": "fact"},
                {"content": "Role: baker", "key": "role", "category": "work"},
            ],
        ),
        (
            {"profile": {"name": "alice", "town": "Rome"}},
            ["profile.name=person", "profile.town=home"],
            [{"person": "alice", "content": "Home: Rome", "key": "home"}],
        ),
        ({"name": "alice"}, ["name=person"], [{"person": "alice"}]),
        ({}, [], [{}]),
    ],
)
def test_what_a_record_stands_for(record: dict[str, Any], pairs: list[str], expected: list[dict[str, Any]]) -> None:
    assert map_record(record, parse_mapping(pairs), KNOWN, "alice") == expected


def test_profiles_by_the_name_of_their_person() -> None:
    record = {"alice": {"home": "Rome"}, "bob": {"home": "Oslo", "junk": 1}}
    assert map_record(record, {"junk": ""}, KNOWN, None) == [
        {"person": "alice", "content": "Home: Rome", "key": "home"},
        {"person": "bob", "content": "Home: Oslo", "key": "home"},
    ]
