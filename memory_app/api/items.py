"""/items/batch: what assistants store under namespaces and keys, for LangGraph's stores and the like."""

import json
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Self

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import AfterValidator, Field, StringConstraints, model_validator

from memory_app.api import fields
from memory_app.api.auth import any_key, author_of, grant_of, require_scope
from memory_app.api.fields import InputModel
from memory_app.api.idempotency import idempotent
from memory_app.api.requests import storable_json
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.request_log import note_query
from memory_app.engine.items.operations import (
    FoundItem,
    GetItem,
    ItemAnswer,
    ItemOperation,
    ListNamespaces,
    PutItem,
    SearchItems,
)
from memory_app.engine.items.run_operations import run_operations
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import Invalid
from memory_app.models import Scope
from memory_app.models.item import MAX_KEY, MAX_LABEL
from memory_app.rules.item_filter import ItemFilterError, read_item_filter
from memory_app.rules.item_namespace import NamespaceMatch, person_in_namespace
from memory_app.serializers import OutputModel

router = Router(tags=["items"])

MAX_OPERATIONS = 500
MAX_DEPTH = 10
MAX_VALUE = 100_000
MAX_VALUE_DEPTH = 32
MAX_TTL = timedelta(days=3650)
MAX_FILTER = 10_000


def _bounded_json(most: int) -> Any:
    def check(value: Any) -> Any:
        if len(json.dumps(storable_json(value, MAX_VALUE_DEPTH), ensure_ascii=False)) > most:
            raise ValueError(f"is longer than {most} characters as JSON; store it in parts")
        return value

    return AfterValidator(check)


Label = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LABEL), fields.Storable]
Namespace = Annotated[list[Label], Field(min_length=1, max_length=MAX_DEPTH)]
Prefix = Annotated[list[Label], Field(max_length=MAX_DEPTH)]
ItemKey = Annotated[str, StringConstraints(min_length=1, max_length=MAX_KEY), fields.Storable]
Path = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LABEL), fields.Storable]
Offset = Annotated[int, Field(ge=0, le=100_000)]


class GetIn(InputModel):
    """The item, or null. `refresh_ttl`: whether its time begins anew by being read."""

    op: Literal["get"]
    namespace: Namespace
    key: ItemKey
    refresh_ttl: bool = True

    @property
    def operation(self) -> GetItem:
        return GetItem(tuple(self.namespace), self.key, self.refresh_ttl)


class PutIn(InputModel):
    """Stores a value, whatever was there; null deletes. `index`: paths that `search` reads (`title`, `parts[*].text`);
    left out, the whole value, and false or [], none. `ttl`: minutes after the last write or read; left out, for good.
    """

    op: Literal["put"]
    namespace: Namespace
    key: ItemKey
    value: Annotated[dict[str, Any], _bounded_json(MAX_VALUE)] | None
    index: Annotated[list[Path], Field(max_length=32)] | Literal[False] | None = None
    ttl: float | None = Field(None, gt=0, le=MAX_TTL / timedelta(minutes=1))

    @property
    def operation(self) -> PutItem:
        index = () if self.index is False else None if self.index is None else tuple(self.index)
        ttl = None if self.ttl is None else timedelta(minutes=self.ttl)
        return PutItem(tuple(self.namespace), self.key, self.value, index, ttl)


class SearchIn(InputModel):
    """Items whose namespace begins with `prefix`, best first by `query`, else the latest. `filter`: fields that are
    equal, within fields (`{"a": {"b": 1}}`), or compared by `$eq $ne $gt $gte $lt $lte`. Weak matches are listed too.
    """

    op: Literal["search"]
    prefix: Prefix = []
    filter: Annotated[dict[str, Any], _bounded_json(MAX_FILTER)] | None = None
    query: fields.Query | None = None
    limit: int = Field(10, ge=1, le=1000)
    offset: Offset = 0
    refresh_ttl: bool = True

    @property
    def namespace(self) -> list[str]:
        return self.prefix

    @property
    def operation(self) -> SearchItems:
        try:
            comparisons = read_item_filter(self.filter)
        except ItemFilterError as error:
            raise Invalid("filter", f"filter: {error}") from None
        query = (self.query or "").strip()
        return SearchItems(tuple(self.prefix), comparisons, query, self.limit, self.offset, self.refresh_ttl)


class ListIn(InputModel):
    """Namespaces that begin with `prefix` and end with `suffix`, cut to `max_depth` labels, each once. `*` is any
    label."""

    op: Literal["list_namespaces"]
    prefix: Prefix = []
    suffix: Prefix = []
    max_depth: int | None = Field(None, ge=1, le=MAX_DEPTH)
    limit: int = Field(100, ge=1, le=1000)
    offset: Offset = 0

    @property
    def namespace(self) -> list[str]:
        return self.prefix

    @property
    def operation(self) -> ListNamespaces:
        patterns: list[tuple[Literal["prefix", "suffix"], list[str]]] = [
            ("prefix", self.prefix),
            ("suffix", self.suffix),
        ]
        matches = tuple(NamespaceMatch(end, tuple(labels), wildcards=True) for end, labels in patterns if labels)
        return ListNamespaces(matches, self.max_depth, self.limit, self.offset)


OperationIn = GetIn | PutIn | SearchIn | ListIn


class ItemsIn(InputModel):
    """`person`: whose items they are. `person_label`: which label of a namespace names the person instead, counted from
    0; `person` then stands in for namespaces that are too short to have it."""

    person: fields.Name | None = None
    person_label: int | None = Field(None, ge=0, lt=MAX_DEPTH)
    operations: list[Annotated[OperationIn, Field(discriminator="op")]] = Field(min_length=1, max_length=MAX_OPERATIONS)

    @model_validator(mode="after")
    def _names_someone(self) -> Self:
        if self.person is None and self.person_label is None:
            raise ValueError("name the person whose items these are, or the label that names them (person_label)")
        return self

    @property
    def writes(self) -> bool:
        return any(isinstance(one, PutIn) for one in self.operations)


class ItemOut(OutputModel):
    person: str
    namespace: list[str]
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    version: int
    score: float | None


class ItemAnswerOut(OutputModel):
    """What one operation answers: a get `item`, a search `items`, a list `namespaces`, a put `version` or `deleted`."""

    op: str
    item: ItemOut | None = None
    items: list[ItemOut] | None = None
    namespaces: list[list[str]] | None = None
    version: int | None = None
    deleted: bool | None = None


class ItemsOut(OutputModel):
    results: list[ItemAnswerOut]


@router.post("/items/batch", response=ItemsOut, auth=any_key)
def items_batch(request: HttpRequest, payload: ItemsIn) -> Any:
    """Reads, stores, searches and lists up to 500 items at once; answers in order. Of each person all of it happens, or
    none. To read needs the scope `read`, to put `write`. Items are private to their person."""
    if any(not isinstance(one, PutIn) for one in payload.operations):
        require_scope(request, Scope.READ)
    if not payload.writes:
        return _run(request, payload)
    require_scope(
        request, Scope.WRITE, needs_disk=any(isinstance(one, PutIn) and one.value for one in payload.operations)
    )
    return _run_once(request, payload)


@idempotent
def _run_once(request: HttpRequest, payload: ItemsIn) -> Status[ItemsOut]:
    return Status(200, _run(request, payload))


def _run(request: HttpRequest, payload: ItemsIn) -> ItemsOut:
    answers: dict[int, ItemAnswerOut] = {}
    groups = _by_person(payload)
    # In one order in every request, so that two that write for the same people never wait for each other.
    for person, numbers in sorted(groups.items()):
        asked = [payload.operations[number] for number in numbers]
        found = _run_of_person(request, person, [one.operation for one in asked])
        for number, one, answer in zip(numbers, asked, found, strict=True):
            answers[number] = _answer_out(one.op, answer, person, reads=grant_of(request).reads)
    return ItemsOut(results=[answers[number] for number in range(len(payload.operations))])


def _by_person(payload: ItemsIn) -> dict[str, list[int]]:
    """The places of operations by whose items they are about. Raises Invalid where one names nobody."""
    groups: dict[str, list[int]] = {}
    for number, one in enumerate(payload.operations):
        person = person_in_namespace(one.namespace, payload.person_label, payload.person)
        if person is None:
            raise Invalid(
                f"operations.{number}",
                f"Nobody is named: label {payload.person_label} of the namespace names the person. "
                "Give a longer namespace, or person beside person_label.",
            )
        groups.setdefault(person, []).append(number)
    return groups


def _run_of_person(request: HttpRequest, person: str, operations: list[Any]) -> list[ItemAnswer]:
    same: list[ItemOperation] = operations
    for one in same:
        if isinstance(one, SearchItems) and one.query:
            note_query(one.query)
    creates = any(isinstance(one, PutItem) and one.value is not None for one in same)
    venue_context = resolve_venue(person=person, grant=grant_of(request), allow_unknown=not creates, follow_merges=True)
    return run_operations(
        venue_context=venue_context,
        operations=same,
        author=author_of(request),
        now=timezone.now(),
        encoder=current_encoder(),
    )


def _answer_out(op: str, answer: ItemAnswer, person: str, *, reads: bool) -> ItemAnswerOut:
    """reads: whether the key may be told what is stored."""
    match op:
        case "get":
            return ItemAnswerOut(op=op, item=_item_out(answer.item, person) if answer.item else None)
        case "search":
            return ItemAnswerOut(op=op, items=[_item_out(one, person) for one in answer.items])
        case "list_namespaces":
            return ItemAnswerOut(op=op, namespaces=[list(one) for one in answer.namespaces])
    return ItemAnswerOut(op=op, version=answer.version if reads else None, deleted=answer.deleted if reads else None)


def _item_out(found: FoundItem, person: str) -> ItemOut:
    return ItemOut.of(found.item, person=person, score=None if found.score is None else round(found.score, 4))
