"""What is supposed, dreamt or joked ("maybe", "if I move"), and what is over by tomorrow ("I'm tired"). English.

A sentence keeps the part of it that is sure: "I live in Leeds, but if I move I'll need a visa" says where one lives. A
plan with a date, a habit, and what changes a life though it is today, last.
"""

from memory_app.nlp import linear_re as re
from memory_app.nlp.extract.vocabulary import FIRST_PERSON, content_words, has_any_pronoun

MIN_WORDS_BEFORE_HEDGE = 3
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
_IF_IT_HAPPENS = re.compile(
    r"(?:'ll|'d|\b(?:will|won't|would|can|can't|could|going to|gonna|(?:am|are|is|'m|'re|'s) \w+ing))\b[^,;]*,?\s"
    r"(?:if|unless|in case|assuming|as long as)\b",
    re.IGNORECASE,
)
# Where a sentence may be cut so that what stands before is still whole.
_BREAK = re.compile(r"[,;]\s|\s[-–—]\s|\s(?:but|so)\b", re.IGNORECASE)


def certain_part(sentence: str) -> str:
    """What of a sentence is claimed: all, what stands before the supposing if it tells something of its own, or ""."""
    text = sentence.replace("’", "'")
    if _IF_IT_HAPPENS.search(text) and not _CONDITION.search(text):
        return ""
    cuts = [_cut_before(text, hedge.start()) for hedge in (_HEDGE.search(text),) if hedge]
    cuts += [condition.start() for condition in (_CONDITION.search(text),) if condition]
    if not cuts:
        return sentence
    sure = sentence[: min(cuts)].rstrip(" ,;:-–—")
    whole = has_any_pronoun(sure, FIRST_PERSON) and len(content_words(sure)) >= MIN_WORDS_BEFORE_HEDGE
    return sure if whole else ""


def _cut_before(text: str, hedge: int) -> int:
    return max((found.start() for found in _BREAK.finditer(text[: hedge + 1])), default=0)


MAX_MOMENTARY_LENGTH = 100
"""Characters; what is longer tells of more than the moment."""

_LEAD = (
    r"(?:(?:and|but|so|ok|oh|well|yeah|thanks),? )*"
    r"(?:i|we)(?:'m| am|'re| are|'ll| will|'ve got to| have to| need to)"
)
_ADVERB = r"(?: (?:just|still|also|really|so|very|a bit|pretty|about to|going to|gonna|already|back|off|on the way))*"
_STATE = (
    r"(?:fine|good|ok|okay|ready|back|here|home|busy|late|tired|exhausted|bored|hungry|cold|hot|happy|glad|sad|sorry|"
    r"excited|nervous|stressed|grateful|proud|surprised|confused|lost|stuck|sure|kidding|waiting|done|sick|wrong|"
    r"interested)"
)
_ACTIVITY = (
    r"(?:mak|hav|tak|grabb?|gett?|cook|eat|drink|order|watch|do|wash|fold|feed|walk|pick|dropp?|runn?|head|go|popp?|"
    r"leav|call|finish)(?:e|ing)?"
)
_RIGHT_NOW = (
    r"(?:tea|coffee|lunch|dinner|breakfast|supper|bed|gym|shops?|store|home|out|off|now|late|ready|shower|nap|bath|"
    r"dishes|laundry|kids|movie|film|tv|errands|train|bus|plane|queue|phone)"
)
_MOMENTARY = re.compile(rf"{_LEAD}{_ADVERB}(?: {_STATE}\b.{{0,30}}| {_ACTIVITY}(?: [\w']+){{0,3}}? {_RIGHT_NOW}\b.*)")
_LATER_TODAY = re.compile(
    rf"{_LEAD}\b.*\b(?:tonight|later|in (?:a|an|\d+) (?:bit|moment|mins?|minutes?|hours?))(?: .{{0,20}})?"
)
_WITHIN_HOURS = re.compile(
    r"\b(?:in (?:about )?(?:\d+|an?|two|three|half an) ?(?:h|hrs?|hours?|mins?|minutes?)|(?:un)?till? (?:the )?morning|"
    r"before it (?:shuts|closes)|(?:next to|in front of|behind|opposite) me (?:is|are))\b"
)
# What lasts though it is done today, what is dated, and what is done again and again.
_LASTS = re.compile(
    r"\b(?:mov(?:e|ing)|start\w*|quit\w*|resign\w*|marr\w+|engag\w+|wedding|graduat\w+|launch\w*|retir\w+|sign\w*|adopt\w*|"
    r"buy\w*|sell\w*|join\w*|birthday|interview\w*|exams?|funeral|fly\w*|flight|present\w+|perform\w*|tomorrow|next|"
    r"this (?:year|month)|weekends?|\w+days?|\d+(?:st|nd|rd|th)|(?:19|20)\d\d|since|every|usually|always|often|each|"
    r"lately|for (?:a|the|two|three|\d+) (?:weeks?|months?|years?))\b"
)


def is_momentary(claim: str) -> bool:
    """Whether a sentence tells only what its speaker is or does now, or will before the day is over."""
    text = claim.lower().replace("’", "'").rstrip(" .!…,;:").replace(" today", "")
    if len(text) > MAX_MOMENTARY_LENGTH or _LASTS.search(text):
        return False
    return bool(_MOMENTARY.fullmatch(text) or _LATER_TODAY.fullmatch(text) or _WITHIN_HOURS.search(text))
