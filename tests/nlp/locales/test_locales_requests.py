"""Requests and times in German and French, as the English grammars read them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.nlp.commands.forget import forget_request
from memory_app.nlp.commands.remember import remember_request
from memory_app.nlp.locales import request_in_english, times_in_english
from memory_app.nlp.queries.query_kind import asked_topic
from memory_app.nlp.times.time_phrases import time_phrases

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "said", "content"),
    [
        ("german", "merk dir, dass ich in Bern wohne", "ich in Bern wohne"),
        ("german", "Bitte merk dir, dass meine Schwester Anna heißt!", "meine Schwester Anna heißt!"),
        ("german", "Vergiss nicht, dass ich Vegetarier bin.", "ich Vegetarier bin."),
        ("german", "merke dir: Der Schlüssel liegt im Keller", "Der Schlüssel liegt im Keller"),
        ("german", "Ich wohne in Köln, merk dir das", "Ich wohne in Köln"),
        ("german", "Ich esse kein Fleisch mehr, merk dir das", "Ich esse kein Fleisch mehr"),
        ("german", "merk dir das", ""),
        ("french", "souviens-toi que j’habite à Lyon", "j'habite à Lyon"),
        ("french", "Retiens que ma sœur s'appelle Anna", "ma sœur s'appelle Anna"),
        ("french", "n'oublie pas que je suis végétarien, s'il te plaît", "je suis végétarien"),
        ("french", "souviens-toi de ça", ""),
    ],
)
def test_what_is_asked_to_be_remembered_keeps_its_words(language: str, said: str, content: str) -> None:
    request = remember_request(request_in_english(said, language))
    assert request is not None
    assert (request.content, request.refers_back) == (content, not content)


@pytest.mark.parametrize(
    ("language", "said", "query"),
    [
        ("german", "vergiss, dass ich rauche", "ich rauche"),
        ("german", "Vergiss alles über Anna", "Anna"),
        ("german", "vergiss das blaue Auto!", "das blaue Auto"),
        ("french", "oublie que je fume", "je fume"),
        ("french", "oublie tout sur Anna", "Anna"),
    ],
)
def test_what_is_asked_to_be_forgotten_keeps_its_words(language: str, said: str, query: str) -> None:
    request = forget_request(request_in_english(said, language))
    assert request is not None
    assert request.query == query


@pytest.mark.parametrize(
    ("language", "said", "everything"),
    [
        *(("german", "vergiss das", False), ("german", "lösche das bitte", False), ("german", "vergiss alles", True)),
        ("german", "Vergiss, was ich gerade gesagt habe.", False),
        *(("french", "oublie ça", False), ("french", "Oublie ce que je viens de dire", False)),
        ("french", "oublie tout ce que tu sais sur moi", True),
    ],
)
def test_the_last_one_or_all_of_them_can_be_meant(language: str, said: str, everything: bool) -> None:
    request = forget_request(request_in_english(said, language))
    assert request is not None
    assert (request.everything, request.immediate) == (everything, not everything)


@pytest.mark.parametrize(
    ("language", "said", "about"),
    [
        ("german", "Was weißt du über mich?", ""),
        ("german", "Was weißt du alles über Anna?", "Anna"),
        ("german", "Erinnerst du dich an das blaue Auto?", "das blaue Auto"),
        ("german", "Woran erinnerst du dich?", ""),
        ("french", "Que sais-tu de moi ?", ""),
        ("french", "Qu’est-ce que tu sais sur Anna ?", "Anna"),
        ("french", "tu te souviens de la voiture bleue ?", "la voiture bleue"),
    ],
)
def test_what_is_remembered_of_something_can_be_asked(language: str, said: str, about: str) -> None:
    assert asked_topic(request_in_english(said, language)) == about


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *(("german", "wo wohne ich?"), ("german", "ich habe das vergessen"), ("german", "vergiss es")),
        *(("french", "où est-ce que j'habite ?"), ("french", "j'ai oublié ça"), ("french", "remember that I smoke")),
        *(("english", "vergiss das"), ("finnish", "oublie ça"), ("german", "merk dir, dass " + "x" * 5000)),
    ],
)
def test_what_asks_for_nothing_of_the_kind_stays_as_it_is(language: str, said: str) -> None:
    assert request_in_english(said, language) == said


@pytest.mark.parametrize(
    ("language", "said", "first", "end"),
    [
        ("german", "was war letzte Woche?", "2026-11-09", "2026-11-16"),
        ("german", "was habe ich gestern gegessen?", "2026-11-19", "2026-11-20"),
        ("german", "wo war ich im Mai 2024?", "2024-05-01", "2024-06-01"),
        ("german", "was war am 3. Mai 2024?", "2024-05-03", "2024-05-04"),
        ("german", "vor zwei Jahren", "2024-01-01", "2025-01-01"),
        ("german", "im Sommer 2023", "2023-06-01", "2023-09-01"),
        ("french", "qu'est-ce que j'ai fait la semaine dernière ?", "2026-11-09", "2026-11-16"),
        ("french", "hier", "2026-11-19", "2026-11-20"),
        ("french", "où étais-je en mai 2024 ?", "2024-05-01", "2024-06-01"),
        ("french", "il y a trois jours", "2026-11-17", "2026-11-18"),
        ("french", "l’année dernière", "2025-01-01", "2026-01-01"),
    ],
)
def test_a_phrase_of_time_means_what_the_english_one_does(language: str, said: str, first: str, end: str) -> None:
    found = time_phrases(times_in_english(said, language), at=NOON, timezone=ZoneInfo("UTC"))
    assert [(one.start.date().isoformat(), one.end.date().isoformat()) for one in found] == [(first, end)]


@pytest.mark.parametrize("said", ["guten Morgen", "wir treffen uns am Morgen", "die Maiglöckchen", "ein Jahrmarkt"])
def test_what_merely_looks_like_a_time_is_none(said: str) -> None:
    assert times_in_english(said, "german") == said


@pytest.mark.parametrize(
    ("language", "said", "first"),
    [
        ("german", "Im März bin ich umgezogen", "2026-03-01"),
        ("german", "im März ziehe ich um", "2027-03-01"),
        ("german", "Ich bin im Dezember nach Rom geflogen", "2025-12-01"),
        ("german", "Ich fliege im Dezember nach Rom", "2026-12-01"),
        ("german", "Ich wohne seit März in Berlin", "2026-03-01"),
        ("german", "Im Dezember war ich in Wien", "2025-12-01"),
        ("german", "Am 3. Dezember habe ich gekündigt", "2025-12-03"),
        ("german", "Am 3. Dezember fange ich an", "2026-12-03"),
        ("german", "Ich habe vor, im März umzuziehen", "2027-03-01"),
        ("french", "En mars j'ai déménagé", "2026-03-01"),
        ("french", "en mars je vais déménager", "2027-03-01"),
        ("french", "Je suis né en décembre", "2025-12-01"),
        ("french", "Je déménage en mars", "2027-03-01"),
        ("french", "J'ai un mariage en mai", "2027-05-01"),
        ("french", "Nous sommes allés à Rome en décembre", "2025-12-01"),
        ("french", "J'habite à Lyon depuis mars", "2026-03-01"),
        ("french", "En décembre j'étais à Vienne", "2025-12-01"),
        ("french", "Le 3 décembre j'ai démissionné", "2025-12-03"),
        ("french", "Le 3 décembre je commence mon travail", "2026-12-03"),
    ],
)
def test_a_month_without_a_year_is_placed_by_the_tense_of_its_clause(language: str, said: str, first: str) -> None:
    found = time_phrases(times_in_english(said, language), at=NOON, timezone=ZoneInfo("UTC"))
    assert [one.start.date().isoformat() for one in found] == [first]
