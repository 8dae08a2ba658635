"""A store for LangGraph, and so for LangMem: items of one person, or of whom a label of the namespace names.

store = KeepsakeStore(Keepsake(url, key), person="alice")
store = KeepsakeStore(Keepsake(url, key), person_label=1)  # ("memories", "alice")
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)
from langgraph.store.base.batch import AsyncBatchedBaseStore

from keepsake_client.async_client import AsyncKeepsake
from keepsake_client.client import Keepsake
from keepsake_client.types import Item as ItemFields
from keepsake_client.types import ItemAnswer

MAX_OPERATIONS = 500
MAX_BYTES = 4_000_000
"""What one request carries, with room below the server's limits."""


class _Requests:
    """How operations become requests, and answers results: the same for both stores."""

    supports_ttl = True

    def __init__(self, person: str | None, person_label: int | None, fields: Sequence[str] | None) -> None:
        if person is None and person_label is None:
            raise ValueError("name the person whose items these are, or the label of the namespace that names them")
        self.person, self.person_label = person, person_label
        self.fields = None if fields is None else list(fields)

    def requests(self, ops: Iterable[Op]) -> Iterator[list[dict[str, Any]]]:
        """The operations in parts that one request may carry."""
        part: list[dict[str, Any]] = []
        size = 0
        for op in ops:
            operation = self._operation(op)
            length = len(json.dumps(operation))
            if part and (len(part) == MAX_OPERATIONS or size + length > MAX_BYTES):
                yield part
                part, size = [], 0
            part.append(operation)
            size += length
        if part:
            yield part

    def _operation(self, op: Op) -> dict[str, Any]:
        if isinstance(op, GetOp):
            place = {"namespace": list(op.namespace), "key": op.key}
            return {"op": "get", **place, "refresh_ttl": op.refresh_ttl}
        if isinstance(op, PutOp):
            return self._put(op)
        if isinstance(op, SearchOp):
            return {
                "op": "search",
                "prefix": list(op.namespace_prefix),
                "filter": op.filter,
                "query": op.query,
                "limit": op.limit,
                "offset": op.offset,
                "refresh_ttl": op.refresh_ttl,
            }
        if isinstance(op, ListNamespacesOp):
            return _list_namespaces(op)
        raise TypeError(f"{type(op).__name__} is no operation of a store")

    def _put(self, op: PutOp) -> dict[str, Any]:
        index = self.fields if op.index is None else op.index
        put = {"op": "put", "namespace": list(op.namespace), "key": str(op.key), "value": op.value}
        return put if op.value is None else {**put, "index": index, "ttl": op.ttl}


def _list_namespaces(op: ListNamespacesOp) -> dict[str, Any]:
    listed: dict[str, Any] = {"op": "list_namespaces", "limit": op.limit, "offset": op.offset}
    for condition in op.match_conditions or ():
        if condition.match_type in listed:
            raise ValueError(f"two conditions of the kind {condition.match_type!r}: give one")
        listed[condition.match_type] = list(condition.path)
    return listed if op.max_depth is None else {**listed, "max_depth": op.max_depth}


def _result(answer: ItemAnswer) -> Result:
    match answer["op"]:
        case "get":
            return Item(**_fields(answer["item"])) if answer["item"] else None
        case "search":
            return [SearchItem(**_fields(item), score=item["score"]) for item in answer["items"] or ()]
        case "list_namespaces":
            return [tuple(namespace) for namespace in answer["namespaces"] or ()]
    return None


def _fields(item: ItemFields) -> dict[str, Any]:
    return {
        "namespace": tuple(item["namespace"]),
        "key": item["key"],
        "value": item["value"],
        "created_at": item["created_at"].replace("Z", "+00:00"),
        "updated_at": item["updated_at"].replace("Z", "+00:00"),
    }


class KeepsakeStore(_Requests, BaseStore):
    """A store over a client; its async methods need an async client of the same server.

    person: whose items they are. person_label: which label of a namespace, counted from 0, names the person instead.
    fields: paths of a value that are searched, where a put says nothing else; None is all of it. ttl: how long items
    stay; expired ones are hidden by the server at once, and need no sweeper.
    """

    def __init__(
        self,
        client: Keepsake,
        *,
        person: str | None = None,
        person_label: int | None = None,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
        async_client: AsyncKeepsake | None = None,
    ) -> None:
        super().__init__(person, person_label, fields)
        self.client, self.async_client, self.ttl_config = client, async_client, ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carries operations out in order; each sees what those before it did."""
        return [
            _result(answer)
            for operations in self.requests(ops)
            for answer in self.client.run_items(operations, person=self.person, person_label=self.person_label)
        ]

    def start_ttl_sweeper(self, sweep_interval_minutes: int | None = None) -> Future[None]:
        """As other stores have it; there is nothing to do, for the server hides and drops what has expired."""
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        return True

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`. Raises RuntimeError where no async client was given."""
        if self.async_client is None:
            raise RuntimeError("give KeepsakeStore an async_client too, or use AsyncKeepsakeStore")
        return await _abatch(self, self.async_client, ops)


class AsyncKeepsakeStore(_Requests, AsyncBatchedBaseStore):
    """The same for an event loop: what is asked for in one tick goes in one request. To be made within the loop; sync
    calls from the loop's own thread raise `asyncio.InvalidStateError`, those from other threads are carried out."""

    def __init__(
        self,
        client: AsyncKeepsake,
        *,
        person: str | None = None,
        person_label: int | None = None,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        _Requests.__init__(self, person, person_label, fields)
        AsyncBatchedBaseStore.__init__(self)
        self.client, self.ttl_config = client, ttl

    async def start_ttl_sweeper(self, sweep_interval_minutes: int | None = None) -> asyncio.Task[None]:
        """As other stores have it; there is nothing to do, for the server hides and drops what has expired."""
        return asyncio.create_task(asyncio.sleep(0))

    async def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        return True

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carries operations out in order; each sees what those before it did."""
        return await _abatch(self, self.client, ops)


async def _abatch(store: _Requests, client: AsyncKeepsake, ops: Iterable[Op]) -> list[Result]:
    results: list[Result] = []
    for operations in store.requests(ops):
        answers = await client.run_items(operations, person=store.person, person_label=store.person_label)
        results += [_result(answer) for answer in answers]
    return results
