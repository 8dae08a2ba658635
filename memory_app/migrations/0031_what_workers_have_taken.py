"""Which worker has which task, and what a job is reading: one that is killed leaves both behind."""

import django.utils.timezone
from django.db import migrations, models

import memory_app.models.ids


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0037_secrets_of_second_steps_are_sealed"),
    ]

    operations = [
        migrations.CreateModel(
            name="TakenTask",
            fields=[
                ("task", models.BigIntegerField(help_text="its id in the queue", primary_key=True, serialize=False)),
                (
                    "cluster",
                    models.CharField(
                        blank=True, help_text="host, process and its start; empty: released", max_length=300
                    ),
                ),
                ("worker", models.PositiveIntegerField(blank=True, help_text="the process that began it", null=True)),
                ("heartbeat", models.DateTimeField()),
                ("begun_at", models.DateTimeField(blank=True, null=True)),
                (
                    "deaths",
                    models.PositiveIntegerField(default=0, help_text="how often the worker died that had begun it"),
                ),
            ],
            options={
                "db_table": "taken_task",
            },
        ),
        migrations.AddField(
            model_name="dailyrun",
            name="error",
            field=models.CharField(blank=True, help_text="the kind of error that ended it", max_length=200),
        ),
        migrations.AddField(
            model_name="dailyrun",
            name="status",
            field=models.CharField(choices=[("done", "Done"), ("failed", "Failed")], default="done", max_length=6),
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memory_app.models.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(help_text="what reads it, such as propose", max_length=40)),
                ("space", models.UUIDField(help_text="the space it lives in")),
                ("unit", models.UUIDField(help_text="its id there, such as that of a conversation")),
                ("number", models.PositiveIntegerField(default=0, help_text="attempts so far")),
                (
                    "reader",
                    models.CharField(
                        blank=True, help_text="host, process and its start; empty: it failed", max_length=300
                    ),
                ),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "error",
                    models.CharField(
                        blank=True, help_text="the kind of error that ended the last attempt", max_length=200
                    ),
                ),
                ("set_aside_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "db_table": "attempt",
                "constraints": [models.UniqueConstraint(fields=("kind", "unit"), name="attempt_once")],
            },
        ),
    ]
