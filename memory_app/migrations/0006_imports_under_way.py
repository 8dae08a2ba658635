"""A state for imports of the command that are under way, and when each was last heard of."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0005_documents_of_assistants"),
    ]

    operations = [
        migrations.AddField(
            model_name="historyimport",
            name="alive_at",
            field=models.DateTimeField(
                blank=True, help_text="when the last batch came in, or the first began", null=True
            ),
        ),
        migrations.AlterField(
            model_name="historyimport",
            name="state",
            field=models.CharField(
                choices=[
                    ("uploading", "Uploading"),
                    ("checking", "Checking"),
                    ("ready", "Ready"),
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("undone", "Undone"),
                ],
                default="uploading",
                max_length=9,
            ),
        ),
    ]
