"""What is erased leaves the segments in the same transaction: no unit of it is left, and no hash of its words."""

import pytest
from django.db import connection

from memory_app.models import Segment
from memory_app.models.row_security import every_space
from memory_app.rules.units import WORD
from tests.conftest import Api
from tests.engine.packed import pack_all, sizes, units_in_segments, units_of_rows, units_searched

pytestmark = pytest.mark.django_db

SECRET = "The zebrafinch whispered mulberry passwords"


def _hashes(text: str) -> set[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT substring(int8send(hashtextextended(lexeme, 0)) FROM 5) FROM unnest(to_tsvector('english', %s))",
            [text],
        )
        return {bytes(value) for (value,) in cursor.fetchall()}


def _hashes_packed() -> set[bytes]:
    with every_space():
        words = b"".join(bytes(row.words) for row in Segment.objects.all())
    return {words[at : at + WORD.itemsize] for at in range(0, len(words), WORD.itemsize)}


def _erase(api: Api, memory: str) -> dict:  # type: ignore[type-arg]
    answer = api.post(f"/admin/memories/{memory}/erase", {})
    assert answer.status_code == 200, answer.content
    told: dict = answer.json()  # type: ignore[type-arg]
    return told


def test_no_hash_of_an_erased_word_is_left(api: Api) -> None:
    memory = api.remember("alice", SECRET)
    api.remember("alice", "The saw is blunt")
    pack_all()
    secret = _hashes(SECRET) - _hashes("The saw is blunt")
    assert len(secret) >= 4
    assert secret <= _hashes_packed()
    told = _erase(api, memory["id"])
    assert not secret & _hashes_packed()
    assert (told["blanked"]["segment"], told["check"]["left"]) == (1, {})
    assert units_in_segments() == units_of_rows()
    assert sizes() == [1]


def test_nor_of_what_it_said_before_it_was_changed(api: Api) -> None:
    memory = api.remember("alice", SECRET)
    pack_all()
    api.call("PATCH", f"/memories/{memory['id']}", {"content": "The saw is blunt"}, If_Match='"1"')
    assert _hashes(SECRET) <= _hashes_packed()
    _erase(api, memory["id"])
    assert _hashes_packed() == set()


def test_nor_in_the_context_of_others(api: Api) -> None:
    memory = api.remember("alice", SECRET)
    api.remember("alice", "So I changed them all", context=SECRET)
    pack_all()
    _erase(api, memory["id"])
    assert not (_hashes(SECRET) & _hashes_packed())
    assert units_searched() == units_of_rows()
    pack_all()
    assert units_in_segments() == units_of_rows()


def test_segments_of_an_erased_person_go_with_them(api: Api) -> None:
    api.remember("alice", SECRET)
    api.remember("alice", "The saw is blunt", visibility="everyone")
    api.remember("bob", "The drill is lent", visibility="everyone")
    pack_all()
    assert len(sizes()) == 3
    answer = api.call("DELETE", "/people/alice")
    assert answer.status_code == 200, answer.content
    assert units_in_segments() == units_of_rows()
    assert sizes() == [1]


def test_nor_is_what_someone_else_had_until_just_now_left_in_theirs(api: Api) -> None:
    """People are merged and parted in a space they share, and one is erased before anything is packed anew."""
    venue = {"space": "kitchen"}
    api.remember("bob", SECRET, venue=venue)
    api.remember("alice", "The saw is blunt", venue=venue)
    pack_all()
    assert api.post("/people/bob/merge", {"into": "alice"}).status_code == 200
    pack_all()
    assert api.post("/people/bob/merge/undo", {"into": "alice"}).status_code == 200
    assert api.call("DELETE", "/people/bob").status_code == 200
    assert not _hashes(SECRET) & _hashes_packed()
    assert units_searched() == units_of_rows() == units_in_segments()


def test_nor_what_was_theirs_before_the_merge(api: Api) -> None:
    venue = {"space": "kitchen"}
    api.remember("bob", SECRET, venue=venue)
    api.remember("alice", "The saw is blunt", venue=venue)
    pack_all()
    assert api.post("/people/bob/merge", {"into": "alice"}).status_code == 200
    assert api.call("DELETE", "/people/alice").status_code == 200
    assert not _hashes(SECRET) & _hashes_packed()
    assert units_searched() == units_of_rows() == units_in_segments()


def test_what_is_again_as_it_was_packed_is_found_though_an_erasure_came_between(api: Api) -> None:
    memory, other = api.remember("alice", SECRET), api.remember("alice", "The saw is blunt")
    pack_all()
    assert api.call("DELETE", f"/memories/{other['id']}").status_code in (200, 204)
    _erase(api, memory["id"])
    assert api.post(f"/admin/memories/{other['id']}/restore", {}).status_code == 200
    assert sum(units_searched().values()) == 1
    assert units_searched() == units_of_rows()
    pack_all()
    assert units_in_segments() == units_of_rows()


def test_so_are_people_who_are_merged_and_parted(api: Api) -> None:
    api.remember("bob", SECRET, venue={"space": "kitchen"})
    api.remember("alice", "The saw is blunt", venue={"space": "kitchen"})
    pack_all()
    assert api.post("/people/bob/merge", {"into": "alice"}).status_code == 200
    assert units_searched() == units_of_rows()
    assert api.post("/people/bob/merge/undo", {"into": "alice"}).status_code == 200
    assert units_searched() == units_of_rows()
    pack_all()
    assert units_in_segments() == units_of_rows()
