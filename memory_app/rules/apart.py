"""Whether two texts, however close, are two statements and not one in two wordings.

Wider than a contradiction, which `differences` finds: "likes Rome" and "likes Oslo" are two as well.
"""

from collections.abc import Sequence

from memory_app.rules.claims import claims
from memory_app.rules.clash import clash_of_quantities
from memory_app.rules.contrast import turned_round
from memory_app.rules.differences import differences, disagree
from memory_app.rules.quantities import Quantities
from memory_app.rules.reading import Reading, read
from memory_app.rules.statement import Statement
from memory_app.rules.tokens import names, names_in, plain_tokens


def apart(a: str, b: str) -> bool:
    """Whether another name, number, date, order or word, or a "not" or its like on one side, sets them apart. What one
    of them only leaves out does not."""
    mine, theirs = read(a), read(b)
    if differences(a, b) or _other_names(mine, theirs):
        return True
    left, right = claims(mine, theirs)
    if any(disagree(x, y) or turned_round(x, y) or _other_word(x, y) for x in left for y in right):
        return True
    return bool(clash_of_quantities(_counted(left), _counted(right)))


def _other_names(a: Reading, b: Reading) -> bool:
    """Whether each names someone or something that the other does not."""
    known = names(names_in(sentence.text) for sentence in (*a.sentences, *b.sentences))
    mine, theirs = (_words(reading) & known for reading in (a, b))
    return not mine <= theirs and not theirs <= mine


def _other_word(x: Statement, y: Statement) -> bool:
    """Whether they tell the same but for one word in the place of another, "green tea" and "black tea"; not where that
    is the verb, in which one thing is reworded: "bought a bike", "got a bike"."""
    swapped = [(p, q) for p, q in zip(x.content, y.content, strict=False) if p != q]
    if len(x.content) != len(y.content) or len(swapped) != 1 or x.subject != y.subject:
        return False
    return (x.copula and y.copula) or x.content[0] == y.content[0]


def _words(reading: Reading) -> set[str]:
    return {token.lower() for sentence in reading.sentences for token in plain_tokens(sentence.text)}


def _counted(said: Sequence[Statement]) -> Quantities:
    """All numbers and dates of some claims."""
    held = Quantities([number for claim in said for number in claim.quantities.numbers])
    for claim in said:
        for part, values in claim.quantities.dates.items():
            held.dates.setdefault(part, []).extend(values)
    return held
