"""Documents that assistants write, with their words and vectors, seen by space."""

import django.contrib.postgres.search
import django.db.models.deletion
import django.utils.timezone
import pgvector.django.halfvec
import uuid_utils.compat
from django.db import migrations, models

POLICY = (
    "space_id = ANY((SELECT nullif(current_setting('app.spaces', true), '')::uuid[])::uuid[])"
    " OR (SELECT current_setting('app.every_space', true) = 'on')"
)

ROW_SECURITY = [
    "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE document FORCE ROW LEVEL SECURITY",
    f"CREATE POLICY document_by_space ON document USING ({POLICY}) WITH CHECK ({POLICY})",
]

PASSAGES = [
    "ALTER TABLE document ADD COLUMN passages halfvec[], ADD COLUMN passage_words tsvector[]",
    # A vector does not compress; and statistics would hold words of a text that is erased.
    "ALTER TABLE document ALTER COLUMN passages SET STORAGE EXTERNAL, ALTER COLUMN passages SET STATISTICS 0,"
    " ALTER COLUMN passage_words SET STATISTICS 0",
    # Few rows have passages; the statistics have the planner take this index to find them.
    "CREATE INDEX document_in_passages ON document (space_id) WHERE num_nulls(passages) = 0",
    "CREATE STATISTICS document_passages ON (num_nulls(passages)) FROM document",
    "CREATE INDEX document_awaiting_passages ON document (space_id, id)"
    " WHERE passages IS NULL AND octet_length(content) >= 600",
]


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0004_imports_of_history"),
    ]

    operations = [
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("path", models.CharField(max_length=500)),
                ("content", models.TextField(blank=True)),
                ("author", models.CharField(help_text="who wrote it last, as Author.label", max_length=250)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("version", models.PositiveIntegerField(default=1)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("deleted_by", models.CharField(blank=True, max_length=250)),
                ("delete_reason", models.CharField(blank=True, max_length=20)),
                ("embedding_model", models.CharField(blank=True, max_length=200, null=True)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
                ("tsv", django.contrib.postgres.search.SearchVectorField(null=True)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func(models.F("tsv"), function="length"),
                        output_field=models.IntegerField(),
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
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
                "db_table": "document",
                "indexes": [
                    models.Index(fields=["space", "person", "updated_at"], name="document_of_person"),
                    models.Index(
                        condition=models.Q(("deleted_at", None), ("embedding", None)),
                        fields=["space", "id"],
                        name="document_awaiting_vector",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("deleted_at", None)),
                        fields=("space", "person", "path"),
                        name="document_path",
                    )
                ],
            },
        ),
        migrations.RunSQL(PASSAGES, migrations.RunSQL.noop),
        migrations.RunSQL(ROW_SECURITY, migrations.RunSQL.noop),
    ]
