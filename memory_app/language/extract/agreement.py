"""Verbs in step with a person who is named: "I live in Leeds and work there" is "lives in Leeds and works there"."""

import re

from memory_app.rules.text import vocabulary

PAST_OR_MODAL = vocabulary(
    "was were had did went got made took saw found met bought gave ran won lost began came felt left read wrote ate "
    "built taught drove flew spent thought told knew held kept said heard brought chose fell grew paid sent sold sat "
    "slept spoke stood swam threw understood woke wore drew drank forgot hid led lent meant rode rose sang shot "
    "showed shut sprang stole stuck struck swore tore became broke caught dealt dug fed fought hung hurt laid lit "
    "dreamt learnt burnt spelt spilt smelt leapt "
    "put cut hit let set quit cost bet can could will would shall should may might must ought need dare never not "
    "cannot can't couldn't won't wouldn't shouldn't didn't wasn't used "
    "cant dont wont didnt couldnt"
)
PAST = PAST_OR_MODAL - vocabulary(
    "can could will would shall should may might must ought need dare never not cannot can't couldn't won't wouldn't "
    "shouldn't was were let put set read left felt cost cut hit bet used"
) | vocabulary(
    "started finished moved joined visited decided tried signed wanted worked adopted learned planned graduated retired"
)
"""Forms that can only be the past."""
PAST_AND_PRESENT = vocabulary("read put set let cut hit hurt cost quit bet")
_NO_VERBS = vocabulary("who which that and or but to in at on of for with as than from")
_MODALS = vocabulary(
    "can could will would shall should may might must ought need dare never not cannot can't couldn't won't wouldn't "
    "shouldn't don't didn't used cant dont wont didnt couldnt"
)
_HABIT = re.compile(r"\b(?:every|usually|always|often|each|normally|mostly|on \w+days|at night|a lot)\b", re.IGNORECASE)
ADVERBS = vocabulary(
    "also just always still even often really already too both soon then now kinda sometimes rather quite almost "
    "ever once never hardly barely maybe perhaps usually only mostly generally normally"
)
_IRREGULAR = {
    **{"am": "is", "are": "is", "were": "was", "aren't": "isn't", "weren't": "wasn't"},
    **{"have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "go": "goes"},
}
_ENDS_IN_LY = vocabulary("fly rely reply apply supply imply multiply comply")

# Verbs that go on with the same subject after "and"; those that are nouns too need what only a verb has after it.
_GOES_ON = (
    "am have do don't haven't like love hate prefer enjoy want need live hope plan speak go eat drink sing swim write "
    "read listen cycle teach know think keep wear own make take get bring collect spend take grow rent share use try "
    "feel miss visit watch volunteer coach commute avoid sleep sell buy drive see meet wake understand earn study bake "
    "paint knit sew hike climb attend manage lead build run"
)
_DONE_AT_LEISURE = (
    "work|play|cook|walk|run|dance|travel|help|train|study|camp|garden|ski|surf|fish|paint|sail|row|jog|lift|swim|cycle"
)
_AFTER_A_VERB = (
    r"(?:as|at|in|for|from|on|to|with|a|an|the|my|our|his|her|their|it|them|him|there|here|mostly|every|twice|once|two|"
    r"three|some|no|lots|part|full|nights|days|both|about)"
)
_JOINED = re.compile(
    r"(?P<joint>\s+(?:and|but|or)(?:\s+(?:then|also|so|yet))?\s+|,\s+)"
    rf"(?P<adverbs>(?:(?:{'|'.join(sorted(ADVERBS))})\s+)*)"
    rf"(?P<verb>(?:{'|'.join(_GOES_ON.split())})(?![\w'-])(?!\s*(?:,|and\b|is\b|are\b|[.!]?$))"
    rf"|(?:{_DONE_AT_LEISURE})(?=\s+and\s+(?:{_DONE_AT_LEISURE})\b)|(?:{_DONE_AT_LEISURE})(?=\s+{_AFTER_A_VERB}\b))",
    re.IGNORECASE,
)
# After these a verb stays bare: "likes to cook and bake", "can ski and surf".
_STAYS_BARE = re.compile(
    r"\b(?:can|could|will|would|should|shall|may|might|must|let|lets|help|helps|make|makes|did|does|do|"
    r"(?:(?!don't)\w+)n't|don't(?!.*\bbut )|"
    r"to (?!(?:work|school|bed|church|town|college|uni|university|the|a|my|our|their)\b)(?-i:[a-z]+))\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.!?;:]|\b(?:who|which|that|when|while|because|where|so|if|i|we|he|she|they)\b", re.IGNORECASE)


def after_they(verb: str) -> str:
    """The form of a verb after "they"."""
    return {"am": "are", "was": "were", "wasn't": "weren't"}.get(verb, verb)


def third_person(verb: str, *, present: bool = False) -> str:
    """ "love" is "loves"; a past, a modal or what is no verb stays. `present`: "read" is no past."""
    if present and verb in PAST_AND_PRESENT:
        return f"{verb}s"
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if (
        len(verb) == 1
        or verb in _NO_VERBS
        or verb in PAST_OR_MODAL
        or verb in ADVERBS
        or verb.endswith(("ed", "ing", "n't"))
    ):
        return "needs" if verb == "need" else verb
    if verb.endswith("ly") and verb not in _ENDS_IN_LY:
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def keeps_step(verb: str, rest: str) -> bool:
    """Whether what goes on after a verb is brought in step with it: not after a modal, which bare verbs follow, nor
    after "don't", unless a "but" ends what is denied."""
    return verb not in _MODALS or (verb == "don't" and " but " in rest)


def is_habit(text: str) -> bool:
    """Whether what is told is done again and again, so that "I read" is no past."""
    return _HABIT.search(text) is not None


def in_step(rest: str) -> str:
    """What follows a verb in the third person, with the verbs that go on from it in the third person too."""
    done, at = "", 0
    while found := _JOINED.search(rest, at):
        between = rest[: found.start()]
        if _CLAUSE.search(between) or _STAYS_BARE.search(between):
            break
        done += rest[at : found.start()] + found["joint"] + found["adverbs"] + third_person(found["verb"].lower())
        at = found.end()
    return done + rest[at:]
