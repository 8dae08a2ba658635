"""What stands around a time phrase and changes it: tense ("met on Friday"), "at 3pm", "early", "the end of"."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory_app.nlp import linear_re as re
from memory_app.nlp.times.periods import Moment

_PAST = (
    "was|were|did|had|went|met|saw|came|took|(?<!'ve )(?<!have )(?<!has )got|died|tied|added|paid|lent|fought|"
    "forgot|drew|stole|tore|made|bought|ate|gave|told|said|found|left|felt|won|lost|spent|began|ran|wrote|drove|"
    "flew|held|sent|knew|thought|brought|taught|caught|sold|heard|built|chose|fell|grew|became|slept|"
    r"haven't(?! got)|hasn't(?! got)|hadn't|(?:have|has|\w+'ve) (?:never|not been)|spoke|stood|swam|sang|woke|wore|"
    "broke|rode|drank|threw|read about|been|happened|ago|[a-z]{3,}(?<!e)(?<!hundr)(?<!sacr)ed"
)
_FUTURE = (
    r"(?:will|won't|shall|shan't|\w+'ll) (?:[a-z]+ly )?have (?:been )?[a-z]+|will|won't|shall|shan't|gonna|tomorrow|"
    r"upcoming|soon|due|deadline|appointment|remind|let's|planning|(?:starts|begins|gets(?:\s+[a-z]{3,}ed)?|leaves|"
    "ends|opens|closes|moves|turns|arrives|comes|expires|finishes|returns|flies|retires|graduates|(?:i|we|they|you|"
    r"kids|children|parents) (?:start|begin|get(?:\s+[a-z]{3,}ed)?|leave|open|close|move|arrive|come|finish|return|"
    r"fly|go))|(?:am|is|are|\w+'m|\w+'re|\w+'s)\s+(?!being\b)[a-z]+ing(?:\s+[a-z]{3,}ed)?|\w+'ll|(?:decided|agreed|"
    "plan|plans|planned|want|wants|wanted|hope|hopes|hoped|need|needs|needed|have|has|had|promised|arranged|"
    r"scheduled|booked|going|asked|offered|meant|supposed|intend|like|ready|forget|remember)\s+(?:for|to)\s+[a-z]+"
)
_MARK = re.compile(rf"\b(?:(?P<future>{_FUTURE})|(?P<past>{_PAST}))\b", re.IGNORECASE)
# What lasts since some time began in the past, whatever the tense of its verb: "I work here since March".
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
# Put at a date, which was to come when that was done: "moved the launch to 4 December", "booked a table for Friday".
_PUT_AT = re.compile(
    r"\b(?:(?:mov|shift|slipp|push|postpon|reschedul|chang|delay|deferr|schedul|book|plann|fix|arrang|order|reserv|rent)ed"
    r"|brought|put|set|slated|due|tickets?)\b(?:[^.!?;]{0,80}\s(?:to|until|till|for|from)"
    r"|(?:\s(?:back|forward|off|up|it|them|in|again|now))*\s(?:on|by))(?:\s(?:the|early|late|mid))?\s$|"
    # "I got a job, starting on 5 January".
    r"(?<!was\s)(?<!were\s)\b(?:starting|beginning|opening|leaving|arriving)(?:\s(?:on|in|at|from))?\s$",
    re.IGNORECASE,
)
# "The wedding is on 14 June" is said of the next one.
_IS_AT = re.compile(
    r"(?:\b(?:is|are|isn't|aren't)|\w's)\s(?:(?:on|in|at|from|until|by|for)\s)?(?:the\s)?$", re.IGNORECASE
)
_PREPOSITION = re.compile(r"(?:to|until|till|for|on|by|from)\s", re.IGNORECASE)
_BREAK = re.compile(r"[.!?;\n]\s")

# Characters around the date that are looked at: about a sentence.
_SENTENCE_LENGTH = 160


def tense_at(text: str, start: int, end: int) -> str:
    """ "past", "future" or "" from the nearest verb before characters `start` to `end`, else the first after them."""
    if _SINCE.search(text[:end], max(start - len("since "), 0)):
        return "past"
    before = text[max(start - _SENTENCE_LENGTH, 0) : start].replace("’", "'")
    # The phrase may begin with its preposition.
    own = _PREPOSITION.match(text, start)
    if _PUT_AT.search(before + (own[0] if own else "")) or _IS_AT.search(before):
        return "future"
    marks = list(_MARK.finditer(_BREAK.split(before)[-1]))
    if marks:
        return "future" if marks[-1]["future"] else "past"
    mark = _MARK.search(_BREAK.split(text[end : end + _SENTENCE_LENGTH].replace("’", "'"))[0])
    return "" if mark is None else "future" if mark["future"] else "past"


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """Characters `span` of a text, meaning the time from `start` up to, not including, `end` (both aware)."""

    span: tuple[int, int]
    start: datetime
    end: datetime


# "At 3" before noon or after? Hours below this are taken for the afternoon.
EARLIEST_BARE_HOUR = 7

_CLOCK = (
    r"(?:at|around|by|from|@)\s(?:about\s)?(?P<clock>\d{1,2}(?::[0-5]\d)?\s?(?:[ap]\.?m\b\.?|o'clock|h\b)|"
    r"\d{1,2}:[0-5]\d|noon|midnight|(?<=at )\d{1,2}(?![\d:.,/%]\d|\s?(?:%|percent|people|euros|dollars|degrees|"
    "years)))"
)
_CLOCK_AFTER = re.compile(rf",?\s(?:{_CLOCK})", re.IGNORECASE)
_CLOCK_BEFORE = re.compile(rf"(?:{_CLOCK}|\b(?P<bare>\d{{1,2}}(?::[0-5]\d)?\s?[ap]\.?m\.?))\s(?:on\s)?$", re.IGNORECASE)
_EDGE = r"(?P<edge>earlier|early|mid|later|late|(?:beginning|start|end|middle)(?= of)|since|after|before)"
_EDGE_BEFORE = re.compile(rf"\b{_EDGE}(?: of)?[\s-](?:in\s)?(?:the\s)?$", re.IGNORECASE)
_EDGE_INSIDE = re.compile(rf"(?:in\s|of\s)?(?:the\s)?{_EDGE}\b", re.IGNORECASE)
_LEAD = re.compile(r"(?:in|of|on|during)\s(?:the\s)?", re.IGNORECASE)
_CONTEXT_LENGTH = 32


def apply_modifiers(text: str, phrase: TimePhrase, moment: Moment) -> TimePhrase:
    """The phrase with what stands around it."""
    start, end = phrase.span
    lead = _LEAD.match(text, start, end)
    core = lead.end() if lead else start
    before = text[max(core - _CONTEXT_LENGTH, 0) : core]
    if phrase.end - phrase.start <= timedelta(days=1, hours=2):
        timed = _at_clock(text, phrase, moment)
        if timed is not None:
            return timed
    edge = _EDGE_BEFORE.search(before) or _EDGE_INSIDE.match(text, start, end)
    return phrase if edge is None else _apply_edge(phrase, edge["edge"].lower(), moment)


def _at_clock(text: str, phrase: TimePhrase, moment: Moment) -> TimePhrase | None:
    start, end = phrase.span
    after, before = _CLOCK_AFTER.match(text, end), _CLOCK_BEFORE.search(text[max(start - _CONTEXT_LENGTH, 0) : start])
    found = after or before
    hour = _clock_hour(found, phrase) if found is not None else None
    if found is None or hour is None:
        return None
    span = (start, after.end()) if after else (start - len(found[0]), end)
    begins = moment.calendar.hour(phrase.start.date(), *hour)
    return TimePhrase(span, begins, begins + timedelta(hours=1))


def _clock_hour(found: re.Match, phrase: TimePhrase) -> tuple[int, int] | None:
    clock = (found["clock"] or found.groupdict().get("bare") or "").lower().replace(".", "")
    if clock in ("noon", "midnight"):
        return (12, 0) if clock == "noon" else (0, 0)
    digits = re.compile(r"(\d{1,2})(?::(\d\d))?").match(clock)
    if digits is None or int(digits[1]) > 23:
        return None
    hour, minute = int(digits[1]), int(digits[2] or 0)
    if "am" in clock or "pm" in clock:
        return hour % 12 + (12 if "pm" in clock else 0), minute
    whole_day = phrase.start.hour == 0
    afternoon = phrase.start.hour >= 12 or (whole_day and digits[2] is None and 0 < hour < EARLIEST_BARE_HOUR)
    return hour + (12 if afternoon and hour < 12 else 0), minute


def _apply_edge(phrase: TimePhrase, edge: str, moment: Moment) -> TimePhrase:
    whole = phrase.end - phrase.start
    third = timedelta(days=whole.days // 3) if whole.days >= 3 else whole / 3
    match edge:
        case "before":
            return phrase  # a deadline keeps its day
        case "since" | "after":
            begins = phrase.end if edge == "after" else phrase.start
            return replace(phrase, start=begins, end=moment.now) if begins < moment.now else phrase
        case "earlier":
            return replace(phrase, end=moment.now) if phrase.start < moment.now < phrase.end else phrase
        case "later":
            return replace(phrase, start=moment.now) if phrase.start < moment.now < phrase.end else phrase
        case "early" | "beginning" | "start":
            return replace(phrase, end=phrase.start + third)
        case "late" | "end":
            return replace(phrase, start=phrase.end - third)
    return replace(phrase, start=phrase.start + third, end=phrase.end - third)
