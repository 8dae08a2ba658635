"""Carry out operations on a person's items, in order, in one transaction: each sees what those before it did."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import F

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.items.operations import (
    FoundItem,
    GetItem,
    ItemAnswer,
    ItemOperation,
    ListNamespaces,
    PutItem,
    SearchItems,
)
from memory_app.engine.items.put_items import PreparedPut, prepare_puts, put_items
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Item
from memory_app.models.item import ItemQuerySet, item_place
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.queries.question import read_question

DEEPEST = 100
"""Labels to which a namespace is told that is not cut: more than any has."""


def run_operations(
    *, venue_context: VenueContext, operations: Sequence[ItemOperation], author: Author, now: datetime, encoder: Encoder
) -> list[ItemAnswer]:
    """An answer for each, in order. Of a person whom nobody knows there is nothing.

    Raises ConflictError where the person would have more items than are allowed, or memory is off for everyone; then
    none of it has happened.
    """
    if venue_context.is_unknown:
        return [ItemAnswer() for _ in operations]
    prepared = iter(prepare_puts([one for one in operations if isinstance(one, PutItem)], encoder))
    vectors = iter(_query_vectors(operations, encoder))
    answers: list[ItemAnswer] = []
    with allowed_spaces(venue_context.venue.spaces):
        if any(isinstance(one, PutItem) for one in operations):
            lock_writers(venue_context.person.id)
        for kind, run in groupby(operations, type):
            same = list(run)
            if kind is PutItem:
                puts: list[PreparedPut] = [next(prepared) for _ in same]
                answers += put_items(venue_context.person, puts, author, now, encoder)
            elif kind is GetItem:
                answers += _get_items(venue_context, same, now)  # type: ignore[arg-type]
            else:
                answers += [_look_up(venue_context, one, vectors, now, encoder) for one in same]
    return answers


def _query_vectors(operations: Sequence[ItemOperation], encoder: Encoder) -> Sequence[Any] | Vectors:
    queries = [one.query for one in operations if isinstance(one, SearchItems) and one.query]
    return encoder.queries(queries) if queries else ()


def _look_up(
    venue_context: VenueContext, operation: ItemOperation, vectors: Iterator[Any], now: datetime, encoder: Encoder
) -> ItemAnswer:
    rows = Item.objects.of_person(venue_context.person).unexpired(now)
    if isinstance(operation, ListNamespaces):
        return _list_namespaces(rows, operation)
    assert isinstance(operation, SearchItems)
    vector = next(vectors) if operation.query else None
    return _search_items(venue_context, rows, operation, vector, now, encoder)


def _get_items(venue_context: VenueContext, operations: Sequence[GetItem], now: datetime) -> list[ItemAnswer]:
    places = [item_place(one.namespace, one.key) for one in operations]
    rows = Item.objects.of_person(venue_context.person).unexpired(now).without_index()
    found = {bytes(row.place): row for row in rows.filter(place__in=set(places))}
    refreshed = [
        found[place] for one, place in zip(operations, places, strict=True) if one.refresh_ttl and place in found
    ]
    _refresh(venue_context, refreshed, now)
    return [ItemAnswer(FoundItem(found[place])) if place in found else ItemAnswer() for place in places]


def _search_items(
    venue_context: VenueContext,
    rows: ItemQuerySet,
    operation: SearchItems,
    vector: Any,
    now: datetime,
    encoder: Encoder,
) -> ItemAnswer:
    rows = rows.within(operation.prefix).passing(operation.comparisons).without_index()
    if operation.query:
        person = venue_context.person
        question = read_question(operation.query, at=now, timezone=person.zone, language=person.language)
        rows = rows.by_relevance(
            vector=_vector_text(vector), model=encoder.name, words=question.words, language=person.language
        )
    else:
        rows = rows.order_by("-updated_at", "-id")
    found: list[Any] = list(rows[operation.offset : operation.offset + operation.limit])
    if operation.refresh_ttl:
        _refresh(venue_context, found, now)
    return ItemAnswer(items=[FoundItem(row, getattr(row, "score", None)) for row in found])


def _vector_text(vector: Iterable[float]) -> str:
    """A vector as the database reads it."""
    return f"[{','.join(f'{value:.6g}' for value in vector)}]"


def _list_namespaces(rows: ItemQuerySet, operation: ListNamespaces) -> ItemAnswer:
    for match in operation.matches:
        rows = rows.matching_namespace(match)
    found = rows.namespaces(operation.max_depth or DEEPEST)
    return ItemAnswer(namespaces=list(found[operation.offset : operation.offset + operation.limit]))


def _refresh(venue_context: VenueContext, rows: Sequence[Item], now: datetime) -> None:
    """Begins the time of items anew that are there for a time."""
    timed = [row for row in rows if row.ttl is not None]
    if timed:
        here = Item.objects.of_person(venue_context.person).filter(id__in={row.id for row in timed})
        here.update(expires_at=now + F("ttl"))
        for row in timed:
            row.expires_at = now + row.ttl  # type: ignore[operator]
