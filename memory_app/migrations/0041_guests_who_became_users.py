from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0040_signals"),
    ]

    operations = [
        migrations.AddField(
            model_name="person",
            name="merged_into",
            field=models.UUIDField(blank=True, help_text="who goes on for them: a guest became a user", null=True),
        ),
    ]
