"""Django's PostgreSQL backend, but for how it checks a connection that it kept."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Checks a kept connection by its socket, not by a query as Django does before each request."""

    def is_usable(self) -> bool:
        """Whether the connection is open at both ends.

        A server that stops or dies closes the socket, which `poll` sees. Only if there is unexpected data to read is
        the server queried. If a network drops all packets, a query would not find out sooner either.
        """
        if self.connection is None or self.connection.closed:
            return False
        watched = select.poll()
        watched.register(self.connection.fileno(), select.POLLIN)
        return not watched.poll(0) or bool(super().is_usable())
