"""The one error of this package: its text is written for the person who starts Keepsake."""


class PostgresError(Exception):
    """The database cannot be used. Says what is wrong, where, and what to do about it."""
