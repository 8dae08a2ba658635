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
        ("Ich wohne jetzt in Hamburg.", "Alice wohnt jetzt in Hamburg."),
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
        ("J'habite maintenant à Paris.", "Alice habite maintenant à Paris."),
        ("J'ai étudié à Paris.", "Alice a étudié à Paris."),
        ("Je vais à la piscine le lundi.", "Alice va à la piscine le lundi."),
    ],
)
def test_plain_french_is_told_of_the_person(said: str, told: str) -> None:
    assert [one.content for one in found_in("french", said)] == [told]


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("german", "merk dir, dass ich nur noch dienstags arbeite", "Alice arbeitet nur noch dienstags."),
        ("german", "Vergiss bitte nicht, dass meine Frau Anna heißt.", "Alices Frau heißt Anna."),
        ("german", "Danke! Kannst du dir merken, dass mein Zug um 7:12 fährt?", "Alices Zug fährt um 7:12."),
        ("german", "Merk dir, dass der Müll mittwochs abgeholt wird.", "Der Müll wird mittwochs abgeholt."),
        ("german", "Vergiss nicht, dass wir am Freitag wegfahren.", "Alice: Wir fahren am Freitag weg."),
        ("german", "Merk dir, dass unser Projekt „Blauwal“ heißt", "Alice: Unser Projekt heißt „Blauwal“."),
        ("german", "Morgen wird es spät, also merk dir, dass ich Fisch esse.", "Alice isst Fisch."),
        ("german", "Der Schlüssel liegt im Keller, merk dir das.", "Der Schlüssel liegt im Keller."),
        ("german", "Remember that I work on Tuesdays only.", "Alice works on Tuesdays only."),
        ("french", "souviens-toi que je ne travaille plus le lundi", "Alice ne travaille plus le lundi."),
        ("french", "Au fait, retiens que mon frère Tom vit à Nantes.", "Le frère d'Alice, Tom, vit à Nantes."),
        ("french", "Peux-tu noter que le dentiste est fermé lundi ?", "Le dentiste est fermé lundi."),
        ("french", "N'oublie pas que nous partons vendredi.", "Alice: Nous partons vendredi."),
        (
            "french",
            "Note : je n'aime pas le thé mais que j'aime le lait",
            "Alice n'aime pas le thé mais qu'Alice aime le lait.",
        ),
    ],
)
def test_what_is_asked_to_be_remembered_is_told_too(language: str, said: str, told: str) -> None:
    (one,) = found_in(language, said)
    assert (one.content, one.confidence) == (told, 0.95)
    assert all(quote.text in said for quote in one.quotes)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("german", "Merk dir, dass mein Passwort hunter2 ist."),
        ("german", "Merk dir, dass ich Diabetes habe."),
        ("german", "Vergiss nicht, Milch zu kaufen."),
        ("german", "Vergiss, dass ich rauche."),
        ("german", "Ich merke mir, dass der Müll mittwochs abgeholt wird."),
        ("german", "Der Schlüssel liegt im Keller."),
        ("french", "Souviens-toi que mon mot de passe est hunter2."),
        ("french", "Retiens que j'ai le diabète."),
        ("french", "Oublie que je fume."),
        ("french", "N'oublie pas d'acheter du lait."),
    ],
)
def test_secrets_tasks_and_requests_to_forget_are_no_news(language: str, said: str) -> None:
    assert found_in(language, said) == []


@pytest.mark.parametrize(
    ("language", "said", "day"),
    [
        ("german", "Merk dir, dass Oma am Sonntag kommt.", 22),
        ("german", "Merk dir, dass ich morgen Geburtstag habe.", 21),
        ("french", "Retiens que ma mère arrive demain.", 21),
    ],
)
def test_what_is_to_come_is_an_event_with_its_day(language: str, said: str, day: int) -> None:
    (one,) = found_in(language, said)
    assert one.event_time is not None
    assert (one.type, one.event_time.day) == ("event", day)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Merk dir, dass ich seit Januar studiere.", "2026-01-01"),
        ("Merk dir: am 3. Mai habe ich frei.", "2027-05-03"),
        ("Merk dir, dass ich am Freitag gewonnen habe.", "2026-11-13"),
        ("Merk dir, dass ich im März umgezogen bin.", "2026-03-01"),
    ],
)
def test_a_day_of_which_only_the_tense_says_the_year_is_placed_by_it(said: str, day: str) -> None:
    (one,) = found_in("german", said)
    assert one.event_time is not None
    assert one.event_time.date().isoformat() == day


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
        "Mon frère dit que je suis têtu.",
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
