"""The claims of two texts side by side: each text read in the light of the other's names, each sentence read once.

"alice" in small letters is a name if the other text writes "Alice". How one sentence is taken apart is `statement`'s.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from memory_app.rules.reading import REMEMBERED, Reading, Sentence, close
from memory_app.rules.statement import Statement, same, statements
from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import Names, names, names_in

Claims = tuple[Statement, ...]

# Of whom a thing may be, other than of whoever speaks.
_OWNERS = frozenset(
    map(
        same,
        vocabulary(
            "parent mother father mom dad sister brother son daughter child wife husband partner girlfriend boyfriend "
            "friend neighbour boss manager colleague uncle aunt cousin niece nephew grandmother grandfather grandma "
            "grandpa roommate flatmate landlord family"
        ),
    )
)
# Says that another one is meant.
_ANOTHER = frozenset(map(same, vocabulary("other another second third previous former")))
# What may open a sentence about whom the one before is about.
_GOES_ON = ("he", "she", "they", "his", "their")


def claims(a: Reading, b: Reading) -> tuple[Claims, Claims]:
    """All claims of both, in order."""
    known = _known((*a.sentences, *b.sentences))
    return _all(a, known), _all(b, known)


def comparable_claims(a: Reading, b: Reading) -> Iterator[tuple[Statement, Statement]]:
    """The claims about one subject in sentences that share so much that one may deny the other."""
    for m, x in enumerate(a.sentences):
        for n, y in enumerate(b.sentences):
            if x.text != y.text and close(x, y) and x.states and y.states:
                known = _known((x, y))
                yield from about_one_subject(_of(a, m, known), _of(b, n, known))


def about_one_subject(left: Claims, right: Claims) -> Iterator[tuple[Statement, Statement]]:
    """The pairs of claims that are about the same, where it is clear what they are about."""
    return ((x, y) for x in left if x.clear for y in right if y.clear and _of_one(x, y))


def _of_one(x: Statement, y: Statement) -> bool:
    """ "Dinner on Friday" is not "dinner on Saturday"."""
    return one_subject(x.subject, y.subject) and not (x.of and y.of and x.of != y.of)


def one_subject(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """ "The meeting" is "the team meeting"; "Alice" is not "Alice's sister", nor is her birthday Bob's, nor "my dog"
    "my sister's dog"."""
    mine, theirs = set(a), set(b)
    if mine == theirs or not mine or not theirs:
        return mine == theirs
    if a[-1] != b[-1] or not (mine <= theirs or theirs <= mine):
        return False
    # "Nora" alone is "my sister Nora".
    others = _ANOTHER if 1 in (len(mine), len(theirs)) else _ANOTHER | _OWNERS
    return (mine ^ theirs).isdisjoint(others)


def _known(sentences: Iterable[Sentence]) -> frozenset[str]:
    return names(_names(sentence.text) for sentence in sentences)


def _all(reading: Reading, known: frozenset[str]) -> Claims:
    return tuple(claim for at in range(len(reading.sentences)) for claim in _of(reading, at, known))


def _of(reading: Reading, at: int, known: frozenset[str]) -> Claims:
    """The claims of one sentence of a text."""
    text = reading.sentences[at].text
    small = text.lower()
    own = frozenset(name for name in known if name in small)
    earlier = _of(reading, at - 1, known) if at and small.startswith(_GOES_ON) else ()
    return _stated(text, own, reading.speaker, earlier[-1].subject if earlier else ())


@lru_cache(maxsize=REMEMBERED)
def _stated(sentence: str, known: frozenset[str], speaker: str, before: tuple[str, ...]) -> Claims:
    return tuple(statements(sentence, known, speaker, before))


@lru_cache(maxsize=REMEMBERED)
def _names(sentence: str) -> Names:
    return names_in(sentence)
