"""The database learns how few rows have passages, and finds them by their own index."""

from django.db import migrations

from memory_app.models.passages import count_no_passages, count_passages

TABLES = ("memory", "turn")


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0025_passages_of_long_texts"),
    ]

    operations = [
        *(migrations.RunSQL(count_passages(table), count_no_passages(table)) for table in TABLES),
    ]
