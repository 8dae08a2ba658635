"""What a channel puts around the words of a turn, and whose they are: stamps, names, mentions, bullets, signatures.

What is not the person's is blanked out, as long as before so that positions stay true: of their own lines the
prefix, of others' lines all.
"""

from collections.abc import Collection

from memory_app.language.extract.vocabulary import FIRST_PERSON, speaks_of
from memory_app.language.gazetteer import AMBIGUOUS_NAMES, GIVEN_NAMES
from memory_app.rules import linear_re as re
from memory_app.rules.text import vocabulary

_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[apAP]\.?[mM]\.?)?"
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[,T]?\s*)"
_STAMP = rf"[\[(]?(?:{_DATE}{_CLOCK}|{_CLOCK})[\])]?"
_NAME = r"[^\W\d_][\w.'’-]{0,24}(?: [A-Z][\w.'’-]{0,24})?"
# "[12:03] Bob: …", "20/11/2026, 12:03 - Bob: …", "Bob (12:03): …", "<bob> …", "vx5: …".
_LINE = re.compile(
    rf"^[ \t]*(?P<prefix>(?P<stamp>{_STAMP}[ \t]*[-–—|]?[ \t]*)?(?:<(?P<nick>{_NAME})>[ \t]+|"
    rf"@?[*_]{{0,2}}(?P<name>{_NAME})(?P<after>[ \t]*{_STAMP})?(?:[*_]{{0,2}}[ \t]*:|:[*_]{{1,2}})[ \t]+)|"
    rf"(?P<only>\[{_CLOCK}\][ \t]*[-–—|:]?[ \t]*|{_CLOCK}[ \t]+(?=(?:I|I'm|We|My|Our)\b)))"
    r"(?P<said>\S[^\n]*)",
    re.MULTILINE,
)
# A name that nobody has: letters and figures mixed, in small letters.
_ID = re.compile(r"(?!v\d+$)(?=[^\d]*\d)[a-z\d._-]+$")
_MYSELF = vocabulary("me i myself user")
_OTHERS = vocabulary(
    "mum mom dad mama papa gran grandma grandpa boss wife husband sister brother bot ai chatgpt gpt siri alexa agent "
    "support admin keepsake barnabee"
)
_AROUND = [
    re.compile(expression, re.IGNORECASE | re.MULTILINE)
    for expression in (
        # To whom, or in which room.
        r"^[ \t]*(?:(?:@[\w.-]+[,:]?|<[@#!][\w|@-]+>|#[a-z][\w-]*)[ \t]+)+",
        r"^[ \t]*(?:[-*•–·‣▪]|\d{1,2}[.)]|\[[ x]\]|#{1,6}|[-=_*~]{3,})[ \t]+",
        r"^[ \t]*(?:\([a-z ]{2,30}\)|\*[a-z ]{2,30}\*|_[a-z ]{2,30}_)[ \t]+",
        r"^[ \t]*(?:sent from my|get outlook for|sent (?:via|with|using)) [^\n]*$",
        r"^[ \t]*(?:re|fwd?|subject):[^\n]{1,60}?(?:\s[-–—]\s|\.\s|$)",
        r"^--[ \t]*\n(?:[^\n]*\n?){1,8}\Z",
    )
]


def unprefixed(text: str, own: Collection[str]) -> str:
    """The text with only what the speaker says left in it; `own` are names of theirs."""
    mine = {part for name in own for part in (name.lower(), *name.lower().split())} | _MYSELF
    text = _LINE.sub(lambda found: _kept(found, mine), text)
    for around in _AROUND:
        text = around.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return text


def _kept(line: re.Match, mine: Collection[str]) -> str:
    name = line["nick"] or line["name"] or ""
    if name.lower() in mine or name.lower().split(" ")[0] in mine or _ID.match(name) or line["only"]:
        blank = len(line[0]) - len(line["said"])
        return " " * blank + line["said"]
    return " " * len(line[0]) if _is_of_another(line, name) else line[0]


def _is_of_another(line: re.Match, name: str) -> bool:
    """Whether a line is what someone else said; "Job: I'm a nurse" and "18:00 Dinner: at Luigi's" are not."""
    first = name.lower().split()[0].strip(".'’")
    known = (first in GIVEN_NAMES and first not in AMBIGUOUS_NAMES) or first in _OTHERS
    logged = line["stamp"] or line["after"] or line["nick"]
    return bool(logged or known) and (line["nick"] is not None or speaks_of(line["said"], FIRST_PERSON))
