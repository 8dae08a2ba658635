"""How Django reaches the database, and how the embedded server's superuser does, for upkeep of the server's own files.

These are settings only: nothing is started, connected to or checked here. The superuser never reads rows, for row
security does not hold it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from config.env import Env
from memory_app.postgres.address import address_of
from memory_app.postgres.cluster import DATABASE, ROLE, SUPERUSER, password_file, server_folder

BACKEND = "memory_app.postgres.fast"
# A connection per thread, kept for good and tried before a request uses it: an idle worker opens none, and a server
# that came back after a crash is not met with connections to the one before.
CONNECTION_OPTIONS: dict[str, Any] = {"ENGINE": BACKEND, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}

# A server that takes no connection for so long is away, and whoever waits is told to come back. libpq's least is 2.
CONNECT_SECONDS = 5

# The driver prepares nothing: at some rollback it would drop what it did, and all else with it. What is prepared
# (`postgres/fast/numbered_statement.py`) is planned once for a connection: planning the statement of a search anew
# takes as long as answering it over a thousand rows. Not elsewhere: a pooler may stand between, which gives each
# transaction another connection.
PREPARED_STATEMENT_OPTIONS: dict[str, Any] = {
    "prepare_threshold": sys.maxsize,
    "options": "-c plan_cache_mode=force_generic_plan",
}


def django_database(env: Env) -> dict[str, Any]:
    """An entry of Django's DATABASES. The embedded server's password stays in its file, read at each connect."""
    if env.database_url is not None:
        return _external_database(env.database_url.get_secret_value())
    home = server_folder(env.data)
    address = address_of(home)
    return {
        **CONNECTION_OPTIONS,
        "NAME": DATABASE,
        "USER": ROLE,
        "HOST": address.host,
        "PORT": str(address.port),
        "OPTIONS": {
            "passfile": str(password_file(home)),
            "connect_timeout": CONNECT_SECONDS,
            **PREPARED_STATEMENT_OPTIONS,
        },
    }


def _external_database(url: str) -> dict[str, Any]:
    """All that libpq understands in a URL goes through. PgBouncer may stand between: the server keeps no cursors."""
    options: dict[str, Any] = dict(conninfo_to_dict(url))
    return {
        **CONNECTION_OPTIONS,
        "NAME": options.pop("dbname", DATABASE),
        "USER": options.pop("user", ""),
        "PASSWORD": options.pop("password", ""),
        "HOST": options.pop("host", ""),
        "PORT": options.pop("port", ""),
        "OPTIONS": {"connect_timeout": CONNECT_SECONDS, **options},
        "DISABLE_SERVER_SIDE_CURSORS": True,
    }


@contextmanager
def superuser_connection(env: Env, database: str) -> Iterator[psycopg.Connection[Any] | None]:
    """A connection of its own, autocommitting; None where the server is not ours to look after."""
    if env.database_url is not None:
        yield None
        return
    home = server_folder(env.data)
    address = address_of(home)
    with psycopg.connect(
        host=address.host,
        port=address.port,
        user=SUPERUSER,
        dbname=database,
        passfile=str(password_file(home)),
        connect_timeout=10,
        autocommit=True,
        application_name="keepsake upkeep",
    ) as connection:
        yield connection
