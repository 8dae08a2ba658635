"""An entry of the log as it is shown."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.models import Operation
from memory_app.serializers import OutputModel


class OperationOut(OutputModel):
    """An entry of the log: ids, counts and reasons, never the words of a memory."""

    id: UUID
    at: datetime
    operation: str
    author: str
    person: str | None
    memory: UUID | None
    request: str | None
    detail: dict[str, Any]


def operation_out(row: Operation, names: dict[UUID, str]) -> OperationOut:
    """names: of people, by id; one who is gone has none."""
    return OperationOut.of(
        row,
        operation=row.name,
        person=names.get(row.person_id) if row.person_id else None,
        memory=row.memory_id,
        request=row.request_id or None,
    )
