"""The wrapping of a request: the assistant's name, politeness and fillers around what is asked.

"Hey Barnabee, could you please remember that I like tea, okay?" asks "remember that I like tea".
What the request then is, `triggers` and `smalltalk` decide.

A pattern of an utterance: in any case, over several lines.
"""

from dataclasses import dataclass

from memory_app.nlp import linear_re as re

# Names by which an assistant is spoken to.
ASSISTANT_NAMES = ("Barnabee", "Keepsake", "assistant", "computer")

_FILLERS = (
    r"hey|hi|hello|ok|okay|yo|oh|ah|u+m+|u+h+|e+r+m*|hmm|so(?! you know)|like(?=,)|"
    r"and|well|also|plus|btw|by the way|alright|all right|right|no(?! need\b)|nope|yes|"
    r"yeah|yep|sure|thanks|thank you|great|cool|perfect|now|actually|anyway|but|then|"
    r"(?:one|another) (?:more |last )?thing|before i forget|listen|look|wait|sorry|oops|always|"
    r"from now on|important(?=,| please)|(?:one )?quick (?:note|thing|one)|quickly|just|please|kindly|pls|plz|lol|haha"
)
REQUEST_OPENING = (
    r"(?:(?:(?:can|could|would|will|can't|couldn't|won't) (?:you|u)(?: mind)?|do you mind|"
    r"(?:is|would) (?:it )?(?:be )?possible (?:that |for )?you)(?: to)?)(?! know)"
)
_WISH = (
    r"i(?:'d| would|'m| am| was)? (?:\w+ ){0,2}?(?:like|love|appreciate|want|need|wish|hope|ask|grateful)(?:ed|ing)?"
    r"(?: it)? (?:for |that |if )?(?:you(?: to|'d| could| would| will| can)?(?= \w)|to make sure (?:that )?you)|"
    r"it(?:'s|'d| is| would)? (?:\w+ ){0,2}?(?:help|good|great|nice|important|useful|lovely) (?:that |if |for )?"
    r"you(?: to|'d| could| would| will)?|make sure (?:that )?(?:you|to|i(?= (?:don't|dont|do not|remember)\b))|"
    r"be sure(?: to)?|if (?:you|it'?s) (?:can|could|would|possible)"
)
_URGE = (
    r"try (?:to|and)|let's|help me(?: to)?|you (?:should|must|need to|have to|can|could)|"
    r"do(?= (?:remember|keep|bear|note|make)\b)"
)
_GERUNDS = {
    **{"remembering": "remember", "keeping": "keep", "noting": "note", "making": "make", "writing": "write"},
    **{"saving": "save", "remembered": "remember"},
}
_GERUND = re.compile(rf"(\bmind |\bif you )({'|'.join(_GERUNDS)})\b", re.IGNORECASE)
# A name nobody gave us is one where a request follows: "Jarvis, remember …", "hey Jarvis forget …".
_NO_NAME = r"(?!(?:we|you|they|he|she|it|who|guys|all|did|do|can|could|would|will|please|just|never|always|not)\b)"
_REQUEST = (
    r"(?:remember|forget|(?:don't|dont|do not) (?:forget|remember)|keep in mind|note that|make a note|take a note|"
    r"save this|scratch that)\b"
)
_UNKNOWN_NAME = rf"@[\w.-]{{2,30}}(?=\s*,?\s)|(?:hey|hi|hello)\s+{_NO_NAME}[^\W\d_]\w{{1,19}}(?=\s+{_REQUEST})"
_NAME_ALONE = rf"{_NO_NAME}[^\W\d_]\w{{1,19}}(?=,\s*(?:please\s+|(?:can|could|would) you\s+(?:please\s+)?)?{_REQUEST})"
_PAUSE = r"[\s,.!:;–—-]*"
POLITE_REQUEST = rf"(?:{REQUEST_OPENING}|{_WISH}|and|so(?! you know)|but|also|please|pls|plz|oh)(?!['\w])"
"""What asks in the midst of a sentence too, where nothing parts it from the words before."""

# What stands before a request, in characters: nobody greets for longer.
_OPENING_LENGTH = 400
# Where a closing may stand, in characters from the end: keeps the search linear in the longest of texts.
_CLOSING_LENGTH = 80
_CLOSING = re.compile(
    r"(?:,\s*(?:ok|okay|(?:will|would|could|can) you|alright|all right|right|got it|yeah)|"
    r"(?:,\s*|(?<!\bsay)\s+)(?:thanks|thank you|thx|ta|cheers|please|pls|plz|if you can|would you|will you)"
    r"(?: so much| very much| a lot)?)\s*[.!?]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class UnwrappedRequest:
    """What is left of an utterance without its wrapping, and whether it was asked as a question ("could you…")."""

    text: str
    is_question: bool


_NAMES = "|".join(map(re.escape, ASSISTANT_NAMES))
_CALL_BY_NAME = rf"(?:hey|hi|hello|ok|okay)\s+@?[^\W\d_]{{2,20}}(?=,)|{_UNKNOWN_NAME}|@?(?:{_NAMES})(?!['’\w])"
OPENING = rf"(?:{_CALL_BY_NAME}|(?P<asked>{REQUEST_OPENING})|(?:{_WISH}|{_URGE}|{_FILLERS})(?!['\w]))(?:{_PAUSE})"
"""The expression of one part of the wrapping in front of a request; `asked` where it is a question."""
_ANY_OPENING = re.compile(rf"{OPENING}|{_NAME_ALONE}{_PAUSE}", re.IGNORECASE)
_CLOSING_NAME = re.compile(rf",\s*@?(?:{_NAMES})\s*[.!?]*$", re.IGNORECASE)


def gerunds_to_verbs(text: str) -> str:
    """ "Would you mind remembering …" as "would you mind remember    …": each letter after it stays at its place."""
    return _GERUND.sub(lambda found: found[1] + _GERUNDS[found[2].lower()].ljust(len(found[2])), text)


def without_opening(utterance: str) -> UnwrappedRequest:
    """The utterance without the name, greetings and "could you please" in front; its words are left as they are."""
    text, is_question, at = utterance.strip().replace("’", "'"), False, 0
    while (wrapping := _ANY_OPENING.match(text[:_OPENING_LENGTH], at)) is not None:
        is_question = is_question or wrapping["asked"] is not None
        at = wrapping.end()
    return UnwrappedRequest(text[at:], is_question)


def without_closing(text: str) -> str:
    """The text without ", please", ", okay?", ", Barnabee" at its end."""
    text = text.strip()
    body, end = text[:-_CLOSING_LENGTH], text[-_CLOSING_LENGTH:]
    while (shorter := _CLOSING_NAME.sub("", _CLOSING.sub("", end))) != end:
        end = shorter
    return (body + end).strip()


def pattern(expression: str) -> re.Pattern:
    return re.compile(expression, re.IGNORECASE | re.DOTALL)
