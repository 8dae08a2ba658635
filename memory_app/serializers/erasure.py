"""The receipt of an erasure as it is shown."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory_app.engine.erasure.erasure_receipt import is_genuine, remaining_steps
from memory_app.models import Erased, Erasure
from memory_app.serializers import OutputModel


class CheckOut(OutputModel):
    """What a search of every text column for the erased words still found; `said`: in what people said or noted; of a
    person, names of logins, keys, spaces and channels that hold theirs."""

    searched_columns: int
    left: dict[str, int]
    said: dict[str, int]
    nothing_left: bool | None


class ProgressOut(OutputModel):
    """Rows gone, of those that were to go; both 0 where it was one step."""

    done: int
    total: int


class ErasureOut(OutputModel):
    """The receipt of an erasure: rows by table, never a word of what is gone. The signature is of all but how far it
    is, for that changes while it goes on."""

    id: UUID
    erased: Literal["memory", "person"]
    subject: UUID
    of_space: UUID
    derived: list[UUID]
    state: Literal["erasing", "erased"]
    progress: ProgressOut
    finished_at: datetime | None
    at: datetime
    by: str
    removed: dict[str, int]
    blanked: dict[str, int]
    check: CheckOut
    purged: dict[str, Any]
    purged_at: datetime | None
    remains: list[str]
    signature: str
    genuine: bool


def erasure_out(erasure: Erasure) -> ErasureOut:
    return ErasureOut.of(
        erasure,
        erased="person" if erasure.kind == Erased.PERSON else "memory",
        state="erased" if erasure.finished_at else "erasing",
        progress=ProgressOut.of(erasure),
        check=CheckOut(
            searched_columns=erasure.searched,
            left=erasure.found,
            said=erasure.quoted,
            nothing_left=not erasure.found if erasure.searched else None,
        ),
        remains=remaining_steps(erasure),
        genuine=is_genuine(erasure),
    )
