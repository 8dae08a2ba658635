"""Search later: look for the words of an erasure after it answered, where that takes long; what a killed process left
is gone on with from the words it sealed.

They are kept for so long only, encrypted: whoever reads the database's files or a backup of it finds nothing to read.
"""

import json
from dataclasses import asdict
from threading import Lock
from uuid import UUID

from django.db import transaction

from memory_app.engine.erasing.erased_outside import write_outside
from memory_app.engine.erasing.proof import sign
from memory_app.engine.erasing.traces import Texts, traces
from memory_app.models import Erasure
from memory_app.models.scope import every_space
from memory_app.sealing import seal, unseal

PURPOSE = "words of erasures"

one_search = Lock()
"""One after the other: each reads every table."""


def search(erasure: Erasure, words: Texts) -> None:
    """Writes into an erasure where the words can still be read. Expects `every_space()`."""
    left = traces(words)
    erasure.found, erasure.quoted, erasure.searched = left.left, left.said, left.searched


def sealed(words: Texts) -> bytes:
    return seal(json.dumps(asdict(words)).encode(), PURPOSE)


def search_later(erasure: UUID) -> bool:
    """Searches for the words that an erasure sealed, and drops them; whether it did. One that another process is
    searching is left to that one."""
    with one_search, every_space():
        rows = Erasure.objects.unsearched().select_for_update(skip_locked=True)
        found = rows.filter(id=erasure).first()
        if found is None or found.sought is None:
            return False
        words = _unsealed(bytes(found.sought))
        if words is not None:
            search(found, words)
        found.sought = None
        sign(found).save()
        transaction.on_commit(lambda: write_outside([found]), robust=True)
    return True


def _unsealed(sought: bytes) -> Texts | None:
    """None where the secret key is another one by now."""
    words = unseal(sought, PURPOSE)
    return None if words is None else Texts(**json.loads(words))
