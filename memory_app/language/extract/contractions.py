"""Short and sloppy forms of verbs written out: "dont" is "don't", "I'd bought" is "I had bought", "I'd buy" "I would".

English. What may be a possessive ("my brother's new car") stays as it was said.
"""

import re
from collections.abc import Sequence

from memory_app.rules.text import vocabulary

PARTICIPLES = vocabulary(
    "been had done gone got gotten bought brought taught thought found made said seen taken given begun left met sold "
    "told won lost eaten drunk driven spoken written worn grown known flown broken chosen built sent spent slept kept "
    "felt heard held paid stood understood sung swum fallen risen woken forgotten hidden led lent meant ridden shown "
    "stolen stuck sworn torn caught dealt dug fed fought hung laid lain lit thrown drawn bitten blown frozen shaken "
    "bred bound fled shot spun swung wept learnt dreamt burnt spelt spilt heard lain sunk shrunk sewn sworn woken"
)
_EITHER = vocabulary(
    "put set let cut hit read hurt cost quit bet come run become overcome shut split spread beat cast upset"
)
"""Participles that are bare verbs too: "I'd put"."""
BARE_IN_ED = vocabulary("need feed speed weed heed seed succeed proceed exceed bleed breed shed wed embed")
_HAD_BEFORE = vocabulary("better best")
_PAST_AROUND = re.compile(
    r"\b(?:already|just|before|yesterday|ago|by then|until then|once|twice|earlier|last (?:\w+day|night|week|month|"
    r"year)|when (?:i|we|he|she|they) \w+ed)\b",
    re.IGNORECASE,
)
# One in a word, not a mark that ends what was quoted.
_APOSTROPHE = re.compile(r"(?<=\w)’")
_NT = r"(?:do|does|did|have|has|had|is|are|was|were|would|should|could|need|must|ca|wo)"
_WANTED = (
    r"(?:(?:also|really|rather|always|never|just|definitely|probably)\s+)*"
    r"(?:love|like|rather|prefer|hate|say|be|been|have|go|want|better|never|always|need|had)\b"
)
_COMING = (
    r"(?:(?:also|never|always|probably|just)\s+)*(?:be|have|need|go|get|take|move|start|visit|come|try|send|bring|see|"
    r"meet|call|make|keep|stay|leave|work|join|finish)\b"
)
_NOT_MINE = r"(?<!\bmy )(?<!\bthe )(?<!\ban )(?<!\byour )(?<!\bof )(?<!\bby )"
_SPELLED: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(expression, re.IGNORECASE), instead)
    for expression, instead in (
        (rf"\b({_NT})nt\b", r"\1n't"),
        (r"\b(he|she|that|there|what|who)s\b(?=\s+(?:a|an|the|not|my|our|in|at|from|on|been|got|\w+ing)\b)", r"\1's"),
        (r"\b(they|you)re\b", r"\1're"),
        (r"\b(we|they|you)ve\b", r"\1've"),
        (r"\b(we|they|you|u) r\b", r"\1're"),
        (
            r"\b(tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)'s (?=(?:my|our|the|a|an)\b)",
            r"\1 is ",
        ),
        (r"\bu\b(?=\s+[a-z])", "you"),
        (r"\bive\b", "I've"),
        (rf"{_NOT_MINE}\bid\b(?=\s+{_WANTED})", "I'd"),
        (rf"(?:(?<=^)|(?<=and )|(?<=but )|(?<=so )|(?<=that ))ill\b(?=\s+{_COMING})", "I'll"),
        (r"('ll|'d|n't)'ve\b", r"\1 have"),
        (r"\b(i|we|you|they)(?:'ve)? gotta\b", r"\1 have to"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bain't (?=(?:got|been|seen|done|had|gone|\w+ed)\b)", "haven't "),
        (r"\bi ain't\b", "I'm not"),
        (r"\b(we|you|they) ain't\b", r"\1 aren't"),
    )
]

# "Im" is a word of German: "Ich arbeite im Krankenhaus".
_GERMAN = re.compile(
    r"\b(?:ich|wir|und|nicht|ist|sind|haben|wird|wohnt|wohnen|das|der|dem|ein|eine|einen|einem|mein(?:e[mnrs]?)?|liegt|"
    r"steht|auf|bei|nach|noch|auch|für|zum|zur|vom)\b",
    re.IGNORECASE,
)
_IM = re.compile(r"\bim\b", re.IGNORECASE)

_ADVERBS = r"(?:(?:just|already|always|never|now|also|still|finally|recently|really|not)\s+)*"
_HAS_DONE = (
    r"(?:been|got|gone|had|become|done|(?:moved|started|finished|decided|joined|lived|visited|changed|turned|passed|"
    r"failed|graduated|landed|arrived|returned|adopted|wanted|tried|stopped|signed|opened|agreed|eaten|taken|given|"
    r"bought|sold|left|lost|found|broken|written|made|won|begun|forgotten|caught|met)(?=\s+(?:to|in|into|from|out|off|"
    r"up|at|on|with|for|back|home|work\w*|school|a|an|the|his|her|their|my|our|me|us|it|[a-z]+ing)\b|[.,!]|$))"
)
_IS = (
    r"(?:a|an|the|not|in|at|from|on|called|named|getting|going|about|coming|moving|visiting|staying|working|living|"
    r"very|so|too|really|always|still|now|also)(?=\s)(?! (?:in-law|job|one)\b)"
)
_SHORT_S = re.compile(
    rf"\b(?P<who>(?:my|our) (?:[\w-]+(?:'s)? )?[\w-]+)'s (?={_ADVERBS}(?:(?P<has>{_HAS_DONE})|(?P<is>{_IS})))",
    re.IGNORECASE,
)

_NAMED_S = re.compile(
    r"\b((?:my|our) (?:[\w-]+ )?(?:name|nickname|surname|birthday|email|address|number))'s (?=\S)", re.IGNORECASE
)
_SHORT = re.compile(
    rf"\b(?P<who>(?:my|our) (?:[\w-]+(?:'s)? )?[\w-]+(?: and i)?)'(?P<short>ve|re|ll|d)\b"
    rf"(?=(?: {_ADVERBS}(?P<verb>[a-z]+))?)",
    re.IGNORECASE,
)


def spelled(text: str) -> str:
    """The text with its short forms spelled as one writes them; "I'd" and the like stay, for `had_or_would`."""
    text = _APOSTROPHE.sub("'", text)
    if not _GERMAN.search(text):
        text = _IM.sub("I'm", text)
    for sloppy, instead in _SPELLED:
        text = sloppy.sub(instead, text)
    text = _NAMED_S.sub(r"\1 is ", text)
    text = _SHORT.sub(lambda found: f"{found['who']} {_written_out(found, text)}", text)
    return _SHORT_S.sub(lambda found: f"{found['who']} {'has' if found['has'] else 'is'} ", text)


def _written_out(found: re.Match[str], sentence: str) -> str:
    """The verb that stands behind a noun in short: "my kids're" are, "my sister'd" had or would."""
    plain = {"ve": "have", "re": "are", "ll": "will"}
    return plain.get(found["short"].lower()) or had_or_would(found["verb"] or "", sentence)


def had_or_would(verb: str, sentence: str) -> str:
    """What "'d" stands for before a verb, or before "rather" and "better"."""
    verb = verb.lower()
    done = verb in PARTICIPLES or (verb.endswith("ed") and verb not in BARE_IN_ED)
    if done or verb in _HAD_BEFORE or (verb in _EITHER and _PAST_AROUND.search(sentence)):
        return "had"
    return "would"
