"""Enrich: at night, read again the names of memories in which few were seen, with better readers where there are."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from memory_app.engine.entities.link_mentions import Mention, link_found_names
from memory_app.jobs.attempts import begin_attempts, end_attempts, set_aside_ids, tried_before
from memory_app.llm.model import ModelError
from memory_app.llm.name_reader import NameReader
from memory_app.models import EntityLink, LinkSource, Memory
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.nlp.entities.find_entities import find_entities, without_overlaps
from memory_app.progress import ReportProgress
from memory_app.rules.visibility import Placed

FEW = 3
"""A memory with fewer names is read again (seed: at most 2)."""

BATCH = 20
"""Memories to one question and one transaction."""

ENRICH_KIND = "enrich"
"""What its attempts are called (`running.attempts`)."""

A_NIGHT = 5_000
"""The next night takes the next ones."""

WITHOUT_A_READER = "known-1"
"""Who read, where there is no reader: known names are looked for again, of which there are more than at first."""


def enrich_entities(*, reader: NameReader | None, report: ReportProgress) -> int:
    """How many memories were read. Each is read once by one reader, and again when there is another.

    Where the language model is down, what it was to read waits for the next night; nothing else does.
    """
    name = reader.name if reader else WITHOUT_A_READER
    with every_space():
        total = min(_unread(name).count(), A_NIGHT)
    done = 0
    while done < total and (batch := _next(name)):
        rows = [(memory.space_id, memory.id) for memory in batch]
        if len(begin_attempts(ENRICH_KIND, rows)) < len(rows):  # one was set aside just now
            end_attempts(ENRICH_KIND, rows)
            continue
        try:
            _read(batch, reader, name)
        except ModelError:
            end_attempts(ENRICH_KIND, rows)
            break
        end_attempts(ENRICH_KIND, rows)
        done += len(batch)
        report(done, max(total, done))
    return done


def _unread(reader: str) -> MemoryQuerySet:
    """Kept memories in which few names were seen, and which this reader has not read. Sensitive ones name nobody."""
    links = EntityLink.objects.filter(space_id=OuterRef("space_id"), memory_id=OuterRef("id"))
    counted = links.order_by().values("memory_id").annotate(number=Count("entity_id")).values("number")
    number = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    rows = (
        Memory.objects.undeleted()
        .filter(sensitive=False)
        .exclude(type="reflection")
        .filter(Q(named_by=None) | ~Q(named_by=reader))
    )
    few: MemoryQuerySet = rows.annotate(names_seen=number).filter(names_seen__lt=FEW)
    return few


def _next(reader: str) -> list[Memory]:
    """Without what is set aside; one whose reader ended before comes alone, so that it shows whether it was that."""
    with every_space():
        rows = (
            _unread(reader)
            .exclude(id__in=set_aside_ids(ENRICH_KIND))
            .select_related("person")
            .defer("tsv", "embedding")
        )
        batch = list(rows.order_by("space_id", "id")[:BATCH])
    tried = tried_before(ENRICH_KIND, [(memory.space_id, memory.id) for memory in batch])
    return [memory for memory in batch if memory.id in tried][:1] or batch


def _read(batch: Sequence[Memory], reader: NameReader | None, name: str) -> None:
    found: list[Any] = (
        list(reader.read([memory.searchable_text for memory in batch])) if reader else [() for _ in batch]
    )
    placed: dict[Placed, list[Memory]] = {}
    mentions: dict[Placed, list[Mention]] = {}
    for memory, names in zip(batch, found, strict=True):
        placed.setdefault(memory.placed, []).append(memory)
        mentions.setdefault(memory.placed, []).extend(_mentions(memory, names))
    for place, memories in placed.items():
        with allowed_spaces([place.space]):
            link_found_names(place, mentions[place], memories)
            ids = [memory.id for memory in memories]
            Memory.objects.filter(space_id=place.space, id__in=ids).update(named_by=name)


def _mentions(memory: Memory, names: Sequence[Any]) -> list[Mention]:
    """What the reader adds to what its form tells: where they overlap, the surer stands."""
    by_form = set(find_entities(memory.searchable_text))
    surest = without_overlaps([*by_form, *names])
    return [Mention(memory, mention, LinkSource.READER) for mention in surest if mention not in by_form]
