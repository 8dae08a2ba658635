"""`manage.py prepare`: all that must be ready before the server's programs start.

`serve` runs it in a process of its own, for what it loads (numbers, models) need not stay in memory with the
supervisor. Running it twice changes nothing.
"""

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from memory_app.embedding.model_files import prepare_model
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.erasure.replay_erasures import replay_erasures
from memory_app.jobs import ensure_schedules, purge_soon
from memory_app.models.operation import ensure_partitions
from memory_app.serving.migrate_and_collect import collect_static_if_changed, migrate_if_needed

START = Author("command", "start")


class Command(BaseCommand):
    """Says only what it changed."""

    help = "Brings tables, schedules, static files and the embedding model up to date."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        if migrate_if_needed():
            self.stdout.write("The tables are up to date.")
        ensure_partitions(timezone.now())
        ensure_schedules()
        if again := replay_erasures(author=START, now=timezone.now()):
            purge_soon(START.label)
            self.stdout.write(f"{again} erased before the database was put back: erased again.")
        collect_static_if_changed()
        log_event("start", author=START, now=timezone.now())
        prepare_model(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA)
