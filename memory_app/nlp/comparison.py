"""How two statements compare by their words alone: does the new one add any, or differ in nothing but a particular.

Nothing is inferred: no synonyms, no inflections, no knowledge of the world. In doubt two texts are two.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import normalised, sentences, vocabulary

LONGEST_READ, MOST_SENTENCES = 2_000, 20
"""Characters and sentences of a text that are compared; a longer text is a document, which is the same or another."""

CACHED_TEXTS = 2_048
"""Texts whose words are kept in memory: more than a batch of 1,000 with its neighbours."""

# Words without which a statement says the same. Pronouns, tenses and "with", "from", "before" are none of them.
FILLER = vocabulary("""
a an the and so well oh ah hey hi ok okay yeah yes please just really very quite actually basically honestly also too
that of to in at on is are am be s m re ve ll d it its there lot lots
der die das den dem des ein eine einen einem einer und ist sind auch ja mal in im am an zu zum zur
le la les l un une des du de d et est sont à au aux en que c
""")
NEGATIONS = vocabulary("""
not no never none nobody nothing neither nor cannot without anymore stopped nt t nicht kein keine keinen keinem keiner
nie niemals ne n pas jamais plus aucun aucune
""")
TIME_WORDS = vocabulary("""
january february march april may june july august september october november december jan feb mar apr jun jul aug sep
sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun today tomorrow
yesterday tonight now currently morning afternoon evening noon midnight next last this week weekend month year spring
summer autumn fall winter am pm o'clock oclock one two three four five six seven eight nine ten eleven twelve dozen
hundred thousand million first second third half
januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag heute
morgen gestern jetzt eins zwei drei vier fünf sechs sieben acht neun zehn
janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi
samedi dimanche demain hier maintenant deux trois quatre cinq sept huit neuf dix
""")
"""Months, days and numbers in words: another one of them makes another date or number."""

_TIME_WORDS = frozenset(normalised(word) for word in TIME_WORDS)
_NEGATIONS = frozenset(normalised(word) for word in NEGATIONS)
_FILLER = frozenset(normalised(word) for word in FILLER)
_NOT, _NO_LONGER = re.compile(r"n['’]t\b"), re.compile(r"\bno longer\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|[^\s\w]*\d[\w.,:/%-]*|[^\w\s.,;:!?()\"'’“”„«»…–—-]")


_BEFORE_NOT = vocabulary("is are was were do does did has have had could should would might must need ca wo sha ai don")
_ONE_FORM = {"im": "i", "ive": "i", "ca": "can", "wo": "will", "sha": "will", "do": "", "does": "", "don": "", "ai": ""}
"""What is left of "I'm" typed in haste, of "can't" and "won't"; "do" says nothing by itself."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one sentence, each with how often it stands there, by what they are."""

    content: Counter[str]
    particulars: Counter[str]
    all: Counter[str]
    negations: int


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as it is compared. is_cut: whether only a part of it was read."""

    normal: str
    sentences: Sequence[Words]
    is_cut: bool


def adds_nothing(new: str, old: str) -> bool:
    """Whether each sentence of the new text has no word that one sentence of the old one has not: the same words, in
    whatever order and with whatever filler. "Not" is a word."""
    known, added = _read(old), _read(new)
    if added.normal == known.normal:
        return True
    if added.is_cut or known.is_cut or not added.sentences:
        return False
    return all(any(_covers(one, other) for one in known.sentences) for other in added.sentences)


def says_the_same_words(one: str, other: str) -> bool:
    """Whether neither text has a word that the other has not."""
    return adds_nothing(one, other) and adds_nothing(other, one)


def differs_in_a_particular(new: str, old: str) -> bool:
    """Whether a sentence of both is the same statement but for a number, a date, a name or a "not"."""
    known, added = _read(old).sentences, _read(new).sentences
    return any(_same_but_for_a_particular(one, other) for one in added for other in known)


def denies(text: str) -> bool:
    """Whether any sentence of the text has a "not" or its like."""
    return any(one.negations for one in _read(text).sentences)


def _covers(word: Words, other: Words) -> bool:
    if other.negations % 2 != word.negations % 2 or not other.all.keys() <= word.all.keys():
        return False
    return bool(other.all) and other.all <= word.all


def _same_but_for_a_particular(one: Words, other: Words) -> bool:
    if one.negations % 2 != other.negations % 2:
        # "works" is denied by "doesn't work".
        return bool(one.all) and _without_s(one.all) == _without_s(other.all)
    if one.content != other.content or not one.content:
        return False
    return bool(one.particulars - other.particulars) and bool(other.particulars - one.particulars)


def _without_s(words: Counter[str]) -> Counter[str]:
    return Counter(word.removesuffix("s") for word in words.elements())


@lru_cache(maxsize=CACHED_TEXTS)
def _read(text: str) -> ReadText:
    read = tuple(_words(sentence) for sentence in sentences(text[:LONGEST_READ])[:MOST_SENTENCES])
    return ReadText(normalised(text), read, len(text) > LONGEST_READ or len(read) >= MOST_SENTENCES)


def _words(sentence: str) -> Words:
    content, particulars, negations = Counter[str](), Counter[str](), 0
    for position, written in enumerate(_WORD.findall(_NO_LONGER.sub("not", _NOT.sub(" not", sentence)))):
        word, negated = _without_negation(normalised(written))
        negations += negated
        if not word or word in _FILLER:
            continue
        if _is_particular(word, written, opens=position == 0):
            particulars[word] += 1
        else:
            content[word] += 1
    return Words(content, particulars, content + particulars, negations)


def _without_negation(word: str) -> tuple[str, bool]:
    """The word as it is compared, without its "n't", and whether it negates."""
    if word in _NEGATIONS:
        return "", True
    if word.endswith("nt") and word[:-2] in _BEFORE_NOT:
        return _ONE_FORM.get(word[:-2], word[:-2]), True
    return _ONE_FORM.get(word, word), False


def _is_particular(word: str, written: str, *, opens: bool) -> bool:
    """A number, a word of a date, or a name. What opens a sentence with a capital may be any word."""
    if any(character.isdigit() for character in word) or word in _TIME_WORDS:
        return True
    return written[0].isupper() and not opens and word != "i"
