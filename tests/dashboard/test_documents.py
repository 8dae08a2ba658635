"""Documents on their page: read, searched, deleted and brought back, with what is sensitive masked."""

import pytest
from django.test import Client

from tests.conftest import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(api: Api) -> str:
    """Of Alice; Bob has one too, and one of hers is sensitive."""
    api.post("/people/bob/documents", {"path": "saw.md", "content": "The saw is blunt"})
    api.post("/people/alice/documents", {"path": "card.md", "content": "My card is 4111 1111 1111 1111"})
    written = api.post("/people/alice/documents", {"path": "plans/trip.md", "content": "<b>Rome</b> in May"})
    return str(written.json()["id"])


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_documents_are_read_searched_deleted_and_brought_back(
    alice: Client, root: Client, api: Api, document: str
) -> None:
    html = page(alice, "/documents/")
    assert "&lt;b&gt;Rome&lt;/b&gt; in May" in html
    assert "plans/trip.md" in html
    assert "nobody\n    confirmed" in html
    assert ("4111" in html, "saw" in html) == (False, False)
    assert "saw" in page(root, "/documents/")
    assert "Rome" not in page(alice, "/documents/?q=porto")
    [found] = alice.get("/documents/?q=rome&format=json").json()["items"]
    assert (found["id"], found["version"]) == (document, 1)
    assert "plans/trip.md" in page(alice, "/search/?q=Rome&kind=document")
    alice.post(f"/documents/{document}/delete/", {"next": "/documents/"})
    assert alice.post(f"/documents/{document}/delete/").status_code == 404
    assert "plans/trip.md" in page(alice, "/documents/?tier=deleted")
    api.post("/people/alice/documents", {"path": "plans/trip.md", "content": "Porto"})
    alice.post(f"/documents/{document}/restore/")
    assert "already" in page(alice, "/documents/?tier=deleted")
    [porto] = alice.get("/documents/?q=porto&format=json").json()["items"]
    alice.post(f"/documents/{porto['id']}/delete/")
    alice.post(f"/documents/{document}/restore/")
    assert [item["id"] for item in alice.get("/documents/?q=rome&format=json").json()["items"]] == [document]
