"""Whether the words around a date speak of the past or of what is to come: "met on Friday", "meet on Friday"."""

from memory_app.nlp import linear_re as re

_PAST = (
    r"was|were|did|had|went|met|saw|came|took|(?<!'ve )(?<!have )(?<!has )got|died|tied|added|paid|lent|fought|forgot|"
    "drew|stole|tore|made|bought|ate|gave|told|said|found|left|felt|won|lost|spent|"
    "began|ran|"
    r"wrote|drove|flew|held|sent|knew|thought|brought|taught|caught|sold|heard|built|chose|fell|grew|became|slept|"
    r"haven't(?! got)|hasn't(?! got)|hadn't|(?:have|has|\w+'ve) (?:never|not been)|"
    "spoke|stood|swam|sang|woke|wore|broke|rode|drank|threw|read about|been|happened|ago|"
    "[a-z]{3,}(?<!e)(?<!hundr)(?<!sacr)ed"
)
_FUTURE = (
    r"(?:will|won't|shall|shan't|\w+'ll) (?:[a-z]+ly )?have (?:been )?[a-z]+|"
    r"will|won't|shall|shan't|gonna|tomorrow|upcoming|soon|due|deadline|appointment|remind|let's|planning|"
    r"(?:starts|begins|gets(?:\s+[a-z]{3,}ed)?|leaves|ends|opens|closes|moves|turns|arrives|comes|expires|finishes|"
    r"returns|flies|retires|"
    r"graduates|(?:i|we|they|you|kids|children|parents) (?:start|begin|get(?:\s+[a-z]{3,}ed)?|leave|open|close|"
    r"move|arrive|come|finish|return|"
    r"fly|go))|"
    r"(?:am|is|are|\w+'m|\w+'re|\w+'s)\s+(?!being\b)[a-z]+ing(?:\s+[a-z]{3,}ed)?|\w+'ll|"
    "(?:decided|agreed|plan|plans|planned|want|wants|wanted|hope|hopes|hoped|need|needs|needed|have|has|had|"
    "promised|"
    r"arranged|scheduled|booked|going|asked|offered|meant|supposed|intend|like|ready|forget|remember)\s+(?:for|"
    r"to)\s+[a-z]+"
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
_CONTEXT_LENGTH = 160


def tense_at(text: str, start: int, end: int) -> str:
    """ "past", "future" or "" from the nearest verb before characters `start` to `end`, else the first after them."""
    if _SINCE.search(text[:end], max(start - len("since "), 0)):
        return "past"
    before = text[max(start - _CONTEXT_LENGTH, 0) : start].replace("’", "'")
    # The phrase may begin with its preposition.
    own = _PREPOSITION.match(text, start)
    if _PUT_AT.search(before + (own[0] if own else "")) or _IS_AT.search(before):
        return "future"
    marks = list(_MARK.finditer(_BREAK.split(before)[-1]))
    if marks:
        return "future" if marks[-1]["future"] else "past"
    mark = _MARK.search(_BREAK.split(text[end : end + _CONTEXT_LENGTH].replace("’", "'"))[0])
    return "" if mark is None else "future" if mark["future"] else "past"
