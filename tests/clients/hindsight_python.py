"""What Hindsight's Python client asks, and its errors; in an environment with `hindsight-client`. Takes the address of
a server and a key for it; prints what was called."""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any
from uuid import uuid4

from hindsight_client import Hindsight

called: list[str] = []


def call(name: str, run: Callable[[], Any]) -> Any:
    found = run()
    called.append(name)
    return found


def refused(name: str, status: int, run: Callable[[], Any]) -> None:
    raised = _error_of(run)
    assert getattr(raised, "status", None) == status, (name, status, raised)
    called.append(f"{name} → {type(raised).__name__}")


def _error_of(run: Callable[[], Any]) -> Exception | None:
    try:
        run()
    except Exception as error:
        return error
    return None


def run(host: str, key: str) -> None:
    client: Any = Hindsight(base_url=host, api_key=key)
    bank = f"client {uuid4().hex[:8]}/x"
    call("get_version", client.get_version)
    made = call("create_bank", lambda: client.create_bank(bank, mission="help"))
    assert made.bank_id == bank, made
    kept = call(
        "retain",
        lambda: client.retain(
            bank,
            "I like green tea",
            context="food and drink",
            metadata={"k": "v"},
            tags=["a"],
            document_id="d1",
            timestamp=datetime(2026, 1, 2, tzinfo=UTC),
        ),
    )
    assert (kept.success, kept.items_count) == (True, 1), kept
    call("retain_batch", lambda: client.retain_batch(bank, [{"content": "My bike is red"}], document_tags=["b"]))
    [found] = call("recall", lambda: client.recall(bank, "green tea", budget="low", max_tokens=500)).results
    assert (found.text, found.tags, found.metadata) == ("I like green tea", ["a"], {"k": "v"}), found
    narrowed = call("recall(tags)", lambda: client.recall(bank, "tea", tags=["b"], tags_match="any_strict"))
    assert narrowed.results == [], narrowed
    told = call("reflect", lambda: client.reflect(bank, "Which tea do I like?", budget="low"))
    assert "green tea" in told.text, told
    listed = call("list_memories", lambda: client.list_memories(bank, limit=10))
    assert (listed.total, len(listed.items)) == (2, 2), listed
    searched = call("list_memories(search_query)", lambda: client.list_memories(bank, search_query="bike"))
    assert searched.total == 1, searched
    config = call("get_bank_config", lambda: client.get_bank_config(bank))
    assert config["bank_id"] == bank, config
    refused("update_bank_config", 403, lambda: client.update_bank_config(bank, retain_mission="x"))
    with ThreadPoolExecutor(1) as thread:  # the synchronous calls have a loop of their own
        thread.submit(asyncio.run, _generated(host, key, bank)).result()
    wrong: Any = Hindsight(base_url=host, api_key="ks_wrong")
    refused("recall(wrong key)", 401, lambda: wrong.recall(bank, "tea"))
    refused("retain(empty)", 422, lambda: client.retain(bank, "  "))
    refused("recall(tags_match=exact)", 422, lambda: client.recall(bank, "tea", tags=["a"], tags_match="exact"))
    call("delete_bank", lambda: client.delete_bank(bank))
    assert client.list_memories(bank).total == 0
    refused("delete_bank(unknown)", 404, lambda: client.delete_bank("nobody at all"))
    for one in (client, wrong):
        one.close()


async def _generated(host: str, key: str, bank: str) -> None:
    """Calls that the client leaves to its generated part, in one loop."""
    async with asyncio.timeout(60):
        client: Any = Hindsight(base_url=host, api_key=key)
        await client.aretain(bank, "My car is blue")
        called.append("aretain")
        found = await client.arecall(bank, "Which colour is my car?")
        assert found.results, found
        called.append("arecall")
        banks = await client.banks.list_banks()
        assert bank in [one.bank_id for one in banks.banks], banks
        called.append("banks.list_banks")
        memory = found.results[0].id
        assert await client.memory.get_memory(bank, memory)
        called.append("memory.get_memory")
        assert await client.memory.clear_bank_memories(bank)
        called.append("memory.clear_bank_memories")
        await client.aclose()


if __name__ == "__main__":
    run(f"{sys.argv[1]}/compat/hindsight", sys.argv[2])
    sys.stdout.write(f"hindsight-client {version('hindsight-client')}: {len(called)} calls\n  {', '.join(called)}\n")
