from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0020_words_that_are_still_searched_for"),
    ]

    operations = [
        migrations.AddField(
            model_name="jobrun",
            name="retry_of",
            field=models.UUIDField(blank=True, help_text="the run that failed, which this one tries again", null=True),
        ),
    ]
