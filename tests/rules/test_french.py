"""French, put into English word by word to be compared."""

import pytest

from memory_app.rules.tongues.french_told import in_english
from memory_app.rules.tongues.told import LONGEST


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("J'habite à Nice.", "I live in Nice."),
        ("[3 May 2024] Alice: J’habite à Tours.", "[3 May 2024] Alice: I live in Tours."),
        ("Notre budget s'élève à 3,5 millions d'euros", "our budget is 3.5 million of euros"),
        ("Mon loyer est de 1 200 euros", "my rent is 1200 euros"),
        ("Ma sœur Anne a déménagé à Lille", "my sister Anne moved to Lille"),
        ("Depuis mai, je vis au Portugal", "I live in Portugal"),
        ("Je ne fume plus", "I smoke no longer"),
        ("Je ne fume que le lundi", "I smoke only on mondays"),
        ("Je ne bois pas d'alcool", "I drink not alcohol"),
        ("Le rendez-vous est lundi à 9h30", "the meeting is on monday at 9:30"),
        ("Ma couleur préférée est le bleu", "my favourite colour is the blue"),
        ("Ma fille a 7 ans", "my daughter is 7 years old"),
        ("Je suis née à Metz", "I was born in Metz"),
        ("Il y a deux ans, j'habitais à Lyon", "two years ago, I lived in Lyon"),
        ("Je vois quelqu'un", "I am seeing someone"),
    ],
)
def test_what_is_told_plainly_is_put_into_english(french: str, english: str) -> None:
    assert in_english(french) == english


def test_what_happened_is_told_as_past() -> None:
    assert in_english("J'ai acheté deux livres").startswith("I achetéed two")
    assert in_english("Je suis allée à Rome").startswith("I alléeed in Rome")


@pytest.mark.parametrize(
    "text", ["", "👍", "I live in Paris and my dog is called Mon", "Ich wohne in Rom", "J'habite " + "à " * LONGEST]
)
def test_every_other_text_is_left_as_it_is(text: str) -> None:
    assert in_english(text) == text.strip()
