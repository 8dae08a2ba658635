"""The application's role is an ordinary one: row-level security binds it, and it can still make a test database."""

from collections.abc import Iterator

import psycopg
import pytest

from memory_app.postgres.embedded import prepare_database
from memory_app.postgres.server import Server


@pytest.fixture
def owner(shared: Server) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with shared.connect("keepsake", "keepsake") as connection:
        yield connection


def test_the_role_has_no_rights_beyond_its_own_databases(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    row = owner.execute(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolreplication, rolcreatedb FROM pg_roles "
        "WHERE rolname = current_user"
    ).fetchone()
    assert row == (False, False, False, False, True)
    assert owner.execute("SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'keepsake'").fetchone() == (
        "keepsake",
    )


def test_forced_row_security_binds_the_owner_of_a_table(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    owner.execute("CREATE TABLE secrets (space text)")
    owner.execute("INSERT INTO secrets VALUES ('alice'), ('bob')")
    owner.execute("ALTER TABLE secrets ENABLE ROW LEVEL SECURITY")
    owner.execute("ALTER TABLE secrets FORCE ROW LEVEL SECURITY")
    owner.execute("CREATE POLICY own ON secrets USING (space = current_setting('app.space', true))")
    assert owner.execute("SELECT * FROM secrets").fetchall() == []
    owner.execute("SET app.space = 'bob'")
    assert owner.execute("SELECT * FROM secrets").fetchall() == [("bob",)]
    owner.execute("DROP TABLE secrets")


def test_a_database_made_by_the_role_has_vectors(shared: Server, owner: psycopg.Connection[tuple[object, ...]]) -> None:
    owner.execute("CREATE DATABASE test_keepsake")
    with shared.connect("test_keepsake", "keepsake") as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        assert connection.execute("SELECT '[1,2]'::halfvec(2) <#> '[3,4]'").fetchone() == (-11,)
    owner.execute("DROP DATABASE test_keepsake")


def test_text_sorts_by_code_point_whatever_the_system_is_set_to(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    row = owner.execute(
        "SELECT datlocprovider::text, datlocale, pg_encoding_to_char(encoding) FROM pg_database "
        "WHERE datname = 'keepsake'"
    ).fetchone()
    assert row == ("b", "C.UTF-8", "UTF8")
    assert owner.execute("SELECT lower('ÄÉ')").fetchone() == ("äé",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data_checksums", "on"),
        ("fsync", "on"),
        ("synchronous_commit", "on"),
        ("listen_addresses", ""),
        ("log_error_verbosity", "terse"),
        ("log_min_error_statement", "panic"),
        ("TimeZone", "UTC"),
    ],
)
def test_the_server_is_set_up_to_keep_and_not_to_tell(
    owner: psycopg.Connection[tuple[object, ...]], name: str, value: str
) -> None:
    assert owner.execute("SELECT current_setting(%s)", [name]).fetchone() == (value,)


def test_a_failing_row_does_not_reach_the_log(shared: Server, owner: psycopg.Connection[tuple[object, ...]]) -> None:
    owner.execute("CREATE TABLE once (word text PRIMARY KEY)")
    owner.execute("INSERT INTO once VALUES ('canary-in-a-row')")
    with pytest.raises(psycopg.errors.UniqueViolation):
        owner.execute("INSERT INTO once VALUES ('canary-in-a-row')")
    owner.execute("DROP TABLE once")
    log = shared.cluster.log.read_text()
    assert 'duplicate key value violates unique constraint "once_pkey"' in log
    assert "canary" not in log


def test_a_role_that_was_given_more_rights_is_put_back_by_the_next_engine(shared: Server) -> None:
    with shared.connect() as superuser:
        superuser.execute("ALTER ROLE keepsake BYPASSRLS")
        (shared.cluster.home / "prepared").write_text("engine-18-0.5.0")
        prepare_database(shared)
        row = superuser.execute("SELECT rolbypassrls FROM pg_roles WHERE rolname = 'keepsake'").fetchone()
    assert row == (False,)
