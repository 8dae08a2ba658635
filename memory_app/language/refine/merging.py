"""One memory of two, by a language model; its text counts only if it loses nothing of the newer and invents nothing."""

from dataclasses import dataclass

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.failures import BadAnswer, Withheld
from memory_app.language.prompts import merge as prompts
from memory_app.language.protocol import Made, Model
from memory_app.language.refine.clean import plain, summary_of
from memory_app.language.refine.grounded import names_of, single_words
from memory_app.rules.differences import LEAST_SHARED, differences
from memory_app.rules.sensitive import sensitive_kinds
from memory_app.rules.statement import Statement, statements
from memory_app.rules.text import sentences
from memory_app.rules.tokens import names_in, plain_tokens

LONGEST_CONTENT = 2_000
"""Characters that either text may have: longer ones are documents, and are not merged by a model."""


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
    if _invents(summary, old, new):
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
    if _names(new) - single_words(merged):
        return "loses a name of the newer one"
    if _denials_missing(new, merged) or differences(new, merged):
        return "contradicts the newer one"
    return _invents(merged, old, new)


def _invents(text: str, old: str, new: str) -> str:
    both = f"{old}\n{new}"
    if added := _particulars(text) - _particulars(old) - _particulars(new):
        return f"invents {_kinds(added)}"
    if _names(text) - single_words(both):
        return "invents a name"
    return "invents a denial" if _denials_missing(text, both) else ""


def _particulars(text: str) -> set[tuple[str, object]]:
    """The numbers, dates and times of a text."""
    found: set[tuple[str, object]] = set()
    for statement in statements(text, names_in(text)):
        found |= {("number", value) for _, value in statement.quantities.numbers}
        found |= {(part, value) for part, values in statement.quantities.dates.items() for value in values}
    return found


def _kinds(particulars: set[tuple[str, object]]) -> str:
    return "a number" if any(kind == "number" for kind, _ in particulars) else "a date"


def _names(text: str) -> set[str]:
    """The words of names, small: capitals inside a sentence, and those at its start that are known as names."""
    first = {tokens[0].lower() for sentence in sentences(text) if (tokens := plain_tokens(sentence))}
    return (set(names_in(text)) - first) | {word for name in names_of(text) for word in single_words(name)}


def _denials_missing(text: str, within: str) -> bool:
    """Whether a denial of the first text is none in the second: said there without its "not", or not at all."""
    known = names_in(text) | names_in(within)
    denied = [statement for statement in statements(within, known) if statement.negative]
    return any(
        not any(_about_the_same(statement, other) for other in denied)
        for statement in statements(text, known)
        if statement.negative
    )


def _about_the_same(a: Statement, b: Statement) -> bool:
    mine, theirs = {*a.content, *a.names}, {*b.content, *b.names}
    return len(mine & theirs) >= LEAST_SHARED * min(len(mine), len(theirs))
