"""Log requests: who asked what of the API, with which answer and how fast. Ids and hashes: no body, key or name."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any
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
    """Writes them in one statement, each with what was decided of it. They go to the space of the person it spoke of,
    or to the commons."""
    with every_space():
        Operation.objects.bulk_create([entry for one in answered for entry in _entries(one)])


def _entries(answered: Answered) -> Iterator[Operation]:
    yield _entry(answered, REQUEST, _told(answered))
    for name, detail in answered.spoken_of.decided:
        yield _entry(answered, name, dict(detail))


def _told(answered: Answered) -> dict[str, Any]:
    others = len({one for one, _ in answered.spoken_of.people}) - 1
    return {
        "method": answered.method,
        "path": answered.path,
        "status": answered.status,
        "ms": answered.milliseconds,
        **({"ids": answered.ids} if answered.ids else {}),
        **({"sent": asdict(answered.sent)} if answered.sent else {}),
        **({"answered": asdict(answered.answered)} if answered.answered else {}),
        **({"other_people": others} if others > 0 else {}),
    }


def _entry(answered: Answered, name: str, detail: dict[str, Any]) -> Operation:
    people = answered.spoken_of.people
    person, home = people[0] if people else (None, COMMONS)
    return Operation(
        space_id=home,
        at=answered.at,
        name=name,
        author=answered.author,
        person_id=person,
        memory_id=answered.memory,
        request_id=answered.request,
        detail=detail,
    )


def caller(author: Author | None) -> str:
    return author.label if author else "nobody"
