"""Segments: what is searched, packed; and on each row whether it is packed as it stands."""

import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

POLICY = (
    "space_id = ANY((SELECT nullif(current_setting('app.spaces', true), '')::uuid[])::uuid[])"
    " OR (SELECT current_setting('app.every_space', true) = 'on')"
)

SEGMENT = [
    # Read whole and compressed by nothing: a segment of usual size stays within a page.
    "ALTER TABLE segment ALTER COLUMN units SET STORAGE EXTERNAL, ALTER COLUMN words SET STORAGE EXTERNAL",
    "ALTER TABLE segment SET (toast_tuple_target = 8160)",
    # Statistics would hold words of a text that is erased.
    "ALTER TABLE segment ALTER COLUMN units SET STATISTICS 0, ALTER COLUMN words SET STATISTICS 0",
    "ALTER TABLE segment ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE segment FORCE ROW LEVEL SECURITY",
    f"CREATE POLICY segment_by_space ON segment USING ({POLICY}) WITH CHECK ({POLICY})",
]

SEARCHED = (
    "space_id, id, person_id, embedding_model, md5(halfvec_send(embedding)), tsv::text, array_length(passages, 1),"
    " md5(halfvec_send(passages[1])), passage_words[1]::text"
)
UNPACKED_COUNT = "num_nonnulls(nullif(packed_as, fingerprint))"
UNPACKED = f"{UNPACKED_COUNT} = 1"
FINGERPRINTS = {
    "memory": "visibility, channel_id, sensitive, deleted_at IS NULL, expires_at, event_time, created_at,"
    " source_speaker, position, right(content, 1)",
    "turn": "visibility, channel_id, mode, outcome, role, speaker, spoken_at, conversation_id, position,"
    " right(content, 1)",
    "note": "deleted_at IS NULL, date, author",
    "document": "deleted_at IS NULL, updated_at",
}
"""Of each table: what its units are made of."""


def packed_columns(table):
    fingerprint = f"hash_record_extended(ROW({SEARCHED}, {FINGERPRINTS[table]}), 0)"
    return [
        f"ALTER TABLE {table} ADD COLUMN packed_as bigint NOT NULL DEFAULT 0, ADD COLUMN packed_in uuid,"
        f" ADD COLUMN fingerprint bigint GENERATED ALWAYS AS ({fingerprint}) STORED",
        f"ALTER TABLE {table} ALTER COLUMN fingerprint SET STATISTICS 0",
        # Serves: what is not packed as it stands, in searches and in the job that packs.
        f"CREATE INDEX {table}_unpacked ON {table} (space_id, id) WHERE {UNPACKED}",
        # Few rows are unpacked; the statistics have the planner take this index to find them.
        f"CREATE STATISTICS {table}_packed ON ({UNPACKED_COUNT}) FROM {table}",
    ]


RELATED_NAMES = {"document": "+", "memory": "memories", "note": "+", "turn": "+"}


def without_index_of_space(model, related_name):
    """The primary key serves too, and the planner took both at once to find rows by their ids."""
    return migrations.AlterField(
        model_name=model,
        name="space",
        field=models.ForeignKey(
            db_index=False,
            on_delete=django.db.models.deletion.CASCADE,
            related_name=related_name,
            to="memory_app.space",
        ),
    )


def drop_vector_indexes(apps, schema_editor):
    """Those of large spaces, which segments replace; they were made while Keepsake ran."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'i' AND starts_with(relname, 'near_')"
            " AND relnamespace = current_schema()::regnamespace"
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP INDEX "{name}"')


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0006_imports_under_way"),
    ]

    operations = [
        migrations.CreateModel(
            name="Segment",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("channel_id", models.UUIDField(blank=True, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("memory", "memory"), ("turn", "turn"), ("note", "note"), ("document", "document")],
                        max_length=8,
                    ),
                ),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "private"),
                            ("channel", "channel"),
                            ("space", "space"),
                            ("global", "global"),
                            ("everyone", "everyone"),
                        ],
                        max_length=8,
                    ),
                ),
                ("sensitive", models.BooleanField(default=False)),
                (
                    "embedding_model",
                    models.CharField(blank=True, help_text="empty: units without a vector", max_length=200),
                ),
                ("size", models.PositiveIntegerField(help_text="units in it")),
                ("units", models.BinaryField()),
                ("words", models.BinaryField()),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.space",
                    ),
                ),
            ],
            options={
                "db_table": "segment",
                "indexes": [models.Index(fields=["space", "visibility", "person"], name="segment_of_level")],
            },
        ),
        migrations.RunSQL(SEGMENT, migrations.RunSQL.noop),
        *(migrations.RunSQL(packed_columns(table), migrations.RunSQL.noop) for table in FINGERPRINTS),
        *(without_index_of_space(model, name) for model, name in RELATED_NAMES.items()),
        migrations.RunPython(drop_vector_indexes, migrations.RunPython.noop),
    ]
