"""A server named by DATABASE_URL: checked, made ready where its role may, and never used past row-level security."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql

from config.env import ROOT, Env
from memory_app.postgres import external, running_database
from memory_app.postgres.cluster import ROLE, SUPERUSER, password_of
from memory_app.postgres.external import SET_ORDINARY_ROLE, check_server
from memory_app.postgres.installation import PostgresError
from memory_app.postgres.server import Server


@pytest.fixture
def server(shared: Server) -> Iterator[Server]:
    """The embedded server stands in for somebody's own; each test has a database `theirs` without the extension."""
    with shared.connect() as superuser:
        superuser.execute("CREATE DATABASE theirs TEMPLATE template0")
        yield shared
        superuser.execute("DROP DATABASE theirs")


def url(server: Server, role: str = SUPERUSER, password: str | None = None) -> str:
    secret = password or password_of(server.cluster, role)
    return f"postgresql://{role}:{secret}@/theirs?host={quote(server.address.host, safe='')}&port={server.address.port}"


def test_the_extension_is_installed_where_the_role_may(server: Server) -> None:
    check_server(url(server))
    with psycopg.connect(url(server)) as connection:
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    assert row == ("0.8.5",)


def test_a_role_that_may_not_install_it_is_told_the_statement(server: Server) -> None:
    with pytest.raises(PostgresError, match='in the database theirs, run once: "CREATE EXTENSION vector;"'):
        check_server(url(server, ROLE))


def test_an_old_extension_is_updated(server: Server) -> None:
    path = server.installation.folder / "share/postgresql/extension/vector--0.7.4--0.8.5.sql"
    path.write_text("-- nothing changes, for the objects are those of 0.8.5 already")
    with psycopg.connect(url(server), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
        check_server(url(server))
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    path.unlink()
    assert row == ("0.8.5",)


def test_a_server_that_offers_only_an_old_extension_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "OLDEST_VECTOR", (0, 9))
    with pytest.raises(PostgresError, match=r"has only pgvector 0\.8\.5; Keepsake needs 0\.9 or newer"):
        check_server(url(server))


def test_a_server_without_the_extension_is_told_what_to_install(server: Server) -> None:
    control = server.installation.folder / "share/postgresql/extension/vector.control"
    aside = control.rename(control.with_suffix(".aside"))
    try:
        with pytest.raises(PostgresError, match=r"has no pgvector; Keepsake needs 0\.8 or newer\. .*-18-pgvector"):
            check_server(url(server))
    finally:
        aside.rename(control)


def test_an_old_server_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "OLDEST_SERVER", 99)
    with pytest.raises(PostgresError, match="names a PostgreSQL 18; Keepsake needs 99 or newer"):
        check_server(url(server))


def test_a_superuser_acts_through_an_ordinary_role(server: Server) -> None:
    check_server(url(server))
    with psycopg.connect(url(server), autocommit=True) as connection:
        connection.execute(SET_ORDINARY_ROLE, [ROLE])
        assert connection.execute("SELECT current_user").fetchone() == (ROLE,)
        connection.execute("CREATE TABLE secrets (space text)")
        connection.execute("INSERT INTO secrets VALUES ('alice')")
        connection.execute("ALTER TABLE secrets ENABLE ROW LEVEL SECURITY")
        connection.execute("ALTER TABLE secrets FORCE ROW LEVEL SECURITY")
        assert connection.execute("SELECT * FROM secrets").fetchall() == []


def test_an_ordinary_role_stays_itself(server: Server) -> None:
    with psycopg.connect(url(server, ROLE), autocommit=True) as connection:
        connection.execute(SET_ORDINARY_ROLE, ["postgres"])
        assert connection.execute("SELECT current_user").fetchone() == (ROLE,)


def test_a_role_past_row_security_that_cannot_make_another_is_refused(server: Server) -> None:
    with psycopg.connect(url(server), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute(sql.SQL("CREATE ROLE robot LOGIN BYPASSRLS PASSWORD 'robot'"))
    try:
        with pytest.raises(PostgresError, match="has BYPASSRLS, so row-level security would not hold"):
            check_server(url(server, "robot", "robot"))
    finally:
        with psycopg.connect(url(server), autocommit=True) as connection:
            connection.execute("DROP ROLE robot")


def test_a_command_works_as_a_superuser_and_its_tables_belong_to_the_ordinary_role(server: Server, data: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": url(server), "KEEPSAKE_DATA": str(data)}
    made = subprocess.run(
        [sys.executable, "manage.py", "key", "create", "first"],
        cwd=ROOT, env=environment, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert made.stdout.startswith("ks_"), made
    with psycopg.connect(url(server)) as connection:
        owners = connection.execute("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'").fetchall()
        keys = connection.execute("SELECT count(*) FROM api_key").fetchone()
    assert owners == [(ROLE,)]
    assert keys == (1,)


def test_a_server_that_does_not_answer_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://alice:hidden@127.0.0.1:1/keepsake")
    with pytest.raises(PostgresError, match="DATABASE_URL does not answer") as failed, running_database(Env.read()):
        pass
    assert "hidden" not in str(failed.value)
