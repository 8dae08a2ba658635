"""Kinds that exclude one another: what is of one breed, faith or wood is of no other.

Closed, everyday classes of English only; a word that is in none excludes nothing.
"""

from collections.abc import Iterable

from memory_app.rules.inflection import base
from memory_app.rules.text import vocabulary

# Of one thing, one word of a class holds.
_CLASSES = (
    "labrador labradoodle poodle cockapoo beagle bulldog dachshund husky collie corgi pug chihuahua rottweiler boxer "
    "dobermann doberman dalmatian greyhound whippet mastiff malamute samoyed shiba akita pomeranian maltese schnauzer "
    "setter pointer bloodhound weimaraner vizsla havanese papillon leonberger newfoundland pinscher pekingese "
    "ridgeback retriever terrier spaniel shepherd sheepdog hound siamese persian ragdoll bengal sphynx birman burmese "
    "abyssinian shorthair chartreux",
    "catholic protestant muslim jewish hindu buddhist sikh atheist agnostic",
    "aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces",
    "convertible hatchback estate saloon sedan suv coupe van minivan pickup",
    "diesel petrol electric hybrid",
    "oak pine beech walnut maple cherry teak bamboo marble granite",
    "budgie parrot cockatiel canary macaw cockatoo",
)
_CLASS_OF = {base(word): number for number, listed in enumerate(_CLASSES) for word in vocabulary(listed)}
# Of which there are several kinds again: "a labrador" is "a retriever".
_OF_SEVERAL = frozenset(map(base, vocabulary("retriever terrier spaniel shepherd sheepdog hound shorthair")))


def other_kind(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether two values, as base forms, each name another kind of one class."""
    left, right = _kinds(mine), _kinds(theirs)
    return len(left) == len(right) == 1 and left.isdisjoint(right) and len({_CLASS_OF[k] for k in left | right}) == 1


def _kinds(words: Iterable[str]) -> set[str]:
    """The kinds among the words; not one that says too little, "a retriever" with no word beside it."""
    told = set(words)
    found = {word for word in told if word in _CLASS_OF}
    return set() if found <= _OF_SEVERAL and told == found else found
