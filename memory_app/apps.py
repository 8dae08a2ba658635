"""The Django application: what every process sets up when it starts."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from memory_app.embedding.text_encoder import current_text_encoder, stored_vectors
from memory_app.nlp.encoder import set_text_encoder
from memory_app.postgres import set_ordinary_role


class MemoryAppConfig(AppConfig):
    name = "memory_app"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Whatever role DATABASE_URL signs in as, and whichever process connects, row-level security binds it.
        connection_created.connect(set_ordinary_role, dispatch_uid="set_ordinary_role")
        # No model is loaded before the first text.
        set_text_encoder(current_text_encoder, stored_vectors)
