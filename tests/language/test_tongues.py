"""Plain statements in German and French, noticed for those whose language it is, and told in it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract import Found, Said, extract

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)


def found_in(language: str, said: str, person: str = "Alice") -> list[Found]:
    lines = ("user", "Hallo!"), ("assistant", "Ja?"), ("user", said), ("assistant", "Gut."), ("user", "Ok.")
    turns = [Said(n, role, text, spoken_at=FRIDAY) for n, (role, text) in enumerate(lines)]
    return extract(turns, person=person, timezone=ZoneInfo("Europe/Berlin"), language=language)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ich wohne in Berlin.", "Alice wohnt in Berlin."),
        ("Mein Hund heißt Rex", "Alices Hund heißt Rex."),
        ("Ich mag keine Pilze.", "Alice mag keine Pilze."),
        ("Ich arbeite als Ärztin in Ulm und wohne in Köln.", "Alice arbeitet als Ärztin in Ulm und wohnt in Köln."),
        ("Seit 2019 arbeite ich bei Siemens.", "Seit 2019 arbeitet Alice bei Siemens."),
        ("Ich interessiere mich für Astronomie.", "Alice interessiert sich für Astronomie."),
        ("Ich esse kein Fleisch, weil ich Tiere mag.", "Alice isst kein Fleisch, weil Alice Tiere mag."),
        ("Ich wohne mit meinem Bruder in Berlin.", "Alice wohnt mit Alices Bruder in Berlin."),
        ("Am 3. Dezember 2027 habe ich eine Prüfung.", "Am 3. Dezember 2027 hat Alice eine Prüfung."),
        ("Meine Eltern wohnen in Graz.", "Alices Eltern wohnen in Graz."),
        ("Ich habe in München studiert.", "Alice hat in München studiert."),
        ("Ich gehe jeden Freitag ins Kino.", "Alice geht jeden Freitag ins Kino."),
        ("Übrigens, ich spiele Cello.", "Alice spielt Cello."),
        ("I live in Berlin.", "Alice lives in Berlin."),
    ],
)
def test_plain_german_is_told_of_the_person(said: str, told: str) -> None:
    assert [one.content for one in found_in("german", said)] == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("J'habite à Lyon.", "Alice habite à Lyon."),
        ("Mon chien s'appelle Rex", "Le chien d'Alice s'appelle Rex."),
        ("Je n'aime pas les champignons.", "Alice n'aime pas les champignons."),
        ("Je ne suis pas française.", "Alice n'est pas française."),
        ("Je n’ai pas de voiture.", "Alice n’a pas de voiture."),
        ("Je m'intéresse à l'astronomie.", "Alice s'intéresse à l'astronomie."),
        ("Je suis infirmière et je travaille de nuit.", "Alice est infirmière et travaille de nuit."),
        ("J'habite avec ma sœur à Lyon.", "Alice habite avec sa sœur à Lyon."),
        ("Mon frère Tom habite à Nantes.", "Le frère d'Alice, Tom, habite à Nantes."),
        ("Mon amie Zoé est avocate.", "L'amie d'Alice, Zoé, est avocate."),
        ("Mes enfants n'aiment pas les épinards.", "Les enfants d'Alice n'aiment pas les épinards."),
        ("J'ai étudié à Paris.", "Alice a étudié à Paris."),
        ("Je vais à la piscine le lundi.", "Alice va à la piscine le lundi."),
    ],
)
def test_plain_french_is_told_of_the_person(said: str, told: str) -> None:
    assert [one.content for one in found_in("french", said)] == [told]


@pytest.mark.parametrize(
    "said",
    [
        "Vielleicht ziehe ich nach Rom.",
        "Wenn ich in Rom wohne, brauche ich ein Visum.",
        "Ich glaube, ich mag Jazz.",
        "Wo wohne ich?",
        "Ich bin müde.",
        "Ich habe Hunger.",
        "Ich mag das.",
        "Ich fahre morgen nach Köln.",
        "Ich bin am Freitag in Köln.",
        "Ich bin schwanger.",
        "Ich habe eine Nussallergie.",
        "Mein Passwort ist hunter2.",
        "Ich verdiene 4000 Euro.",
        "Schreib mir ein Gedicht über meinen Hund.",
        'Er sagte: "Ich wohne in Bonn."',
        "> Ich wohne in Bonn.",
        "Bob: Ich wohne in Bonn.",
        "Mein Bruder und ich wohnen in Berlin.",
        "Ich liebe dich.",
        "`Ich bin = 1`",
    ],
)
def test_german_guesses_questions_secrets_and_what_passes_are_left_out(said: str) -> None:
    assert found_in("german", said) == []


@pytest.mark.parametrize(
    "said",
    [
        "Peut-être que j'habite à Rome.",
        "Si j'habite à Rome, je parle italien.",
        "J'aimerais habiter à Rome.",
        "Est-ce que j'habite à Lyon ?",
        "Je suis fatiguée.",
        "J'ai faim.",
        "J'aime ça.",
        "Demain je vais à Lyon.",
        "Je suis enceinte.",
        "Mon mot de passe est hunter2.",
        "Je gagne 3000 euros.",
        "J'ai besoin d'une recette.",
        "Il m'a dit « j'habite à Bonn ».",
        "Ma sœur m'appelle Lili.",
        "Mon frère aime ma voiture.",
        "Je t'aime.",
        "Tu me manques.",
    ],
)
def test_french_guesses_questions_secrets_and_what_passes_are_left_out(said: str) -> None:
    assert found_in("french", said) == []


def test_what_is_noticed_has_its_quote_its_kind_and_the_slot_it_fills() -> None:
    (home,) = found_in("german", "Hallo! Ich wohne in Berlin.")
    assert (home.type, home.category, home.key, home.keywords) == ("fact", "personal", "home", ("berlin",))
    assert [quote.text for quote in home.quotes] == ["Ich wohne in Berlin."]
    (taste,) = found_in("french", "J'adore le chocolat.")
    assert (taste.type, taste.category, taste.key) == ("preference", "preference", "")


def test_two_statements_of_one_turn_are_two_findings() -> None:
    told = [one.content for one in found_in("german", "Ich wohne in Berlin. Mein Hund heißt Rex.")]
    assert told == ["Alice wohnt in Berlin.", "Alices Hund heißt Rex."]


def test_another_language_than_the_persons_is_not_guessed_at() -> None:
    assert found_in("english", "Ich wohne in Berlin.") == []
    assert found_in("french", "Ich wohne in Berlin.") == []


def test_a_name_takes_the_form_that_the_language_gives_it() -> None:
    assert [one.content for one in found_in("german", "Mein Hund heißt Rex.", "Hans")] == ["Hans’ Hund heißt Rex."]
    assert [one.content for one in found_in("french", "Mon chien est noir.", "Bob")] == ["Le chien de Bob est noir."]


@pytest.mark.parametrize(("language", "said"), [("german", "Ich heiße Alice."), ("french", "Je m'appelle Alice.")])
def test_of_someone_known_by_it_a_name_is_no_news(language: str, said: str) -> None:
    assert found_in(language, said) == []
