"""Typed filters narrow the list and the page of questions by their URL; a bad one says what to write."""

from html import unescape

import pytest
from django.test import Client

from tests.dashboard.factories import create_memory


@pytest.fixture
def memories() -> None:
    create_memory(
        "alice", "Paint the hall with Anna", tags=["home", "paint"], attributes={"project": "hall", "cost": 30}
    )
    create_memory("alice", "Paint for the shed", tags=["paint"], attributes={"project": "shed", "cost": 10})


def contents(client: Client, page: str, **url: str | list[str]) -> list[str]:
    found = client.get(page, {**url, "format": "json"}).json()
    return [item.get("memory", item)["content"] for item in found.get("items", found.get("results"))]


@pytest.mark.parametrize(("page", "asked"), [("/memories/", {}), ("/search/", {"q": "paint"})])
@pytest.mark.parametrize(
    ("url", "found"),
    [
        ({"entity": "anna"}, ["Paint the hall with Anna"]),
        ({"attributes": '{"cost": {"lt": 20}}'}, ["Paint for the shed"]),
        ({"tag": ["home", "paint"], "tags": "all"}, ["Paint the hall with Anna"]),
        ({"attributes": '{"project": "attic"}'}, []),
    ],
)
def test_typed_filters_narrow_the_search(
    alice: Client, memories: None, page: str, asked: dict[str, str], url: dict[str, str], found: list[str]
) -> None:
    if page == "/search/" and "tag" in url:
        url = {**url, "tag": ", ".join(url["tag"])}
    assert contents(alice, page, **asked, **url) == found


def test_unknown_filters_are_ignored_with_a_hint(alice: Client, memories: None) -> None:
    html = alice.get("/memories/", {"attributes": "{project"}).content.decode()
    assert "Passed over: attributes: this is no JSON; write {&quot;project&quot;: &quot;x&quot;}" in html
    assert "Paint for the shed" in html


def test_the_copyable_request_includes_the_filters(alice: Client, memories: None) -> None:
    url = {"q": "paint", "attributes": '{"cost": 10}', "tag": "paint, home", "tags": "all", "entity": "Anna"}
    html = unescape(alice.get("/search/", url).content.decode())
    assert '"tags": {"all": ["paint", "home"]}, "attributes": {"cost": 10}, "entities": ["Anna"]' in html
