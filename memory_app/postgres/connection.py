"""How Django reaches the database: settings only. Nothing is started, connected to or checked here."""

from typing import Any

from psycopg.conninfo import conninfo_to_dict

from config.env import Env
from memory_app.postgres.address import address_of
from memory_app.postgres.cluster import DATABASE, ROLE, home_of, passfile_of

ENGINE = "memory_app.postgres.kept"
# A connection per thread, kept for good and tried before a request uses it: an idle worker opens none, and a server
# that came back after a crash is not met with connections to the one before.
KEPT: dict[str, Any] = {"ENGINE": ENGINE, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}

# A server that takes no connection for so long is away, and whoever waits is told to come back. libpq's least is 2.
CONNECT_SECONDS = 5

# Nothing is prepared but what asks for it (`models/wire.py`), and that is planned once for a connection: planning the
# statement of a search anew takes as long as answering it over a thousand rows. Not elsewhere: a pooler may stand
# between, which gives each transaction another connection.
PREPARING: dict[str, Any] = {"prepare_threshold": 1_000_000, "options": "-c plan_cache_mode=force_generic_plan"}


def django_database(env: Env) -> dict[str, Any]:
    """An entry of Django's DATABASES. The embedded server's password stays in its file, read at each connect."""
    if env.database_url is not None:
        return _external(env.database_url.get_secret_value())
    home = home_of(env.data)
    address = address_of(home)
    return {
        **KEPT,
        "NAME": DATABASE,
        "USER": ROLE,
        "HOST": address.host,
        "PORT": str(address.port),
        "OPTIONS": {"passfile": str(passfile_of(home)), "connect_timeout": CONNECT_SECONDS, **PREPARING},
    }


def _external(url: str) -> dict[str, Any]:
    """All that libpq understands in a URL goes through. PgBouncer may stand between: the server keeps no cursors."""
    given: dict[str, Any] = dict(conninfo_to_dict(url))
    return {
        **KEPT,
        "NAME": given.pop("dbname", DATABASE),
        "USER": given.pop("user", ""),
        "PASSWORD": given.pop("password", ""),
        "HOST": given.pop("host", ""),
        "PORT": given.pop("port", ""),
        "OPTIONS": {"connect_timeout": CONNECT_SECONDS, **given},
        "DISABLE_SERVER_SIDE_CURSORS": True,
    }
