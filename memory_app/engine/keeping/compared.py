"""What is compared of a memory when it is decided on: its words as the owner would say them, and its vector when it is
said the other way, "Alice lives in Rome" for "I live in Rome"."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np
from django.db.models import Q

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...language.extract.reword import Reworder
from ...models import Memory, Person
from ...rules.oneself import in_first_person, of_oneself
from ...rules.speaker import led

LONGEST_SAID_OTHERWISE = 300
"""Characters of a text that gets a second vector: in a longer one, how its owner is called hardly moves the first."""

MANY = 16
"""From how many memories at once it is asked first whether any is said the other way: most imports are in one form."""

A_FIRST_PERSON = r"\y(i|me|my|mine|myself)\y"

THE_OWNER = frozenset({"user", "me"})
"""What a caller may call the speaker who is the owner."""


def compared(person: Person, content: str, speaker: str) -> str:
    """The words of a person's memory as they would say them themselves. "I" is them, unless someone else is known to
    have said it."""
    if speaker and speaker.casefold() not in THE_OWNER | _names(person) and in_first_person(content):
        return content if led(content).speaker else f"{speaker[:1].upper()}{speaker[1:]}: {content}"
    return of_oneself(content, (person.name, person.display_name))


def said_otherwise(memories: Sequence[Memory], vectors: Vectors, encoder: Encoder) -> Vectors:
    """A vector for each memory of one person as it is said the other way, by the owner's name or in the first person;
    the one it has where it names nobody, or nothing there is said that way. Expects the scope they live in."""
    named = {place: own for place, memory in enumerate(memories) if (own := _as_oneself(memory)) != memory.content}
    told = {
        place: Reworder(str(memory.person), None, memory.person.zone)(memory.content)
        for place, memory in enumerate(memories)
        if place not in named and _is_short(memory) and in_first_person(memory.content)
    }
    if not named and not told:
        return vectors
    texts = {
        **(named if told or _is_there(memories, Q(content__iregex=A_FIRST_PERSON)) else {}),
        **(told if named or _is_there(memories, _names_owner(memories[0].person)) else {}),
    }
    if not texts:
        return vectors
    others = np.array(vectors, copy=True)
    others[list(texts)] = encoder.documents(list(texts.values()))
    return others


def _as_oneself(memory: Memory) -> str:
    return compared(memory.person, memory.content, memory.source_speaker) if _is_short(memory) else memory.content


def _is_short(memory: Memory) -> bool:
    return len(memory.content) <= LONGEST_SAID_OTHERWISE and not led(memory.content).speaker


def _is_there(memories: Sequence[Memory], form: Q) -> bool:
    """Whether something kept is said so; of a few memories that is not asked, for to embed them takes no longer."""
    if len(memories) < MANY:
        return True
    spaces = {memory.space_id for memory in memories}
    return Memory.objects.kept().filter(form, space_id__in=spaces, person=memories[0].person).exists()


def _names_owner(person: Person) -> Q:
    named = [Q(content__icontains=name) for name in {person.name, person.display_name} if name]
    return reduce(or_, named)


def _names(person: Person) -> frozenset[str]:
    return frozenset({person.name.casefold(), person.display_name.casefold()})
