"""What kind of thing is asked for: of one's own life, something else, work for an assistant, all that is remembered of
something, or the notes of a day."""

from collections.abc import Sequence
from enum import StrEnum

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.address import without_closing, without_opening


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


MAX_SPOKEN_ITEMS = 3
"""Memories that are said one by one; of more, their number."""

LONGEST = 300
"""Characters: whoever says more asks something else too."""

NO_MEMORIES = "I don't have any memories about {of}."

_KNOW_VERB = r"(?:remember|recall|know|have (?:stored|saved|noted|kept))"
_ABOUT = r"(?:about|of|regarding|concerning|on)"
_WE_SAID = (
    r"(?:i|we)(?:'ve| have)? (?:ever |just |already )?(?:say|said|tell you|told you|mention(?:ed)?|"
    r"(?:ask|asked|tell|told|want|wanted) you to (?:remember|save|note|keep))(?: to you)?"
)
_TELL_VERB = (
    r"(?:(?:tell|show|give|read|remind) (?:me|us)(?: of| about)?|(?:look )?up|find|search(?: for)?|list|repeat|"
    r"summari[sz]e)"
)
_CLAUSE_OPENERS = (
    r"(?:what|when|where|which|who|whom|whose|why|how|if|whether|that|this|to|anything|something|any|i|i'm|i've|we|"
    r"we're|you|he|she|they|it|there|everything|all)"
)
"""What follows "do you remember" where no thing is named, but a question is asked or something told."""

_TOPIC_QUERY_FORMS = (
    rf"what(?: all| else)? (?:do|can|did) you {_KNOW_VERB}(?: {_ABOUT} (?P<a>.+))?",
    rf"(?:do|can|did) you {_KNOW_VERB} (?:anything|something|any memories) {_ABOUT} (?P<b>.+)",
    rf"(?:do you have|have you(?: got)?|are there) (?:anything|any memories|memories) {_ABOUT} (?P<c>.+)",
    rf"what (?:memories|facts|notes) do you have(?: {_ABOUT} (?P<d>.+))?",
    r"what have (?:i|we) told you",
    rf"(?:what (?:did|have) {_WE_SAID}|(?:{_TELL_VERB} )?what {_WE_SAID}) {_ABOUT} (?P<e>.+)",
    rf"{_TELL_VERB} (?:all )?(?:of )?(?:the |my |our |your )(?:memories|memory|notes)(?: {_ABOUT} (?P<i>.+))?",
    r"what do you have (?:on|about) (?P<j>.+)",
    rf"(?:is there )?(?:anything|any memories|any notes|something) {_ABOUT} (?P<k>.+)",
    rf"what(?:'s| is) in your memory(?: {_ABOUT} (?P<l>.+))?",
    rf"do you (?:still )?remember (?!{_CLAUSE_OPENERS}\b)(?P<n>.+)",
    r"search (?:your|my) (?:memory|memories|notes) for (?P<m>.+)",
    rf"(?:tell|show|give|remind) (?:me|us) (?:(?:everything|anything|all|what) )?(?:that )?you {_KNOW_VERB}(?: {_ABOUT}"
    r" (?P<f>.+))?",
    rf"(?:tell|show|give) (?:me|us) (?:everything|all|all there is) {_ABOUT} (?P<h>.+)",
    rf"(?:list|summari[sz]e) (?:everything|all|what) (?:that )?you {_KNOW_VERB}(?: {_ABOUT} (?P<g>.+))?",
)
_TOPIC_QUERY = re.compile("|".join(_TOPIC_QUERY_FORMS), re.IGNORECASE)
_SELF_PRONOUN = re.compile(r"(?:me|myself|us|ourselves|my life|me so far)", re.IGNORECASE)
_MARKS = " \t\n?!.…"


def asked_topic(query: str) -> str | None:
    """What someone asks to be told all memories of: "" for themselves, None where it is another kind of question."""
    if len(query) > LONGEST:
        return None
    found = _TOPIC_QUERY.fullmatch(without_opening(without_closing(query.strip(_MARKS))).text.strip(_MARKS))
    if found is None:
        return None
    about = next((part.strip() for part in found.groups() if part), "")
    return "" if _SELF_PRONOUN.fullmatch(about) else about


def spoken_answer(memories: Sequence[tuple[str, str]], of: str = "that") -> str:
    """The answer, for a voice. memories: summary and content of each, the most relevant first. of: "that" or "you"."""
    if not memories:
        return NO_MEMORIES.format(of=of)
    if len(memories) == 1:
        return memories[0][1]
    listed = [f"{number}. {summary}" for number, (summary, _) in enumerate(memories[:MAX_SPOKEN_ITEMS], 1)]
    more = [f"...and {len(memories) - MAX_SPOKEN_ITEMS} more."] if len(memories) > MAX_SPOKEN_ITEMS else []
    return " ".join([f"I remember {len(memories)} things about {of}:", *listed, *more])
