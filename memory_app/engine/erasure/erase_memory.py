"""Erase a memory for good, with all that holds its words, in one transaction, and answer a receipt.

What people said stays: a conversation does not belong to the memory that was taken from it. A memory into which the
erased one was merged goes back to what it said before, for its text held the erased words. What the database's own
files still hold is left to `purge_traces`.
"""

from collections.abc import Sequence
from datetime import datetime
from threading import Thread
from typing import Any

from django.db import connection, transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django_q.tasks import async_task

from memory_app.engine.audit.log import Author
from memory_app.engine.entities.relink_mentions import relink_mentions, remerge_names
from memory_app.engine.erasure.erasure_receipt import sign_erasure
from memory_app.engine.erasure.row_counts import RowCounts
from memory_app.engine.erasure.rows_of_memory import erase_rows
from memory_app.engine.erasure.tombstone_file import append_erasures
from memory_app.engine.erasure.traces import (
    MAX_ROWS_SEARCHED_AT_ONCE,
    SearchTexts,
    estimated_row_count,
    seal_texts,
    search_sealed_texts,
    search_traces,
)
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.reflection_lines import is_reflection_title
from memory_app.engine.memories.versions import fields_of_version
from memory_app.engine.memories.write_version import change_memory, lock_memory
from memory_app.engine.segments import take_out_unpacked
from memory_app.errors import NotFound
from memory_app.models import Conflict, ConflictAnswer, Erased, Erasure, Memory, MemoryType, Operation, Status, Version
from memory_app.models.choices import DERIVED_SOURCES
from memory_app.models.ids import new_id
from memory_app.models.person import lock_writers_of_memory
from memory_app.models.row_security import every_space


def erase(*, at: MemoryRef, author: Author, now: datetime) -> Erasure:
    """Erases a memory of tier 1 or 2, and what was derived from it. Raises NotFound. Nothing brings it back."""
    with every_space():
        memory = _locked_memory(at)
        targets = _with_derived_memories(memory)
        row_counts, identifier = RowCounts(), new_id()
        reverted_texts = [text for one in targets for text in unmerge_erased(one, targets, row_counts, author, now)]
        erased_texts = [*texts_of(targets), *reverted_texts]
        search_texts = SearchTexts.of(erased_texts)
        for one in targets:
            _reactivate_sources(one, targets)
            erase_rows(one, search_texts, erased_texts, row_counts, identifier)
        for space, person in {(one.space_id, one.person_id) for one in targets}:
            remerge_names(space, person)
        for space in {memory.space_id, memory.person.space_id}:
            row_counts.add("segment", take_out_unpacked(space), blanked_only=True)
        erasure = _new_erasure(memory, targets[1:], row_counts, author, now)
        erasure.id = identifier
        search_now = estimated_row_count(now) <= MAX_ROWS_SEARCHED_AT_ONCE
        if search_now:
            search_traces(erasure, search_texts)
        else:
            erasure.sought = seal_texts(search_texts)
        sign_erasure(erasure).save(force_insert=True)
        _enqueue_reflections(targets[1:])
        _log_erasure(memory, erasure, author, now)
        if search_now:
            transaction.on_commit(lambda: append_erasures([erasure]), robust=True)
        else:
            transaction.on_commit(Thread(target=_finish_in_background, args=(erasure,), name="traces").start)
    return erasure


def _locked_memory(at: MemoryRef) -> Memory:
    """The memory, locked, after its person's other writers: in that order, as they do."""
    lock_writers_of_memory(at.space, at.id)
    found = lock_memory(at.space, at.id)
    if found is None:
        raise NotFound
    return found


def texts_of(memories: Sequence[Memory]) -> list[str]:
    """All that these memories say or ever said, in their own words."""
    now = [text for memory in memories for text in (memory.content, memory.summary)]
    changed = [memory for memory in memories if memory.version > 1]
    if not changed:
        return _without_titles(now)
    states = Version.objects.filter(
        space_id__in={memory.space_id for memory in changed}, memory_id__in=[memory.id for memory in changed]
    ).values_list("state__content", "state__summary")
    return _without_titles([*now, *(text for state in states for text in state if text)])


def _without_titles(texts: Sequence[str]) -> list[str]:
    """Without the titles that we give reflections, for others have the same."""
    return [text for text in texts if not is_reflection_title(text)]


def _finish_in_background(erasure: Erasure) -> None:
    """In a thread of its own. Where this process ends before, the job `erase` goes on; what waited for it is purged."""
    try:
        append_erasures([erasure])
        search_sealed_texts(erasure.id)
        async_task("memory_app.jobs.purge_soon", "job:erase")
    finally:
        connection.close()


def _with_derived_memories(memory: Memory) -> list[Memory]:
    """The memory, and what was made from it, and from that: they say the same in other words."""
    targets, at = [memory], 0
    while at < len(targets):
        known = {one.id for one in targets}
        targets += [one for one in _derived_from(targets[at]) if one.id not in known]
        at += 1
    return targets


def _derived_from(memory: Memory) -> list[Memory]:
    rows = Memory.objects.filter(space_id=memory.space_id, person_id=memory.person_id, source_type__in=DERIVED_SOURCES)
    naming = rows.annotate(as_text=Cast("attributes", TextField())).filter(as_text__contains=str(memory.id))
    # Nearly always there are none: then only an index is asked, and no row is described.
    ids = list(naming.exclude(id=memory.id).values_list("id", flat=True))
    return list(rows.filter(id__in=ids).select_related("person")) if ids else []


def _enqueue_reflections(derived: Sequence[Memory]) -> None:
    """Reflections are made anew at once, of their own week and what is left of it; enqueued, never waited for."""
    for one in derived:
        if one.type == MemoryType.REFLECTION:
            async_task("memory_app.jobs.reflect_again", str(one.person_id), one.created_at.isoformat())


def _reactivate_sources(derived: Memory, targets: Sequence[Memory]) -> None:
    """What a derived memory had replaced holds again, unless it goes too, or its key is taken."""
    if derived.source_type not in DERIVED_SOURCES:
        return
    target_ids = [one.id for one in targets]
    replaced = Memory.objects.filter(space_id=derived.space_id, superseded_by=derived.id).exclude(id__in=target_ids)
    for source in replaced:
        taken = Memory.objects.same_level(source).undeleted().filter(status=Status.ACTIVE).with_key(source.key)
        key = "" if taken.exists() else source.key
        status = Status.ACTIVE if source.deleted_at is None else source.status
        fields: dict[str, Any] = {"status": status, "superseded_by": None, "valid_to": None, "key": key}
        Memory.objects.filter(space_id=source.space_id, id=source.id).update(**fields)


def _new_erasure(
    memory: Memory, derived: Sequence[Memory], row_counts: RowCounts, author: Author, now: datetime
) -> Erasure:
    return Erasure(
        kind=Erased.MEMORY,
        subject=memory.id,
        of_space=memory.space_id,
        at=now,
        by=author.label,
        removed=dict(sorted(row_counts.removed.items())),
        blanked=dict(sorted(row_counts.blanked.items())),
        derived=[str(one.id) for one in derived],
        finished_at=now,
    )


def _log_erasure(memory: Memory, erasure: Erasure, author: Author, now: datetime) -> None:
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


TEXT_COLUMNS = (
    "content",
    "context",
    "summary",
    "keywords",
    "tsv",
    "digest",
    "embedding",
    "embedding_model",
    "sensitive",
)
"""What of an earlier version holds again; whether it was forgotten since, for one, is left alone."""


def unmerge_erased(
    memory: Memory, targets: Sequence[Memory], row_counts: RowCounts, author: Author, now: datetime
) -> list[str]:
    """Puts what it was merged into back; returns the texts that went by that. Expects `every_space()`."""
    if memory.version == 1:  # what is merged into another is replaced by it, which makes a version
        return []
    merged = Conflict.objects.filter(space_id=memory.space_id, older_id=memory.id, answer=ConflictAnswer.MERGED)
    others = merged.exclude(newer_id__in=[one.id for one in targets])
    return [
        text
        for conflict in others.order_by("-answered_at")
        for text in _revert_merge(conflict, row_counts, author, now)
    ]


def _revert_merge(conflict: Conflict, row_counts: RowCounts, author: Author, now: datetime) -> list[str]:
    if conflict.answered_at is None:
        return []
    target = lock_memory(conflict.space_id, conflict.newer_id)
    versions = Version.objects.filter(space_id=conflict.space_id, memory_id=conflict.newer_id)
    before = versions.filter(replaced_at=conflict.answered_at).first()
    if target is None or before is None:
        return []
    later = versions.filter(number__gt=before.number)
    states = [{"content": target.content, "summary": target.summary}, *later.values_list("state", flat=True)]
    fields = fields_of_version(target, before)
    change_memory(
        target,
        operation="undo",
        author=author,
        now=now,
        **{name: fields[name] for name in TEXT_COLUMNS if name in fields},
    )
    relink_mentions(target)
    row_counts.add("memory", 1, blanked_only=True)
    row_counts.add("memory_version", later.delete()[0])
    return [text for state in states for text in (state["content"], state["summary"]) if text]
