"""One memory of two, by a language model; its text counts only if it loses nothing of the newer and invents nothing."""

from dataclasses import dataclass

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.vocabulary import content_words, named
from memory_app.language.failures import BadAnswer, Withheld
from memory_app.language.prompts import merge as prompts
from memory_app.language.protocol import Made, Model
from memory_app.language.refine.clean import plain, summary_of
from memory_app.language.refine.grounded import names_of, plain_words
from memory_app.rules.differences import differences
from memory_app.rules.inflection import base
from memory_app.rules.opposites import NEGATED, NEGATIONS
from memory_app.rules.quantities import quantities
from memory_app.rules.sensitive import sensitive_kinds
from memory_app.rules.text import sentences
from memory_app.rules.tokens import clauses, plain_tokens

LEAST_SHARED = 0.5
"""Share of the shorter denial's words of content that the other has too when both deny one thing."""

LONGEST_CONTENT = 2_000
"""Characters that either text may have: longer ones are documents, and are not merged by a model."""

_NEGATIONS = frozenset(base(word) for word in NEGATIONS) | NEGATED.keys()


@dataclass(frozen=True, slots=True)
class Merged:
    """The text that stands for both, its summary, and what made it."""

    content: str
    summary: str
    made: Made


def merge(model: Model, old: str, new: str) -> Merged:
    """Asks once. Raises BadAnswer where the answer loses or invents something, Withheld, and every ModelError."""
    if sensitive_kinds(f"{old}\n{new}"):
        raise Withheld("Sensitive text is not sent to a language model.")
    if max(len(old), len(new)) > LONGEST_CONTENT:
        raise Withheld("The texts are too long to be merged.")
    answer = model.ask(prompts.prompt(old, new), prompts.Joined)
    content = plain(answer.value.content, 2 * LONGEST_CONTENT)
    summary = summary_of(answer.value.summary, content)
    if fault := unfaithful(content, old, new):
        raise BadAnswer(f"The merged text {fault}.")
    # A summary may leave things out, but not add any.
    if _invents(summary, old, new) or sensitive_kinds(summary) or is_hostile(summary):
        summary = summary_of("", content)
    return Merged(content, summary, answer.made)


def unfaithful(merged: str, old: str, new: str) -> str:
    """What is wrong with a merged text, in words that follow "The merged text"; "" if nothing is."""
    if not merged:
        return "is empty"
    if sensitive_kinds(merged) or (is_hostile(merged) and not is_hostile(f"{old}\n{new}")):
        return "holds what neither text did"
    if lost := _particulars(new) - _particulars(merged):
        return f"loses {_kinds(lost)} of the newer one"
    if _names(new) - plain_words(merged):
        return "loses a name of the newer one"
    if _denials_missing(new, merged) or differences(new, merged):
        return "contradicts the newer one"
    return _invents(merged, old, new)


def _invents(text: str, old: str, new: str) -> str:
    both = f"{old}\n{new}"
    if added := _particulars(text) - _particulars(old) - _particulars(new):
        return f"invents {_kinds(added)}"
    if _names(text) - plain_words(both):
        return "invents a name"
    return "invents a denial" if _denials_missing(text, both) else ""


def _particulars(text: str) -> set[tuple[str, object]]:
    """The numbers, dates and times of a text."""
    found, _ = quantities([token.lower() for token in plain_tokens(text)])
    dates = {(part, value) for part, values in found.dates.items() for value in values}
    return {("number", value) for _, value in found.numbers} | dates


def _kinds(particulars: set[tuple[str, object]]) -> str:
    return "a number" if any(kind == "number" for kind, _ in particulars) else "a date"


def _names(text: str) -> set[str]:
    """The words of names, small: capitals inside a sentence, and those at its start that are known as names."""
    inside = {
        word for sentence in sentences(text) for name in named(sentence, frozenset()) for word in plain_words(name)
    }
    known = {word for name in names_of(text) for word in plain_words(name)}
    # Days and months are dates.
    return {word for word in inside | known if quantities([word])[1]}


def _denials_missing(text: str, within: str) -> bool:
    """Whether a denial of the first text is none in the second: said there without its "not", or not at all."""
    there = _denials(within)
    return any(not any(_about_the_same(mine, theirs) for theirs in there) for mine in _denials(text))


def _denials(text: str) -> list[set[str]]:
    """What is denied, clause by clause: its words of content."""
    parts = [clause for sentence in sentences(text) for clause in clauses(sentence)]
    return [set(content_words(part)) for part in parts if not _NEGATIONS.isdisjoint(map(base, plain_words(part)))]


def _about_the_same(mine: set[str], theirs: set[str]) -> bool:
    return len(mine & theirs) >= LEAST_SHARED * min(len(mine), len(theirs))
