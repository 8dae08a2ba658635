"""The entry point that `manage.py serve` gives to granian: the WSGI application behind the front of the web server."""

from typing import Any

from django.db import close_old_connections
from django.db.backends.signals import connection_created

from config.wsgi import application as wsgi_application
from memory_app.health import faults
from memory_app.serving.gateway import Gateway

STATEMENT_SECONDS = 120
"""The soft limit of a request: PostgreSQL ends a statement that runs longer, and takes back what the request did.
No page and no call of the API comes near it: what may take long is asked of the worker."""


def end_long_statements(connection: Any, **_: object) -> None:
    """Of this process: those of the worker may run for hours."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'")


def current_faults() -> dict[str, str]:
    """What is wrong, on a thread that Django does not know to be one that answers requests."""
    close_old_connections()
    return faults()


connection_created.connect(end_long_statements, dispatch_uid="end_long_statements")
application = Gateway(wsgi_application, current_faults)
