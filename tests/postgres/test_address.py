"""Where the server listens: a closed folder whose path is short enough for a socket, or loopback."""

import os
import stat
from pathlib import Path

import pytest

from memory_app.postgres import address
from memory_app.postgres.account import Account, account_for
from memory_app.postgres.address import Address, address_of, choose_address
from memory_app.postgres.embedded import embedded_database
from memory_app.postgres.installation import PostgresError
from tests.postgres.conftest import connect


def test_the_socket_lies_beside_the_data() -> None:
    assert address_of(Path("/srv/keepsake/postgres")) == Address("/srv/keepsake/postgres/socket", 5432)


def test_a_server_under_a_long_path_listens_under_a_short_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(data / "none"))
    long = data / ("a folder, with a 'name' " * 4).strip() / ("d" * 60)
    long.parent.mkdir(mode=0o711)
    (data / "postgres").rename(long.parent / "postgres")
    long.mkdir(mode=0o711)
    (long.parent / "postgres").rename(long / "postgres")
    with embedded_database(long) as used, connect(long) as connection:
        folder = used.server.address.folder
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert folder is not None
    assert folder.parent == Path("/tmp")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.rmdir()


def test_a_short_folder_that_somebody_else_made_is_refused(tmp_path: Path) -> None:
    trap = tmp_path / "socket"
    trap.mkdir(mode=0o755)
    with pytest.raises(PostgresError, match=r"is not a folder that the user .* alone may enter: remove it"):
        choose_address(tmp_path, account_for(tmp_path / "postgres"))


def test_where_there_are_no_sockets_the_server_listens_on_loopback_with_the_password(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "_supports_sockets", lambda _: False)
    with embedded_database(data) as used:
        assert used.server.address.host == "127.0.0.1"
        with used.server.connect() as superuser:
            assert superuser.execute("SHOW unix_socket_directories").fetchone() == ("",)
        with pytest.raises(Exception, match="password authentication failed"), connect(data, password="guess"):
            pass


def test_the_folder_of_the_socket_is_closed_to_others(data: Path) -> None:
    with embedded_database(data) as used:
        folder = used.server.address.folder
        assert folder is not None
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / ".s.PGSQL.5432").stat().st_mode) == 0o700


def test_root_lends_a_user_who_owns_the_folder_or_has_few_rights(tmp_path: Path) -> None:
    account = account_for(tmp_path / "postgres")
    if os.geteuid() == 0:
        assert (account.name, account.switches_user) == ("nobody", True)
    else:
        assert account == Account(account.name, os.geteuid(), os.getegid(), switches_user=False)
