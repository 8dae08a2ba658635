"""Put items: store, replace and delete, with the vectors and words they are found by."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.items.operations import ItemAnswer, PutItem
from memory_app.errors import ConflictError
from memory_app.models import Item, Person
from memory_app.models.item import item_place
from memory_app.models.person import require_memory_on
from memory_app.models.text_search import text_tsvector
from memory_app.rules.item_text import item_texts

PUT_OPERATION = "put_items"
DELETE_OPERATION = "delete_items"
"""What the log calls it."""

REPLACED_FIELDS = (
    *("value", "indexed", "ttl", "expires_at", "author", "created_at", "updated_at", "version"),
    *("embedding_model", "vectors", "tsv"),
)


@dataclass(frozen=True, slots=True)
class PreparedPut:
    """A put, and what it is found by: its texts, and a vector for each."""

    put: PutItem
    place: bytes
    texts: Sequence[str]
    vectors: Sequence[Any]


def prepare_puts(puts: Sequence[PutItem], encoder: Encoder) -> list[PreparedPut]:
    """Reads the texts of all of them at once: before any lock is taken, for it takes long."""
    texts = [item_texts(put.value, put.index) for put in puts]
    every = [text for of_put in texts for text in of_put]
    vectors = iter(encoder.documents(every) if every else ())
    return [
        PreparedPut(put, item_place(put.namespace, put.key), of_put, [next(vectors) for _ in of_put])
        for put, of_put in zip(puts, texts, strict=True)
    ]


def put_items(
    person: Person, prepared: Sequence[PreparedPut], author: Author, now: datetime, encoder: Encoder
) -> list[ItemAnswer]:
    """Puts them, of one key the last. Expects the person's scope, and their other writers locked out.

    Raises ConflictError where there would be more items than are allowed.
    """
    last = {one.place: one for one in prepared}
    rows = Item.objects.of_person(person).filter(place__in=list(last))
    known = {bytes(row.place): row for row in rows.without_index()}
    for row in known.values():
        if row.expires_at is not None and row.expires_at <= now:  # over, though the night did not drop it yet
            row.created_at, row.version = now, 0
    to_store = [one for one in last.values() if one.put.value is not None]
    if to_store:
        require_memory_on()
    stored = {one.place: _built(person, one, known.get(one.place), author, now, encoder) for one in to_store}
    new = [row for place, row in stored.items() if place not in known]
    _check_quota(person, len(new), now)
    Item.objects.bulk_create(new)
    for place, row in stored.items():
        if place in known:
            row.save(update_fields=REPLACED_FIELDS)
    gone = [known[place].id for place, one in last.items() if one.put.value is None and place in known]
    delete_rows(person, gone, author, now)
    _log(PUT_OPERATION, person, len(stored), author, now)
    return [
        ItemAnswer(version=stored[one.place].version if one.place in stored else None, deleted=known_gone)
        for one in prepared
        for known_gone in [one.place in known and one.place not in stored]
    ]


def delete_rows(person: Person, ids: Sequence[UUID], author: Author, now: datetime) -> int:
    """Deletes items for good, as whoever stored them asks; expects the scope. Returns how many there were."""
    if not ids:
        return 0
    count = Item.objects.of_person(person).filter(id__in=ids).delete()[0]
    _log(DELETE_OPERATION, person, count, author, now)
    return count


def index_item(item: Item, texts: Sequence[str], vectors: Sequence[Any], model: str, language: str) -> None:
    """Sets what an item is found by. No text: it is not searched."""
    item.tsv = text_tsvector("\n".join(texts), language) if texts else None
    item.vectors = list(vectors) or None
    item.embedding_model = model if vectors else None


def _built(
    person: Person, one: PreparedPut, known: Item | None, author: Author, now: datetime, encoder: Encoder
) -> Item:
    put = one.put
    row = known or Item(
        space_id=person.space_id,
        person=person,
        namespace=list(put.namespace),
        key=put.key,
        place=one.place,
        created_at=now,
        version=0,
    )
    row.value, row.indexed, row.ttl = put.value or {}, None if put.index is None else list(put.index), put.ttl
    row.expires_at = None if put.ttl is None else now + put.ttl
    row.author, row.updated_at, row.version = author.label, now, row.version + 1
    index_item(row, one.texts, one.vectors, encoder.name, person.language)
    return row


def _check_quota(person: Person, new: int, now: datetime) -> None:
    if not new:
        return
    most = settings.KEEPSAKE_ITEMS
    stored = Item.objects.of_person(person).filter(Q(expires_at=None) | Q(expires_at__gt=now)).count()
    if stored + new > most:
        raise ConflictError(
            f"There would be more than {most} items of {person.name!r}: delete some, or let them expire (ttl)."
        )


def _log(operation: str, person: Person, count: int, author: Author, now: datetime) -> None:
    if count:
        log_event(operation, {"items": count}, author=author, now=now, space=person.space_id, person=person.id)
