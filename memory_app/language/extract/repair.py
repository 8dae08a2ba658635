"""What someone takes back while they speak: "on Tuesday, no wait, Thursday" says Thursday. English.

The words taken back are left out of what is told; the quote beside it keeps them.
"""

import re

from memory_app.rules.quantities import quantities
from memory_app.rules.tokens import plain_tokens

SHORTEST_SENTENCE = 2
"""Words up to which what is said instead is a word for a word, not a sentence of its own."""

_TAKES_BACK = (
    r"(?:oh |ah |oops,? )?(?:no,? wait|wait,? no|no,? sorry|sorry,? no|scratch that|strike that|make that|correction|"
    r"or rather|no,? actually|i meant)"
)
# May be said without taking anything back: only what is of one kind with a word before gives way to it.
_PERHAPS = r"sorry|i mean"
_WITHIN = re.compile(
    rf"\s*(?:[,;]|\s[–—-]|\.\.\.|…)\s*(?:{_TAKES_BACK}|(?P<perhaps>{_PERHAPS}))(?:[,:]\s*|\s+(?=\S))", re.IGNORECASE
)
_OPENS = re.compile(rf"^{_TAKES_BACK}\s*[,:.!…–—-]*\s+", re.IGNORECASE)
_IT_IS = re.compile(r"^it(?:['’]s| is| was)\s+", re.IGNORECASE)
_IS = re.compile(r"(?:\b(?:is|are|was|were)|['’]s)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w:.'’-]*\w")


def repaired(sentence: str) -> str:
    """The sentence without what it takes back itself; as it is where it takes nothing back."""
    found = _WITHIN.search(sentence)
    if found is None:
        return sentence
    before, instead = sentence[: found.start()], repaired(sentence[found.end() :])
    return _in_place(before, instead) or (sentence if found["perhaps"] else _for_all(before, instead))


def takes_back(sentence: str, before: str) -> str:
    """What a sentence that opens by taking back the one before says instead; "" where it opens otherwise."""
    opened = _OPENS.match(sentence)
    if opened is None or not before:
        return ""
    told = sentence[opened.end() :]
    subject, it_is = _IS.search(before), _IT_IS.match(told)
    if it_is and subject:
        return f"{before[: subject.end()]} {told[it_is.end() :]}"
    said = before.rstrip(" .!")
    in_place = _in_place(said, told) if len(told.split()) <= SHORTEST_SENTENCE else ""
    return in_place or _for_all(said, told)


def _in_place(said: str, instead: str) -> str:
    """The last word of the kind that comes instead gives way, and what follows it too unless a word comes for a word;
    "" where there is none."""
    first = _WORD.search(instead)
    kind = _kind(first[0]) if first else ""
    places = [word for word in _WORD.finditer(said) if kind and word.start() and _kind(word[0]) == kind]
    if not places or first is None:
        return ""
    before, after, end = said[: places[-1].start()], said[places[-1].end() :], instead[first.end() :]
    return f"{before}{instead[: first.end()]}{end if end.strip(' .!…') else after + end}"


def _for_all(said: str, instead: str) -> str:
    """A sentence of its own takes the place of all that was said; a word or two only go beside it."""
    return instead[:1].upper() + instead[1:] if len(instead.split()) > SHORTEST_SENTENCE else f"{said}, {instead}"


def _kind(word: str) -> str:
    """What of its kind can take the place of it: a day, a month, a number, a name; empty for any other word."""
    # After "in", "May" is a month.
    held, rest = quantities(["in", *(token.lower() for token in plain_tokens(word))])
    if held.dates:
        return next(iter(held.dates))
    if held.numbers and rest == ["in"]:
        return "number"
    return "name" if word[:1].isupper() and len(word) > 1 and not word.startswith(("I'", "I’")) else ""
