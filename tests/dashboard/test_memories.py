"""The list of memories: what its URL finds, counts and sorts, and its JSON twin."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.viewer import memory_ref
from memory_app.engine.memories.edit import confirm
from memory_app.engine.memories.memory_input import MemorySource
from tests.dashboard.factories import KITCHEN, NOON, create_memory


def listed(client: Client, path: str = "/memories/", **parameters: Any) -> dict[str, Any]:
    answer = client.get(path, {**parameters, "format": "json"})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def summaries(client: Client, **parameters: Any) -> list[str]:
    return [item["summary"] for item in listed(client, **parameters)["items"]]


def test_newest_first_and_other_orders_by_url(alice: Client) -> None:
    for days, text in ((3, "Oldest."), (1, "Newest."), (2, "Between.")):
        create_memory("alice", text, now=NOON - timedelta(days=days))
    assert summaries(alice) == ["Newest.", "Between.", "Oldest."]
    assert summaries(alice, order="oldest") == ["Oldest.", "Between.", "Newest."]


def test_facets_count_what_choosing_them_would_leave(alice: Client) -> None:
    create_memory("alice", "Blue tile.", type="decision", category="personal", tags=["house", "bathroom"])
    create_memory("alice", "Oak floor.", type="decision", category="personal", tags=["house"])
    create_memory("alice", "Review on Friday.", type="event", category="work")
    found = listed(alice)
    assert found["total"] == 3
    assert found["facets"] == {
        "type": {"decision": 2, "event": 1},
        "category": {"personal": 2, "work": 1},
        "tag": {"house": 2, "bathroom": 1},
    }
    narrowed = listed(alice, type="event")
    assert (narrowed["total"], narrowed["facets"]["type"]) == (1, {"decision": 2, "event": 1})
    assert listed(alice, type=["event", "decision"])["total"] == 3
    assert [item["summary"] for item in listed(alice, tag="bathroom")["items"]] == ["Blue tile."]
    assert listed(alice, type="event", tag="house")["total"] == 0


def test_the_status_filter_separates_current_replaced_and_expired(alice: Client) -> None:
    old = create_memory("alice", "The plumber comes on Tuesday.")
    alice.post(f"/memories/{old.id}/correct/", {"content": "The plumber comes on Wednesday."})
    create_memory("alice", "Milk is in the fridge.", expires_at=NOON, now=NOON - timedelta(days=1))
    assert summaries(alice) == ["The plumber comes on Wednesday."]
    assert summaries(alice, status="superseded") == ["The plumber comes on Tuesday."]
    assert summaries(alice, status="expired") == ["Milk is in the fridge."]
    assert len(summaries(alice, status="all")) == 3


def test_a_search_matches_stems_and_prefixes(alice: Client) -> None:
    create_memory("alice", "We chose the blue tiles for the bathroom.")
    create_memory("alice", "Bob plays chess on Sundays.")
    assert summaries(alice, q="tile") == ["We chose the blue tiles for the bathroom."]
    assert summaries(alice, q="bathr") == ["We chose the blue tiles for the bathroom."]
    assert summaries(alice, q="chess")[0] == "Bob plays chess on Sundays."
    assert summaries(alice, q="zeppelin") == []


def test_facets_narrow_a_search(alice: Client) -> None:
    create_memory("alice", "The blue tile.", type="decision")
    create_memory("alice", "A blue bicycle.", type="fact")
    found = listed(alice, q="blue", type="fact")
    assert [item["summary"] for item in found["items"]] == ["A blue bicycle."]
    assert found["facets"]["type"] == {"decision": 1, "fact": 1}


def test_pattern_and_query_syntax_is_searched_as_text(alice: Client) -> None:
    create_memory("alice", "Tea at five.")
    for query in ("%", "_", "' OR 1=1 --", "tea & !five | (", ":*", "\\", "a" * 900):
        assert summaries(alice, q=query) in ([], ["Tea at five."]), query
    assert summaries(alice, q="100%") == []


def test_a_super_user_searches_everyone_by_words(root: Client) -> None:
    create_memory("alice", "We chose the blue tiles.")
    create_memory("bob", "Bob's tile saw is broken.")
    assert set(summaries(root, q="tile")) == {"We chose the blue tiles.", "Bob's tile saw is broken."}
    assert summaries(root, q="tile", person="bob") == ["Bob's tile saw is broken."]


def test_long_lists_have_pages_and_a_page_too_far_is_the_last(alice: Client) -> None:
    for number in range(27):
        create_memory("alice", f"Note {number:02d} of {number * 7919}.", now=NOON + timedelta(minutes=number))
    first = listed(alice, status="all")
    assert (first["total"], first["pages"], len(first["items"])) == (27, 2, 25)
    assert first["next"] == "/memories/?status=all&page=2"
    assert [item["summary"] for item in listed(alice, status="all", page=2)["items"]] == [
        "Note 01 of 7919.",
        "Note 00 of 0.",
    ]
    assert listed(alice, status="all", page=99)["page"] == 2


def test_the_json_twin_is_the_api_memory_and_masks_what_is_sensitive(alice: Client) -> None:
    create_memory("alice", "My card number is 4111 1111 1111 1111.", source=MemorySource("explicit"))
    answer = alice.get("/memories/", headers={"Accept": "application/json"})
    (item,) = answer.json()["items"]
    assert item["sensitive"] is True
    assert item["person"] == "alice"
    assert "4111 1111" not in answer.content.decode()
    assert "4111 1111" not in alice.get("/memories/").content.decode()
    assert "4111 1111" not in alice.get("/").content.decode()


def test_a_browser_gets_a_page_and_a_swap_gets_a_part(alice: Client) -> None:
    create_memory("alice", "Tea at five.")
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = alice.get("/memories/", headers={"Accept": accept}).content.decode()
    part = alice.get("/memories/", headers={"HX-Request": "true", "HX-Target": "results"}).content.decode()
    assert page.lstrip().startswith("<!doctype html>")
    assert "<html" not in part
    assert re.search(r'hx-swap-oob="innerHTML">\s*1 memory\s*<', part)


def test_the_overview_counts(alice: Client) -> None:
    create_memory("alice", "Tea at five.", type="fact")
    create_memory("alice", "We chose the blue tile.", type="decision", now=NOON - timedelta(days=400))
    gone = create_memory("alice", "Bob plays chess.", type="fact")
    sure = create_memory("alice", "The review is on Friday.", type="event")
    confirm(at=memory_ref(sure), author=KITCHEN, now=NOON)
    alice.post(f"/memories/{gone.id}/forget/")
    answer = alice.get("/")
    overview = answer.context["overview"]
    assert (overview.kept, overview.forgotten, overview.protected, overview.month) == (3, 1, 1, 2)
    assert [(share.value, share.number) for share in overview.types] == [("decision", 1), ("event", 1), ("fact", 1)]
    assert "You forgot" in answer.content.decode()
    told = alice.get("/?format=json").json()
    assert (told["kept"], told["forgotten"], told["protected"], told["month"]) == (3, 1, 1, 2)
    assert told["types"] == {"decision": 1, "event": 1, "fact": 1}
    assert [memory["content"] for memory in told["latest"]] == [
        "The review is on Friday.",
        "Tea at five.",
        "We chose the blue tile.",
    ]
    assert (sum(told["added"].values()), told["people"]) == (2, {})


@pytest.mark.parametrize("path", ["/memories/{}/", "/inbox/{}/", "/conversations/{}/", "/runs/{}/", "/entities/{}/"])
def test_a_missing_memory_is_a_json_404_where_json_is_requested(alice: Client, path: str) -> None:
    answer = alice.get(path.format("01990000-0000-7000-8000-00000000dead"), headers={"Accept": "application/json"})
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["status"] == 404
    assert answer["Cache-Control"] == "private, no-store"


def test_without_memories_the_page_says_what_to_do_next(alice: Client) -> None:
    for path in ("/", "/memories/"):
        html = alice.get(path).content.decode()
        assert "Nothing is remembered yet" in html
        assert "curl http://testserver/api/v1/remember" in html
        assert '"person": "alice"' in html
    assert "Nothing was forgotten" in alice.get("/deleted/").content.decode()
