"""What was said before the words of a memory or a proposal, where they do not stand alone; who said them, and when."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0051_proposals_without_folds")]

    operations = [
        *(
            migrations.AddField(
                model,
                "context",
                models.TextField(
                    blank=True, default="", help_text="what was said before, where the words do not stand alone"
                ),
                preserve_default=False,
            )
            for model in ("memory", "proposal")
        ),
        migrations.AddField(
            "proposal",
            "speaker",
            models.CharField(blank=True, default="", max_length=200, help_text="who said it"),
            preserve_default=False,
        ),
        migrations.AddField("proposal", "said_at", models.DateTimeField(blank=True, null=True)),
    ]
