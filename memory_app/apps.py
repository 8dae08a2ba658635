"""The Django application that holds the engine."""

from django.apps import AppConfig


class MemoryAppConfig(AppConfig):
    name = "memory_app"
    default_auto_field = "django.db.models.BigAutoField"
