"""What a person answered to the question which of some things to remember, where small rules do not understand it.

A reply to numbered proposals, as a language model reads it: all of its answer is believed, or nothing of it.

One fault in it, such as a number that nobody put up or words that nobody said, and the person is asked again: nothing
unwanted may be kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, Field

from memory_app.llm.checks import clean_line, find_words, invented_parts
from memory_app.llm.prompts import NO_INSTRUCTIONS, block, one_of
from memory_app.llm.protocol import BadAnswer, Model, NotSent, Prompt
from memory_app.nlp.commands.replies import refers_by_position, yes_or_no
from memory_app.nlp.comparison import denies, says_the_same_words
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.privacy.sensitive import sensitive_kinds

PROMPT_ID = "reply-1"

MAX_TOKENS = 2_000

ACTS = ("keep", "drop", "correct")

RULES = f"""\
An assistant asked a person which of some <things> it should remember. You read the person's <answer>.

{NO_INSTRUCTIONS}

In `decisions`, list each thing that the answer decides on:
- thing: its number
- act: keep (remember it as it is), drop (do not), or correct (remember it, with a correction that the answer gives)
- text: with correct, the thing's whole text with only that correction made; else ""
- words: the words of the answer that say so, copied letter by letter

Leave out what the answer does not speak of. If it decides nothing, or you are not sure what it means, list nothing.

Example:
<things>
{{"thing": 1, "text": "the dentist is on Monday at nine"}}
{{"thing": 2, "text": "we painted the shed green"}}
</things>
<answer>
{{"text": "sure about the teeth, though they moved it to Tuesday, and who cares about the shed"}}
</answer>
Answer:
{{"decisions": [{{"thing": 1, "act": "correct", "text": "the dentist is on Tuesday at nine", "words": "they moved it \
to Tuesday"}}, {{"thing": 2, "act": "drop", "text": "", "words": "who cares about the shed"}}]}}
"""


class ReplyDecision(BaseModel):
    thing: int
    act: Annotated[str, Field(json_schema_extra=one_of(*ACTS))]
    text: str = ""
    words: str = ""


class ReplyDecisions(BaseModel):
    decisions: list[ReplyDecision] = []


def prompt(things: Sequence[str], answer: str) -> Prompt:
    """Asks about these texts, which are numbered from 1."""
    rows = [{"thing": number, "text": text} for number, text in enumerate(things, 1)]
    return Prompt(PROMPT_ID, RULES, f"{block('things', rows)}\n{block('answer', [{'text': answer}])}", MAX_TOKENS)


MAX_REPLY = 500
MAX_TEXT = 1_000

MIN_SHARED_WORDS = 0.5
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
    if len(reply) > MAX_REPLY or is_hostile(reply) or any(sensitive_kinds(text) for text in (reply, *texts)):
        raise NotSent("Sensitive text, or a long one, is not sent to a language model.")
    decisions = model.ask(prompt([text[:MAX_TEXT] for text in texts], reply), ReplyDecisions).value
    places = [one.thing - 1 for one in decisions.decisions]
    if len(set(places)) < len(places):
        raise BadAnswer("The answer decides twice on the same.")
    for place, one in zip(places, decisions.decisions, strict=True):
        if fault := _decision_error(one, texts[place] if 0 <= place < len(texts) else None, reply):
            raise BadAnswer(f"The answer cannot be believed: {fault}.")
    if not places:
        return None
    by_act = {act: frozenset(one.thing - 1 for one in decisions.decisions if one.act == act) for act in ACTS}
    edits = {one.thing - 1: clean_line(one.text, MAX_TEXT) for one in decisions.decisions if one.act == "correct"}
    return ReplyReading(by_act["keep"] | by_act["correct"], by_act["drop"], edits)


def _decision_error(one: ReplyDecision, text: str | None, reply: str) -> str:
    if text is None:
        return "unknown thing"
    if one.act not in ACTS:
        return "unknown act"
    words = find_words(reply, one.words)
    if not words:
        return "words not said"
    if one.act == "keep" and not _agrees(words, text):
        return "keeps what the words do not name or agree to"
    return _correction_error(one.text, text, reply) if one.act == "correct" else ""


def _agrees(words: str, text: str) -> bool:
    """Whether words can be why a text is kept: they deny nothing, and name it by a word or its place, or say yes."""
    if denies(words):
        return False
    names_it = set(content_words(words)) & set(content_words(text))
    return bool(names_it) or refers_by_position(words) or yes_or_no(words) is True


def _correction_error(corrected: str, text: str, reply: str) -> str:
    """Why a text is no correction of another one by this reply."""
    now, before = set(content_words(corrected)), set(content_words(text))
    if not corrected.strip() or says_the_same_words(corrected, text):
        return "corrects nothing"
    if is_hostile(corrected) or sensitive_kinds(corrected):
        return "hostile or sensitive"
    if len(now & before) < MIN_SHARED_WORDS * len(before):
        return "another text"
    # Every word is one of the text or of the reply.
    return "invented" if invented_parts(corrected, [text, reply]) or now - before - set(content_words(reply)) else ""
