"""What in a text is kept only on request, and never shown unasked: credentials, identity, cards, health, money.

`secrets` finds values, `personal` statements. Phone numbers and addresses are contact data: not sensitive here.
"""

from collections.abc import Iterator

from memory_app.rules import linear_re as re
from memory_app.rules.figures import without_figures
from memory_app.rules.health_signs import may_be_of_health
from memory_app.rules.personal import HEALTH, MONEY
from memory_app.rules.secrets import Span, secrets
from memory_app.rules.text import sentences

KINDS = ("credential", "identity", "card", "health", "money")

# Of one length, whatever it hides.
MASK = "••••••"


def sensitive_kinds(text: str) -> frozenset[str]:
    """The kinds of sensitive matter in a text: credential, identity, card, health, money; empty for most texts."""
    return frozenset(span.kind for span in _spans(text))


def masked(text: str) -> str:
    """The text with sensitive values, and sentences about someone's health or money, replaced by `MASK`."""
    shown, at = [], 0
    for span in _merged(_spans(text)):
        shown += [text[at : span.start], MASK]
        at = span.end
    return "".join(shown) + text[at:]


def _spans(text: str) -> Iterator[Span]:
    yield from secrets(text)
    plain = text.replace("’", "'")
    if may_be_of_health(plain) and HEALTH.search(plain) and HEALTH.search(said := without_figures(plain)):
        yield from _sentences_that(said, "health", HEALTH)
    if MONEY.search(plain):
        yield from _sentences_that(plain, "money", MONEY)


def _sentences_that(text: str, kind: str, statement: re.Pattern) -> Iterator[Span]:
    at = 0
    # A statement may run over what looks like the end of a sentence; then the whole text is one.
    pieces = sentences(text)
    if not any(statement.search(piece) for piece in pieces):
        pieces = [text]
    for piece in pieces:
        at = text.index(piece, at)
        if statement.search(piece):
            yield Span(at, at + len(piece), kind)
        at += len(piece)


def _merged(spans: Iterator[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end), span.kind)
        else:
            merged.append(span)
    return merged
