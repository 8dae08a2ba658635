"""An intent may have the 200 characters of every string of a caller; the reason of an empty brief quotes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0026_few_rows_have_passages"),
    ]

    operations = [
        migrations.AlterField("receipt", "intent", models.CharField(blank=True, max_length=200)),
        migrations.AlterField("turn", "intent", models.CharField(blank=True, max_length=200)),
        migrations.AlterField(
            "receipt",
            "reason",
            models.CharField(blank=True, help_text="why the brief is empty, where it is", max_length=300),
        ),
    ]
