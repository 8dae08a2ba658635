"""Names, addresses, tags and dates are found where they stand, with their type."""

import json
from pathlib import Path

import pytest

from memory_app.nlp.entities.find_entities import find_entities

LABELLED = json.loads((Path(__file__).parent / "data/names.json").read_text())
"""Everyday sentences with the names in them. The unseen half was written before the rules and looked at after them."""

MARKED = ("date", "email", "url")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My sister Anna is a doctor", [("Anna", "person")]),
        ("My boss is Katrin Vogel", [("Katrin Vogel", "person")]),
        ("I love Anna's cake", [("Anna", "person")]),
        ("it's Anna’s birthday", [("Anna", "person")]),
        ("Anna and Bob got married", [("Anna", "person"), ("Bob", "person")]),
        ("Dr. Lee said hi", [("Lee", "person")]),
        ("Met Zorblax in Paris", [("Zorblax", "person"), ("Paris", "location")]),
        ("Bye Joanna", [("Joanna", "person")]),
        ("Talked to Grace about it", [("Grace", "person")]),
        ("Thom works at Microsoft", [("Thom", "person"), ("Microsoft", "organization")]),
        ("I work at Initech", [("Initech", "organization")]),
        ("Bank of America called", [("Bank of America", "organization")]),
        ("University of Oxford is old", [("University of Oxford", "organization")]),
        ("I live in Berlin", [("Berlin", "location")]),
        ("We flew to New York City", [("New York City", "location")]),
        ("José lives in São Paulo", [("José", "person"), ("São Paulo", "location")]),
        ("We went to Lake Constance", [("Lake Constance", "location")]),
        ("Moved to Springfield", [("Springfield", "location")]),
        ("Project Phoenix is late", [("Phoenix", "project")]),
        ("write to @carol about #gardening", [("carol", "person"), ("gardening", "topic")]),
        ("Mail Bob@Example.org", [("bob@example.org", "email")]),
        ("see https://example.org/a?b=1.", [("https://example.org/a?b=1", "url")]),
        ("We met on 7 May 2023", [("7 May 2023", "date")]),
        ("due 2023-05-07", [("2023-05-07", "date")]),
        ("call +49 170 1234567", [("+491701234567", "other")]),
        ("I am reading Anna Seghers", [("Anna Seghers", "person")]),
        ("I read the book Anna gave me", [("Anna", "person")]),
        ("The book is Anna's", [("Anna", "person")]),
        ("I watched Anna and Bob play", [("Anna", "person"), ("Bob", "person")]),
        ("He studies at Reading University", [("Reading University", "organization")]),
        ("Kitchen renovation budget is $50k", []),
        ("We met in April", []),
        ("I will go on Monday", []),
        ("Life is hard", []),
        ("TODO fix it", []),
        ("HELLO WORLD THIS IS BOB", []),
        ("i met anna", []),
        ("", []),
    ],
)
def test_names_are_found_with_their_type(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(entity.canonical, entity.type) for entity in find_entities(text)] == expected


def test_a_mention_knows_where_it_stands() -> None:
    text = "My sister Anna’s cake, for @bob"
    assert [(text[slice(*entity.span)], entity.surface) for entity in find_entities(text)] == [
        ("Anna", "Anna"),
        ("@bob", "@bob"),
    ]


def names_of(text: str) -> set[tuple[str, str]]:
    return {(entity.canonical, entity.type) for entity in find_entities(text) if entity.type not in MARKED}


@pytest.mark.parametrize(("unseen", "precise", "complete"), [(False, 0.97, 1.0), (True, 0.93, 0.93)])
def test_names_in_everyday_sentences(unseen: bool, precise: float, complete: float) -> None:
    rows = [row for row in LABELLED if row["unseen"] == unseen]
    found = [(names_of(row["text"]), {tuple(name) for name in row["names"]}) for row in rows]
    right = sum(len(got & wanted) for got, wanted in found)
    assert len(rows) == 40
    assert right / sum(len(got) for got, _ in found) >= precise
    assert right / sum(len(wanted) for _, wanted in found) >= complete
