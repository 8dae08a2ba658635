"""What someone takes back while they speak: "on Tuesday, no wait, Thursday" says Thursday. English.

The words taken back are left out of what is told; the quote beside it keeps them.
"""

import re

from memory_app.rules.quantities import quantities
from memory_app.rules.times.words import SHORT_MONTH
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
# Says that something is corrected; "no" and "actually" may as well answer.
_CORRECTS = rf"{_TAKES_BACK}|sorry(?! (?:to|for|about|that|you)\b)|oops|my (?:mistake|bad)"
_FILLER = r"^(?:(?:oh|ah|hmm|wait|well|hey)\b[\s,.:!…–—-]*)*"
_CORRECTING = re.compile(rf"{_FILLER}(?:{_CORRECTS})\b", re.IGNORECASE)
_INSTEAD = re.compile(rf"{_FILLER}(?:(?:(?P<sure>{_CORRECTS})|i mean|actually|no)\b[\s,.:!…–—-]*)+", re.IGNORECASE)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
_DAY = re.compile(
    rf"\b(?:{SHORT_MONTH} |(?:on|by|until|till|from|to|for) )(?:the )?{_ORDINAL.pattern}|"
    rf"{_ORDINAL.pattern} (?:of )?{SHORT_MONTH}",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"^it(?:['’]s| is| was)\s+", re.IGNORECASE)
_IS = re.compile(r"(?:\b(?:is|are|was|were)|['’]s)\b", re.IGNORECASE)
# What leads to a word that comes for another: "sorry, it's on the 15th".
_LEADS = re.compile(
    r"(?:(?:(?:it|that)(?:['’]?s| is| was)|on|at|in|from|to|by|until|for|with|the|a|an)\s+)*", re.IGNORECASE
)
_WORD = re.compile(r"[\w:.'’-]*\w")


def repaired(sentence: str) -> str:
    """The sentence without what it takes back itself; as it is where it takes nothing back."""
    found = _WITHIN.search(sentence)
    if found is None:
        return sentence
    before, instead = sentence[: found.start()], repaired(sentence[found.end() :])
    return _in_place(before, instead) or (sentence if found["perhaps"] else _for_all(before, instead))


def corrects(content: str) -> bool:
    """Whether what someone says opens as one does to correct oneself, whatever comes then."""
    return _CORRECTING.match(content.lstrip()) is not None


def corrected(claim: str, sentence: str) -> str:
    """What was told with the date, time or number that a sentence says instead; "" where it says no more than "no", or
    more than such a word. A name may as well be who is spoken to."""
    opened = _INSTEAD.match(sentence)
    instead = sentence[opened.end() :].strip(" .!") if opened else ""
    word = instead[_leads(instead) :]
    if not opened or not word or len(word.split()) > SHORTEST_SENTENCE or _kind(word.split()[0]) in ("", "name"):
        return ""
    told = _in_place(claim, instead)
    if _kind(word.split()[0]) != "number":
        return told
    # "The 15th" comes for a day of a month, not for a number; "no, 2" may answer a question.
    return told if (_DAY.search(told) if _ORDINAL.match(word) else opened["sure"]) else ""


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
    instead = instead[_leads(instead) :]
    first = _WORD.match(instead)
    kind = _kind(first[0]) if first else ""
    places = [word for word in _WORD.finditer(said) if kind and word.start() and _kind(word[0]) == kind]
    if not places or first is None:
        return ""
    before, after, end = said[: places[-1].start()], said[places[-1].end() :], instead[first.end() :]
    return f"{before}{instead[: first.end()]}{end if end.strip(' .!…') else after + end}"


def _leads(instead: str) -> int:
    found = _LEADS.match(instead)
    return found.end() if found else 0


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
