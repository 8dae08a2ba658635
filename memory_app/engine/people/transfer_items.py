"""Names of items that pass from one person to another: labels with the guest's name tell the user's, so that what is
read by it is found; and where the user has an item of that namespace and key, the guest's gets another key."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memory_app.engine.people.transfer_rows import Transfer
from memory_app.models import Item
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
    """Of items, as `items_to_transfer` listed them, that go back: while they are still the user's."""
    for item, namespace, key in items:
        _set_name(transfer.from_space, UUID(str(item)), transfer, namespace, key)


def _set_name(space: UUID, item: UUID, transfer: Transfer, namespace: Sequence[str], key: str) -> None:
    """Names it for where it goes."""
    there = Item.objects.filter(space_id=transfer.to_space, person_id=transfer.to_person).exclude(id=item)
    if there.filter(place=item_place(namespace, key)).exists():
        suffix = f" ({item})"
        key = key[: MAX_KEY - len(suffix)] + suffix
    here = Item.objects.filter(space_id=space, id=item)
    here.update(namespace=list(namespace), key=key, place=item_place(namespace, key))
