"""What is sensitive in a text: credentials, identity and cards, health and mood, money, law, intimacy; whoever's it is.

The one place that decides it. Values (`secrets`) and forms (`sensitive_signs`) are sure. Any other sentence
is compared with examples by the embedding model (`sensitive_examples`), which knows words that no list has; a word that
is a sign lowers what it needs. In doubt it is sensitive. Phone numbers and addresses are not.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from memory_app.nlp.encoder import text_encoder
from memory_app.nlp.privacy.secrets import Span, secrets
from memory_app.nlp.privacy.sensitive_examples import sensitive_examples
from memory_app.nlp.privacy.sensitive_signs import kind_by_form, kind_by_word
from memory_app.nlp.text import MAX_READ, sentences

MASK = "••••••"
"""Of one length, whatever it hides."""

MAX_WHOLE_TEXT = 300
"""Characters of a text up to which its sentences are looked at together, too: a question says what its answer means."""


def sensitive_kinds(text: str) -> frozenset[str]:
    """The kinds of what is sensitive in a text: credential, identity, card, health, money, law, intimacy."""
    return frozenset(span.kind for span in _spans(text))


def encode_ahead(texts: Sequence[str]) -> None:
    """Reads many texts at once, which is quicker than one by one; what they hold is asked afterwards."""
    encoder = text_encoder()
    if encoder is not None:
        encoder.documents([_plain(piece) for text in texts for piece in _pieces(text[:MAX_READ])])


def mask_sensitive(text: str) -> str:
    """The text with sensitive values and sentences replaced by `MASK`."""
    shown, at = [], 0
    for span in _merged(_spans(text)):
        shown += [text[at : span.start], MASK]
        at = span.end
    return "".join(shown) + text[at:]


def _spans(text: str) -> Iterator[Span]:
    yield from secrets(text)
    pieces = _pieces(text)
    kinds = _kinds(pieces)
    together = len(pieces) > 1 and pieces[-1] == text
    if together and not any(kinds[:-1]) and kinds[-1]:
        yield Span(0, len(text), kinds[-1])
    at = 0
    for piece, kind in zip(pieces[:-1] if together else pieces, kinds, strict=False):
        at = text.index(piece, at)
        if kind:
            yield Span(at, at + len(piece), kind)
        at += len(piece)


def _pieces(text: str) -> list[str]:
    """The sentences of a text, and the whole of a short one."""
    pieces = sentences(text)
    return [*pieces, text] if len(pieces) > 1 and len(text) <= MAX_WHOLE_TEXT else pieces


def _plain(piece: str) -> str:
    return piece.replace("’", "'")


def _kinds(pieces: Sequence[str]) -> list[str]:
    """The kind of each piece of a text, "" for what is harmless. Of pasted text the model reads the beginning."""
    plain = [_plain(piece) for piece in pieces]
    kinds = [kind_by_form(piece) for piece in plain]
    ends = accumulate(map(len, plain))
    unsure = [n for n, end in enumerate(ends) if not kinds[n] and end <= MAX_READ + MAX_WHOLE_TEXT]
    signs = [kind_by_word(plain[n]) for n in unsure]
    encoder = text_encoder()
    nearest = sensitive_examples(encoder).kinds([plain[n] for n in unsure], signs) if encoder is not None else signs
    return [nearest[unsure.index(n)] if n in unsure else kind for n, kind in enumerate(kinds)]


def _merged(spans: Iterator[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end), span.kind)
        else:
            merged.append(span)
    return merged
