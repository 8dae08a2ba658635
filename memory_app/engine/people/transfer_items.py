"""Names of items and documents that pass from one person to another: labels with the guest's name tell the user's, so
that what is read by it is found; and where the user has one of that name, the guest's gets another."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memory_app.engine.people.transfer_rows import Transfer
from memory_app.models import Document, Item
from memory_app.models.document import MAX_PATH
from memory_app.models.item import MAX_KEY, item_place
from memory_app.rules.item_namespace import renamed_person


def items_to_transfer(transfer: Transfer) -> list[list[Any]]:
    """[id, namespace, key] of each: what taking the merge back needs."""
    rows = Item.objects.filter(space_id=transfer.from_space, person_id=transfer.from_person).order_by("id")
    return [list(row) for row in rows.values_list("id", "namespace", "key")]


def rename_items(transfer: Transfer, items: Sequence[Sequence[Any]], guest: str, user: str) -> None:
    """While they are still the guest's."""
    for item, namespace, key in items:
        _set_name(transfer.from_space, item, transfer, renamed_person(namespace, guest, user), key)


def restore_item_names(transfer: Transfer, items: Sequence[Sequence[Any]]) -> None:
    """Of items, as `items_to_transfer` listed them, once they are back."""
    for item, namespace, key in items:
        _set_name(transfer.to_space, UUID(str(item)), transfer, namespace, key)


def _set_name(space: UUID, item: UUID, transfer: Transfer, namespace: Sequence[str], key: str) -> None:
    """Names it for where it goes."""
    others = Item.objects.filter(space_id=transfer.to_space, person_id=transfer.to_person).exclude(id=item)
    if others.filter(place=item_place(namespace, key)).exists():
        suffix = f" ({item})"
        key = key[: MAX_KEY - len(suffix)] + suffix
    here = Item.objects.filter(space_id=space, id=item)
    here.update(namespace=list(namespace), key=key, place=item_place(namespace, key))


def documents_to_transfer(transfer: Transfer) -> list[list[Any]]:
    """[id, path] of each, deleted ones too: what taking the merge back needs."""
    rows = Document.objects.filter(space_id=transfer.from_space, person_id=transfer.from_person).order_by("id")
    return [list(row) for row in rows.values_list("id", "path")]


def rename_documents(transfer: Transfer, documents: Sequence[Sequence[Any]]) -> None:
    """Names each for where it goes, while they are still the guest's: so that it is told from what is there."""
    _set_paths(transfer.from_space, transfer, documents)


def restore_document_paths(transfer: Transfer, documents: Sequence[Sequence[Any]]) -> None:
    """Of documents, as `documents_to_transfer` listed them, once they are back."""
    _set_paths(transfer.to_space, transfer, documents)


def _set_paths(space: UUID, transfer: Transfer, documents: Sequence[Sequence[Any]]) -> None:
    others = Document.objects.filter(space_id=transfer.to_space, person_id=transfer.to_person, deleted_at=None)
    moved = [UUID(str(document)) for document, _ in documents]
    taken = set(others.exclude(id__in=moved).values_list("path", flat=True))
    for document, path in documents:
        suffix = f" ({document})"
        free = path[: MAX_PATH - len(suffix)] + suffix if path in taken else path
        here = Document.objects.filter(space_id=space, id=document).exclude(path=free)
        here.update(path=free)
