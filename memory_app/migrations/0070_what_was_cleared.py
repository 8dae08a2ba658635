"""What was said before everything was cleared is read by nothing any more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0069_notes_are_found_and_deleted")]

    operations = [
        migrations.AddField(
            "person",
            "cleared_at",
            models.DateTimeField(blank=True, help_text="nothing of before is read or told any more", null=True),
        ),
        migrations.AddField(
            "conversation",
            "cleared_to",
            models.PositiveIntegerField(default=0, help_text="turns of before were cleared: nothing reads them"),
        ),
    ]
