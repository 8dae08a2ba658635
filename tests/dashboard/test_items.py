"""Items on their page: read, searched and deleted, one's own alone, with what is sensitive masked."""

import pytest
from django.test import Client

from memory_app.models import Item
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def items(api: Api) -> None:
    for person, value in (("alice", {"text": "a <b>blue</b> tile"}), ("bob", {"text": "the saw"})):
        put = {"op": "put", "namespace": ["memories", person], "key": f"of {person}", "value": value}
        assert api.post("/items/batch", {"person": person, "operations": [put]}).status_code == 200
    card = {"op": "put", "namespace": ["cards"], "key": "card", "value": {"n": "4111 1111 1111 1111"}}
    api.post("/items/batch", {"person": "alice", "operations": [card]})


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


@pytest.mark.usefixtures("items")
def test_items_are_read_searched_and_deleted(alice: Client, root: Client) -> None:
    html = page(alice, "/items/")
    assert '<pre class="stored-text">{\n  &quot;text&quot;: &quot;a &lt;b&gt;blue&lt;/b&gt; tile&quot;\n}</pre>' in html
    assert "memories / alice / of alice" in html
    assert ("saw" in html, "4111" in html) == (False, False)
    assert "saw" in page(root, "/items/")
    assert "tile" not in page(alice, "/items/?q=cards")
    [found] = alice.get("/items/?q=tile&format=json").json()["items"]
    assert (found["key"], found["version"]) == ("of alice", 1)
    with every_space():
        [bobs] = Item.objects.filter(key="of bob")
    assert alice.post(f"/items/{bobs.id}/delete/").status_code == 404
    assert alice.post(f"/items/{found['id']}/delete/", {"next": "/items/"}).status_code == 302
    assert alice.post(f"/items/{found['id']}/delete/").status_code == 404
    with every_space():
        assert {*Item.objects.values_list("key", flat=True)} == {"of bob", "card"}
