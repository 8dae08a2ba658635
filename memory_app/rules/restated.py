"""A sentence that tells of a change, put as what holds since: "they moved the call to Friday" is "the call is Friday".

So is one that says a plain thing in a roundabout way. English, by the form of the sentence alone; what has no such form
stays as it is. What a change marked by "now" or "instead" allows when texts are compared, `contrast` says.
"""

import re
from collections.abc import Callable

from memory_app.rules.led_by import led_by

NOW, INSTEAD = "now", "instead"
"""The words, put last, by which a sentence tells that something changed, or that it takes the place of another."""

LONGEST = 240
"""Characters of a sentence that is read so: what is longer tells of more than one change."""

_MOVES = "moved|postponed|rescheduled|shifted|delayed|pushed(?: back)?|brought forward|put off"
_TURNS = f"{_MOVES}|changed|switched|raised|increased|lowered|reduced|cut|upgraded|extended|shortened|set"
_BECOMES = f"{_TURNS}|gone(?: up| down)?|went(?: up| down)|dropped|fallen|fell|risen|rose|grown|grew"
_HAS = r"(?:['’](?:ve|s)|(?: has| have| had)?(?: now| just| already| recently)?)"
_OWNED = r"(?:my|our|his|her|their|the|your|\w+['’]s)"
_HELD_BY_ONE = (
    r"favou?rite|choice|goal|target|boss|manager|landlord|landlady|wife|husband|girlfriend|boyfriend|partner|fianc[eé]e?|"
    r"doctor|dentist|therapist|coach|capital|deadline|budget|nickname|surname|password|employer"
)
_DAY_OR_MONTH = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|next|spring|summer|autumn|winter"
)
# After "moved to": a name, which no day or month is.
_PLACE = rf"(?!(?i:{_DAY_OR_MONTH})\b)(?:the )?[A-Z]"
_SET_OUT = "flight|train|bus|plane|ferry|coach"
_HELD = (
    "meeting|appointment|call|exam|dinner|lunch|party|review|interview|class|lesson|workshop|session|concert|wedding|"
    "standup|deadline"
)
_HELD_ONCE = "exam|test|interview|wedding|graduation|defence|defense|viva"
_WHICH = "team|board|staff|project|family|budget|weekly|monthly"
_WHOSE = "dentist|doctor"
_A_DAY = (
    rf"(?:next|this|on) (?:\d{{1,2}} )?(?:{_DAY_OR_MONTH})(?: \d{{1,2}})?(?: \d{{4}})?(?: at \d[\d:.]*(?: ?[ap]m)?)?"
)
_STATES = "married|divorced|engaged|separated|widowed|single|vegan|vegetarian|pescatarian|teetotal"
_BECAME = r"(?: has| have|['’](?:s|ve))?(?: just| recently| now)?"
_OFFICES = "CEO|CTO|CFO|president|mayor|chancellor|prime minister|king|queen|principal|dean|capital"
_KIN = (
    "i|we|he|she|they|parents?|mother|mom|mum|father|dad|sisters?|brothers?|sons?|daughters?|aunt|uncle|cousins?|"
    "friends?|boss|neighbou?rs?|grandparents?|grandma|grandpa|grandmother|grandfather|wife|husband|partner|girlfriend|"
    "boyfriend|family|colleagues?"
)

_SINCE = re.compile(
    r",?\s*\b(?:these days|nowadays|from (?:now|here) on|as of now|at the moment|since then|lately|after all|actually|"
    r"in the end|as it turns out|it turns out(?: that)?)\b",
    re.I,
)
_REVISED = re.compile(r",?\s*\b(?:ended up|instead(?! of))\b", re.I)
_CHANGED_MIND = re.compile(r"^(?:i|we)(?:['’]ve| have)? changed (?:my|our) minds?\s*[,:;.–—-]+\s*(?:and )?", re.I)
# "On 19 June, not the 12th", "at 4 instead of 3", "in Bergen, not Oslo": a number, day or name that no longer holds.
_NO_LONGER = re.compile(
    r"(?:,? and not|, not|,? instead of)(?: (?:the|on|in|at|for|from|to|until|by|as))* "
    rf"(?:\d[\w:.]*|{_DAY_OR_MONTH}|(?-i:[A-Z])[\w'’-]+)"
    r"(?: (?:of )?(?:\d[\w:.]*|[ap]\.?m\.?|(?-i:[A-Z])[\w'’-]+)){0,2}$",
    re.I,
)
_ANY_MORE = re.compile(r"(?<=\w)\s+any ?(?:more|longer)\b(?=\W*$)", re.I)
_NOT = re.compile(r"n['’]t\b|\b(?:not|no|never|cannot|stopped|quit)\b", re.I)
_IS_NOW = re.compile(r"\bnow\b\s*", re.I)


def _form(pattern: str, put: str | Callable[[re.Match[str]], str]) -> tuple[re.Pattern[str], Callable[..., str]]:
    return re.compile(pattern, re.IGNORECASE), put if callable(put) else lambda found: found.expand(put)


def _has_moved(found: re.Match[str]) -> str:
    """Who moved to a town lives there; what moved is there."""
    who = found["who"]
    someone = re.search(rf"(?:^|\b)(?:{_KIN})$", who, re.I) or (who[:1].isupper() and " " not in who)
    return f"{who} {'lives' if someone else 'is'} in {found['value']} {NOW}"


def _of_number(found: re.Match[str]) -> str:
    owner = {"i": "my", "we": "our", "he": "his", "she": "her", "they": "their"}.get(found["who"].lower(), found["who"])
    named = f"the {found['noun']}{found['rest']}" if found["rest"] else f"{owner} {found['noun']}"
    return f"{named} is {found['value']}"


# Each once, in this order: the adverbs and openings first, then who changed what, then other ways to say a plain thing.
_FORMS = (
    _form(
        r"^(?P<lead>(?:for|at|in|on) [\w ]{2,30}?),? (?P<rest>(?:i|we|he|she|they)\b(?!['’]?s ).+)$",
        r"\g<rest> \g<lead>",
    ),
    _form(
        rf"^(?:i|we|they|he|she){_HAS} (?:changed|switched) (?:(?:my|our) )?(?P<what>\w+(?: \w+)?)(?:,| and| [–—-]) "
        rf"(?:it['’]s|it is|the new one is) (?P<value>.+)$",
        rf"our \g<what> is \g<value> {NOW}",
    ),
    _form(
        rf"^(?:[\w ]{{1,20}}?){_HAS} (?:{_TURNS}) (?P<what>{_OWNED} [\w ]+?)(?: back| forward)?"
        rf"(?: from [\w ,.:]+?)? to (?:(?P<name>(?-i:{_PLACE}).*)|(?P<value>.+))$",
        lambda found: f"{found['what']} is {'in ' + found['name'] if found['name'] else found['value']} {NOW}",
    ),
    _form(
        rf"^(?P<who>[\w'’ ]+?){_HAS}(?: been)? moved(?: (?:away|back|house))? to (?P<value>(?-i:{_PLACE}).*)$",
        _has_moved,
    ),
    _form(
        rf"^(?P<who>[\w'’ ]+?)(?: was| were| is| has| have| had| will be| got)?(?: now| just)?(?: been)? (?:{_BECOMES})"
        r"(?: back| forward)?(?: from [\w ,.:]+?)? to (?P<value>.+)$",
        rf"\g<who> is \g<value> {NOW}",
    ),
    _form(r" is (?P<value>may\b)", r" is in \g<value>"),
    _form(r"^(?P<who>[\w'’ ]+?)(?: has| have)?(?: just)? turned (?P<value>\d+\b.*)$", rf"\g<who> is \g<value> {NOW}"),
    _form(
        rf"^(?P<who>i|(?-i:[A-Z])[\w'’-]+) and (?P<other>(?-i:[A-Z])[\w'’-]+){_BECAME} (?:got|get|are|were) "
        rf"(?P<state>married|divorced|engaged|separated)\b",
        rf"\g<who> is \g<state> to \g<other> {NOW}",
    ),
    _form(
        rf"^(?P<who>[\w'’ ]+?){_BECAME} (?:got|gotten|become|became|turned|went|gone) (?:an? )?(?P<state>{_STATES})\b"
        r"(?: (?:last|this) \w+| \w+ \w+ ago| yesterday| today| again)?(?P<rest>.*)$",
        rf"\g<who> is \g<state>\g<rest> {NOW}",
    ),
    _form(
        r"^there(?:['’]s| is| are| were| was) (?P<what>(?:\d|\w+ ).+?) (?:in|on|at) (?P<where>(?:the|my|our) .+)$",
        r"\g<where> has \g<what>",
    ),
    _form(
        rf"^(?:i|we|they)(?:['’]re| are|['’]ll| will)?(?: going to| planning to)? (?:hold|host|holding|hosting) "
        rf"(?P<what>{_OWNED} [\w ]+?) (?P<value>(?:in|on|at) .+)$",
        r"\g<what> is \g<value>",
    ),
    _form(
        r"^(?P<what>.+?) (?P<be>is|are|was|were|will be) (?:planned|scheduled|held|set|fixed)(?: for)? (?=\w)",
        r"\g<what> \g<be> ",
    ),
    _form(r"^(?P<what>(?:the |my |our )?)deadline (?:for|of) (?P<whose>.+?) is ", r"\g<whose> is due "),
    _form(r"^(?P<whose>(?:the |my |our )[\w -]+?) deadline is (?=\w)", r"\g<whose> is due "),
    _form(
        rf"^(?P<what>{_OWNED} [\w -]+?|[\w -]*?(?:{_SET_OUT})) (?:starts?|begins?) (?=(?:at|on|in) \w)", r"\g<what> is "
    ),
    _form(
        rf"^(?P<what>{_OWNED} (?:[\w-]+ )*?(?:{_SET_OUT})(?: [\w ]+?)?) (?:leaves|departs|takes off) (?=(?:at|on) \w)",
        r"\g<what> is ",
    ),
    _form(
        # "Dinner on Friday" is any one, and there may be another on Monday.
        rf"^(?:(?P<whose>{_OWNED}) |(?=(?:{_WHICH}) ))(?P<what>(?:(?:{_WHICH}|{_WHOSE}) )?(?:{_HELD})) "
        rf"(?P<when>{_A_DAY})$",
        lambda found: f"{found['whose'] or 'the'} {found['what']} is {found['when']}",
    ),
    _form(
        # "A dentist appointment" is one of several, "my exam" is the one.
        rf"^(?:i|we)(?:['’]ve| have)(?: got)? (?P<what>(?:my|our) (?:[\w-]+ )*?(?:{_HELD_ONCE})) "
        r"(?P<when>(?:on|at|in) .+)$",
        r"\g<what> is \g<when>",
    ),
    _form(
        rf"^(?P<value>(?-i:{_PLACE})[\w'’ -]*?) is (?P<what>the (?:new )?(?:{_OFFICES}) of .+)$",
        r"\g<what> is \g<value>",
    ),
    _form(r"^(?P<whose>.+?)['’]s name is ", r"\g<whose> is called "),
    _form(r"^the name of (?P<whose>.+?) is ", r"\g<whose> is called "),
    _form(
        r"^(?P<who>[\w'’ ]+?) (?:has|have|wants?|needs?|asks? for|gets?|set) (?:a|an|the) (?P<noun>[a-z]+(?: [a-z]+)?)"
        r" of (?P<value>[$€£]?\d[\w.,]*(?: \w+)?)(?P<rest>(?: for| on) .+)?$",
        _of_number,
    ),
    _form(
        rf"^(?P<value>(?:(?! is | are |\bmy |\bour )[\w'’ ])+) (?P<be>is|are) "
        rf"(?P<what>{_OWNED} (?:new |[a-z]+ )?(?:{_HELD_BY_ONE})\b(?! (?:of|to))[\w ]*)$",
        r"\g<what> \g<be> \g<value>",
    ),
)


def restated(sentence: str) -> str:
    """The sentence as a plain statement of what holds, "now" or "instead" put last where it tells of a change."""
    body = sentence.strip().rstrip(".!")
    if body.endswith("?") or not body or len(body) > LONGEST:
        return sentence
    body, marks = _without_marks(body)
    body = led_by(body)
    for pattern, put in _FORMS:
        if found := pattern.search(body):
            body = body[: found.start()] + put(found) + body[found.end() :]
    if not marks and body == sentence.strip().rstrip(".!"):
        return sentence
    return " ".join([body, *marks])


def _without_marks(body: str) -> tuple[str, list[str]]:
    """The sentence without its adverbs of change, and what stands for them."""
    body, turned = _CHANGED_MIND.subn("", body)
    body, corrected = _NO_LONGER.subn("", body)
    if _NOT.search(body):
        body = _ANY_MORE.sub("", body)
    body, revised = _REVISED.subn("", body)
    body, since = _SINCE.subn("", body)
    body, now = _IS_NOW.subn("", body)
    marks = [INSTEAD] * bool(turned or revised) + [NOW] * bool(since or now or corrected)
    return body.strip(" ,"), marks
