"""What a person tells an assistant of their own life in a few words, or without a word such as "my".

To an assistant one also talks about the world, or pastes it; so little is taken for the person's own, and only where
it was said in passing.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory_app.nlp import linear_re as re
from memory_app.nlp.classify.type_and_category import type_and_category
from memory_app.nlp.extract.claims import Claim
from memory_app.nlp.times.time_phrases import time_phrases

MAX_SPOKEN_LENGTH = 240
"""Characters of a turn that was said, not pasted."""

MAX_DISTANCE, MAX_PERIOD = timedelta(days=400), timedelta(days=32)
"""A date this near, and no longer than a month, is one of a life; "it ended in 1945" is history."""

PLAIN_TYPES = ("preference", "decision", "person", "project")
"""Kinds whose form is so plain that a sentence of one's own is worth keeping however short it is."""

# "I'm vegetarian", "I'm not vegan anymore", "I'm afraid of spiders": a word or two of what one is. What one is for the
# moment only, `passing` knows; the words here are of the moment or of the talk in this short form alone.
_PASSING_STATES = (
    "sick|ill|interested|scared|alone|outside|inside|wrong|right|available|old|idiot|fool|mess|fan|bit|lot"
)
_SELF_DESCRIPTION = re.compile(
    rf"I(?:['’]m| am)(?: not| no longer| also)?(?: an?)? (?!\w+ing\b|(?:{_PASSING_STATES})\b)[\w-]+"
    r"(?: of (?!it\b|that\b|this\b|you\b|them\b)[\w-]+)?(?: (?:anymore|any more|now|though|myself|too))?[.!]?",
    re.IGNORECASE,
)
_UTC = ZoneInfo("UTC")


def is_plain_statement(claim: Claim, at: datetime | None) -> bool:
    """Whether a claim says plainly what one is, likes, decided, works on, who someone is, or what is to come."""
    if claim.personal and _SELF_DESCRIPTION.fullmatch(claim.text):
        return True
    ahead = at is not None and _is_near(claim.text, at, ahead=True)
    kind = type_and_category(claim.text, dated=ahead)
    return kind.sure and ((claim.personal and kind.type in PLAIN_TYPES) or (ahead and kind.type == "event"))


def is_about_own_life(claim: Claim, whole: str, at: datetime | None) -> bool:
    """Whether a claim of a short turn, said at `at` (aware), is about the speaker's own world."""
    if len(whole) > MAX_SPOKEN_LENGTH:
        return False
    near = at is not None and _is_near(claim.text, at)
    kind = type_and_category(claim.text, dated=near)
    return kind.sure and (near or kind.type in ("decision", "project"))


def _is_near(text: str, at: datetime, *, ahead: bool = False) -> bool:
    return any(
        phrase.end - phrase.start <= MAX_PERIOD
        and abs(phrase.start - at) <= MAX_DISTANCE
        and (phrase.end > at or not ahead)
        for phrase in time_phrases(text, at=at, timezone=_UTC)
    )
