"""Expand an English question by words of the same life area: "I report to Maria" may answer "who is my boss?".

An encoder of sentences sees too little of that, and a search for words nothing. A life area is what most people have: a
home, work, family, health. It has words that questions use, and more words that answers use.
"""

from dataclasses import dataclass

from memory_app.nlp import linear_re as re
from memory_app.nlp.keywords import STOPWORDS
from memory_app.nlp.text import vocabulary

ENCODER_LANGUAGES = frozenset({"english"})
"""Languages in which the encoder finds an answer in other words by itself."""

MAX_AREAS = 4
"""Life areas of one question; one that names more is about none in particular."""


@dataclass(frozen=True, slots=True)
class LifeArea:
    """question_words: a question with one of them is about this area. all_words: those, and what answers use."""

    question_words: frozenset[str]
    all_words: tuple[str, ...]


def _parse_areas(text: str) -> tuple[LifeArea, ...]:
    """One a line: "question words: answer words"."""
    parts = [line.partition(":") for line in text.strip().splitlines()]
    return tuple(
        LifeArea(frozenset(questions.split()), (*questions.split(), *answers.split()))
        for questions, _, answers in parts
    )


# A question about one's own life: "where do I live?" and "who employs me?", not "how do I boil an egg?".
_ABOUT_ONESELF = re.compile(
    r"^(?!.*\bhow (?:do|can|could|should|would|might) (?:i|we)\b)(?:.*\b(?:i|my|mine|we|our|ours)\b|.*\bme\W*$)",
    re.IGNORECASE | re.DOTALL,
)
_COMMON_WORDS = STOPWORDS | vocabulary(
    "time favourite favorite stay name names called named main own owned currently usually normally typically"
)
"""Words that name no other subject."""

_LIFE_AREAS = _parse_areas("""
work job employer employs employed profession occupation career living: hired company office position firm
boss manager supervisor superior report: lead chief head team
colleague colleagues coworker coworkers: team work office desk
live living home address reside: house flat apartment moved rent city town village
grow childhood hometown native country: grew raised born native village
old age birthday born: turned year birth
married marry wife husband spouse partner relationship: wedding engaged together girlfriend boyfriend fiancé fiancée
child children kid kids son sons daughter daughters: baby boy girl twin
sibling siblings brother brothers sister sisters: twin
parent parents mother father mum mom dad: mother father mum mom dad
family relatives: mother father brother sister wife husband son daughter cousin aunt uncle
pet pets animal animals: dog cat puppy kitten rabbit hamster horse parrot
dog dogs: puppy spaniel beagle terrier retriever poodle
cat cats: kitten tabby
drive car cars vehicle: van motorcycle motorbike scooter ride toyota volkswagen ford bmw audi mercedes volvo tesla
commute: cycle bike bus train tram walk office
study studied studying learn learning university college degree graduate: student course master bachelor school
language languages speak tongue: fluent native course learn
eat food dish meal meals cuisine cook: restaurant dinner lunch diet
diet avoid allergic allergy allergies: vegetarian vegan intolerant gluten rash reaction stand hate dislike
drink drinks beverage: coffee tea wine beer juice
sport sports exercise fit workout: train gym run swim climb cycle yoga football tennis
music band listen song: concert singer album jazz rock
instrument instruments: play piano guitar violin cello drums lesson
read reading book books author: novel fiction
film films movie movies series: watch cinema
game games: play player
hobby hobbies pastime spare free leisure weekend weekends: enjoy collect saturday sunday evening
holiday holidays vacation trip travel: booked visit flight week
fly flight: plane airport
phone mobile smartphone: iphone pixel android
computer laptop: desktop notebook pc mac
software editor program: code write
internet wifi broadband provider: router
doctor physician gp: dr surgeon clinic
bank: account savings
save saving: money aside savings
wake rise: alarm early
smoke: cigarette smoking
size shoe shoes clothes: wear shirt trousers
gift gifts present presents gave: give bought christmas birthday
plan plans goal goals dream dreams want achieve: wants hope intend
project projects working: build develop
friend friends: met together
religion faith church: believe mosque synagogue temple
""")

_WORD = re.compile(r"\w+(?:['’](?:s|t|re|ve|ll|d|m)\b)?", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$")


def related_words(question: str, language: str = "english") -> tuple[tuple[str, ...], ...]:
    """For each life area that a question about one's own life names, the words that its answer may use. Empty for
    another kind of question, for one that names something else too ("which car did I park at the station?"), and for
    another language."""
    if language != "english" or not _ABOUT_ONESELF.match(question):
        return ()
    words = {_POSSESSIVE.sub("", word.lower()) for word in _WORD.findall(question)}
    areas = [area for area in _LIFE_AREAS if area.question_words & words][:MAX_AREAS]
    known = _COMMON_WORDS | {word for area in areas for word in area.all_words}
    return () if words - known else tuple(area.all_words for area in areas)
