"""The parts of a long text are found each for itself; the backfill makes them, within a minute of starting."""

from django.db import migrations

from memory_app.models.passages import add_passages, remove_passages

TABLES = ("memory", "turn")


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0022_what_was_stated_of_a_memory"),
    ]

    operations = [
        *(migrations.RunSQL(add_passages(table), remove_passages(table)) for table in TABLES),
    ]
