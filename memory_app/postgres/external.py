"""A PostgreSQL of one's own, named by DATABASE_URL: is it new enough, has it pgvector, does row security bind us?"""

import re
from typing import Any

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import Connection, sql

from memory_app.postgres.cluster import ROLE
from memory_app.postgres.installation import PostgresError

OLDEST_SERVER = 15
OLDEST_VECTOR = (0, 8)

# One round trip. A role that row security does not bind becomes the ordinary one for this connection.
SET_ORDINARY_ROLE = """
    SELECT set_config('role', %s, false) FROM pg_roles
    WHERE rolname = session_user AND (rolsuper OR rolbypassrls)
"""


def check_server(url: str) -> None:
    """Makes the server of DATABASE_URL ready, or says why it cannot be: version, extension, role."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
            _check_version(connection)
            _check_vector(connection)
            if _bypasses_row_security(connection):
                _make_ordinary_role(connection)
    except psycopg.OperationalError as error:
        raise PostgresError(f"The server of DATABASE_URL does not answer: {str(error).strip()}") from None


def set_ordinary_role(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Receives Django's `connection_created`: whoever DATABASE_URL signs in as, row-level security holds."""
    with connection.cursor() as cursor:
        cursor.execute(SET_ORDINARY_ROLE, [ROLE])


def _check_version(connection: Connection[Any]) -> None:
    major = connection.info.server_version // 10000
    if major < OLDEST_SERVER:
        raise PostgresError(f"DATABASE_URL names a PostgreSQL {major}; Keepsake needs {OLDEST_SERVER} or newer.")


def _check_vector(connection: Connection[Any]) -> None:
    """Installs or updates the extension where this role may; else says what an administrator has to do."""
    row = connection.execute(
        "SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    wanted = ".".join(map(str, OLDEST_VECTOR))
    if row is None or (_is_too_old(row[0]) and _is_too_old(row[1])):
        has = f"only pgvector {row[1]}" if row else "no pgvector"
        raise PostgresError(
            f"The server of DATABASE_URL has {has}; Keepsake needs {wanted} or newer. "
            f"Install it on that server: on Debian, the package postgresql-{connection.info.server_version // 10000}"
            f"-pgvector of the PostgreSQL project's own packages."
        )
    if not _is_too_old(row[0]):
        return
    statement = "ALTER EXTENSION vector UPDATE" if row[0] else "CREATE EXTENSION vector"
    try:
        connection.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        raise PostgresError(
            f"The role {connection.info.user} may not set up pgvector. "
            f'As a superuser, in the database {connection.info.dbname}, run once: "{statement};"'
        ) from None


def _is_too_old(version: str | None) -> bool:
    """Whether it is too old, or not there at all."""
    return version is None or tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST_VECTOR


def _bypasses_row_security(connection: Connection[Any]) -> bool:
    row = connection.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user").fetchone()
    return bool(row and row[0])


def _make_ordinary_role(connection: Connection[Any]) -> None:
    """Row security does not bind superusers: they act through a role that it binds, made here if need be."""
    role, database = sql.Identifier(ROLE), sql.Identifier(connection.info.dbname)
    try:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOSUPERUSER NOBYPASSRLS CREATEDB").format(role))
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(role))
        connection.execute(sql.SQL("GRANT CREATE, CONNECT, TEMPORARY ON DATABASE {} TO {}").format(database, role))
        connection.execute(sql.SQL("GRANT CREATE, USAGE ON SCHEMA public TO {}").format(role))
    except psycopg.errors.InsufficientPrivilege:
        raise PostgresError(
            f"The role {connection.info.user} of DATABASE_URL has BYPASSRLS, so row-level security would not hold, "
            f"and it may not make an ordinary role. As a superuser, make one that owns the database: "
            f"CREATE ROLE {ROLE} LOGIN PASSWORD '…'; ALTER DATABASE {connection.info.dbname} OWNER TO {ROLE};"
        ) from None
    row = connection.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone()
    if row and row[0]:
        raise PostgresError(
            f"Row-level security does not bind the role {ROLE} of this server: run "
            f'"ALTER ROLE {ROLE} NOSUPERUSER NOBYPASSRLS;" as a superuser.'
        )
