"""A drill: what was backed up comes back, all of it, but for what was erased since."""

import os
import stat
import subprocess
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from memory_app.engine.api_keys import revoke_key, rotate_key
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erasure_receipt import is_genuine
from memory_app.engine.erasure.replay_erasures import replay_erasures
from memory_app.engine.logins import demote_login, disable_login
from memory_app.models import ApiKey, Erasure, Memory, Operation, Tombstone, User
from memory_app.models.row_security import every_space
from memory_app.postgres.dump import _environment, _newest_installation
from tests.conftest import Api

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long way to Tipperary"

START = Author("command", "start")


def _texts() -> set[str]:
    with every_space():
        return set(Memory.objects.values_list("content", flat=True))


def _back_up(file: Path) -> None:
    call_command("backup", str(file), stderr=StringIO())


def _restore(file: Path) -> None:
    call_command("restore", str(file), "--yes", stderr=StringIO())


@pytest.fixture(autouse=True)
def _nobody_else(db: None) -> None:
    """Threads of tests before, such as those of a web server, may have left connections behind."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "keepsake.backup"


def _kept(api: Api) -> dict[str, Any]:
    kept = {text: api.remember("alice", text) for text in ("The tile is blue", "The tap is brass")}
    api.remember("bob", "The saw is blunt", venue={"space": "garage"})
    return kept


def test_a_backup_brings_back_what_was_lost_and_drops_what_came_since(api: Api, file: Path) -> None:
    kept = _kept(api)
    _back_up(file)
    api.call("PATCH", f"/memories/{kept['The tile is blue']['id']}", {"content": "The tile is red"})
    api.remember("charlie", "The bike is new")
    _restore(file)
    assert _texts() == {"The tile is blue", "The tap is brass", "The saw is blunt"}
    found = api.post("/search", {"person": "alice", "query": "blue tile"}).json()
    assert found["results"][0]["memory"]["content"] == "The tile is blue"
    with every_space():
        assert Operation.objects.filter(name="remember").count() == 3
    assert api.remember("alice", "The lamp is broken")["version"] == 1


def test_row_security_holds_after_a_restore(api: Api, file: Path) -> None:
    _kept(api)
    _back_up(file)
    _restore(file)
    assert Memory.objects.count() == 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relrowsecurity AND relforcerowsecurity")
        assert cursor.fetchone()[0] > 15


def test_what_was_erased_since_is_erased_again(api: Api, file: Path) -> None:
    kept = _kept(api)
    _back_up(file)
    told = api.post(f"/admin/memories/{kept['The tile is blue']['id']}/erase", {}).json()
    api.call("DELETE", "/people/bob")
    _restore(file)
    assert _texts() == {"The tap is brass"}
    first = Erasure.objects.get(id=told["id"])
    assert (str(first.subject), is_genuine(first)) == (told["subject"], True)
    again = Erasure.objects.filter(by="command:restore")
    assert sorted(again.values_list("kind", flat=True)) == ["memory", "person"]
    assert all(erasure.purged_at for erasure in again)


def test_it_is_erased_again_though_the_database_that_knew_is_lost(api: Api, file: Path) -> None:
    kept = _kept(api)
    _back_up(file)
    told = api.post(f"/admin/memories/{kept['The tile is blue']['id']}/erase", {}).json()
    api.call("DELETE", "/people/bob")
    Erasure.objects.all().delete()
    Tombstone.objects.all().delete()
    _restore(file)
    assert _texts() == {"The tap is brass"}
    assert is_genuine(Erasure.objects.get(id=told["id"]))
    assert Tombstone.objects.count() == 2
    assert Erasure.objects.filter(by="command:restore").count() == 2


def test_a_start_with_an_older_database_erases_again_and_the_next_start_finds_nothing(api: Api) -> None:
    kept = _kept(api)
    api.post(f"/admin/memories/{kept['The tile is blue']['id']}/erase", {})
    api.call("DELETE", "/people/bob")
    Erasure.objects.all().delete()
    Tombstone.objects.all().delete()
    again = api.remember("alice", "The tile is green")
    with every_space():
        Memory.objects.filter(id=again["id"]).update(id=kept["The tile is blue"]["id"])
    assert replay_erasures(author=START, now=timezone.now()) == 1
    assert _texts() == {"The tap is brass"}
    assert replay_erasures(author=START, now=timezone.now()) == 0
    assert Erasure.objects.count() == 3


def test_a_key_that_was_taken_away_since_opens_nothing(api: Api, file: Path) -> None:
    (revoked, token), (rotated, old), (kept, fine) = (ApiKey.issue(name, scopes=["read"]) for name in "abc")
    _back_up(file)
    now = timezone.now()
    revoke_key(key=revoked.id, author=START, now=now)
    rotate_key(key=rotated.id, overlap=timedelta(0), author=START, now=now)
    ApiKey.objects.all().delete()  # the database that knew of it is lost
    _restore(file)
    after = timezone.now()
    assert ApiKey.objects.get(id=revoked.id).revoked_at is not None
    assert [bool(ApiKey.objects.by_token(one, after)) for one in (token, old, fine)] == [False, False, True]
    assert ApiKey.objects.get(id=kept.id).expires_at is None


def test_what_was_taken_from_logins_since_stays_taken(api: Api, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("root", "alice", "bob", "charlie"):
        User.objects.create_user(name, password=PASSWORD, is_superuser=name in ("root", "bob"))
    browser = Client()
    assert browser.login(username="alice", password=PASSWORD)
    _back_up(file)
    logins = {user.username: user.pk for user in User.objects.all()}
    disable_login(login=logins["charlie"], author=START, now=timezone.now())
    demote_login(login=logins["bob"], author=START, now=timezone.now())
    _set_password("alice", "a newer horse battery", monkeypatch)
    User.objects.all().delete()  # the database that knew of it is lost
    told = StringIO()
    call_command("restore", str(file), "--yes", stderr=told)
    assert "The password of “alice” was changed since." in told.getvalue()
    assert {user.username: (user.is_active, user.is_superuser) for user in User.objects.all()} == {
        "root": (True, True), "alice": (True, False), "bob": (True, False), "charlie": (False, False),
    }  # fmt: skip
    assert {name for name in logins if authenticate(username=name, password=PASSWORD)} == {"root", "bob"}
    assert not Session.objects.exists()
    _set_password("alice", "the newest horse battery", monkeypatch)
    assert authenticate(username="alice", password="the newest horse battery")


def _set_password(name: str, password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"{password}\n"))
    call_command("user", "password", name, "--password-stdin", stderr=StringIO())


def test_what_was_erased_before_the_backup_is_not_in_it(api: Api, file: Path) -> None:
    kept = _kept(api)
    api.post(f"/admin/memories/{kept['The tile is blue']['id']}/erase", {})
    _back_up(file)
    _restore(file)
    assert _texts() == {"The tap is brass", "The saw is blunt"}
    assert Erasure.objects.count() == 1


def test_a_backup_is_for_its_owners_eyes(api: Api, file: Path) -> None:
    _back_up(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["keepsake.backup"]


def test_a_file_that_is_no_backup_changes_nothing(api: Api, file: Path) -> None:
    _kept(api)
    file.write_text("no backup")
    with pytest.raises(CommandError, match="Nothing was changed"):
        _restore(file)
    assert len(_texts()) == 3
    with pytest.raises(CommandError, match="There is no file"):
        _restore(file.with_name("missing"))
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("backup", str(file.parent / "nowhere" / "file"))


def test_a_backup_of_something_else_changes_nothing(api: Api, file: Path) -> None:
    _kept(api)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE invoice (id int)")
    try:
        _dump_only("invoice", file)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE invoice")
    with pytest.raises(CommandError, match=r"Nothing was changed\. This is no backup of a Keepsake"):
        _restore(file)
    assert len(_texts()) == 3


def test_a_backup_by_a_later_version_changes_nothing(api: Api, file: Path) -> None:
    _kept(api)
    recorder = MigrationRecorder(connection)
    recorder.record_applied("memory_app", "9999_what_nobody_thought_of")
    try:
        _back_up(file)
    finally:
        recorder.record_unapplied("memory_app", "9999_what_nobody_thought_of")
    with pytest.raises(CommandError, match="does not know 9999_what_nobody_thought_of"):
        _restore(file)
    assert len(_texts()) == 3


def test_a_backup_of_tables_that_are_too_old_changes_nothing(api: Api, file: Path) -> None:
    _kept(api)
    recorder = MigrationRecorder(connection)
    with_it = "0066_filters_of_a_search"
    recorder.record_unapplied("memory_app", with_it)
    try:
        _back_up(file)
    finally:
        recorder.record_applied("memory_app", with_it)
    with pytest.raises(CommandError, match=rf"Nothing was changed\. The tables are of a version before .* {with_it}"):
        _restore(file)
    assert len(_texts()) == 3


def test_a_backup_takes_the_place_of_files_only(api: Api, file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(CommandError, match="no ordinary file"):
        _back_up(file)
    assert stat.S_ISFIFO(file.stat().st_mode)


def _dump_only(table: str, file: Path) -> None:
    """A file by the same program, of one table."""
    told = _environment(connection.settings_dict)
    subprocess.run(
        [_newest_installation().program("pg_dump"), "--format=custom", f"--table={table}", f"--file={file}"],
        env=told,
        check=True,
    )


def test_a_restore_waits_until_nobody_uses_the_database_and_someone_agreed(api: Api, file: Path) -> None:
    _kept(api)
    _back_up(file)
    with pytest.raises(CommandError, match="--yes"):
        call_command("restore", str(file))
    other = connections["default"].copy()
    other.connect()
    try:
        with pytest.raises(CommandError, match="Stop Keepsake first"):
            _restore(file)
    finally:
        other.close()
    assert len(_texts()) == 3
