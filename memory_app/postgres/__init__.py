"""The ground Keepsake stands on: an embedded PostgreSQL that starts and stops with it, or one named by DATABASE_URL.

Leaves tables, row security and queries to the models and migrations.
"""

from memory_app.postgres.connection import django_database
from memory_app.postgres.disk import DiskState, disk_state
from memory_app.postgres.external import set_ordinary_role
from memory_app.postgres.installation import PostgresError
from memory_app.postgres.running import Database, running_database

__all__ = [
    "Database",
    "DiskState",
    "PostgresError",
    "disk_state",
    "django_database",
    "running_database",
    "set_ordinary_role",
]
