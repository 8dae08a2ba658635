"""Items that assistants store under namespaces and keys, seen by space."""

import django.contrib.postgres.fields
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
    "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE item FORCE ROW LEVEL SECURITY",
    f"CREATE POLICY item_by_space ON item USING ({POLICY}) WITH CHECK ({POLICY})",
]

# A vector does not compress; and statistics would hold words of a value that is erased.
COLUMNS = [
    "ALTER TABLE item ALTER COLUMN vectors SET STORAGE EXTERNAL",
    "ALTER TABLE item ALTER COLUMN vectors SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0,"
    " ALTER COLUMN tsv SET STATISTICS 0",
]


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Item",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("namespace", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("key", models.CharField(max_length=500)),
                ("place", models.BinaryField(help_text="digest of namespace and key", max_length=32)),
                ("value", models.JSONField(default=dict)),
                (
                    "indexed",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(),
                        blank=True,
                        help_text="paths searched; null: all, empty: none",
                        null=True,
                        size=None,
                    ),
                ),
                ("ttl", models.DurationField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("author", models.CharField(help_text="who wrote it last, as Author.label", max_length=250)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("version", models.PositiveIntegerField(default=1)),
                ("embedding_model", models.CharField(blank=True, max_length=200, null=True)),
                (
                    "vectors",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=pgvector.django.halfvec.HalfVectorField(),
                        blank=True,
                        help_text="one for each text that is searched",
                        null=True,
                        size=None,
                    ),
                ),
                ("tsv", django.contrib.postgres.search.SearchVectorField(help_text="null: not searched", null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
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
                "db_table": "item",
                "indexes": [
                    models.Index(fields=["space", "person", "updated_at"], name="item_of_person"),
                    models.Index(
                        condition=models.Q(("expires_at__isnull", False)), fields=["expires_at"], name="item_expiry"
                    ),
                    models.Index(
                        condition=models.Q(("tsv__isnull", False), ("vectors", None)),
                        fields=["space", "id"],
                        name="item_awaiting",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("space", "person", "place"), name="item_place")],
            },
        ),
        migrations.RunSQL(COLUMNS, migrations.RunSQL.noop),
        migrations.RunSQL(ROW_SECURITY, migrations.RunSQL.noop),
    ]
