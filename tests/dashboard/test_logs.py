"""The log as a page: narrowed by its URL, in words, and a trail for each memory and request."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from memory_app.api.request_log import request_log
from tests.conftest import Api
from tests.dashboard.factories import create_memory

pytestmark = pytest.mark.django_db


def page(client: Client, **parameters: Any) -> str:
    answer = client.get("/logs/", parameters)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def twin(client: Client, **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/logs/", {**parameters, "format": "json"}).json()
    return found


def test_the_log_is_for_super_users_only(alice: Client, root: Client) -> None:
    assert alice.get("/logs/").status_code == 404
    assert Client().get("/logs/").status_code == 302
    assert "Nothing was done" in page(root)
    assert 'href="/logs/"' in root.get("/").content.decode()
    assert 'href="/logs/"' not in alice.get("/").content.decode()


def test_operations_are_described_in_words(root: Client, alice: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    alice.post(f"/memories/{memory.id}/forget/")
    html = page(root)
    assert "Alice forgot" in html
    assert "An assistant (kitchen) remembered" in html
    assert "<dt>decision</dt><dd>add</dd>" in html
    assert "Tea" not in html


def test_requests_are_listed_with_their_status(root: Client, api: Api) -> None:
    api.get(f"/memories/{uuid4()}")
    request_log.flush()
    assert "An assistant (tests): GET /memories/{memory_id} → 404" in page(root)


def test_facets_count_and_narrow(root: Client, alice: Client) -> None:
    for text in ("Tea is at five.", "The tap is brass."):
        memory = create_memory("alice", text)
    create_memory("bob", "The saw is blunt.")
    alice.post(f"/memories/{memory.id}/forget/")
    found = twin(root)
    assert (found["total"], found["facets"]["what"]) == (4, {"remember": 3, "forget": 1})
    assert sorted(found["facets"]["person"].values()) == [1, 3]
    assert found["facets"]["who"] == {"key:kitchen": 3, "user:alice": 1}
    is_narrowed = twin(root, what="forget")
    assert [item["operation"] for item in is_narrowed["items"]] == ["forget"]
    assert is_narrowed["facets"]["what"] == {"remember": 3, "forget": 1}
    assert twin(root, what=["forget", "remember"], who="user:alice")["total"] == 1
    assert twin(root, person="no-id")["total"] == 4


def test_a_memory_and_a_request_have_their_trails(root: Client, alice: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    create_memory("alice", "The tap is brass.")
    alice.post(f"/memories/{memory.id}/forget/")
    trail = twin(root, memory=str(memory.id))["items"]
    assert [item["operation"] for item in trail] == ["forget", "remember"]
    assert f'href="/logs/?memory={memory.id}"' in page(root)
    request = trail[0]["request"]
    assert f'href="/logs/?request={request}"' in page(root)
    assert [item["operation"] for item in twin(root, request=request)["items"]] == ["forget"]
    assert "The whole log" in page(root, request=request)


def test_free_text_finds_ids_and_words_of_entries(root: Client) -> None:
    memory = create_memory("alice", "Tea is at five.")
    assert twin(root, q=str(memory.id))["total"] == 1
    assert twin(root, q="KITCHEN")["total"] == 1
    assert twin(root, q="tea")["total"] == 0
    for odd in ("%", "_", "' OR 1=1 --", "\x00"):
        assert twin(root, q=odd)["total"] in (0, 1)
    assert "Nothing matches" in page(root, q="zeppelin")


def test_a_swap_gets_a_part(root: Client) -> None:
    create_memory("alice", "Tea is at five.")
    part = root.get("/logs/", headers={"HX-Request": "true", "HX-Target": "results"}).content.decode()
    assert "<html" not in part
    assert 'hx-swap-oob="innerHTML">1 entry<' in part


def test_long_logs_have_pages(root: Client) -> None:
    for number in range(51):
        create_memory("alice", f"Note {number} of {number * 7919}.")
    found = twin(root)
    assert (found["total"], found["pages"], len(found["items"]), found["next"]) == (51, 2, 50, "/logs/?page=2")
    assert len(twin(root, page=2)["items"]) == 1
    assert twin(root, page=99)["page"] == 2


@pytest.mark.usefixtures("encoder")
def test_decisions_are_listed_with_reasons_and_can_be_filtered(root: Client, api: Api) -> None:
    api.remember("alice", "The tile is blue")
    for utterance in ("I forgot my keys", "forget about the blue tile"):
        api.post("/forget", {"person": "alice", "utterance": utterance})
    request_log.flush()
    html = page(root)
    assert "An assistant (tests) passed on words to forget" in html
    assert "<dt>reason</dt><dd>no request</dd>" in html
    assert twin(root)["facets"]["decision"] == {"add": 1, "asked whether": 1, "nothing forgotten": 1}
    [found] = twin(root, decision="asked whether")["items"]
    assert found["operation"] == "forget_request"
