from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0024_retries_of_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="stated",
            field=ArrayField(
                models.TextField(),
                blank=True,
                null=True,
                help_text="fields that were set, not worked out from the text; null: nobody noted which",
            ),
        ),
    ]
