"""`/import/`: whole files and files in parts, what would come in, yes and no, progress, undo; and whose."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django_q.models import OrmQ

from memory_app.jobs.import_history import import_waiting
from memory_app.models import HistoryImport, ImportPart
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_memory
from tests.engine.imports.bringing import ignore, kept, said
from tests.imports.samples import SPRING, chatgpt_conversation, chatgpt_message, garden_talk, zip_bytes

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


def _export(*talks: object) -> bytes:
    return zip_bytes({"conversations.json": json.dumps(talks or [garden_talk()])})


def _upload(client: Client, content: bytes, name: str = "export.zip", **fields: str) -> Any:
    return client.post("/import/", {"file": SimpleUploadedFile(name, content), **fields})


def _row() -> HistoryImport:
    with every_space():
        return HistoryImport.objects.select_related("person").get()


def test_a_file_is_looked_through_shown_and_brought_in_after_a_yes(alice: Client) -> None:
    answer = _upload(alice, _export(garden_talk(), {"id": "torn"}))
    address = answer.headers["Location"]
    assert OrmQ.objects.count() == 1
    assert "Being looked through" in alice.get(address).text
    import_waiting(ignore)
    page = alice.get(address).text
    assert "What would come in" in page
    assert "<strong>4</strong> messages" in page
    assert "conversations.json, entry 2 (torn)" in page
    assert said() == []
    alice.post(f"{address}confirm/")
    assert 'hx-trigger="every 1s"' in alice.get(address, headers={"HX-Request": "true", "HX-Target": "state"}).text
    import_waiting(ignore)
    page = alice.get(address).text
    assert "hx-trigger" not in page
    assert "1 imported conversation" in page
    assert len(said()) == 4
    alice.post(f"{address}undo/")
    assert (said(), kept()) == ([], [])
    assert "was taken back" in alice.get(address).text


def test_a_large_file_comes_in_parts_in_whatever_order(alice: Client) -> None:
    content = _export()
    begun = alice.post("/import/begin/", {"name": "big.zip", "size": len(content)}, headers=JSON)
    assert begun.status_code == 201
    told = begun.json()
    middle = len(content) // 2
    kind = "application/octet-stream"
    for number, part in ((1, content[middle:]), (0, content[:middle]), (0, content[:middle])):
        assert alice.post(f"{told['parts']}?number={number}", part, kind).status_code == 204
    assert alice.post(told["check"], headers=JSON).status_code == 302
    import_waiting(ignore)
    assert _row().expected["counts"]["turns"] == 4


def test_parts_that_are_missing_too_large_or_too_many_are_refused(alice: Client) -> None:
    def begin(size: object) -> Any:
        return alice.post("/import/begin/", {"name": "a.zip", "size": size}, headers=JSON)

    assert begin(600 * 1024 * 1024).status_code == 413
    assert "manage.py memory import" in begin(600 * 1024 * 1024).json()["detail"]
    assert (begin(0).status_code, begin("x").status_code) == (422, 422)
    assert (begin("9" * 5_000).status_code, begin("٣").status_code) == (422, 422)
    told = begin(10).json()
    kind = "application/octet-stream"
    for number in ("9" * 5_000, "٣"):
        assert alice.post(f"{told['parts']}?number={number}", b"x", kind, headers=JSON).status_code == 422
    assert alice.post(told["check"], headers=JSON).status_code == 409
    assert alice.post(f"{told['parts']}?number=-1", b"x", kind, headers=JSON).status_code == 422
    assert alice.post(f"{told['parts']}?number=999", b"x", kind, headers=JSON).status_code == 422
    large = b"x" * (9 * 1024 * 1024)
    assert alice.post(f"{told['parts']}?number=0", large, kind, headers=JSON).status_code == 413


def test_who_changes_their_mind_leaves_nothing_behind(alice: Client) -> None:
    address = _upload(alice, _export()).headers["Location"]
    import_waiting(ignore)
    alice.post(f"{address}cancel/")
    with every_space():
        assert (HistoryImport.objects.count(), ImportPart.objects.count()) == (0, 0)
    assert said() == []


def test_a_new_file_makes_way_for_one_that_was_not_gone_on_with(alice: Client) -> None:
    _upload(alice, _export(), "first.zip")
    _upload(alice, _export(), "second.zip")
    assert _row().file_name == "second.zip"


def test_nobody_reaches_the_import_of_another(alice: Client, bob: Client) -> None:
    address = _upload(alice, _export()).headers["Location"]
    assert bob.get(address).status_code == 404
    for act in ("parts", "check", "confirm", "cancel", "undo"):
        assert bob.post(f"{address}{act}/").status_code == 404
    assert "export.zip" not in bob.get("/import/").text
    assert bob.get("/import/", headers=JSON).json() == {"items": []}


def test_a_super_user_imports_for_anyone_who_is_known(root: Client) -> None:
    create_memory("maya", "Maya sails")
    _upload(root, _export(), person="maya")
    assert _row().person.name == "maya"
    answer = _upload(root, _export(), person="nobody")
    assert "Nothing is known of a person" in root.get(answer.headers["Location"]).text


def test_another_person_s_name_in_the_form_is_not_taken(alice: Client) -> None:
    create_memory("maya", "Maya sails")
    _upload(alice, _export(), person="maya")
    assert _row().person.name == "alice"


def test_without_a_file_the_page_says_what_to_do(alice: Client) -> None:
    assert "Choose a file first" in alice.post("/import/", {}, follow=True).text
    page = alice.get("/import/").text
    assert "Obsidian" in page
    assert "/export/markdown/" in page


def test_memory_goes_out_as_a_zip_of_markdown(alice: Client) -> None:
    memory = create_memory("alice", "Alice sails on Sundays")
    answer = alice.get(f"/people/{memory.person_id}/export/markdown/")
    assert answer["Content-Type"] == "application/zip"
    assert answer.getvalue().startswith(b"PK")


def test_an_import_of_the_command_shows_how_far_it_is_and_offers_nothing(alice: Client) -> None:
    address = _upload(alice, _export()).headers["Location"]
    with every_space():
        HistoryImport.objects.update(state="running", done=50, total=200, error="It was stopped")
    page = alice.get(address).text
    assert "Coming in, by the command" in page
    assert "50 of 200 entries" in page
    assert [word for word in ("undo-import", "cancel-import", "It was stopped", "What would") if word in page] == []


def test_before_and_after_an_undo_it_is_said_which_messages_stay(alice: Client) -> None:
    first = chatgpt_message("one", "user", "I planted figs.", SPRING)
    later = chatgpt_message("two", "user", "And plums.", SPRING + 60)
    pages = []
    for talk in (chatgpt_conversation("talk", first), chatgpt_conversation("talk", first, later)):
        address = _upload(alice, _export(talk)).headers["Location"]
        import_waiting(ignore)
        alice.post(f"{address}confirm/")
        import_waiting(ignore)
        pages.append(" ".join(alice.get(address).text.split()))
    assert "Undo leaves" not in pages[0]
    assert "Undo leaves 1 message where it was added" in pages[1]
    assert "1 message that came into conversations of before stay" in alice.post(f"{address}undo/", follow=True).text
    assert len(said()) == 2
