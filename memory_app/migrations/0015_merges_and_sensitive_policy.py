import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import memory_app.models.ids
from memory_app.models.row_security import protect, unprotect


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0014_daily_runs_and_consolidation"),
    ]

    operations = [
        migrations.AddField(
            model_name="person",
            name="sensitive_policy",
            field=models.CharField(
                choices=[
                    ("private", "kept, and told in private talks"),
                    ("sealed", "kept, and never told to an assistant unless it is searched for"),
                    ("refused", "not kept"),
                ],
                default="private",
                max_length=7,
            ),
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memory_app.models.ids.new_id, editable=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("by", models.CharField(help_text="as Author.label", max_length=250)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "moved",
                    models.JSONField(
                        default=dict, help_text="{kind: [[space it was in, id, what else undoing needs]]}"
                    ),
                ),
                ("counts", models.JSONField(default=dict, help_text="{kind: rows that passed}")),
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
                "db_table": "person_merge",
            },
        ),
        migrations.AddIndex(
            model_name="merge",
            index=models.Index(fields=["space", "person", "at"], name="person_merge_latest"),
        ),
        migrations.RunSQL(protect("person_merge"), unprotect("person_merge")),
    ]
