"""A connection that is tried without a word to the database."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django tries a kept connection before each request uses it: it asks `SELECT 1`, and waits for the answer."""

    def is_usable(self) -> bool:
        """Whether the connection is open at both ends. A server that stops or dies closes it, which is seen here; only
        where something came unasked is it asked. Of a network that swallows all, a question would tell no sooner."""
        if self.connection is None or self.connection.closed:
            return False
        watched = select.poll()
        watched.register(self.connection.fileno(), select.POLLIN)
        return not watched.poll(0) or bool(super().is_usable())
