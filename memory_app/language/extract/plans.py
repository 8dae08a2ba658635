"""Which plan a sentence tells of: one that is to be at some time, or one that is put at another time or called off.

English, by the form of the sentence: "my recital is on the 12th", "it got moved to the 15th", "we cancelled it".
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from memory_app.rules.text import vocabulary
from memory_app.rules.timephrase import time_phrases

LONGEST = 160
"""Characters of a claim that tells of one change; in a longer one there is more."""

_THE = r"(?P<whose>my|our|his|her|their|the|this|that|[\w-]+['’]s)"
_NAME = r"(?:[\w'’-]+ ){0,3}?[\w'’-]+"
_WHAT = rf"(?:(?P<it>it|that|this)|{_THE} (?P<what>{_NAME}))"
# "Dinner with Ann is off".
_OR_BARE = (
    rf"(?:{_WHAT}|(?!(?:i|we|you|he|she|they|there|everything|everyone|nothing)\b)(?P<bare>[\w-]+(?: [\w-]+){{0,2}}?)"
    r"(?P<beside> with [\w '’-]{1,30}?)?)"
)
_OPENS = r"(?:(?:actually|unfortunately|sadly|luckily|apparently|and|but|so|oh|well|now),? )*"
_PUT = (
    r"(?:(?:mov|push|postpon|reschedul|shift|delay|bump|deferr|cancel|cancell|scrapp|chang)(?:ed|ing)|brought|put|called|"
    r"calling|putting|bringing)"
)
_TO_PUT = rf"(?:{_PUT}|move|push|postpone|reschedule|shift|delay|bump|defer|cancel|call|scrap|change|bring|put)"
_ASIDE = r"(?: (?:back|forward|up|off|out|on|again|now|altogether))*"
_WHEN = (
    r"(?=,?(?: again| now| instead)?,? (?:to|until|till|for|by|from|on|because|since|after|due|at)\b|\s*(?:$|[.,;:!…]))"
)
_IS = (
    r"(?:['’]s|is|are|was|were|has|have|had|got|gets|will|['’]ll|be|been|being|getting|just|now|actually|finally|needs?|"
    r"to)"
)
# "The launch is", "the launch's"; not the end of "thesis".
_THEN = r"(?:\s|(?=['’]))"
_STANDS = rf"{_THEN}(?:['’]s|is|are)"
_IS_AT = rf"{_THEN}(?:['’]s|is|are|starts|begins|takes place|will be)"
_CHANGES = [
    re.compile(expression, re.IGNORECASE)
    for expression in (
        # "The recital has been moved to the 15th", "the launch slipped to June".
        rf"^{_OPENS}{_OR_BARE}(?:{_THEN}{_IS}\b)+ {_PUT}{_ASIDE}{_WHEN}",
        rf"^{_OPENS}{_OR_BARE}(?: (?:has|have|just|now))* (?:moved|slipped|shifted|changed){_ASIDE} "
        r"(?:to|until|till)\b",
        # "The party is off", "the recital is now on the 15th".
        rf"^{_OPENS}{_OR_BARE}{_STANDS}(?: now| actually)? (?:off|not happening|no longer happening|on hold)[\s.,!]*$",
        rf"^{_OPENS}{_OR_BARE}{_IS_AT}(?: actually)? now (?:on|at|in|next|this|the)\b",
        rf"^{_OPENS}{_OR_BARE}{_IS_AT} .{{2,40}}? (?:now|instead)[\s.,!]*$",
        # "They pushed the meeting to Thursday", "we had to call off the party".
        rf"^{_OPENS}(?:i|we|they|he|she|you|(?:my|our|the|his|her|their) [\w-]+|[A-Z][\w-]+)(?:['’](?:ve|s|re|m|d|ll))?"
        rf"(?: (?:has|have|had|just|also|finally|are|is|am|was|were|will|decided|agreed|going|need|needs|to|now))*"
        rf" {_TO_PUT}{_ASIDE} {_WHAT}{_ASIDE}{_WHEN}",
    )
]
_DATED_PLAN = re.compile(
    rf"^{_THE} (?P<what>(?:[\w'’-]+ ){{0,3}}?[\w'’-]+?)(?: (?:to|with|at|in|for|of) [\w'’ -]{{1,40}}?)?{_THEN}"
    r"(?:['’]s(?= (?:on|at|in|next|this|today|tomorrow|tonight)\b)|is|are|will be|starts?|begins?|takes place|happens|"
    r"got|was|has been)\b|"
    r"\b(?:have|has|['’]ve got|got|having|booked|scheduled|planned|hosting|giving|attending|throwing|doing) "
    rf"(?:(?:{_THE.replace('whose', 'its')}|an?|another) )?(?P<had>(?:[\w'’-]+ ){{0,3}}?[\w'’-]+?)"
    r"(?=\s(?:on|at|next|this|tomorrow|tonight|in|for|with|from|by|to)\b|[,.!]|$)",
    re.IGNORECASE,
)
_ENDS_A_NAME = vocabulary(
    "is are was were be been have has had got get will having give giving a an the my our your his her their this that "
    "these those in on at to for of from with by and or but so as about before after until till no some any next last"
)
_OPENING = re.compile(rf"^{_OPENS}", re.IGNORECASE)
# "By a week" is from a day that was told before.
_BY_SO_MUCH = re.compile(
    r"\bby (?:an?|one|two|three|four|\d+|half|some|several)\b|"
    r"\b(?:an?|one|two|three|four|\d+) (?:hour|day|week|month)s? (?:later|earlier)\b",
    re.IGNORECASE,
)
# "I plan to fly to Rome on Friday": a plan with no name of its own.
_DEED = re.compile(
    r"\b(?:i|we)(?:['’](?:m|re|ll)| am| are| will| plan| intend| want| hope| have)+(?: now)?"
    r"(?: (?:going|planning|to|be))* "
    r"(?P<verb>fly(?:ing)?|travel(?:l?ing)?|go(?:ing)?|head(?:ing)?|driv(?:e|ing)|visit(?:ing)?|mov(?:e|ing))"
    r"(?: (?:up|down|over|out))?(?: (?P<to>to|for))? (?P<where>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?)",
    re.IGNORECASE,
)
_NAME_OF_DEED = {"fl": "flight", "vi": "visit", "mo": "move"}
_ANY_TRIP = vocabulary("trip journey")
_INSTEAD = re.compile(r"\b(?:instead(?! of)|now)\b[\s.,!]*$|\b(?:i|we)(?:['’]m|['’]re| am| are) now\b", re.IGNORECASE)
# Where one clause of a longer sentence ends, and the next begins.
_BOUNDARY = re.compile(
    r"[,;–—]\s+(?:(?:and|but|so|because|since|while|although|though|which|then|that) )*|"
    r"\s(?:(?:and|but|so|because|since|while|although|though|which|then|that|said|says|told (?:me|us)) )+",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:yesterday|today|last|ago|earlier|this morning)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w-]+(?:['’]\w*)?")
_UTC, _SOME_DAY = ZoneInfo("UTC"), datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where its words stand in the sentence, whose it is as it was said ("my"), and its words: of "it" none.

    also: what else it may be called, "the trip" for "my flight". is_named: whether the sentence names it by these
    words, and not by what is done: "I'm flying to Rome". beside: with whom it is."""

    span: tuple[int, int]
    whose: str
    words: tuple[str, ...]
    also: frozenset[str] = frozenset()
    is_named: bool = True
    beside: tuple[str, ...] = ()


def changed(text: str) -> Plan | None:
    """The plan that a sentence puts at another time or calls off, or one clause of a longer one does."""
    if len(text) <= LONGEST and (found := _changed(text)):
        return found
    clauses = _clauses(text)
    plans = [(start, plan) for start, clause in clauses[1:] if len(clause) <= LONGEST and (plan := _changed(clause))]
    if len(plans) != 1 or not plans[0][1].words:  # "it" is what the same sentence spoke of
        return None
    start, plan = plans[0]
    return replace(plan, span=(plan.span[0] + start, plan.span[1] + start))


def _changed(text: str) -> Plan | None:
    found = next((found for form in _CHANGES if (found := form.match(text))), None)
    if found is None:
        return _deed(text) if _INSTEAD.search(text) and _has_one_time(text) else None
    if found["it"]:
        return Plan(found.span("it"), "", ())
    if found.groupdict().get("bare"):
        return Plan(found.span("bare"), "the", _words(found["bare"]), beside=_words(found["beside"] or ""))
    return Plan((found.start("whose"), found.end("what")), _owner(found["whose"]), _words(found["what"]))


def by_so_much(text: str) -> bool:
    """Whether a change says no new time, but how far it is from the one before."""
    return _BY_SO_MUCH.search(text) is not None


def unopened(text: str) -> str:
    """A sentence without what leads to a change: "actually the launch is now on Friday"."""
    told = _OPENING.sub("", text)
    return told[:1].upper() + told[1:] if told != text else text


def planned(text: str) -> Plan | None:
    """The plan that a sentence tells to be at some time; None where it tells no time, or no name for it."""
    if change := changed(text):
        return change if change.words else None
    clauses = [clause for _, clause in _clauses(text)]
    plans = [(clause, plan) for clause in clauses if (plan := _dated(clause))]
    if not plans:
        return _dated(text)
    # Where several times to come are told, there is more in it than the one plan.
    others = [clause for clause in clauses if clause != plans[0][0] and not _OVER.search(clause)]
    return plans[0][1] if len(plans) == 1 and not any(_times(clause) for clause in others) else None


def _dated(text: str) -> Plan | None:
    return (_planned(text) or _deed(text)) if _has_one_time(text) else None


def _planned(text: str) -> Plan | None:
    found = _DATED_PLAN.search(text)
    if found is None:
        return None
    words = _words(found["what"] or found["had"])
    clear = bool(words) and _ENDS_A_NAME.isdisjoint(word.lower() for word in words)
    return Plan(found.span(), _owner(found["whose"] or found["its"] or "the"), words) if clear else None


def _deed(text: str) -> Plan | None:
    """The plan of a trip, by what is done: "I'm flying to Rome" is one's flight to Rome."""
    found = _DEED.search(text)
    if found is None or (not found["to"] and not found["verb"].lower().startswith("visit")):
        return None
    name = _NAME_OF_DEED.get(found["verb"][:2].lower(), "trip")
    also = frozenset({name}) | (_ANY_TRIP if name != "move" else frozenset())
    return Plan(found.span(), "my", (name, "to", *found["where"].split()), also, is_named=False)


def _clauses(text: str) -> list[tuple[int, str]]:
    """The clauses of a sentence, each with where it begins."""
    ends = [(found.start(), found.end()) for found in _BOUNDARY.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    return [(a, text[a:b]) for a, b in zip(starts, [*(start for start, _ in ends), len(text)], strict=True)]


def _has_one_time(text: str) -> bool:
    return _times(text) == 1


def _times(text: str) -> int:
    return len(time_phrases(text, at=_SOME_DAY, timezone=_UTC))


def _owner(whose: str) -> str:
    return whose if "'" in whose or "’" in whose else whose.lower()


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(name))
