"""Short forms written out."""

import pytest

from memory_app.language.extract.contractions import had_or_would, spelled


@pytest.mark.parametrize(
    ("verb", "means"),
    [
        ("bought", "had"), ("gone", "had"), ("had", "had"), ("moved", "had"), ("known", "had"), ("better", "had"),
        ("need", "would"), ("feed", "would"), ("like", "would"), ("rather", "would"), ("prefer", "would"),
        ("have", "would"), ("move", "would"), ("", "would"), ("put", "would"),
    ],
)  # fmt: skip
def test_what_d_stands_for_is_told_by_the_verb_after_it(verb: str, means: str) -> None:
    assert had_or_would(verb, f"I'd {verb} a car.") == means


def test_a_verb_that_is_its_own_participle_is_told_by_the_time() -> None:
    assert had_or_would("read", "I'd read it twice before.") == "had"
    assert had_or_would("read", "I'd read it to the kids.") == "would"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("dont like mushrooms", "don't like mushrooms"),
        ("i havent got a car", "i haven't got a car"),
        ("im a nurse and ive got a dog", "I'm a nurse and I've got a dog"),
        ("id love a dog", "I'd love a dog"),
        ("my id has expired", "my id has expired"),
        ("Ill be in Leeds", "I'll be in Leeds"),
        ("I was ill last week", "I was ill last week"),
        ("I'm gonna move, I wanna sail", "I'm going to move, I want to sail"),
        ("I gotta go to Leeds", "I have to go to Leeds"),
        ("I ain't eating meat", "I'm not eating meat"),
        ("I ain't got a car", "I haven't got a car"),
        ("I'll've finished by June", "I'll have finished by June"),
        ("My name's Al and I'm new", "My name is Al and I'm new"),
        ("My kids're at camp", "My kids are at camp"),
        ("My parents've moved", "My parents have moved"),
        ("My sister'd love a dog", "My sister would love a dog"),
        ("My wife and I'd bought a car", "My wife and I had bought a car"),
        ("My sister's boyfriend's called Max", "My sister's boyfriend is called Max"),
        ("My brother's a nurse", "My brother is a nurse"),
        ("My brother's moved to Leeds", "My brother has moved to Leeds"),
        ("My sister's got two kids", "My sister has got two kids"),
        ("My mum's always late for work", "My mum is always late for work"),
        ("My brother's dog is called Rex", "My brother's dog is called Rex"),
        ("My sister's wedding is in May", "My sister's wedding is in May"),
        ("My dad's used car is red", "My dad's used car is red"),
    ],
)
def test_short_and_sloppy_forms_are_spelled_out_and_possessives_stay(said: str, written: str) -> None:
    assert spelled(said) == written
