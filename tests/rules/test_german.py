"""German, put into English word by word to be compared."""

import pytest

from memory_app.rules.tongues.german_told import in_english
from memory_app.rules.tongues.told import LONGEST


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Ich wohne in Essen.", "I live in Essen."),
        ("[3 May 2024] Alice: Ich wohne in Berlin.", "[3 May 2024] Alice: I live in Berlin."),
        ("Mein Budget beträgt 40.000 Euro", "my budget is 40000 euros"),
        ("Das Bad hat 3,5 Meter", "the bad have 3.5 meter"),
        ("Meine Schwester Anna ist nach Bonn gezogen", "my sister Anna moved to Bonn"),
        ("Seit Mai wohne ich in Leipzig", "I live in Leipzig"),
        ("Ich rauche nicht mehr", "I smoke no longer"),
        ("Ich trinke keinen Wein", "I drink no wine"),
        ("Um 10 Uhr habe ich einen Termin bei Anna", "I have a meeting at Anna at 10:00"),
        ("Meine Lieblingsfarbe ist Blau", "my favourite colour is blue"),
    ],
)
def test_what_is_told_plainly_is_put_into_english(german: str, english: str) -> None:
    assert in_english(german) == english


def test_what_happened_is_told_as_past() -> None:
    assert in_english("Ich habe zwei Bücher gekauft").startswith("I gekaufted two")


@pytest.mark.parametrize(
    "text", ["", "👍", "I live in Berlin and my dog is called Mein", "J’habite à Rome", "Ich wohne " + "in " * LONGEST]
)
def test_every_other_text_is_left_as_it_is(text: str) -> None:
    assert in_english(text) == text.strip()
