"""Whether a question asks for daily notes: by their name, or by what happened on a day."""

from memory_app.rules import linear_re as re

_BY_NAME = re.compile(
    r"^(?:what|which|when|where|who|how|did|do|does|is|are|was|were|any|show|read|tell|find|search|look|check|list|give)"
    r"\b.*\b(?:notes?|noted)\b",
    re.IGNORECASE,
)
_OF_A_DAY = re.compile(
    r"^(?:what happened|what (?:did|have) (?:i|we) (?:do|done|get up to)|what was i doing|how was (?:my|the))\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:notes?|noted|say|says|said|show|read|tell|find|search|look|check|list|give|happened|day)\b", re.IGNORECASE
)


def asks_for_notes(query: str) -> bool:
    """Whether the notes of a person are to be told, as far as they speak of what is asked."""
    plain = query.strip().replace("’", "'")
    return bool(_BY_NAME.search(plain) or _OF_A_DAY.search(plain))


def asked_of_notes(query: str) -> str:
    """The question without the words that ask for notes: what these are to speak of, "" for any."""
    return " ".join(_ASKING.sub(" ", query).split())
