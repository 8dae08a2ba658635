"""The Django application that holds the engine."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from memory_app.postgres import set_ordinary_role


class MemoryAppConfig(AppConfig):
    name = "memory_app"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Whatever role DATABASE_URL signs in as, and whichever process connects, row-level security binds it."""
        connection_created.connect(set_ordinary_role, dispatch_uid="set_ordinary_role")
