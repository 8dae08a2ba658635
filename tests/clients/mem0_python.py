"""Every method of mem0's Python client once, and its errors; in an environment with `mem0ai` of any of three
generations. Takes the address of a server and a key for it; prints what was called."""

import logging
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any
from uuid import uuid4

import httpx
from mem0 import MemoryClient

GENERATION = int(version("mem0ai").split(".")[0])
"""0, 1 or 2: of 0.1.118, 1.0.11 and 2.2.1."""

MISSING = "01990000-0000-7000-8000-00000000dead"
called: list[str] = []


def call(name: str, run: Callable[[], Any]) -> Any:
    found = run()
    called.append(name)
    return found


def refused(name: str, error: str, run: Callable[[], Any]) -> None:
    """error: the name of its class; the oldest client has one for all that a server refuses."""
    raised = _error_of(run)
    kind = type(raised).__name__
    assert kind in (error, "APIError" if GENERATION == 0 else error), (name, kind, error, raised)
    called.append(f"{name} → {kind}")


def _error_of(run: Callable[[], Any]) -> Exception | None:
    try:
        run()
    except Exception as error:
        return error
    return None


def rows(answer: Any) -> list[dict[str, Any]]:
    """Of a list or a search; older clients get bare lists of some calls."""
    found: list[dict[str, Any]] = answer["results"] if isinstance(answer, dict) else answer
    return found


def run(host: str, key: str) -> None:
    client = call("MemoryClient", lambda: MemoryClient(api_key=key, host=host))
    refused("MemoryClient(wrong key)", "ValueError", lambda: MemoryClient(api_key="ks_wrong", host=host))
    user = f"client-{GENERATION}-{uuid4().hex[:8]}"
    by_user: dict[str, Any] = {"filters": {"user_id": user}} if GENERATION == 2 else {"user_id": user}
    tea = rows(
        call(
            "add(infer=False)",
            lambda: client.add(
                [{"role": "user", "content": "I like green tea"}], user_id=user, infer=False, metadata={"cup": 1}
            ),
        )
    )[0]["id"]
    added = call("add", lambda: client.add("I prefer window seats on trains.", user_id=user, run_id="trip"))
    assert "PENDING" in str(added), added
    got = call("get", lambda: client.get(tea))
    assert (got["memory"], got["user_id"], got["metadata"]) == ("I like green tea", user, {"cup": 1}), got
    listed = rows(call("get_all", lambda: client.get_all(**by_user)))
    assert [one["id"] for one in listed] == [tea], listed
    version_2 = {"version": "v2"} if GENERATION == 0 else {}
    paged = call(
        "get_all(filters, page)",
        lambda: client.get_all(
            filters={"AND": [{"user_id": user}, {"created_at": {"gte": "2020-01-01"}}]},
            page=1,
            page_size=5,
            **version_2,
        ),
    )
    assert paged["count"] == 1, paged
    found = rows(call("search", lambda: client.search("green tea", **by_user)))
    assert found[0]["id"] == tea, found
    assert found[0]["score"] > 0, found
    narrowed = rows(
        call(
            "search(filters)",
            lambda: client.search(
                "green tea", filters={"AND": [{"user_id": user}, {"metadata": {"cup": 2}}]}, **version_2
            ),
        )
    )
    assert narrowed == [], narrowed
    changed = call("update", lambda: client.update(tea, text="I like black tea", metadata={"cup": 2}))
    assert changed["memory"] == "I like black tea", changed
    past = call("history", lambda: client.history(tea))
    assert [one["event"] for one in past] == ["ADD", "UPDATE"], past
    call("batch_update", lambda: client.batch_update([{"memory_id": tea, "text": "I like white tea"}]))
    _feedback(client, tea)
    export = call("create_memory_export", lambda: client.create_memory_export({}, filters={"user_id": user}))
    exported = call("get_memory_export", lambda: client.get_memory_export(memory_export_id=export["id"]))
    assert exported["memories"][0]["id"] == tea, exported
    summary = call("get_summary", lambda: client.get_summary(filters={"user_id": user}))
    assert "white tea" in summary["summary"], summary
    users = call("users", lambda: client.users())
    assert user in [one["name"] for one in users["results"]], users
    _profiles(client, user)
    _account(client)
    _errors(client, host, key)
    call("delete", lambda: client.delete(tea))
    refused("get(deleted)", "MemoryNotFoundError", lambda: client.get(tea))
    more = rows(client.add("My bike is red", user_id=user, infer=False))[0]["id"]
    call("batch_delete", lambda: client.batch_delete([{"memory_id": more}]))
    client.add("My car is blue", user_id=user, infer=False)
    call("delete_all", lambda: client.delete_all(user_id=user))
    assert rows(client.get_all(**by_user)) == []
    client.add("My boat is green", user_id=user, infer=False)
    call("delete_users(user_id)", lambda: client.delete_users(user_id=user))
    client.add("The build is green", agent_id=f"{user}/ci x", infer=False)
    call("reset", lambda: client.reset())
    assert client.users()["results"] == []


def _feedback(client: Any, memory: str) -> None:
    give: Callable[[], Any] = lambda: client.feedback(memory, feedback="POSITIVE", feedback_reason="good")  # noqa: E731
    if GENERATION == 2:
        call("feedback", give)
        return
    error = _error_of(give)  # older clients fail by themselves to count the call, once it has been answered
    assert "capture_client_event" in str(error), error
    called.append("feedback (answered, then TypeError in the client)")


def _profiles(client: Any, user: str) -> None:
    if GENERATION < 2:
        return
    profile = call("get_profile", lambda: client.get_profile(user))
    assert profile["status"] == "succeeded", profile
    job = call("generate_profile", lambda: client.generate_profile(user))
    call("get_profile_job", lambda: client.get_profile_job(job["job_id"]))
    call("sample_profiles", lambda: client.sample_profiles(limit=2))
    call("get_profile_settings", lambda: client.get_profile_settings())
    call("update_profile_settings", lambda: client.update_profile_settings(enabled=True))


def _account(client: Any) -> None:
    call("get_project", lambda: client.get_project(fields=["custom_instructions"]))
    call("project.get", lambda: client.project.get())
    call("project.get_members", lambda: client.project.get_members())
    refused("update_project", "AuthenticationError", lambda: client.update_project(custom_instructions="x"))
    refused("project.delete", "AuthenticationError", lambda: client.project.delete())
    assert call("get_webhooks", lambda: client.get_webhooks("default")) == []
    refused(
        "create_webhook",
        "AuthenticationError",
        lambda: client.create_webhook("http://x", "n", "default", ["memory_add"]),
    )
    refused("update_webhook", "MemoryNotFoundError", lambda: client.update_webhook(3, name="z"))
    refused("delete_webhook", "MemoryNotFoundError", lambda: client.delete_webhook(3))


def _errors(client: Any, host: str, key: str) -> None:
    refused("get(missing)", "MemoryNotFoundError", lambda: client.get(MISSING))
    refused("get(no id)", "MemoryNotFoundError", lambda: client.get("nope"))
    refused("delete_all()", "ValidationError", lambda: client.delete_all())
    refused("add(nobody)", "ValidationError", lambda: client.add("x", infer=False))
    too_long = [{"role": "user", "content": "x" * 700_000}]
    refused("add(too large)", "MemoryQuotaExceededError", lambda: client.add(too_long, user_id="u", infer=False))
    wrong = MemoryClient(api_key=key, host=host)
    wrong.client.headers["Authorization"] = "Token ks_wrong"
    refused("get(wrong key)", "AuthenticationError", lambda: wrong.get(MISSING))


if __name__ == "__main__":
    logging.disable()
    try:
        run(f"{sys.argv[1]}/compat/mem0", sys.argv[2])
    except httpx.HTTPStatusError as failed:
        sys.exit(f"{failed}: {failed.response.text[:500]}")
    sys.stdout.write(f"mem0ai {version('mem0ai')}: {len(called)} calls\n  {', '.join(called)}\n")
