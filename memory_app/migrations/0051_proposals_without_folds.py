"""What asked about two stored memories is a conflict now, so that no proposal names a second memory."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0050_conflicts"),
    ]

    operations = [
        migrations.RemoveField(model_name="proposal", name="folds"),
    ]
