"""A reply to numbered proposals, as a language model reads it: all of its answer is believed, or nothing of it.

One fault in it, such as a number that nobody put up or words that nobody said, and the person is asked again: nothing
unwanted may be kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.vocabulary import content_words
from memory_app.language.sensitive import sensitive_kinds
from memory_app.llm.checks.clean import plain
from memory_app.llm.checks.grounded import invented
from memory_app.llm.checks.quotes import stretch
from memory_app.llm.failures import BadAnswer, Withheld
from memory_app.llm.prompts import reply as prompts
from memory_app.llm.protocol import Model
from memory_app.rules.comparison import denies, says_the_same_words
from memory_app.rules.replies import points_by_place, yes_or_no

LONGEST_REPLY = 500
LONGEST_TEXT = 1_000

STILL_THE_SAME = 0.5
"""Of the content words of a text, what a correction of it leaves at least."""


@dataclass(frozen=True, slots=True)
class ReplyReading:
    """What to keep and to drop, by the places of the texts, and the texts that are kept as corrected."""

    accepted: frozenset[int]
    rejected: frozenset[int]
    edits: Mapping[int, str] = field(default_factory=dict)


def read_reply(model: Model, reply: str, texts: Sequence[str]) -> ReplyReading | None:
    """What a reply decides about the texts; None where it decides nothing. Raises BadAnswer for an answer with any
    fault, and every ModelError."""
    if len(reply) > LONGEST_REPLY or is_hostile(reply) or any(sensitive_kinds(text) for text in (reply, *texts)):
        raise Withheld("Sensitive text, or a long one, is not sent to a language model.")
    decisions = model.ask(prompts.prompt([text[:LONGEST_TEXT] for text in texts], reply), prompts.Decisions).value
    places = [one.thing - 1 for one in decisions.decisions]
    if len(set(places)) < len(places):
        raise BadAnswer("The answer decides twice on the same.")
    for place, one in zip(places, decisions.decisions, strict=True):
        if fault := _fault(one, texts[place] if 0 <= place < len(texts) else None, reply):
            raise BadAnswer(f"The answer cannot be believed: {fault}.")
    if not places:
        return None
    by_act = {act: frozenset(one.thing - 1 for one in decisions.decisions if one.act == act) for act in prompts.ACTS}
    edits = {one.thing - 1: plain(one.text, LONGEST_TEXT) for one in decisions.decisions if one.act == "correct"}
    return ReplyReading(by_act["keep"] | by_act["correct"], by_act["drop"], edits)


def _fault(one: prompts.Decided, text: str | None, reply: str) -> str:
    if text is None:
        return "unknown thing"
    if one.act not in prompts.ACTS:
        return "unknown act"
    words = stretch(reply, one.words)
    if not words:
        return "words not said"
    if one.act == "keep" and not _agrees(words, text):
        return "keeps what the words do not name or agree to"
    return _fault_of_text(one.text, text, reply) if one.act == "correct" else ""


def _agrees(words: str, text: str) -> bool:
    """Whether words can be why a text is kept: they deny nothing, and name it by a word or its place, or say yes."""
    if denies(words):
        return False
    names_it = set(content_words(words)) & set(content_words(text))
    return bool(names_it) or points_by_place(words) or yes_or_no(words) is True


def _fault_of_text(corrected: str, text: str, reply: str) -> str:
    """Why a text is no correction of another one by this reply."""
    now, before = set(content_words(corrected)), set(content_words(text))
    if not corrected.strip() or says_the_same_words(corrected, text):
        return "corrects nothing"
    if is_hostile(corrected) or sensitive_kinds(corrected):
        return "hostile or sensitive"
    if len(now & before) < STILL_THE_SAME * len(before):
        return "another text"
    # Every word is one of the text or of the reply.
    return "invented" if invented(corrected, [text, reply]) or now - before - set(content_words(reply)) else ""
