"""Imports of what someone has with another product, their files until they are over, and who brought a conversation."""

import django.db.models.deletion
import django.utils.timezone
import uuid_utils.compat
from django.db import migrations, models

POLICY = (
    "space_id = ANY((SELECT nullif(current_setting('app.spaces', true), '')::uuid[])::uuid[])"
    " OR (SELECT current_setting('app.every_space', true) = 'on')"
)

ROW_SECURITY = [
    statement
    for table in ("history_import", "import_part")
    for statement in (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {table}_by_space ON {table} USING ({POLICY}) WITH CHECK ({POLICY})",
    )
]

# Packed already, as most uploads are; and statistics would hold parts of them.
COLUMNS = ["ALTER TABLE import_part ALTER COLUMN data SET STORAGE EXTERNAL, ALTER COLUMN data SET STATISTICS 0"]


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0003_oauth_authorizations"),
    ]

    operations = [
        migrations.CreateModel(
            name="HistoryImport",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "format",
                    models.CharField(
                        blank=True, help_text="as in memory_app.imports; empty: not known yet", max_length=20
                    ),
                ),
                ("file_name", models.CharField(max_length=200)),
                ("size", models.BigIntegerField(default=0, help_text="bytes that are to come, or came")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("uploading", "Uploading"),
                            ("checking", "Checking"),
                            ("ready", "Ready"),
                            ("waiting", "Waiting"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("undone", "Undone"),
                        ],
                        default="uploading",
                        max_length=9,
                    ),
                ),
                (
                    "expected",
                    models.JSONField(default=dict, help_text="what would come in: counts, what is left out, faults"),
                ),
                ("result", models.JSONField(default=dict, help_text="what came in, the same way")),
                ("done", models.PositiveIntegerField(default=0, help_text="entries that were gone through")),
                ("total", models.PositiveIntegerField(default=0)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("author", models.CharField(max_length=250)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
            ],
            options={
                "db_table": "history_import",
            },
        ),
        migrations.CreateModel(
            name="ImportPart",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("import_id", models.UUIDField()),
                ("number", models.PositiveIntegerField(help_text="from 0, in order")),
                ("data", models.BinaryField()),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
            ],
            options={
                "db_table": "import_part",
            },
        ),
        migrations.AddField(
            model_name="conversation",
            name="import_id",
            field=models.UUIDField(
                blank=True, help_text="the import that brought it; null: it was held here", null=True
            ),
        ),
        migrations.AlterField(
            model_name="extractionrun",
            name="trigger",
            field=models.CharField(
                choices=[
                    ("count", "Count"),
                    ("history", "History"),
                    ("idle", "Idle"),
                    ("switch", "Switch"),
                    ("end", "End"),
                    ("nightly", "Nightly"),
                    ("import", "Import"),
                ],
                max_length=7,
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("extracted_to__lt", models.F("turn_count")), ("import_id__isnull", False)),
                fields=["person", "-last_turn_at"],
                name="conversation_import_unread",
            ),
        ),
        migrations.AddIndex(
            model_name="historyimport",
            index=models.Index(fields=["space", "person", "-id"], name="history_import_of_person"),
        ),
        migrations.AddIndex(
            model_name="historyimport",
            index=models.Index(
                condition=models.Q(("state__in", ("uploading", "checking", "ready", "waiting"))),
                fields=["id"],
                name="history_import_unfinished",
            ),
        ),
        migrations.AddConstraint(
            model_name="importpart",
            constraint=models.UniqueConstraint(fields=("space", "import_id", "number"), name="import_part_once"),
        ),
        migrations.RunSQL(ROW_SECURITY, migrations.RunSQL.noop),
        migrations.RunSQL(COLUMNS, migrations.RunSQL.noop),
    ]
