"""Sentences that leave out who: "Just got a dog", "Love hiking", "Born in Naples" are about who says them."""

import re
from collections.abc import Sequence

from memory_app.language.extract.agreement import PAST
from memory_app.language.extract.contractions import BARE_IN_ED
from memory_app.rules.text import vocabulary

# Said of oneself even where the subject is left out.
_FEELINGS = vocabulary("excited thrilled tired stressed nervous exhausted")
_GOING_ON = vocabulary(
    "working trying looking thinking planning going hoping living learning studying training getting reading writing "
    "saving moving waiting preparing dating considering building"
)
# "Working here is hard" says something of working.
_IS_SAID_OF = vocabulary("is was makes made has helps gives keeps can will really")
_FIRST_WORDS = re.compile(
    r"(?P<adverbs>(?:(?:just|still|also|always|never|recently|finally|already|"
    r"currently|absolutely|really)\s+)*)(?P<verb>[a-z]+(?:'t)?)\b",
    re.IGNORECASE,
)
_LIKINGS = vocabulary("love hate prefer enjoy adore dislike")
_A_FAN = re.compile(r"(?:not )?(?:(?P<a>an? )?(?:(?:big|huge|great) )?fan of)\b", re.IGNORECASE)
_OWNS = re.compile(r"got (?:an?|one|two|three|four|five|six|no|my)\b(?! (?:minute|second|moment|sec)\b)", re.IGNORECASE)


def with_subject(claim: str) -> str:
    """The claim with the "I" that it leaves out; as it is where it leaves none out."""
    if fan := _A_FAN.match(claim):
        article = "" if fan["a"] else "a "
        negated, rest = ("not ", claim[4:]) if claim[:4].lower() == "not " else ("", claim)
        return f"I'm {negated}{article}{rest[:1].lower()}{rest[1:]}"
    if _OWNS.match(claim):
        return f"I've {claim[:1].lower()}{claim[1:]}"
    first = _FIRST_WORDS.match(claim)
    words = _left_out(first["verb"].lower(), claim[first.end() :].split()) if first else None
    return claim if words is None else " ".join((words, claim[:1].lower() + claim[1:]))


def _left_out(verb: str, following: Sequence[str]) -> str | None:
    """What stands before a first word that lacks its subject; None where it lacks none."""
    after = following[0].lower() if following else ""
    if verb == "been" and (after.endswith("ing") or after in ("to", "in", "a", "here")):
        return "I've"
    if verb == "born":
        return "I was"
    if (
        verb in _FEELINGS
        or verb in ("gonna", "allergic")
        or (verb in _GOING_ON and _IS_SAID_OF.isdisjoint(following[:4]))
    ):
        return "I am"
    if (
        verb in _LIKINGS
        and after not in ("", "is", "it", "this", "that", "how", "your", "you", "to")
        and _IS_SAID_OF.isdisjoint(following[:4])
    ):
        return "I"
    if verb.endswith("ed") and verb not in BARE_IN_ED and after in ("my", "our", "a", "an", "the"):
        return "I"
    if verb in ("can't", "couldn't", "haven't", "don't", "didn't") or (verb in PAST and after != "by"):
        return "I"
    return None
