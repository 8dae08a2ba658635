"""The embedded server's superuser, for what no ordinary role may do: upkeep of the server's own files.

Never for rows: row security does not hold a superuser.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from config.env import Env
from memory_app.postgres.address import address_of
from memory_app.postgres.cluster import SUPERUSER, home_of, passfile_of


@contextmanager
def superuser(env: Env, database: str) -> Iterator[psycopg.Connection[Any] | None]:
    """A connection of its own, autocommitting; None where the server is not ours to look after."""
    if env.database_url is not None:
        yield None
        return
    home = home_of(env.data)
    address = address_of(home)
    with psycopg.connect(
        host=address.host,
        port=address.port,
        user=SUPERUSER,
        dbname=database,
        passfile=str(passfile_of(home)),
        connect_timeout=10,
        autocommit=True,
        application_name="keepsake upkeep",
    ) as connection:
        yield connection
