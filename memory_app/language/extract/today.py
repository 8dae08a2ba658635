"""What one does at the moment or later in the day, and is over by tomorrow: "I'm making tea", "I'll call you tonight".

A plan with a date, a habit, and what changes a life though it is today, are none of this. English, by the form.
"""

from memory_app.rules import linear_re as re

LONGEST = 100
"""Characters; what is longer tells of more than the act."""

_OPENS = r"(?:and |but |so |ok |then |now )*"
_ADVERB = r"(?:(?:just|still|also|really|probably|actually|gonna|going to|about to|quickly|finally|now) )*"
_DOING = (
    rf"(?:i|we)(?:'m| am|'re| are|'ll| will|'ve got to| have to| need to| gotta| should| better|'d better) {_ADVERB}"
)
_A = (
    r"(?:(?:a|an|the|my|our|some|another|myself|ourselves|cup of|glass of|bit of|bite of|quick|late|early|long|"
    r"little) )*"
)
_FOOD = (
    r"(?:tea|coffee|water|lunch|dinner|breakfast|supper|brunch|snacks?|food|sandwich|drinks?|beer|wine|bite|"
    r"toast|pizza|"
    r"takeaway|takeout|meal|smoothie|leftovers)"
)
_PAUSE = r"(?:shower|bath|nap|break|walk|rest|smoke|lie[- ]down|run|swim|jog|stretch|breather)"
_PLACE = (
    r"(?:bed|sleep|gym|shops?|store|supermarket|toilet|bathroom|loo|work|class|school|home|out|off|lunch|"
    r"dinner|meeting|"
    r"office|park|kitchen|town|campus|lecture|library|pub|bus|train|station)"
)
_ACTS = (
    rf"(?:mak|hav|prepar|tak)(?:e|ing) {_A}{_FOOD}",
    rf"(?:grab(?:bing)?|get(?:ting)?|cook(?:ing)?|eat(?:ing)?|drink(?:ing)?|order(?:ing)?|heat(?:ing)? up) {_A}{_FOOD}",
    rf"(?:hav(?:e|ing)|tak(?:e|ing)|grab(?:bing)?|go(?:ing)? for|in) {_A}{_PAUSE}",
    r"(?:off|go(?:ing)?|head(?:ing|ed)?|pop(?:ping)?|nip(?:ping)?|walk(?:ing)?|driv(?:e|ing)|run(?:ning)?|"
    r"on (?:my|the) way)"
    rf"(?: (?:back|over|down|out|up))*(?: (?:to|into|for))? ?{_A}{_PLACE}",
    r"(?:do(?:ing)?|wash(?:ing)?|fold(?:ing)?|load(?:ing)?|empty(?:ing)?) (?:the |my |some )*(?:dishes|"
    r"laundry|dishwasher|"
    r"washing(?: up)?|hoovering|cleaning|groceries|shopping|homework)",
    r"(?:walk(?:ing)?|feed(?:ing)?|pick(?:ing)? up|drop(?:ping)? off|put(?:ting)?) (?:the |my |our )*(?:dog|"
    r"cat|kids?|baby|"
    r"children|boys|girls)(?: (?:to bed|out))?",
    rf"watch(?:ing)? {_A}(?:tv|telly|movie|film|game|match|show|episode|netflix|youtube)",
    r"(?:get(?:ting)? (?:ready|dressed|up|going)|run(?:ning)? (?:late|errands)|wak(?:e|ing) up|(?:log|sign|head|step)"
    r"(?:ging|ing)? (?:off|out|over)|fall(?:ing)? asleep)",
)
_WHEN = (
    r"(?:later(?! (?:this|in|that) (?:year|month|week|life)\b)|tonight|today|this (?:morning|afternoon|evening|arvo)|"
    r"in (?:a|an|one|two|half an?|\d+) (?:bit|moment|mins?|minutes?|secs?|seconds?|few|jiffy|hours?)|"
    r"at (?:about )?(?:[1-9]|1[0-2])(?::\d\d)?(?: ?[ap]m)?(?! ?(?:years|or|%)\b)|at (?:noon|midnight))"
)
_AN_ACT = re.compile(
    rf"{_OPENS}{_DOING}(?:{'|'.join(_ACTS)})(?:,? (?:now|first|then|soon|quickly|too|again|"
    rf"{_WHEN}))*(?:,? (?:so|brb|but)\b.*)?"
)
_LATER_TODAY = re.compile(rf"{_OPENS}{_DOING}.*\b{_WHEN}\b.*")
# What lasts though it is done today, and what is dated or done again and again.
_LASTS = re.compile(
    r"\b(?:mov(?:e|es|ing)|start\w*|begin\w*|quit\w*|resign\w*|marr\w+|engag\w+|wedding|divorc\w+|"
    r"graduat\w+|launch\w*|releas\w+|"
    r"retir\w+|sign\w*|adopt\w*|buy\w*|sell\w*|join\w*|becom\w+|birthday|anniversary|turn\w* \d+|interview\w*|exams?|"
    r"funeral|fly\w*|flight|propos\w+|present\w+|defend\w*|perform\w*|(?:my|our|the) (?:first|last|new|future))\b"
)
_DATED = re.compile(
    r"\b(?:tomorrow|next|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|"
    r"august|september|october|november|december|\d+(?:st|nd|rd|th)|(?:19|20)\d\d|since|until|these days|lately|"
    r"nowadays|for (?:a|the|two|three|\d+) (?:weeks?|months?|years?))\b"
)
_HABIT = re.compile(r"\b(?:every|usually|always|often|each|normally|mostly|on \w+days|at night|a lot)\b")
# Over by tonight, whoever does it.
_WITHIN_HOURS = re.compile(
    r"\b(?:in (?:about )?(?:\d+|an?|two|three|half an) ?(?:h|hrs?|hours?|mins?|minutes?)|"
    r"(?:un)?till? (?:the )?morning|before it (?:shuts|closes))\b"
)
_BEFORE_ONES_EYES = re.compile(r"\b(?:next to|in front of|behind|opposite) me (?:is|are) ")
_PUNCTUATION = re.compile(r"[.!…,;:\s]+$")


def is_of_today(claim: str) -> bool:
    """Whether a sentence, without its opening, tells only what its speaker does now, or will before the day is over."""
    said = _PUNCTUATION.sub("", claim.lower().replace("’", "'"))
    if _BEFORE_ONES_EYES.search(said):
        return True
    if len(said) > LONGEST or _DATED.search(said) or _LASTS.search(said) or _HABIT.search(said):
        return False
    return bool(_AN_ACT.fullmatch(said) or _LATER_TODAY.fullmatch(said) or _WITHIN_HOURS.search(said))
