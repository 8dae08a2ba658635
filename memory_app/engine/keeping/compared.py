"""What is compared of a memory when it is decided on: its words as the owner would say them, and its vector when it is
said the other way, "Alice lives in Rome" for "I live in Rome"."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

import numpy as np
from django.db.models import Q

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...language.extract.reword import Reworder
from ...models import Memory, Person
from ...models.scope import within
from ...rules.differences import differences
from ...rules.oneself import in_first_person, of_oneself
from ...rules.speaker import led
from ...rules.tongues import told_in_english

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


def decided_by(person: Person, content: str, speaker: str) -> str:
    """The words by which a person's memory is decided on, of which the rules know those of English."""
    return compared(person, told_in_english(content, person.language), speaker)


def differ(one: Memory, other: Memory) -> bool:
    """Whether one says otherwise than the other."""
    said, told = (decided_by(memory.person, memory.content, memory.source_speaker) for memory in (one, other))
    return bool(differences(said, told))


class BothWays:
    """Memories of one person, embedded as they are said and as they are said the other way, by the owner's name or in
    the first person. A vector of `otherwise` is that of `vectors` where a text names nobody, or nothing kept is said
    the other way."""

    def __init__(self, memories: Sequence[Memory], encoder: Encoder, vectors: Vectors | None = None) -> None:
        """All that is to be embedded goes through the model together. vectors: of the memories as they are said."""
        self._memories, self._encoder = memories, encoder
        self._as_oneself, self._by_name = _as_oneself_of(memories), _by_name_of(memories)
        self._embedded = self._worth_comparing()
        contents = [memory.content for memory in memories] if vectors is None else []
        texts = [*contents, *self._embedded.values()]
        encoded = encoder.documents(texts) if texts else np.empty((0, encoder.dimensions), dtype=np.float32)
        self.vectors: Vectors = encoded[: len(contents)] if vectors is None else vectors
        self.otherwise = self.vectors
        self._put(self._embedded, encoded[len(contents) :])

    def catch_up(self) -> None:
        """Embeds what is worth comparing only by now: something was kept in the other form, for the first time, since
        these were embedded. Hardly ever is there any."""
        late = {place: text for place, text in self._worth_comparing().items() if place not in self._embedded}
        if late:
            self._embedded |= late
            self._put(late, self._encoder.documents(list(late.values())))

    def _put(self, texts: Mapping[int, str], encoded: Vectors) -> None:
        if texts:
            self.otherwise = np.array(self.otherwise, copy=True)
            self.otherwise[list(texts)] = encoded

    def _worth_comparing(self) -> dict[int, str]:
        """The texts by place, of each way to say them in which something is kept, or other ones of these are said."""
        memories, as_oneself, by_name = self._memories, self._as_oneself, self._by_name
        return {
            **(as_oneself if by_name or _is_there(memories, as_oneself, Q(content__iregex=A_FIRST_PERSON)) else {}),
            **(by_name if as_oneself or _is_there(memories, by_name, _names_owner(memories[0].person)) else {}),
        }


def _as_oneself_of(memories: Sequence[Memory]) -> dict[int, str]:
    """Those that name their owner, in the first person."""
    return {place: own for place, memory in enumerate(memories) if (own := _as_oneself(memory)) != memory.content}


def _by_name_of(memories: Sequence[Memory]) -> dict[int, str]:
    """Those in the first person, with their owner's name."""
    return {
        place: Reworder(str(memory.person), None, memory.person.zone)(memory.content)
        for place, memory in enumerate(memories)
        if _is_short(memory) and in_first_person(memory.content) and _as_oneself(memory) == memory.content
    }


def _as_oneself(memory: Memory) -> str:
    return compared(memory.person, memory.content, memory.source_speaker) if _is_short(memory) else memory.content


def _is_short(memory: Memory) -> bool:
    return len(memory.content) <= LONGEST_SAID_OTHERWISE and not led(memory.content).speaker


def _is_there(memories: Sequence[Memory], texts: Mapping[int, str], form: Q) -> bool:
    """Whether something kept is said so; of a few memories that is not asked, for to embed them takes no longer."""
    if len(memories) < MANY or not texts:
        return bool(texts)
    spaces = {memory.space_id for memory in memories}
    with within(spaces, savepoint=False):
        return Memory.objects.kept().filter(form, space_id__in=spaces, person=memories[0].person).exists()


def _names_owner(person: Person) -> Q:
    named = [Q(content__icontains=name) for name in {person.name, person.display_name} if name]
    return reduce(or_, named)


def _names(person: Person) -> frozenset[str]:
    return frozenset({person.name.casefold(), person.display_name.casefold()})
