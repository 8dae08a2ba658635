"""Receipts, read back: what a brief held. Only where the grant reaches the place it was made for."""

from uuid import UUID

from ...errors import NotFound
from ...models import Receipt
from ...models.scope import every_space
from ...rules.grant import Grant


def receipt_for(*, receipt: UUID, person: str | None = None, grant: Grant) -> Receipt:
    """The receipt, its person loaded. Raises NotFound where there is none that the grant reaches, or none of the one
    who asks."""
    with every_space():
        found = Receipt.objects.select_related("person").filter(id=receipt).first()
    if found is None or not grant.allows(found.person.name, found.venue.get("space")):
        raise NotFound
    if person not in (None, found.person.name):
        raise NotFound
    return found
