from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0009_searches"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="operation",
            index=models.Index(fields=["at", "id"], name="operation_by_time"),
        ),
    ]
