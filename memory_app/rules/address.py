"""The wrapping of a request: the assistant's name, politeness and fillers around what is asked.

"Hey Barnabee, could you please remember that I like tea, okay?" asks "remember that I like tea".
What the request then is, `triggers` and `smalltalk` decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_app.rules import linear_re as re

# Names by which an assistant is spoken to when the caller gives none.
ASSISTANT_NAMES = ("Barnabee", "Keepsake", "assistant", "computer")

_FILLERS = (
    r"hey|hi|hello|ok|okay|yo|oh|ah|u+m+|u+h+|e+r+m*|hmm|so(?! you know)|like(?=,)|"
    r"and|well|also|plus|btw|by the way|alright|all right|right|no(?! need\b)|nope|yes|"
    r"yeah|yep|sure|thanks|thank you|great|cool|perfect|now|actually|anyway|but|then|one more thing|one last thing|"
    r"another thing|before i forget|listen|look|wait|sorry|oops|"
    r"(?:one )?quick (?:note|thing|one)|quickly|just|please|kindly|pls|plz|lol|haha"
)
_ASKING = (
    r"(?:(?:can|could|would|will|can't|couldn't|won't) you|"
    r"(?:is|would) (?:it )?(?:be )?possible (?:that |for )?you(?: to)?)"
    r"(?: please| kindly| just| also| maybe)*"
)
_WISHING = (
    r"i(?:'d| would) (?:like|love|appreciate)(?: it)? (?:for |that |if )?you(?: to| could| would)?(?= \w)|"
    r"i(?:'m| am| was)? (?:just |really )?(?:want|need|asking)(?:ed|ing)? (?:that )?"
    r"(?:you(?: to)?(?= \w)|to make sure (?:that )?you)|"
    r"from now on|important(?=,| please)|if (?:you|it'?s) (?:can|could|would|possible)|"
    r"(?:for|until) next time(?=,? \w+ember)|"
    r"make sure (?:that )?(?:you|to|i(?= (?:don't|dont|do not|remember)\b))|be sure to|be sure|"
    r"try (?:to|and)|let's|help me(?: to)?|you (?:should|must|need to|have to|can|could)|always|also|"
    r"do(?= (?:remember|keep|bear|note|make)\b)"
)
# A name nobody gave us is one where a request follows: "Jarvis, remember …", "hey Jarvis forget …".
_NO_NAME = r"(?!(?:we|you|they|he|she|it|who|guys|all|did|do|can|could|would|will|please|just|never|always|not)\b)"
_REQUEST = (
    r"(?:remember|forget|(?:don't|dont|do not) (?:forget|remember)|keep in mind|note that|make a note|take a note|"
    r"save this|scratch that)\b"
)
_UNKNOWN_NAME = (
    rf"@[\w.-]{{2,30}}(?=\s*,?\s)|(?:hey|hi|hello)\s+{_NO_NAME}[^\W\d_]\w{{1,19}}(?=\s+{_REQUEST})|"
    rf"{_NO_NAME}[^\W\d_]\w{{1,19}}(?=,\s*(?:please\s+|(?:can|could|would) you\s+(?:please\s+)?)?{_REQUEST})"
)
_PAUSE = r"[\s,.!:;–—-]*"
# What stands before a request, in characters: nobody greets for longer.
_OPENING_REACH = 400
# Where a closing may stand, in characters from the end: keeps the search linear in the longest of texts.
_CLOSING_REACH = 80
_CLOSING = re.compile(
    r"(?:,\s*(?:please|pls|plz|ok|okay|thanks|thank you(?: so much)?|thx|will you|would you|could you|can you|alright|"
    r"all right|right|got it|yeah|if you can)|(?<!\bsay)\s+(?:please|pls|plz)|"
    r"(?<=[.!?])\s+(?:thanks|thank you(?: so much| very much)?|thx|please|cheers))\s*[.!?]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Addressed:
    """What is left of an utterance without its wrapping, and whether it was asked as a question ("could you…")."""

    text: str
    asked: bool


@lru_cache(maxsize=64)
def _opening(assistant_names: tuple[str, ...]) -> re.Pattern:
    names = "|".join(re.escape(name) for name in assistant_names if name) or r"(?!)"
    called = rf"(?:hey|hi|hello|ok|okay)\s+@?[^\W\d_]{{2,20}}(?=,)|{_UNKNOWN_NAME}|@?(?:{names})(?!['’\w])"
    return re.compile(
        rf"(?:{called}|(?P<asked>{_ASKING})|(?:{_WISHING}|{_FILLERS})(?!['\w]))(?:{_PAUSE})", re.IGNORECASE
    )


@lru_cache(maxsize=64)
def _closing_name(assistant_names: tuple[str, ...]) -> re.Pattern:
    names = "|".join(re.escape(name) for name in assistant_names if name) or r"(?!)"
    return re.compile(rf",\s*@?(?:{names})\s*[.!?]*$", re.IGNORECASE)


def without_opening(utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> Addressed:
    """The utterance without the name, greetings and "could you please" in front; its words are left as they are."""
    text, asked, at, opening = utterance.strip().replace("’", "'"), False, 0, _opening(tuple(assistant_names))
    while (wrapping := opening.match(text[:_OPENING_REACH], at)) is not None:
        asked = asked or wrapping["asked"] is not None
        at = wrapping.end()
    return Addressed(text[at:], asked)


def without_closing(text: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> str:
    """The text without ", please", ", okay?", ", Barnabee" at its end."""
    name, text = _closing_name(tuple(assistant_names)), text.strip()
    body, end = text[:-_CLOSING_REACH], text[-_CLOSING_REACH:]
    while (shorter := name.sub("", _CLOSING.sub("", end))) != end:
        end = shorter
    return (body + end).strip()
