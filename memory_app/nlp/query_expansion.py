"""Words that tell of the same side of a life: to "who is my boss?" the answer may be "I report to Maria". English.

An encoder of sentences sees too little of that, and a search for words nothing. A side is what most people have (a
home, work, family, health …): what it is asked by, and what else it is told by.
"""

from dataclasses import dataclass

from memory_app.nlp import linear_re as re
from memory_app.nlp.keywords import STOPWORDS
from memory_app.nlp.text import vocabulary

ENCODER_LANGUAGES = frozenset({"english"})
"""In which a question finds an answer in other words by itself."""

MAX_SIDES = 4
"""Of one question; who asks of more asks of none in particular."""


@dataclass(frozen=True, slots=True)
class LifeArea:
    """asked: a question that has one of these means this side; told: these, and what else it is told by."""

    asked: frozenset[str]
    told: tuple[str, ...]


def _sides(listed: str) -> tuple[LifeArea, ...]:
    """One a line: "asked by: told by"."""
    parts = [line.partition(":") for line in listed.strip().splitlines()]
    return tuple(LifeArea(frozenset(by.split()), (*by.split(), *else_by.split())) for by, _, else_by in parts)


# A question about one's own life: "where do I live?" and "who employs me?", not "how do I boil an egg?".
_OF_ONESELF = re.compile(
    r"^(?!.*\bhow (?:do|can|could|should|would|might) (?:i|we)\b)(?:.*\b(?:i|my|mine|we|our|ours)\b|.*\bme\W*$)",
    re.IGNORECASE | re.DOTALL,
)
_ASK_OF_NOTHING = STOPWORDS | vocabulary(
    "time favourite favorite stay name names called named main own owned currently usually normally typically"
)
"""Words that ask of nothing else."""

_SIDES = _sides("""
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
    """The words that each side is told by of which someone asks of their own life; none where it is another kind of
    question, or asks of something else too ("which car did I park at the station?"), or in another language."""
    if language != "english" or not _OF_ONESELF.match(question):
        return ()
    words = {_POSSESSIVE.sub("", word.lower()) for word in _WORD.findall(question)}
    sides = [side for side in _SIDES if side.asked & words][:MAX_SIDES]
    known = _ASK_OF_NOTHING | {word for side in sides for word in (*side.asked, *side.told)}
    return () if words - known else tuple(side.told for side in sides)
