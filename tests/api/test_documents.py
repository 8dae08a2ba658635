"""Documents that assistants keep: written, edited, renamed, found, deleted and brought back, each its person's own."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.utils import timezone

from memory_app.embedding.encoder import Encoder
from memory_app.engine.erasure.purge import purge_expired
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import ApiKey, Document
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

DOCUMENTS = "/people/alice/documents"
LONG = " ".join(f"Paragraph {n} is about the garden." for n in range(60)) + " The gate opens with the code heron."


def write(api: Api, path: str, content: str, status: int = 201) -> dict[str, Any]:
    answer = api.post(DOCUMENTS, {"path": path, "content": content})
    assert answer.status_code == status, answer.content
    told: dict[str, Any] = answer.json()
    return told


def listed(api: Api, query: str = "") -> list[str]:
    return [item["path"] for item in api.get(f"{DOCUMENTS}{query}").json()["items"]]


def found(api: Api, query: str, **more: Any) -> list[dict[str, Any]]:
    asked = {"person": "alice", "query": query, "kinds": ["document"], "method": "text", **more}
    results: list[dict[str, Any]] = api.post("/search", asked).json()["results"]
    return results


def test_a_document_is_written_listed_and_read(api: Api) -> None:
    trip = write(api, "plans/trip.md", "Rome in May")
    write(api, "empty.txt", "")
    assert (trip["content"], trip["size"], trip["version"]) == (None, 11, 1)
    assert {*listed(api)} == {"plans/trip.md", "empty.txt"}
    assert listed(api, "?prefix=plans/") == ["plans/trip.md"]
    [whole] = api.get(f"{DOCUMENTS}?path=plans/trip.md").json()["items"]
    assert whole["content"] == "Rome in May"
    assert api.get(f"{DOCUMENTS}/{trip['id']}").json() == whole
    assert "already" in write(api, "empty.txt", "x", status=409)["detail"]


@pytest.mark.parametrize(
    "path", ["", "/a", "a//b", "../a", "a/./b", "a\nb", "x" * 501, " ", "a/ /b", "a/ ..", "\u3000"]
)
def test_a_path_is_plain(path: str, api: Api) -> None:
    assert write(api, path, "x", status=422)["errors"][0]["field"] == "path"


@pytest.mark.parametrize("unseen", ["\u202e", "\u007f", "\u200b", "\u2028", "\u0085"])
def test_a_path_has_nothing_unseen_and_one_that_was_stored_so_is_read(unseen: str, api: Api) -> None:
    stored = write(api, "trip.md", "Rome")["id"]
    with every_space():
        Document.objects.filter(id=stored).update(path=f"a{unseen}b")
    assert f"U+{ord(unseen):04X}" in write(api, f"a{unseen}b", "x", status=422)["detail"]
    assert api.get(f"{DOCUMENTS}/{stored}").json()["content"] == "Rome"
    [found] = api.get(f"{DOCUMENTS}?path={quote(f'a{unseen}b')}").json()["items"]
    assert found["id"] == stored
    assert api.call("PATCH", f"{DOCUMENTS}/{stored}", {"content": "Bari"}).status_code == 200


def test_a_document_is_edited_and_what_it_said_can_be_brought_back(api: Api) -> None:
    trip = write(api, "trip.md", "Rome in May")
    path = f"{DOCUMENTS}/{trip['id']}"
    assert api.call("PATCH", path, {"content": "x"}, If_Match='"2"').status_code == 412
    assert api.call("PATCH", path, {}).status_code == 422
    changed = api.call("PATCH", path, {"content": "Rome in June"}, If_Match='"1"').json()
    assert (changed["id"], changed["version"]) == (trip["id"], 2)
    moved = api.call("PATCH", path, {"path": "rome.md"}).json()
    assert (moved["path"], moved["version"]) == ("rome.md", 3)
    write(api, "trip.md", "Porto")
    assert api.call("PATCH", path, {"path": "trip.md"}).status_code == 409
    [old] = api.get(f"{DOCUMENTS}?status=deleted").json()["items"]
    assert (old["path"], old["delete_reason"]) == ("trip.md", "replaced")
    assert api.post(f"/admin/documents/{old['id']}/restore", {}).status_code == 409
    [porto] = api.get(f"{DOCUMENTS}?path=trip.md").json()["items"]
    assert api.call("DELETE", f"{DOCUMENTS}/{porto['id']}").status_code == 204
    assert api.post(f"/admin/documents/{old['id']}/restore", {}).status_code == 200
    assert api.get(f"{DOCUMENTS}?path=trip.md").json()["items"][0]["content"] == "Rome in May"


def test_of_what_it_said_before_the_latest_ten_are_kept(api: Api) -> None:
    path = f"{DOCUMENTS}/{write(api, 'a.md', '0')['id']}"
    for number in range(1, 13):
        api.call("PATCH", path, {"content": str(number)})
    old = api.get(f"{DOCUMENTS}?status=deleted&limit=50").json()["items"]
    assert sorted(item["version"] for item in old) == list(range(3, 13))


def test_documents_are_found_as_a_kind_of_their_own(api: Api, encoder: Encoder) -> None:
    trip = write(api, "trip.md", "Rome in May")
    write(api, "garden.md", LONG)
    assert [result["document"]["id"] for result in found(api, "Rome")] == [trip["id"]]
    assert found(api, "Rome", kinds=["memory", "note", "turn"]) == []
    assert found(api, "Rome", venue={"space": "family"}) == []
    assert found(api, "Rome", method="vector") == []
    assert embed_rows(encoder=encoder, report=lambda done, total: None) == 2
    [first, *_] = found(api, "the code heron", method="hybrid")
    assert (first["kind"], first["document"]["path"]) == ("document", "garden.md")
    assert "heron" in first["passage"]
    assert first["document"]["content"] is None
    api.call("PATCH", f"{DOCUMENTS}/{trip['id']}", {"content": "Porto in May"})
    assert found(api, "Rome") == []
    assert [result["document"]["content"] for result in found(api, "Porto")] == ["Porto in May"]
    api.call("DELETE", f"{DOCUMENTS}/{trip['id']}")
    assert found(api, "Porto") == []


def test_clear_clears_documents_and_the_night_drops_them_later(api: Api) -> None:
    write(api, "trip.md", "Rome in May")
    asked = api.post("/commands", {"person": "alice", "text": "/memory clear"}).json()
    assert "1 document" in asked["message"]
    api.post("/commands", {"person": "alice", "text": "yes", "token": asked["data"]["token"]})
    assert listed(api) == []
    assert purge_expired(timezone.now() + timedelta(days=89)).rows["documents"] == 0
    assert purge_expired(timezone.now() + timedelta(days=91)).rows["documents"] == 1


def test_nobody_reads_or_changes_the_document_of_another(api: Api) -> None:
    trip = write(api, "trip.md", "Rome in May")
    api.remember("bob", "Bob is here")
    for path in (f"/people/bob/documents/{trip['id']}",):
        answers = [api.call(method, path, {"content": "x"}).status_code for method in ("GET", "PATCH", "DELETE")]
        assert answers == [404] * 3
    bob = Api(ApiKey.issue("bob", scopes=["read", "write"], people=["bob"])[1])
    assert bob.get(f"{DOCUMENTS}/{trip['id']}").status_code == 403
    assert bob.get(f"{DOCUMENTS}?status=deleted").status_code == 403
    with every_space():
        assert Document.objects.undeleted().count() == 1


def test_everything_of_them_goes_with_the_person(api: Api) -> None:
    trip = write(api, "trip.md", "Rome in May, says the heron of the lake")
    api.call("PATCH", f"{DOCUMENTS}/{trip['id']}", {"content": "Rome in June, says the heron"})
    put = {"op": "put", "namespace": ["a"], "key": "k", "value": {"text": "the heron of the lake sings"}}
    api.post("/items/batch", {"person": "alice", "operations": [put]}, Idempotency_Key="put")
    receipt = api.call("DELETE", "/people/alice").json()
    assert (receipt["removed"]["document"], receipt["removed"]["item"]) == (2, 1)
    with every_space():
        assert not Document.objects.exists()
