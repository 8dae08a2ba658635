"""Whether a text, given other words, claims something that it did not claim before.

A slip of the pen that is mended, another way to say the same, and what is only left out tell nothing new. Pure; of
English, and of what is put in English to be compared.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from memory_app.rules.differences import differences
from memory_app.rules.opposites import NEGATIONS
from memory_app.rules.quantities import QUANTITY_WORDS
from memory_app.rules.reading import Sentence, read
from memory_app.rules.text import normalised

SHORTEST_SLIP, LONGEST_SLIP = 3, 8
"""Letters of a word from which a letter too many or too few is a slip of the pen, and two wrong ones are."""

_MAY_BE_A_SLIP = frozenset({"name", "value"})
"""In what a misspelt word seems to differ from the right one."""


def told_anew(before: str, after: str, against: Sequence[str] = ()) -> bool:
    """Whether the text is another claim now.

    against: what other texts say that it contradicts now. Only what it contradicts them in counts, where there are any:
    who corrects another part of it, or adds to it, says nothing new about that."""
    was = read(before).sentences
    fresh = [one for one in read(after).sentences if not any(_says(other, one) for other in was)]
    if not against:
        return any(differences(before, one.text) for one in fresh)
    contrary = ((other, one.text) for one in fresh for other in against if differences(other, one.text))
    return any(differences(before, said) or not differences(before, other) for other, said in contrary)


def _says(one: Sentence, other: Sentence) -> bool:
    """Whether one sentence says all that the other one does, but for how it is spelt."""
    if not differences(one.text, other.text) <= _MAY_BE_A_SLIP or _denials(one) != _denials(other):
        return False
    if one.text == other.text:
        return True
    mine, theirs = {*one.keys, *_quantities(one)}, {*other.keys, *_quantities(other)}
    return _are_slips(theirs - mine, mine - theirs)


def _are_slips(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether each of the words is one of the others, misspelt or put right; no two of them the same one."""
    left = {*others}
    for word in words:
        found = next((other for other in sorted(left) if _is_slip(word, other)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _is_slip(one: str, other: str) -> bool:
    one, other = normalised(one), normalised(other)
    if one == other:
        return True
    known = QUANTITY_WORDS | NEGATIONS
    shorter = min(len(one), len(other))
    if (one in known and other in known) or not (one.isalpha() and other.isalpha()) or shorter < SHORTEST_SLIP:
        return False
    wrong = _wrong_letters(one, other)
    # "Cat" and "car" are two words, "Jon" and "John" one.
    may_be = 1 + (shorter >= LONGEST_SLIP) if shorter > SHORTEST_SLIP or len(one) != len(other) else 0
    return one[0] == other[0] and wrong <= may_be


def _wrong_letters(one: str, other: str) -> int:
    """Letters of the longer word that the other one has not, in that order: one put in, left out, changed or swapped
    with the next is one."""
    matches = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return max(len(one), len(other)) - sum(match.size for match in matches)


def _denials(sentence: Sentence) -> int:
    tokens = sentence.text.lower().replace("’", "'").split()
    return sum(token.strip(".,;:!?") in NEGATIONS or "n't" in token for token in tokens)


def _quantities(sentence: Sentence) -> set[str]:
    """Its numbers and words of numbers and dates, of which no key is made."""
    words = normalised(sentence.text).split()
    return {word for word in words if word in QUANTITY_WORDS or any(letter.isdigit() for letter in word)}
