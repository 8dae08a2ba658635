"""What is considered, supposed, dreamt or joked, and not claimed: "maybe", "if I move to Rome", "I might".

A sentence keeps the part of it that is sure: "I live in Leeds, but if I move I'll need a visa" says where one lives.
"""

from memory_app.language.extract.vocabulary import FIRST_PERSON, content_words, speaks_of
from memory_app.rules import linear_re as re

LEAST_BEFORE_A_HEDGE = 3
"""Content words from which what stands before "maybe" says something without the rest."""

_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|i guess|i suppose|i wonder|someday|might|may be|(?:i|we) may|not (?:really )?sure|"
    r"no idea|i don't know|i could (?:be|maybe)|toying with|hypothetically|what if|in theory|pretend|let's say|"
    r"just kidding|jk|just joking|i swear|(?:suppose|imagine|say) (?:that )?(?:i|we|my)\b|"
    r"would be (?:nice|cool|fun|great|good)|(?:i|we)(?:'d)? (?:dreamt|dreamed|had a \w* ?dream)|not that (?:i|we)|"
    r"it's not (?:like|as if)|(?:i|we) (?:could|should|would)(?:'ve| have) \w+|(?:for|in) (?:my|our|the|this) "
    r"(?:novel|story|book|game|dream|film|play|script)|(?:as if|like) (?:i|we)'d|yeah,? right)\b|\s/s$",
    re.IGNORECASE,
)
# A condition where a clause begins; "I take the tram if it rains" and "even if it rains, I cycle" are sure.
_CONDITION = re.compile(
    r"(?:^|[,;:]\s+(?:(?:and|but|or|so)\s+)?|\s(?:and|but|so|because)\s+)(?:only\s+)?"
    r"(?:if|unless|in case|assuming|as long as|whether|had i|should i|otherwise)\b"
    r"(?! you (?:must know|remember|ask me))",
    re.IGNORECASE,
)
# What is to come, and then on what it hangs: "I'll need a visa if I move to Rome".
_IF_IT_COMES = re.compile(
    r"(?:'ll|'d|\b(?:will|won't|would|can|can't|could|going to|gonna|(?:am|are|is|'m|'re|'s) \w+ing))\b[^,;]*,?\s"
    r"(?:if|unless|in case|assuming|as long as)\b",
    re.IGNORECASE,
)
# Where a sentence may be cut so that what stands before is still whole.
_BREAK = re.compile(r"[,;]\s|\s[-–—]\s|\s(?:but|so)\b", re.IGNORECASE)


def sure_part(told: str) -> str:
    """What of a sentence is claimed: all, what stands before the supposing if it tells something of its own, or ""."""
    text = told.replace("’", "'")
    if _IF_IT_COMES.search(text) and not _CONDITION.search(text):
        return ""
    cuts = [_cut_before(text, hedge.start()) for hedge in (_HEDGE.search(text),) if hedge]
    cuts += [condition.start() for condition in (_CONDITION.search(text),) if condition]
    if not cuts:
        return told
    sure = told[: min(cuts)].rstrip(" ,;:-–—")
    whole = speaks_of(sure, FIRST_PERSON) and len(content_words(sure)) >= LEAST_BEFORE_A_HEDGE
    return sure if whole else ""


def _cut_before(text: str, hedge: int) -> int:
    return max((found.start() for found in _BREAK.finditer(text[: hedge + 1])), default=0)
