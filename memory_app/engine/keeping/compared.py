"""What is compared of a memory when it is decided on: its words as the owner would say them, and its vector when it is
said the other way, "Alice lives in Rome" for "I live in Rome"."""

from collections.abc import Sequence

import numpy as np

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...language.extract.reword import Reworder
from ...models import Memory, Person
from ...rules.oneself import in_first_person, of_oneself
from ...rules.speaker import led

LONGEST_SAID_OTHERWISE = 300
"""Characters of a text that gets a second vector: in a longer one, how its owner is called hardly moves the first."""

THE_OWNER = frozenset({"user", "me"})
"""What a caller may call the speaker who is the owner."""


def compared(person: Person, content: str, speaker: str) -> str:
    """The words of a person's memory as they would say them themselves. "I" is them, unless someone else is known to
    have said it."""
    if speaker and speaker.casefold() not in THE_OWNER | _names(person) and in_first_person(content):
        return content if led(content).speaker else f"{speaker[:1].upper()}{speaker[1:]}: {content}"
    return of_oneself(content, (person.name, person.display_name))


def said_otherwise(memories: Sequence[Memory], vectors: Vectors, encoder: Encoder) -> Vectors:
    """A vector for each memory as it is said the other way, by the owner's name or in the first person; the one it has
    where it names nobody."""
    texts = {place: text for place, memory in enumerate(memories) if (text := _otherwise(memory)) is not None}
    if not texts:
        return vectors
    others = np.array(vectors, copy=True)
    others[list(texts)] = encoder.documents(list(texts.values()))
    return others


def _otherwise(memory: Memory) -> str | None:
    content, person = memory.content, memory.person
    if len(content) > LONGEST_SAID_OTHERWISE or led(content).speaker:
        return None
    own = compared(person, content, memory.source_speaker)
    if own != content:
        return own
    return Reworder(str(person), None, person.zone)(content) if in_first_person(content) else None


def _names(person: Person) -> frozenset[str]:
    return frozenset({person.name.casefold(), person.display_name.casefold()})
