"""Which sentences state something that may turn out untrue, and which only ask, greet, thank, cheer, advise or hope.

English, by the words a sentence opens with or contains. In doubt it states nothing: a missed contradiction leaves two
memories side by side, an invented one takes the older away.
"""

import re

from memory_app.rules.text import vocabulary


def _any(*expressions: str) -> str:
    return f"(?:{'|'.join(expressions)})"


_ASKS = re.compile(r"\?[\s\"'”’)\]!]*$")
_UNFINISHED = re.compile(r"(?:…|\.\.\.)\s*$")

# What stands before the sentence proper, with or without a comma ("So ", "And "), or only with one ("Yeah, ", "No, ").
_LINKS = "so|and|but|also|plus|btw|by the way|actually|honestly|anyways?|i mean|you know"
_CALLS = (
    "yeah|yep|yup|yes|no|nope|nah|well|oh|ooh|ah|aw+|wow|whoa|woah|woo+|woohoo|hey|hi|hello|haha|lol|ok|okay|sure|right|"
    "true|absolutely|definitely|totally|exactly|hmm|um|uh|for sure|of course|fyi|note|update|correction"
)
_NAMED = r"(?:,?\s+[A-Z]\w+)?"
_OPENING = re.compile(rf"^(?:(?i:{_LINKS})\b[\s,]+|(?i:{_CALLS})(?:\s+(?i:{_CALLS}))*\b{_NAMED}\s*[,.!:…–—-]+\s*)+")

_ASKED_WITHOUT_MARK = (
    "what|which|who|whose|when|where|why|how",
    "(?:do|does|did|are|is|was|were|have|has|had|can|could|would|will|should) (?:you|we|they|he|she|it|there|i|anyone)",
)
_GREETS_OR_THANKS = (
    "hi|hello|hey|bye|good(?:bye| morning| night| evening| luck| job| point| idea| one| for)|take care",
    "talk (?:to|later)|see (?:you|ya)|thanks?|thx|cheers|congrat\\w*|sorry|welcome|glad",
    "happy (?:to|for|that|you|birthday)|best of|no (?:worries|problem|doubt|way)|same here|me too",
)
_CHEERS = (
    "nice|great|awesome|amazing|cool|lovely|wonderful|sweet|sounds|looks|seems|means|feels|love(?: it| that| your| to)",
    "can't wait|cannot wait|way to|well done|can't (?:believe|imagine|agree|complain)",
)
_ADVISES = (
    "keep|let's|let (?:me|us)|please|don't|do not|never (?:give|stop|mind|forget)|go|just|check|stay|enjoy|remember",
    "always (?:here|remember|believe)|believe|imagine",
)
_SUPPOSES = ("wish|hope|if|unless|whenever|maybe|perhaps|hopefully|not sure|no idea|guess|as (?:long|soon) as",)
_NO_STATEMENT = re.compile(
    "^" + _any(*_ASKED_WITHOUT_MARK, *_GREETS_OR_THANKS, *_CHEERS, *_ADVISES, *_SUPPOSES) + r"\b", re.IGNORECASE
)

_CONSIDERED = (
    "maybe|perhaps|possibly|probably|might|may be|hopefully|hoping|wonder(?:ing)?|looking forward",
    "i (?:guess|suppose|hope|wish|think|believe|bet|mean|feel like)|i'd (?:love|like|say|be)",
    "(?:would|could|should) (?:be|have|love)|couldn't (?:be|have|agree)",
    "what if|even if|in case|as if|if (?:i|you|we|it|he|she|they)",
)
_FELT = ("thank(?:s|ful)?|grateful|appreciate|congrat\\w*|proud|sorry|glad|excited",)
# They have a "not" in them and deny nothing, or promise, or encourage.
_IDIOMS = (
    "not sure|no (?:idea|doubt|wonder|matter)|(?:don't|do not) (?:know|think|forget|worry|give)|cannot wait",
    "nothing (?:but|like|beats|better)|not (?:only|just|to mention|gonna lie)",
    "can't (?:wait|help|believe|imagine|beat|complain)",
    "(?:not|\\w+n't|never) (?:gonna |going to )?(?:giv(?:e|ing) up|quit(?:ting)?|stop(?:ping)?)",
    "means? (?:so much|a lot|the world|everything)|pa(?:ys?|id) off|hard work|(?:we|you) can (?:do|make)",
    "keep(?:ing)? (?:you|me) (?:posted|updated)|let (?:you|me) know|check (?:it|that|them|this) out|i promise",
    "in this together",
)
_UNSURE = re.compile(r"\b" + _any(*_CONSIDERED, *_FELT, *_IDIOMS) + r"\b", re.IGNORECASE)

# About the one who is spoken to: praise, advice or a guess, and not the speaker's to know.
_ADDRESSED = vocabulary("you you're you've you'll you'd u ya")


def states(sentence: str) -> str:
    """The sentence without what opens it, if it states something; else nothing."""
    if _ASKS.search(sentence) or _UNFINISHED.search(sentence):
        return ""
    told = _OPENING.sub("", sentence.strip().replace("’", "'"))
    if not told or _NO_STATEMENT.match(told) or _UNSURE.search(told):
        return ""
    return "" if told.split(maxsplit=1)[0].lower().strip(",.!") in _ADDRESSED else told
