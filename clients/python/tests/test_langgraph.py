"""The store of LangGraph, as LangGraph calls it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import Server
from keepsake_client import AsyncKeepsake, Keepsake
from keepsake_client.langgraph import AsyncKeepsakeStore, KeepsakeStore
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp

NAMESPACE = ("memories", "food")


@pytest.fixture
def store(server: Server, person: str) -> Iterator[KeepsakeStore]:
    with Keepsake(server.url, server.key) as client:
        yield KeepsakeStore(client, person=person)


@pytest.fixture
async def async_store(server: Server, person: str) -> AsyncIterator[AsyncKeepsakeStore]:
    async with AsyncKeepsake(server.url, server.key) as client:
        yield AsyncKeepsakeStore(client, person=person, ttl={"default_ttl": 60, "refresh_on_read": True})


def test_items_are_put_read_replaced_and_deleted(store: KeepsakeStore) -> None:
    store.put(NAMESPACE, "tea", {"drink": "green tea"})
    first = store.get(NAMESPACE, "tea")
    assert first is not None
    assert (first.namespace, first.key, first.value) == (NAMESPACE, "tea", {"drink": "green tea"})
    store.put(NAMESPACE, "tea", {"drink": "black tea"})
    second = store.get(NAMESPACE, "tea")
    assert second is not None
    assert second.value == {"drink": "black tea"}
    assert second.created_at == first.created_at < second.updated_at
    store.delete(NAMESPACE, "tea")
    assert store.get(NAMESPACE, "tea") is None
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {})


def test_a_batch_is_answered_in_order(store: KeepsakeStore) -> None:
    results = store.batch(
        [
            PutOp(NAMESPACE, "tea", {"drink": "green tea", "cups": 3}),
            PutOp(("memories", "travel"), "trip", {"to": "Lisbon", "cups": 0}),
            GetOp(NAMESPACE, "tea"),
            SearchOp(("memories",), filter={"cups": {"$gt": 1}}),
            ListNamespacesOp(match_conditions=(MatchCondition("suffix", ("travel",)),)),
            ListNamespacesOp(max_depth=1),
            PutOp(NAMESPACE, "tea", None),
            GetOp(NAMESPACE, "tea"),
        ]
    )
    assert [results[place] for place in (0, 1, 6, 7)] == [None] * 4
    assert [item.key for item in results[3]] == ["tea"]
    assert (results[4], results[5]) == ([("memories", "travel")], [("memories",)])


def test_search_finds_by_meaning(store: KeepsakeStore) -> None:
    store.put(NAMESPACE, "tea", {"text": "She prefers a hot drink from Japan"})
    store.put(NAMESPACE, "bike", {"text": "Her bicycle has a flat tyre"})
    store.put(NAMESPACE, "hidden", {"text": "a hot drink"}, index=False)
    found = store.search(("memories",), query="what does she like to drink?")
    assert [item.key for item in found] == ["tea", "bike"]
    assert found[0].score is not None
    assert found[1].score is not None
    assert found[0].score > found[1].score


def test_more_than_one_request_carries_is_sent_in_parts(store: KeepsakeStore) -> None:
    results = store.batch([PutOp(("many",), f"key{n}", {"n": n}, index=False) for n in range(1100)])
    assert results == [None] * 1100
    assert len(store.search(("many",), limit=1000)) == 1000


def test_a_label_names_the_person(server: Server, person: str) -> None:
    with Keepsake(server.url, server.key) as client:
        store = KeepsakeStore(client, person_label=1)
        store.put(("memories", person), "tea", {"drink": "green tea"})
        assert [item.key for item in store.search(("memories", person))] == ["tea"]
        assert [item.key for item in KeepsakeStore(client, person=person).search(())] == ["tea"]


async def test_what_is_asked_in_one_tick_goes_together(async_store: AsyncKeepsakeStore) -> None:
    await asyncio.gather(*[async_store.aput(NAMESPACE, f"k{n}", {"n": n}) for n in range(20)])
    found = await asyncio.gather(*[async_store.aget(NAMESPACE, f"k{n}") for n in range(20)])
    assert [item.value["n"] for item in found if item] == list(range(20))
    assert len(await async_store.asearch(NAMESPACE, query="n", limit=5)) == 5
    assert await async_store.alist_namespaces() == [NAMESPACE]


async def test_sync_calls_from_the_loop_are_refused_and_from_a_thread_carried_out(
    async_store: AsyncKeepsakeStore,
) -> None:
    with pytest.raises(asyncio.InvalidStateError):
        async_store.put(NAMESPACE, "k", {})
    with ThreadPoolExecutor(1) as thread:
        await asyncio.wrap_future(thread.submit(async_store.put, NAMESPACE, "k", {"n": 1}))
        item = await asyncio.wrap_future(thread.submit(async_store.get, NAMESPACE, "k"))
    assert item is not None
    assert item.value == {"n": 1}
