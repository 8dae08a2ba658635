"""What was erased is told in a file too: line by line, whole, synced, and read back as it was."""

import stat
from uuid import UUID

import pytest

from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erasure_receipt import is_genuine, sign_erasure
from memory_app.engine.erasure.tombstone_file import complete_tombstone_file, read_tombstones, tombstone_path
from memory_app.models import Erasure
from tests.conftest import Api

pytestmark = pytest.mark.django_db(transaction=True)

AUTHOR = Author("command", "tests")


def _erased(api: Api, text: str) -> UUID:
    kept = api.remember("alice", text)
    api.post(f"/admin/memories/{kept['id']}/erase", {})
    return UUID(kept["id"])


def test_each_erasure_is_a_line_without_content(api: Api) -> None:
    gone = [_erased(api, "The heliotrope is blue"), _erased(api, "The colander is new")]
    lines = tombstone_path().read_text().splitlines()
    assert len(lines) == 2
    assert "heliotrope" not in lines[0]
    assert "alice" not in "".join(lines)
    assert set(read_tombstones().memories) == set(gone)
    assert stat.S_IMODE(tombstone_path().stat().st_mode) == 0o600


def test_a_line_read_back_is_a_genuine_receipt(api: Api) -> None:
    _erased(api, "The heliotrope is blue")
    stored = Erasure.objects.get()
    told = read_tombstones().erasures[stored.id]
    assert (told.subject, told.removed, is_genuine(told)) == (stored.subject, stored.removed, True)


def test_an_erased_person_lists_every_memory_id(api: Api) -> None:
    kept = ("The drawer holds spoons", "Anna plays the cello", "Soup is on Tuesdays")
    ids = {UUID(api.remember("alice", content)["id"]) for content in kept}
    api.call("DELETE", "/people/alice")
    assert set(read_tombstones().memories) == ids


def test_a_torn_line_is_skipped_and_written_again(api: Api) -> None:
    first = _erased(api, "The heliotrope is blue")
    whole = tombstone_path().read_text()
    tombstone_path().write_text(whole + whole[:40])
    second = _erased(api, "The colander is new")
    assert set(read_tombstones().memories) == {first, second}
    tombstone_path().write_text(whole[:-30])
    assert read_tombstones().memories == {}
    assert complete_tombstone_file() == 2
    assert set(read_tombstones().memories) == {first, second}


def test_only_missing_or_changed_lines_are_added(api: Api) -> None:
    _erased(api, "The heliotrope is blue")
    _erased(api, "The colander is new")
    assert complete_tombstone_file() == 0
    erasure = Erasure.objects.first()
    assert erasure
    erasure.purged = {"log": True}
    sign_erasure(erasure).save()
    assert complete_tombstone_file() == 1
    assert read_tombstones().erasures[erasure.id].purged == {"log": True}
    assert complete_tombstone_file() == 0
