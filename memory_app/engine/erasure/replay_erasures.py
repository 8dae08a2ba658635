"""Replay erasures: erase again what a database holds that was erased before, and revoke again what keys were revoked.

That is so after a restore from a backup, and at a start with a database that lacks what the tombstone file says.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.erasure.erase_person import erase_person, finish_erasure
from memory_app.engine.erasure.tombstone_file import KeyEnd, complete_tombstone_file, read_tombstones
from memory_app.engine.memories.edit import MemoryRef
from memory_app.errors import NotFound
from memory_app.models import ApiKey, Erased, Erasure, Memory, Person, Tombstone
from memory_app.models.row_security import every_space


def replay_erasures(*, author: Author, now: datetime) -> int:
    """Puts receipts back that only the file outside knows, and erases what they are of; returns how many came back.

    Where the database knows them all, it does nothing more than tell the file what is missing there.
    """
    recorded = read_tombstones()
    known = set(Erasure.objects.values_list("id", flat=True))
    lost = [erasure for identifier, erasure in recorded.erasures.items() if identifier not in known]
    tombstones = [
        Tombstone(memory_id=memory, erasure_id=of) for memory, of in recorded.memories.items() if of not in known
    ]
    Erasure.objects.bulk_create(lost)
    Tombstone.objects.bulk_create(tombstones, batch_size=5_000, ignore_conflicts=True)
    again = _erase_all_again(author, now) if lost else 0
    _revoke_keys_again(recorded.keys)
    complete_tombstone_file()
    return again


def _revoke_keys_again(ends: Mapping[UUID, KeyEnd]) -> None:
    """Keys that ended since open nothing: neither one that was revoked nor one that another took the place of."""
    with transaction.atomic():
        for key in ApiKey.objects.select_for_update().filter(id__in=list(ends), revoked_at=None):
            end = ends[key.id]
            expires = [moment for moment in (key.expires_at, end.expires_at) if moment]
            key.revoked_at, key.expires_at = end.revoked_at, min(expires, default=None)
            key.save(update_fields=["revoked_at", "expires_at"])


def _erase_all_again(author: Author, now: datetime) -> int:
    """People first, for their memories go with them."""
    subjects = Erasure.objects.filter(kind=Erased.PERSON).values_list("subject", flat=True)
    people = list(Person.objects.filter(id__in=subjects))
    for person in people:
        erasure = erase_person(name=person.name, author=author, now=now)
        finish_erasure(erasure=erasure.id, now=now, report=lambda done, total: None)
    with every_space():
        rows = Memory.objects.filter(id__in=Tombstone.objects.values("memory_id")).values_list("space_id", "id")
        memories = [MemoryRef(space, memory) for space, memory in rows]
    return len(people) + sum(_erase_memory_again(at, author, now) for at in memories)


def _erase_memory_again(at: MemoryRef, author: Author, now: datetime) -> bool:
    try:
        erase(at=at, author=author, now=now)
    except NotFound:  # it went with another one, from which it was derived
        return False
    return True
