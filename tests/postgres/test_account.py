"""Started as root, the server runs as a user with few rights; folders that are not Keepsake's stay as they are."""

import stat
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from memory_app.postgres.account import Account, account_for, make_reachable
from memory_app.postgres.cluster import open_cluster, server_folder
from memory_app.postgres.embedded import embedded_database
from memory_app.postgres.installation import PostgresError
from tests.postgres.conftest import connect


def test_no_process_of_the_server_runs_as_root_and_its_files_are_closed(data: Path) -> None:
    before = stat.S_IMODE(data.parent.stat().st_mode), data.parent.stat().st_uid
    with embedded_database(data) as used:
        server = psutil.Process(used.server.postmaster())
        users = {server.uids().effective}
        for process in server.children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # some live only for a moment
                users.add(process.uids().effective)
    assert 0 not in users
    home = server_folder(data)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert users == {home.stat().st_uid}
    assert stat.S_IMODE((home / "pgpass").stat().st_mode) == 0o600
    assert (stat.S_IMODE(data.parent.stat().st_mode), data.parent.stat().st_uid) == before


def test_a_data_folder_of_keepsake_alone_is_opened_to_pass_through(place: Path) -> None:
    folder, account = _closed(place)
    (folder / "secret_key").write_text("made before the database")
    assert make_reachable(account, folder) is None
    assert stat.S_IMODE(folder.stat().st_mode) == (0o711 if account.switches_user else 0o700)


def test_a_data_folder_with_other_things_in_it_is_not_opened(place: Path) -> None:
    folder, account = _closed(place)
    (folder / "letters").mkdir()
    assert make_reachable(account, folder) == (folder if account.switches_user else None)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_closed_folder_above_is_named_and_left_closed(place: Path) -> None:
    above, account = _closed(place)
    data = above / "keepsake"
    data.mkdir()
    if account.switches_user:
        with pytest.raises(PostgresError, match=rf"may not enter {above}\. Set KEEPSAKE_DATA to a folder that"):
            open_cluster(data)
    else:
        assert open_cluster(data).home == data / "postgres"
    assert stat.S_IMODE(above.stat().st_mode) == 0o700


def test_a_server_whose_folder_cannot_be_reached_is_kept_elsewhere(place: Path) -> None:
    above, account = _closed(place)
    data = above / "keepsake"
    data.mkdir()
    spare = place / "spare"
    with embedded_database(data, spare), connect(data) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        home = server_folder(data)
    assert (home.parent == spare) == account.switches_user
    assert home.owner() == account.name
    with embedded_database(data, spare), connect(data) as connection:
        assert connection.execute("SELECT * FROM kept").fetchall() == []
    assert stat.S_IMODE(above.stat().st_mode) == 0o700


def _closed(place: Path) -> tuple[Path, Account]:
    """A folder that only its owner may enter, under folders that all may enter."""
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    return closed, account_for(closed / "postgres")
