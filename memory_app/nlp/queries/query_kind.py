"""What kind of thing is asked for: about the one who asks, something else, or work that an assistant is given.

Whether a question asks for daily notes: by their name, or by what happened on a day.
"""

from enum import StrEnum

from memory_app.nlp import linear_re as re


class QueryKind(StrEnum):
    """PERSONAL: of their own life ("where do I live?"). OTHER: another question, or a few words. ORDER: work to do, or
    something to teach ("translate this", "how to bake a cake"), which seldom rests on what was once told."""

    PERSONAL = "personal"
    OTHER = "other"
    ORDER = "order"


_OWN = {
    "english": re.compile(r"\b(?:i|my|mine|we|our|ours)\b", re.IGNORECASE),
    "german": re.compile(r"\b(?:ich|mein\w*|mir|mich|wir|uns|unser\w*)\b", re.IGNORECASE),
    "french": re.compile(r"\b(?:je|j|mon|ma|mes|moi|nous|notre|nos)\b", re.IGNORECASE),
}
"""By the name that a person's language setting has; of another language nothing is known."""

# "How do I drive a truck?", "how to bake a cake", "should I bring an umbrella?"; but not "how do I get to work?".
_TEACH = re.compile(
    r"^\W*(?:(?:please|tell me|show me|explain|can you|could you) ){0,2}(?:how to\b|"
    r"how (?:do|can|could|should|would|must) (?:(?:i|we)\b.*\ban?\b|you\b|one\b)|(?:can|could|should) (?:i|we)\b)",
    re.IGNORECASE | re.DOTALL,
)
_POSSESSIVE = re.compile(r"\b(?:my|mine|our|ours)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"^\W*(?:[\w'’]+ ){0,2}?(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|have|has|"
    r"had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
MAX_NOUN_WORDS = 2
"""Words that name a thing rather than order something: "kitchen tile"."""


def query_kind(query: str, language: str) -> QueryKind:
    """language: as a person's setting has it. Only in English is an order told from other things."""
    own = _OWN.get(language)
    if language != "english":
        return QueryKind.PERSONAL if own and own.search(query) else QueryKind.OTHER
    if _TEACH.match(query) and not _POSSESSIVE.search(query):
        return QueryKind.ORDER
    if _OWN["english"].search(query):
        return QueryKind.PERSONAL
    asks = _ASKING.match(query) or "?" in query or len(query.split()) <= MAX_NOUN_WORDS
    return QueryKind.OTHER if asks else QueryKind.ORDER


_BY_NAME = re.compile(
    r"^(?:what|which|when|where|who|how|did|do|does|is|are|was|were|any|show|read|tell|find|search|look|check|list|give)"
    r"\b.*\b(?:notes?|noted)\b",
    re.IGNORECASE,
)
_OF_A_DAY = re.compile(
    r"^(?:what happened|what (?:did|have) (?:i|we) (?:do|done|get up to)|what was i doing|how was (?:my|the))\b",
    re.IGNORECASE,
)
_ASKS_FOR_NOTES = re.compile(
    r"\b(?:notes?|noted|say|says|said|show|read|tell|find|search|look|check|list|give|happened|day)\b", re.IGNORECASE
)


def asks_for_notes(query: str) -> bool:
    """Whether the notes of a person are to be told, as far as they speak of what is asked."""
    plain = query.strip().replace("’", "'")
    return bool(_BY_NAME.search(plain) or _OF_A_DAY.search(plain))


def without_notes_request(query: str) -> str:
    """The question without the words that ask for notes: what these are to speak of, "" for any."""
    return " ".join(_ASKS_FOR_NOTES.sub(" ", query).split())
