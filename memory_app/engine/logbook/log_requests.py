"""Log requests: who asked what of the API, with which answer and how fast. Ids and hashes: no body, key or name."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from uuid import UUID

from ...models import COMMONS, Operation
from ...models.scope import every_space
from ..author import Author
from .spoken_of import Spoken

REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Body:
    """What is told of a body: its size in bytes, and a keyed hash, equal for equal bodies."""

    size: int
    hash: str


@dataclass(frozen=True, slots=True)
class Answered:
    """One request and its answer. path: the template, such as `/memories/{memory_id}`. ids: what it held."""

    at: datetime
    author: str
    request: str
    method: str
    path: str
    status: int
    milliseconds: float
    spoken_of: Spoken
    memory: UUID | None = None
    ids: dict[str, str] = field(default_factory=dict)
    sent: Body | None = None
    answered: Body | None = None


def log_requests(answered: Sequence[Answered]) -> None:
    """Writes them in one statement. Each goes to the space of the person it spoke of, or to the commons."""
    with every_space():
        Operation.objects.bulk_create([_entry(one) for one in answered])


def _entry(answered: Answered) -> Operation:
    person, home = answered.spoken_of[0] if answered.spoken_of else (None, COMMONS)
    others = len({one for one, _ in answered.spoken_of}) - 1
    detail = {
        "method": answered.method,
        "path": answered.path,
        "status": answered.status,
        "ms": answered.milliseconds,
        **({"ids": answered.ids} if answered.ids else {}),
        **({"sent": asdict(answered.sent)} if answered.sent else {}),
        **({"answered": asdict(answered.answered)} if answered.answered else {}),
        **({"other_people": others} if others > 0 else {}),
    }
    return Operation(
        space_id=home,
        at=answered.at,
        name=REQUEST,
        author=answered.author,
        person_id=person,
        memory_id=answered.memory,
        request_id=answered.request,
        detail=detail,
    )


def caller(author: Author | None) -> str:
    return author.label if author else "nobody"
