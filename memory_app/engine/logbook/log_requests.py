"""Log requests: who asked what of the API, with which answer and how fast. Ids and hashes, and the words of what was
asked where nothing in them is sensitive: no other part of a body, no key and no name."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from memory_app.engine.author import Author
from memory_app.engine.logbook.count_shown import count_shown
from memory_app.engine.logbook.spoken_of import Spoken
from memory_app.language.sensitive import MASK, sensitive_kinds
from memory_app.models import COMMONS, Operation, Person
from memory_app.models.scope import every_space

REQUEST = "request"

LONGEST_ASKED = 1_000
"""Characters of a question that the log keeps."""


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
    or to the commons. What their searches showed is counted as accessed."""
    with every_space():
        there = _remembered(answered)
        if settings.KEEPSAKE_MEMORY:
            count_shown([place for one in answered for place in one.spoken_of.shown], answered[-1].at)
        Operation.objects.bulk_create([entry for one in answered for entry in _entries(one, there)])


def _remembered(answered: Sequence[Answered]) -> frozenset[UUID]:
    """Of those whose words these are, the ones who have not been erased meanwhile, nor paused."""
    people = {person for one in answered if one.spoken_of.asked for person, _ in one.spoken_of.people[:1]}
    there = Person.objects.filter(id__in=people, memory_enabled=True).values_list("id", flat=True)
    return frozenset(there if settings.KEEPSAKE_MEMORY else ())


def _entries(answered: Answered, there: Set[UUID]) -> Iterator[Operation]:
    yield _entry(answered, REQUEST, {**_told(answered), **_asked(answered.spoken_of, there)})
    for name, detail in answered.spoken_of.decided:
        yield _entry(answered, name, dict(detail))


def _asked(spoken: Spoken, there: Set[UUID]) -> dict[str, str]:
    """The words that were asked, in the log of the person whose they are: of a stranger's nothing is kept."""
    words = " / ".join(spoken.asked).strip()[:LONGEST_ASKED]
    if not words or not spoken.people or spoken.people[0][0] not in there:
        return {}
    return {"asked": MASK if sensitive_kinds(words) else words}


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
