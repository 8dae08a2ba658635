"""What one is or does at the moment, or later in the day, and is over by tomorrow: "I'm tired", "I'll call tonight".

A plan with a date, a habit, and what changes a life though it is today, are none of this. English, by the form.
"""

from memory_app.rules import linear_re as re

LONGEST = 100
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
_ACT = (
    r"(?:mak|hav|tak|grabb?|gett?|cook|eat|drink|order|watch|do|wash|fold|feed|walk|pick|dropp?|runn?|head|go|popp?|"
    r"leav|call|finish)(?:e|ing)?"
)
_AT_IT = (
    r"(?:tea|coffee|lunch|dinner|breakfast|supper|bed|gym|shops?|store|home|out|off|now|late|ready|shower|nap|bath|"
    r"dishes|laundry|kids|movie|film|tv|errands|train|bus|plane|queue|phone)"
)
_OF_THE_MOMENT = re.compile(rf"{_LEAD}{_ADVERB}(?: {_STATE}\b.{{0,30}}| {_ACT}(?: [\w']+){{0,3}}? {_AT_IT}\b.*)")
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


def is_of_today(claim: str) -> bool:
    """Whether a sentence tells only what its speaker is or does now, or will before the day is over."""
    said = claim.lower().replace("’", "'").rstrip(" .!…,;:").replace(" today", "")
    if len(said) > LONGEST or _LASTS.search(said):
        return False
    return bool(_OF_THE_MOMENT.fullmatch(said) or _LATER_TODAY.fullmatch(said) or _WITHIN_HOURS.search(said))
