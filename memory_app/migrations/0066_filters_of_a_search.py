"""What a search that narrows is narrowed to, for the next question in it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0073_model_judgements")]

    operations = [
        migrations.AddField(
            "search",
            "filters",
            models.JSONField(default=dict, help_text="as they were sent: what the search is narrowed to"),
        )
    ]
