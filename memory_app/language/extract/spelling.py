"""How sloppy spelling is read ("im", "dont"), and which sentences leave out their "I". What is kept stays as it is."""

from collections.abc import Sequence

from memory_app.rules import linear_re as re
from memory_app.rules.text import vocabulary

_APOSTROPHE = re.compile(r"(?<=\w)’")
_NT = r"(?:do|does|did|have|has|had|is|are|was|were|would|should|could|need|must|ca|wo)"
_SPELLED: Sequence[tuple[re.Pattern, str]] = [
    (re.compile(expression, re.IGNORECASE), instead)
    for expression, instead in (
        (rf"\b({_NT})nt\b", r"\1n't"),
        (r"\b(they|you)re\b", r"\1're"),
        (r"\b(we|they|you)ve\b", r"\1've"),
        (r"\b(he|she|that|there|what|who)s\b(?=\s+(?:a|an|the|not|my|our|in|at|from|on|been|got|\w+ing)\b)", r"\1's"),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"(^|[,;] | and | but | so )id\b", r"\1I'd"),
        (r"\bu\b(?=\s+[a-z])", "you"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
    )
]

# First words of a sentence that lacks its subject: "Just got a dog", "Love hiking", "Born in Naples".
_PAST = vocabulary(
    "had did went got made took saw found met bought gave ran won lost began came wrote ate built taught drove flew "
    "spent thought told kept heard brought fell grew paid sent sold started finished moved joined visited decided "
    "tried signed wanted worked adopted learned learnt planned graduated retired switched quit can't couldn't haven't "
    "don't didn't born gonna allergic"
)
_FEELINGS = vocabulary("love hate prefer enjoy adore dislike")
_NOT_MINE = vocabulary("is it this that how your you to by was makes has")
_FIRST_WORDS = re.compile(
    r"(?:(?:just|still|also|always|never|recently|finally|already|currently|absolutely|really)\s+)*"
    r"(?P<verb>[a-z]+(?:'t)?)\b(?:\s+(?P<after>[\w']+))?",
    re.IGNORECASE,
)


def spelled(text: str) -> str:
    """The text with its sloppy forms as one writes them, for the rules to read."""
    text = _APOSTROPHE.sub("'", text)
    for sloppy, instead in _SPELLED:
        text = sloppy.sub(instead, text)
    return text


def leaves_out_subject(sentence: str) -> bool:
    """Whether a sentence begins with what its speaker does or likes, and leaves out who."""
    first = _FIRST_WORDS.match(sentence)
    if first is None:
        return False
    verb, after = first["verb"].lower(), (first["after"] or "").lower()
    if verb in _FEELINGS:
        return bool(after) and after not in _NOT_MINE
    return verb in _PAST and after != "by"
