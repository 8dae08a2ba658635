"""Words that tell of the same side of a life: to "who is my boss?" the answer may be "I report to Maria".

An encoder of sentences sees too little of that, and a search for words nothing. A side is what most people have (a
home, work, family, health …): what it is asked by, and what else it is told by. One file a language.
"""

from memory_app.language.akin.asking import Asking
from memory_app.language.akin.english import ENGLISH
from memory_app.language.akin.french import FRENCH
from memory_app.language.akin.german import GERMAN
from memory_app.rules import linear_re as re

__all__ = ["ASKINGS", "KNOWN_TO_THE_ENCODER", "sides_of_oneself"]

ASKINGS: dict[str, Asking] = {"english": ENGLISH, "german": GERMAN, "french": FRENCH}
"""By the name that a person's language setting has."""

KNOWN_TO_THE_ENCODER = frozenset({"english"})
"""In which a question finds an answer in other words by itself. Of others the encoder knows little, and a search for
words has "wohne" and "wohnt" for two: there, sides are asked of first."""

MOST_SIDES = 4
"""Of one question; who asks of more asks of none in particular."""

_WORD = re.compile(r"(?:\b[jmlsdnct]|\bqu)(?=['’]\w{2})|\w+(?:['’](?:s|t|re|ve|ll|d|m)\b)?", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$")


def sides_of_oneself(question: str, language: str = "english") -> tuple[tuple[str, ...], ...]:
    """The words that each side is told by of which someone asks of their own life; none where it is another kind of
    question, or asks of something else too ("which car did I park at the station?")."""
    asking = ASKINGS.get(language)
    if asking is None or not asking.of_oneself.match(question):
        return ()
    words = {_POSSESSIVE.sub("", word.lower()) for word in _WORD.findall(question)}
    sides = [side for side in asking.sides if side.asked & words][:MOST_SIDES]
    known = asking.empty | {word for side in sides for word in (*side.asked, *side.told)}
    return () if words - known else tuple(side.told for side in sides)
