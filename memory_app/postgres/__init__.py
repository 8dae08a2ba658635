"""The ground Keepsake stands on: an embedded PostgreSQL that starts and stops with it, or one named by DATABASE_URL.

Leaves tables, row security and queries to the models and migrations.
"""

from .connection import django_database
from .disk import DiskState, disk_state
from .errors import PostgresError
from .external import become_ordinary
from .running import Database, running

__all__ = ["Database", "DiskState", "PostgresError", "become_ordinary", "disk_state", "django_database", "running"]
