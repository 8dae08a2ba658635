"""The words of a text as they are compared: names told from other words, "n't" as "not", clauses apart.

English; only what can be seen in the letters. What the words mean together, `statement` reads.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from memory_app.rules import linear_re as re
from memory_app.rules.quantities import quantities
from memory_app.rules.text import vocabulary

# Joins two claims that may differ in what they deny: "likes tea but not coffee".
_CLAUSE = re.compile(r"\s*(?:;|\u2014|,?\s+\b(?:but|although|though|whereas|while|however|except)\b)\s*,?\s*", re.I)
_TOKEN = re.compile(r"[$€£]?\d[\d.,:/-]*\d%?(?:[a-z]+)?|[$€£]?\d%?(?:[a-z]+)?|[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_NOT = re.compile(
    r"\b(ca|wo|sha)n['’]?t\b|\b(\w+)n['’]t\b|\bcannot\b|"
    r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should)nt\b",
    re.I,
)
_NOT_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}

FUNCTION_WORDS = vocabulary(
    "a an the of in on at to for from by with as and or that which who whom whose is are was were be been being am do "
    "does did has have had will would shall should can could may might must there here it its this these those so very "
    "really quite just also too about into onto over than then currently now still already usually generally his her "
    "hers their theirs my mine our ours your yours he she they we you i me him them us s ve re ll d m "
    "actually absolutely totally definitely much lot lots please user always ever any every each all both own "
    "some bit rather kind sort s' because person place yet only instead"
)
# What words of content may open a sentence in capitals and be no name.
_OPENERS = vocabulary(
    "yes no not never my our your his her their its the a an this that these those there here he she we they it i you "
    "in on at to for from by with as and or but if when while after before since until because although every each all "
    "both some any many most no one two three four five six seven eight nine ten last next yesterday today tomorrow "
    "recently currently usually always sometimes often please remember note meeting lunch dinner breakfast coffee tea "
    "work school home family dinner user person dogs cats favourite favorite prefers likes loves hates dislikes lives "
    "works is was has had does did do are were can cannot will would should must may might"
)
_NAME_CUES = vocabulary("called named name nickname nicknamed surname")
_CALENDAR = vocabulary(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays am pm i i'm i've i'd i'll"
)


def clauses(sentence: str) -> list[str]:
    """A sentence cut where "but" and its like turn it."""
    return [part for part in _CLAUSE.split(sentence) if part]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a sentence, lower case. `sure` ones are capitals inside it, or follow "called"; its first word
    `may` be one; `lower` holds the words written small, which no capital at a beginning makes names."""

    sure: frozenset[str]
    may: frozenset[str]
    lower: frozenset[str]


def names(found: Iterable[Names]) -> frozenset[str]:
    """The names in any of several sentences, each read in the light of the others."""
    sure, may, lower = set[str](), set[str](), set[str]()
    for one in found:
        sure |= one.sure
        may |= one.may
        lower |= one.lower
    return frozenset(sure | (may - lower))


def names_in(sentence: str) -> Names:
    """What in a sentence may be a name; nothing in one that is written in capitals throughout."""
    sure, may, lower = set[str](), set[str](), set[str]()
    if any(letter.islower() for letter in sentence):
        _sort_names(plain_tokens(sentence), sure, may, lower)
    return Names(frozenset(sure), frozenset(may), frozenset(lower))


def _sort_names(tokens: list[str], sure: set[str], may: set[str], lower: set[str]) -> None:
    cued = False
    for at, token in enumerate(tokens):
        plain = token.lower()
        if not token[0].isalpha() or plain in _CALENDAR:
            pass
        elif cued and plain not in FUNCTION_WORDS:
            sure.add(plain)
        elif token[0].islower():
            # What is written in small letters opens with a name in small letters, as others do with a capital.
            lower.update([plain] if at else [])
        elif at:
            sure.add(plain)
        elif plain not in _OPENERS:
            may.add(plain)
        cued = plain in _NAME_CUES or (cued and plain in ("is", "was"))


def plain_tokens(text: str) -> list[str]:
    """Words and numbers as written, without possessive 's, "n't" written as "not"."""
    text = _NOT.sub(_spelled_not, _THOUSANDS.sub("", text)).replace("’", "'")
    tokens = (token.rstrip(".,:/-") for token in _TOKEN.findall(text))
    return [part for token in tokens for part in _parts(token) if part]


def _parts(token: str) -> list[str]:
    """ "Alice's" is "Alice"; "thirty-one" two words; "full-time" one, without its hyphen."""
    if "'" in token:
        token = re.sub(r"'(?:s|re|ve|ll|d|m)?$", "", token)
    if "-" in token and token[0].isalpha():
        halves = token.split("-")
        return halves if quantities([half.lower() for half in halves])[1] == [] else ["".join(halves)]
    return [token]


def _spelled_not(found: re.Match) -> str:
    if found[0].lower() == "cannot":
        return "can not"
    verb = found[1] or found[2] or found[3]
    return f"{_NOT_STEMS.get(verb.lower(), verb)} not"
