"""Erase: remove a memory for good, with all that holds its words, in one transaction; and tell what went.

What people said stays, though a memory was taken from it: a conversation is not the memory's. What the database's own
files still hold is for `purge_traces`.
"""

from collections.abc import Sequence
from datetime import datetime
from threading import Thread
from typing import Any

from django.db import connection, transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django_q.tasks import async_task

from memory_app.engine.author import Author
from memory_app.engine.change import locked, one_writer_of
from memory_app.engine.edit import At
from memory_app.engine.erasing.erase_rows import erase_rows
from memory_app.engine.erasing.erased_outside import write_outside
from memory_app.engine.erasing.proof import sign
from memory_app.engine.erasing.search_later import sealed, search, search_later
from memory_app.engine.erasing.taken_apart import take_apart
from memory_app.engine.erasing.tally import Tally
from memory_app.engine.erasing.traces import SEARCHED_AT_ONCE, Texts, about_rows_in_all
from memory_app.engine.keeping.link_names import link_names_again
from memory_app.engine.summing.reflected import is_title
from memory_app.errors import NotFound
from memory_app.models import Erased, Erasure, Memory, MemoryType, Operation, Status, Version
from memory_app.models.choices import DERIVED
from memory_app.models.ids import new_id
from memory_app.models.scope import every_space


def erase(*, at: At, author: Author, now: datetime) -> Erasure:
    """Erases a memory of tier 1 or 2, and what was derived from it. Raises NotFound. Nothing brings it back."""
    with every_space():
        memory = _held(at)
        going = _with_derived(memory)
        tally, identifier = Tally(), new_id()
        apart = [text for one in going for text in take_apart(one, going, tally, author, now)]
        said = [*said_by(going), *apart]
        words = Texts.of(said)
        for one in going:
            _source_again(one, going)
            erase_rows(one, words, said, tally, identifier)
        for space, person in {(one.space_id, one.person_id) for one in going}:
            link_names_again(space, person)
        erasure = _erasure(memory, going[1:], tally, author, now)
        erasure.id = identifier
        at_once = about_rows_in_all(now) <= SEARCHED_AT_ONCE
        if at_once:
            search(erasure, words)
        else:
            erasure.sought = sealed(words)
        sign(erasure).save(force_insert=True)
        _made_again(going[1:])
        _log(memory, erasure, author, now)
        if at_once:
            transaction.on_commit(lambda: write_outside([erasure]), robust=True)
        else:
            transaction.on_commit(Thread(target=_afterwards, args=(erasure,), name="traces").start)
    return erasure


def _held(at: At) -> Memory:
    """The memory, locked, after its person's other writers: in that order, as they do."""
    one_writer_of(at.space, at.id)
    found = locked(at.space, at.id)
    if found is None:
        raise NotFound
    return found


def said_by(memories: Sequence[Memory]) -> list[str]:
    """All that these memories say or ever said, in their own words."""
    now = [text for memory in memories for text in (memory.content, memory.summary)]
    changed = [memory for memory in memories if memory.version > 1]
    if not changed:
        return _words(now)
    states = Version.objects.filter(
        space_id__in={memory.space_id for memory in changed}, memory_id__in=[memory.id for memory in changed]
    ).values_list("state__content", "state__summary")
    return _words([*now, *(text for state in states for text in state if text)])


def _words(texts: Sequence[str]) -> list[str]:
    """Without the titles that we give reflections, for others have the same."""
    return [text for text in texts if not is_title(text)]


def _afterwards(erasure: Erasure) -> None:
    """In a thread of its own. Where this process ends before, the job `erase` goes on; what waited for it is purged."""
    try:
        write_outside([erasure])
        search_later(erasure.id)
        async_task("memory_app.jobs.purge_soon", "job:erase")
    finally:
        connection.close()


def _with_derived(memory: Memory) -> list[Memory]:
    """The memory, and what was made from it, and from that: they say the same in other words."""
    going, at = [memory], 0
    while at < len(going):
        known = {one.id for one in going}
        going += [one for one in _derived_from(going[at]) if one.id not in known]
        at += 1
    return going


def _derived_from(memory: Memory) -> list[Memory]:
    rows = Memory.objects.filter(space_id=memory.space_id, person_id=memory.person_id, source_type__in=DERIVED)
    named = rows.annotate(as_text=Cast("attributes", TextField())).filter(as_text__contains=str(memory.id))
    # Nearly always there are none: then only an index is asked, and no row is described.
    ids = list(named.exclude(id=memory.id).values_list("id", flat=True))
    return list(rows.filter(id__in=ids).select_related("person")) if ids else []


def _made_again(derived: Sequence[Memory]) -> None:
    """Reflections are made anew at once, of their own week and what is left of it; enqueued, never waited for."""
    for one in derived:
        if one.type == MemoryType.REFLECTION:
            async_task("memory_app.jobs.reflect_again", str(one.person_id), one.created_at.isoformat())


def _source_again(derived: Memory, going: Sequence[Memory]) -> None:
    """What a derived memory had replaced holds again, unless it goes too, or its key is taken."""
    if derived.source_type not in DERIVED:
        return
    gone = [one.id for one in going]
    replaced = Memory.objects.filter(space_id=derived.space_id, superseded_by=derived.id).exclude(id__in=gone)
    for source in replaced:
        taken = Memory.objects.beside(source).kept().filter(status=Status.ACTIVE).with_key(source.key)
        key = "" if taken.exists() else source.key
        status = Status.ACTIVE if source.deleted_at is None else source.status
        fields: dict[str, Any] = {"status": status, "superseded_by": None, "valid_to": None, "key": key}
        Memory.objects.filter(space_id=source.space_id, id=source.id).update(**fields)


def _erasure(memory: Memory, derived: Sequence[Memory], tally: Tally, author: Author, now: datetime) -> Erasure:
    return Erasure(
        kind=Erased.MEMORY,
        subject=memory.id,
        of_space=memory.space_id,
        at=now,
        by=author.label,
        removed=dict(sorted(tally.removed.items())),
        blanked=dict(sorted(tally.blanked.items())),
        derived=[str(one.id) for one in derived],
        finished_at=now,
    )


def _log(memory: Memory, erasure: Erasure, author: Author, now: datetime) -> None:
    Operation.objects.create(
        space_id=memory.space_id,
        at=now,
        name="erase",
        author=author.label,
        person_id=memory.person_id,
        memory_id=memory.id,
        request_id=author.request,
        detail={"erasure": str(erasure.id), "removed": erasure.removed, "blanked": erasure.blanked},
    )
