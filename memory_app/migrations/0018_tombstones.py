"""What was erased is remembered by id, one row a memory; and an erasure may go on for a while."""

from django.db import migrations, models

FINISHED = "UPDATE erasure SET finished_at = at"
REMEMBERED = """
    INSERT INTO tombstone (memory_id, erasure_id)
    SELECT subject, id FROM erasure WHERE kind = 'memory'
    UNION SELECT one::uuid, id FROM erasure, jsonb_array_elements_text(derived) AS one
    ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0016_ends_of_events_and_what_was_dropped"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tombstone",
            fields=[
                ("memory_id", models.UUIDField(primary_key=True, serialize=False)),
                ("erasure_id", models.UUIDField()),
            ],
            options={
                "db_table": "tombstone",
                "indexes": [models.Index(fields=["erasure_id"], name="tombstone_of_erasure")],
            },
        ),
        migrations.AddField(
            model_name="erasure",
            name="done",
            field=models.PositiveIntegerField(default=0, help_text="rows that are gone"),
        ),
        migrations.AddField(
            model_name="erasure",
            name="total",
            field=models.PositiveIntegerField(
                default=0, help_text="rows that were to go, where it takes more than one step"
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="finished_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunSQL(FINISHED, migrations.RunSQL.noop),
        migrations.RunSQL(REMEMBERED, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="erasure",
            index=models.Index(condition=models.Q(("finished_at", None)), fields=["at"], name="erasure_unfinished"),
        ),
    ]
