"""The log of requests: who asked what of the API, with which answer and how fast.

An entry holds ids and hashes, and the words of a query where nothing in them is sensitive: no other part of a body, no
key and no name. While a request runs, it is noted here whom it is about, what it asks, which memories it shows (they
count as accessed) and what was decided in vain. All of that is written with the entry, after the answer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextvars import ContextVar, Token
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection

from memory_app.engine.audit.log import Author
from memory_app.models import COMMONS, Operation, Person
from memory_app.models.row_security import every_space
from memory_app.nlp.encoder import text_encoder
from memory_app.nlp.privacy.sensitive import MASK, compared_pieces, sensitive_kinds
from memory_app.rules.strength import SEARCH_REINFORCEMENT

MemoryPlace = tuple[UUID, UUID]
"""The space of a memory, and its id."""

COUNT_SHOWN_SQL = f"""
WITH shown AS (
    SELECT * FROM unnest(%(spaces)s::uuid[], %(ids)s::uuid[], %(times)s::int[]) AS one (space_id, id, times)
),
free AS (
    SELECT space_id, id FROM memory WHERE (space_id, id) IN (SELECT space_id, id FROM shown)
    FOR UPDATE SKIP LOCKED
)
UPDATE memory SET access_count = access_count + times, last_accessed_at = %(now)s,
    reinforced_at = reinforced_at
        + greatest(%(now)s - reinforced_at, interval '0') * (1 - (1 - {SEARCH_REINFORCEMENT}) ^ times)
FROM free JOIN shown USING (space_id, id)
WHERE memory.space_id = free.space_id AND memory.id = free.id
"""
"""What is being changed at this moment is left out: nobody waits for a count."""


def count_shown(places: Sequence[MemoryPlace], now: datetime) -> None:
    """One statement for all, each as often as it was shown. Expects a scope that is open."""
    counts = Counter(places)
    if not counts:
        return
    values: dict[str, Any] = {
        "spaces": [space for space, _ in counts],
        "ids": [identifier for _, identifier in counts],
        "times": list(counts.values()),
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(COUNT_SHOWN_SQL, values)


@dataclass(frozen=True, slots=True)
class RequestSubjects:
    """What a request was about. people: each with their own space, in order. decisions: entries for the log, each its
    name and detail. queries: what was searched for or asked. memories_shown: by a search, each with its space."""

    people: list[tuple[UUID, UUID]] = field(default_factory=list)
    decisions: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    memories_shown: list[tuple[UUID, UUID]] = field(default_factory=list)


_subjects: ContextVar[RequestSubjects | None] = ContextVar("spoken_of", default=None)


def begin_request() -> Token[RequestSubjects | None]:
    """Starts to note; `end` takes what this returns."""
    return _subjects.set(RequestSubjects())


def note_person(person: UUID, home: UUID) -> None:
    """Notes a person and their own space, where anyone asked to."""
    subjects = _subjects.get()
    if subjects is not None:
        subjects.people.append((person, home))


def note_decision(operation: str, detail: Mapping[str, Any]) -> None:
    """Notes what was decided of words that come to nothing, where anyone asked to. detail: reasons and ids."""
    subjects = _subjects.get()
    if subjects is not None:
        subjects.decisions.append((operation, detail))


def note_query(words: str) -> None:
    """Notes the words of a search, a question or a command, where anyone asked to."""
    subjects = _subjects.get()
    if subjects is not None:
        subjects.queries.append(words)


def note_shown(places: Iterable[tuple[UUID, UUID]]) -> None:
    """Notes the memories that a search showed, to be counted with the entry of its request."""
    subjects = _subjects.get()
    if subjects is not None:
        subjects.memories_shown.extend(places)


def end_request(token: Token[RequestSubjects | None]) -> RequestSubjects:
    """What was noted since."""
    subjects = _subjects.get() or RequestSubjects()
    _subjects.reset(token)
    return subjects


REQUEST = "request"

MAX_QUERY_LENGTH = 1_000
"""Characters of a question that the log keeps."""


@dataclass(frozen=True, slots=True)
class BodyDigest:
    """What is told of a body: its size in bytes, and a keyed hash, equal for equal bodies."""

    size: int
    hash: str


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """One request and its answer. path: the template, such as `/memories/{memory_id}`. ids: what it held."""

    at: datetime
    author: str
    request: str
    method: str
    path: str
    status: int
    milliseconds: float
    subjects: RequestSubjects
    memory: UUID | None = None
    ids: dict[str, str] = field(default_factory=dict)
    sent: BodyDigest | None = None
    answered: BodyDigest | None = None


def log_requests(answered: Sequence[RequestEntry]) -> None:
    """Writes them in one statement, each with what was decided of it. They go to the space of the person it spoke of,
    or to the commons. What their searches showed is counted as accessed."""
    _encode_queries(answered)
    with every_space():
        people = _people_to_log(answered)
        if settings.KEEPSAKE_MEMORY:
            count_shown([place for one in answered for place in one.subjects.memories_shown], answered[-1].at)
        Operation.objects.bulk_create([entry for one in answered for entry in _operations(one, people)])


def _people_to_log(answered: Sequence[RequestEntry]) -> frozenset[UUID]:
    """Of those whose words these are, the ones who have not been erased meanwhile, nor paused."""
    people = {person for one in answered if one.subjects.queries for person, _ in one.subjects.people[:1]}
    present = Person.objects.filter(id__in=people, memory_enabled=True).values_list("id", flat=True)
    return frozenset(present if settings.KEEPSAKE_MEMORY else ())


def _operations(answered: RequestEntry, people: Set[UUID]) -> Iterator[Operation]:
    yield _operation(answered, REQUEST, {**_request_detail(answered), **_query_words(answered.subjects, people)})
    for name, detail in answered.subjects.decisions:
        yield _operation(answered, name, dict(detail))


def _encode_queries(answered: Sequence[RequestEntry]) -> None:
    """Has the vectors remembered by which it is seen whether their words are sensitive.

    All at once takes half of what one by one does, and no row is locked yet.
    """
    words = {_joined_queries(one.subjects) for one in answered} - {""}
    encoder = text_encoder()
    if encoder is not None and words:
        encoder.documents(compared_pieces(sorted(words)))


def _joined_queries(subjects: RequestSubjects) -> str:
    return " / ".join(subjects.queries).strip()[:MAX_QUERY_LENGTH]


def _query_words(subjects: RequestSubjects, people: Set[UUID]) -> dict[str, str]:
    """The words that were asked, in the log of the person whose they are: of a stranger's nothing is kept."""
    words = _joined_queries(subjects)
    if not words or not subjects.people or subjects.people[0][0] not in people:
        return {}
    return {"asked": MASK if sensitive_kinds(words) else words}


def _request_detail(answered: RequestEntry) -> dict[str, Any]:
    others = len({one for one, _ in answered.subjects.people}) - 1
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


def _operation(answered: RequestEntry, name: str, detail: dict[str, Any]) -> Operation:
    people = answered.subjects.people
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


def caller_label(author: Author | None) -> str:
    return author.label if author else "nobody"
