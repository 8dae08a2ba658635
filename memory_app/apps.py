"""The Django application that holds the engine."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from memory_app.postgres import become_ordinary


class MemoryAppConfig(AppConfig):
    name = "memory_app"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Whatever role DATABASE_URL signs in as, and whichever process connects, row-level security binds it."""
        connection_created.connect(become_ordinary, dispatch_uid="become_ordinary")
