import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import memory_app.models.ids
from memory_app.models.row_security import protect, unprotect


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0039_keys_without_case_and_conversations_by_venue"),
    ]

    operations = [
        migrations.CreateModel(
            name="Signal",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memory_app.models.ids.new_id, editable=False)),
                (
                    "action",
                    models.CharField(
                        choices=[("reaction", "Reaction"), ("save", "Save"), ("command", "Command")], max_length=8
                    ),
                ),
                ("subject", models.CharField(help_text="the topic, title or command", max_length=500)),
                ("url", models.CharField(blank=True, max_length=2000)),
                ("liked", models.BooleanField(default=True, help_text="false: a reaction against it")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signals",
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
                "db_table": "signal",
            },
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(fields=["space", "person", "at"], name="signal_latest"),
        ),
        migrations.RunSQL(protect("signal"), unprotect("signal")),
    ]
