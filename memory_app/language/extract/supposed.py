"""What is considered, supposed, dreamt or joked, and not claimed: "maybe", "if I move to Rome", "I might".

A sentence keeps the part of it that is sure: "I live in Leeds, but if I move I'll need a visa" says where one lives.
"""

from memory_app.language.extract.vocabulary import FIRST_PERSON, content_words, speaks_of
from memory_app.rules import linear_re as re

LEAST_BEFORE_A_HEDGE = 3
"""Content words from which what stands before "maybe" says something without the rest."""

REACH = 200
"""Characters before a condition in which that stands which hangs on it: about a sentence."""


def _any(*expressions: str) -> str:
    return f"(?:{'|'.join(expressions)})"


_HEDGE = re.compile(
    r"\b"
    + _any(
        "maybe|perhaps|possibly|i guess|i suppose|i wonder|someday|dunno|supposedly|allegedly|apparently not",
        r"might(?!y)|may be|may (?:not|have|also|well|soon|still|need|go|get|move|come|take|leave|join|start|visit|buy|"
        "sell|quit|change)",
        r"not (?:really )?sure|no idea|i(?:'m| am) not certain|i don't know|i could (?:maybe|possibly|probably)",
        "(?:i|we) may|(?:i|we) (?:could|may) be wrong|(?:we'll|i'll) see|toying with|hypothetically|what if|"
        "in theory|pretend|let's say|just kidding|jk|just joking|said (?:nobody|no one) ever",
        "in (?:my|our|the|this|that) (?:novel|story|book|game|dream|film|movie|play|script|screenplay|poem)",
        r"(?:suppose|imagine|(?<!\w )say) (?:that )?(?:i|we|my)|would be (?:nice|cool|fun|great|good)",
        r"if i(?:'m not mistaken|(?: can)? (?:remember|recall) (?:it )?(?:correctly|rightly|right|well))",
        r"(?:like|as if|as though) (?:i|we)(?:'d| would)(?: ever)?|yeah,? right(?=[,.!…])",
        # Dreamt, or never so: "I dreamt that I could fly", "not that I live there", "I could have been a doctor".
        r"(?:i|we)(?:'d| had| once)? (?:dreamt|dreamed|had (?:a|this) (?:\w+ )?dream)"
        r"(?: last night)? (?:that|i|we|where|in which)",
        r"not that (?:i|we)|it's not (?:like|as if|that) (?:i|we)|(?:i|we) (?:never|didn't) (?:say|said|claim\w*)",
        r"(?:i|we) (?:could|should|would|might)(?:'ve| have|n't have| not have) \w+",
        # In a figure: "I'm basically a vampire", "I could sleep for a week", "a million things to do".
        r"(?:i'm|i am|we're|we are) (?:basically|practically|virtually) (?:an?|the|\w+ed) |"
        r"(?:i|we)(?:'m|'re| am| are)? (?:dying|married) (?:for|to (?:my|the|a) (?:job|work|phone|desk|couch|bed))|"
        r"(?:i|we) could (?:drink|eat|sleep|run|cry|scream) (?:an?|for|forever)|"
        r"an? (?:million|billion|zillion|thousand) (?:things|times|reasons|questions)",
        r"for (?:my|our|the|this|a) (?:story|novel|role ?play|game|character|campaign|screenplay|poem|play|book)"
        r"(?=\s*[:,])",
        "just what (?:i|we) (?:needed|wanted)|(?:i|we)(?:'d| would| could) (?:kill for|eat a horse|murder an?)",
        "oh,? (?:great|joy|perfect|wonderful|lovely|brilliant|fantastic)(?=[,.!…])|"
        r"(?:kill|murder|strangle) (?:my(?!self)|our|him|her|them|someone|somebody)|i swear",
    )
    + r"\b|\s/s$",
    re.IGNORECASE,
)
# "If you must know" is no condition.
_POLITE = (
    r"(?! you (?:remember|recall|must know|ask me|didn't know|don't mind|want to know|were wondering)|"
    r" i'm (?:being )?honest)"
)
_IF = _any(
    rf"if\b{_POLITE}|unless|in case|provided|providing|assuming|supposing|as long as|so long as|whether",
    "on (?:the )?condition",
    "(?:had|should) (?:i|we|they|he|she|my)|were (?:i|we) to|otherwise|in which case",
)
# A condition where a clause begins; "even if it rains, I cycle" is no condition, unless of what would be.
_CONDITION = re.compile(
    rf"(?:^|[,;:]\s+(?:(?:and|but|or|so|then|because|cause)\s+)?|\s[–—-]+\s+|\s(?:and|but|so|because|cause|that)\s+)"
    rf"(?:only\s+)?{_IF}\b|^(?:even (?:if|though)\b(?=.*(?:'d\b|\bwould\b)))",
    re.IGNORECASE,
)
# What is to come, if at all: not a habit ("I take the tram if it rains") nor a question retold ("she asked if I …").
_TO_COME = re.compile(
    r"(?:'ll|'d|\b(?:will|won't|would|wouldn't|can|could|should|going to|gonna|plan(?:ning)? to|want to|"
    r"hop(?:e|ing) to|"
    r"(?:am|are|is|'m|'re|'s) (?:not )?(?!\w*thing)\w+ing))\b[^,;]*$",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf",?\s(?:only\s+)?(?:if\b{_POLITE}|unless|in case|provided|providing|assuming|as long as)\b", re.IGNORECASE
)
_ASKED = re.compile(r"\b(?:ask\w*|wonder\w*|see|know|check\w*|decid\w+|sure|tell|told|find out|say|as|even)$", re.I)
# Where a sentence may be cut so that what stands before is still whole.
_BREAK = re.compile(r"[,;]\s|\s[-–—]\s|\s(?=but\b|so\b)", re.IGNORECASE)


def sure_part(told: str) -> str:
    """What of a sentence is claimed: all, what stands before the supposing if it tells something of its own, or ""."""
    text = told.replace("’", "'")
    if _hangs_on_a_condition(text):
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


def _hangs_on_a_condition(text: str) -> bool:
    """Whether what is to come is told first, and then on what it hangs: "I'll need a visa if I move to Rome"."""
    for found in _TRAILING.finditer(text):
        before = text[max(found.start() - REACH, 0) : found.start()]
        if not _ASKED.search(before) and _TO_COME.search(before):
            return True
    return False
