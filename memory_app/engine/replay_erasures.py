"""Replay erasures: after a restore from a backup, erase again what had been erased since the backup was made."""

from collections.abc import Sequence
from datetime import datetime

from ..errors import NotFound
from ..models import Erased, Erasure, Person
from .author import Author
from .edit import At
from .erase import erase, erased_ids
from .erase_person import erase_person


def replay_erasures(*, erasures: Sequence[Erasure], author: Author, now: datetime) -> int:
    """Puts receipts back that the backup did not know, and erases what they are of; returns how many came back."""
    known = set(Erasure.objects.values_list("id", flat=True))
    Erasure.objects.bulk_create([erasure for erasure in erasures if erasure.id not in known])
    return sum(_again(erasure, author, now) for erasure in Erasure.objects.order_by("at"))


def _again(erasure: Erasure, author: Author, now: datetime) -> int:
    if erasure.kind == Erased.PERSON:
        person = Person.objects.filter(id=erasure.subject).first()
        if person is None:
            return 0
        erase_person(name=person.name, author=author, now=now)
        return 1
    return sum(_erased_again(At(erasure.of_space, memory), author, now) for memory in erased_ids(erasure))


def _erased_again(at: At, author: Author, now: datetime) -> bool:
    try:
        erase(at=at, author=author, now=now)
    except NotFound:
        return False
    return True
