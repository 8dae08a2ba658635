"""Every tier searched at once, on a page: what is kept, what was forgotten and the log, mixed; itself logged."""

from typing import Any

import pytest
from django.test import Client

from memory_app.models import Operation
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_memory

pytestmark = pytest.mark.django_db


def page(client: Client, **parameters: Any) -> str:
    answer = client.get("/everywhere/", parameters)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def twin(client: Client, address: str = "/everywhere/", **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get(address, parameters or None, headers={"Accept": "application/json"}).json()
    return found


def searches() -> list[dict[str, Any]]:
    with every_space():
        return list(Operation.objects.filter(name="admin_search").order_by("id").values_list("detail", flat=True))


def test_the_page_is_for_super_users_only(alice: Client, root: Client) -> None:
    assert alice.get("/everywhere/").status_code == 404
    assert Client().get("/everywhere/").status_code == 302
    assert "What are you looking for?" in page(root)
    assert 'href="/everywhere/"' in root.get("/").content.decode()
    assert 'href="/everywhere/"' not in alice.get("/").content.decode()


def test_one_search_finds_active_deleted_and_logged(alice: Client, root: Client) -> None:
    gone = create_memory("alice", "The tile is blue.")
    alice.post(f"/memories/{gone.id}/forget/")
    create_memory("bob", "The tile of the hall is grey.")
    create_memory("bob", "The saw is blunt.")
    found = twin(root, q="tile")
    assert found["totals"] == {"active": 1, "deleted": 1, "logs": 3}
    assert sorted(item["tier"] for item in found["items"]) == ["active", "deleted", "logs", "logs", "logs"]
    html = page(root, q="tile")
    assert "Alice forgot" in html
    assert f'href="/memories/{gone.id}/"' in html
    assert "saw" not in html


def test_tiers_can_be_unticked(root: Client) -> None:
    create_memory("bob", "The tile is grey.")
    found = twin(root, q="tile", tier="active")
    assert (found["totals"], [item["tier"] for item in found["items"]]) == ({"active": 1}, ["active"])


def test_pages_stay_stable_while_rows_are_added(root: Client) -> None:
    first = [str(create_memory("bob", f"The tile number {number} is grey.").id) for number in range(30)]
    before = twin(root, q="tile", tier="active")
    create_memory("bob", "The tile of the roof is red.")
    after = twin(root, before["next"])
    told = [item["memory"]["id"] for item in (*before["items"], *after["items"])]
    assert told == first[::-1]
    assert after["next"] is None


def test_searches_are_logged_without_their_words(root: Client) -> None:
    create_memory("bob", "The tile is grey.")
    page(root)
    assert searches() == []
    page(root, q="tile", tier="active")
    assert searches() == [{"found": {"active": 1}, "next_page": False}]


def test_sensitive_text_is_masked(root: Client) -> None:
    create_memory("alice", "My password is heliotrope7.")
    assert "heliotrope7" not in page(root, q="password")
    assert "heliotrope7" not in str(twin(root, q="password"))


@pytest.mark.parametrize("url", [{"tier": "attic"}, {"before": "yesterday"}, {"q": "a\x00b"}, {"q": "%_\\"}])
def test_invalid_query_parameters_are_ignored(root: Client, url: dict[str, str]) -> None:
    page(root, **{"q": "tile", **url})
