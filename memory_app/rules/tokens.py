"""The words of a text as they are compared: names told from other words, "n't" as "not", clauses apart.

English; only what can be seen in the letters. What the words mean together, `statement` reads.
"""

import re
from functools import lru_cache

from memory_app.rules.quantities import quantities
from memory_app.rules.text import sentences, vocabulary

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
    "some bit rather kind sort s' because since person place"
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


def clauses(text: str) -> list[str]:
    """The text cut at sentence ends and where "but" and its like turn it."""
    return [part for sentence in sentences(text) for part in _CLAUSE.split(sentence) if part]


@lru_cache(maxsize=512)
def names_in(text: str) -> frozenset[str]:
    """The names of a text, lower case: capitals not owed to the start of a sentence, and what follows "called"."""
    if not any(letter.islower() for letter in text):
        return frozenset()
    return frozenset(name for sentence in sentences(text) for name in _names_of_sentence(sentence))


def _names_of_sentence(sentence: str) -> list[str]:
    tokens = plain_tokens(sentence)
    named, cued = [], False
    for at, token in enumerate(tokens):
        lower = token.lower()
        capital = token[0].isupper() and lower not in _CALENDAR and not (at == 0 and lower in _OPENERS)
        if token[0].isalpha() and (capital or (cued and lower not in FUNCTION_WORDS)):
            named.append(lower)
        cued = lower in _NAME_CUES or (cued and lower in ("is", "was"))
    return named


def plain_tokens(text: str) -> list[str]:
    """Words and numbers as written, without possessive 's, "n't" written as "not"."""
    text = _NOT.sub(_spelled_not, _THOUSANDS.sub("", text)).replace("’", "'")
    tokens = (token.rstrip(".,:/-") for token in _TOKEN.findall(text))
    return [part for token in tokens for part in _parts(token) if part]


def _parts(token: str) -> list[str]:
    """ "Alice's" is "Alice"; "thirty-one" two words; "full-time" one, without its hyphen."""
    token = re.sub(r"'(?:s|re|ve|ll|d|m)?$", "", token)
    if "-" in token and token[0].isalpha():
        halves = token.split("-")
        return halves if quantities([half.lower() for half in halves])[1] == [] else ["".join(halves)]
    return [token]


def _spelled_not(found: re.Match[str]) -> str:
    if found[0].lower() == "cannot":
        return "can not"
    verb = found[1] or found[2] or found[3]
    return f"{_NOT_STEMS.get(verb.lower(), verb)} not"
