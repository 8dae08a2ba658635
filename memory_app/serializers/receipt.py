"""The receipt of a brief as it is shown, whole or in a list."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.models import Person, Receipt
from memory_app.serializers import OutputModel


class ReceiptOut(OutputModel):
    id: UUID
    person: str
    at: datetime
    query: str
    intent: str | None
    venue: dict[str, Any]
    tokens: int
    token_budget: int
    reason: str | None
    items: list[dict[str, Any]]


class BriefOut(OutputModel):
    id: UUID
    person: str
    at: datetime
    query: str
    intent: str | None
    conversation: UUID | None
    tokens: int
    reason: str | None
    memories: list[UUID]


def brief_out(receipt: Receipt, person: Person) -> BriefOut:
    return BriefOut(
        id=receipt.id,
        person=person.name,
        at=receipt.at,
        query=receipt.query,
        intent=receipt.intent or None,
        conversation=receipt.conversation,
        tokens=receipt.tokens,
        reason=receipt.reason or None,
        memories=[item["memory"] for item in receipt.items],
    )
