"""The order of a brief's lines: subject by subject, the most relevant first, and within a subject the newest first."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)


def by_subject(lines: Sequence[Id], pairs: Iterable[tuple[Id, Id]], said_at: Mapping[Id, datetime]) -> list[Id]:
    """lines: the most relevant first. pairs: two of them that are about the same; what is about the same as one of a
    subject belongs to it too."""
    subject = {line: line for line in lines}
    for one, other in pairs:
        if one in subject and other in subject:
            joined, into = subject[one], subject[other]
            subject = {line: into if of == joined else of for line, of in subject.items()}
    place = {of: index for index, of in reversed(list(enumerate(subject.values())))}
    return sorted(lines, key=lambda line: (place[subject[line]], -said_at[line].timestamp()))
