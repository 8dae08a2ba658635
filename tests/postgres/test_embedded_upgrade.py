"""From PostgreSQL 16 to 18, both of which the wheel carries: everything comes along, and the old data stays."""

from pathlib import Path

import pytest

from memory_app.postgres import embedded as upgrading
from memory_app.postgres import installation as engines
from memory_app.postgres.cluster import init_data, make_passwords, open_cluster, server_folder
from memory_app.postgres.embedded import embedded_database, prepare_database
from memory_app.postgres.installation import PostgresError, copy_installation, packaged_installations
from memory_app.postgres.server import Server
from tests.postgres.conftest import connect


@pytest.fixture
def old(place: Path) -> Server:
    """A stopped server of the older version with one row in it, whose log has still to be replayed."""
    cluster = open_cluster(place)
    server = Server(cluster, copy_installation(packaged_installations()[16], cluster.home))
    make_passwords(cluster)
    init_data(cluster, server.installation, server.data)
    server.start()
    prepare_database(server)
    with connect(place) as connection:
        connection.execute("CREATE TABLE kept (word text, meaning vector(2))")
        connection.execute("INSERT INTO kept VALUES ('blue tile', '[1,2]')")
    server._control("stop", "-m", "immediate")
    return server


def test_the_data_of_an_older_server_comes_along(old: Server, place: Path) -> None:
    with embedded_database(place) as used, connect(place) as connection:
        assert connection.info.server_version // 10000 == 18
        assert connection.execute("SELECT word, meaning::text FROM kept").fetchall() == [("blue tile", "[1,2]")]
        assert connection.execute("SHOW data_checksums").fetchone() == ("on",)
        assert used.server.data.name == "data-18"
    assert (old.data / "PG_VERSION").read_text() == "16\n"
    assert [path.name for path in server_folder(place).glob("upgrade*")] == []


def test_what_stands_in_the_way_is_said_and_the_old_data_left(
    old: Server, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrading, "SPARE_BYTES", 2**60)
    with pytest.raises(PostgresError, match=r"copies \d+ MiB, and \d+ MiB are free under .*: free \d+ MiB more"):
        _start(place)
    monkeypatch.undo()
    only_newest = {18: packaged_installations()[18]}
    monkeypatch.setattr(upgrading, "packaged_installations", lambda: only_newest)
    for folder in server_folder(place).glob("engine-16-*"):
        folder.rename(folder.with_name("gone"))
    with pytest.raises(PostgresError, match="made by PostgreSQL 16, whose programs are neither beside it"):
        _start(place)
    assert (old.data / "PG_VERSION").read_text() == "16\n"


def test_an_engine_kept_beside_the_data_works_when_the_wheel_has_left_it_out(
    old: Server, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_newest = {18: packaged_installations()[18]}
    monkeypatch.setattr(upgrading, "packaged_installations", lambda: only_newest)
    with embedded_database(place), connect(place) as connection:
        assert connection.execute("SELECT word FROM kept").fetchall() == [("blue tile",)]


def test_an_engine_that_an_update_of_the_wheel_replaced_is_dropped(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = open_cluster(place).home
    monkeypatch.setattr(engines, "version", lambda _: "0.5.9")
    copy_installation(packaged_installations()[18], home)
    monkeypatch.undo()
    engines.remove_replaced(home, copy_installation(packaged_installations()[18], home))
    assert [path.name for path in home.glob("engine-*")] == ["engine-18-0.6.0"]


def _start(place: Path) -> None:
    with embedded_database(place):
        pass
