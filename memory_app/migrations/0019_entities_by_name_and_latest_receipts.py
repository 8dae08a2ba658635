from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0018_tombstones"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="entity",
            index=models.Index(fields=["space", "normal"], name="entity_by_name"),
        ),
        migrations.AddIndex(
            model_name="entity",
            index=models.Index(
                condition=models.Q(("merged_into", None), _negated=True),
                fields=["space", "merged_into"],
                name="entity_merged_into",
            ),
        ),
        migrations.AddIndex(
            model_name="receipt",
            index=models.Index(fields=["space", "-at", "-id"], name="receipt_latest"),
        ),
    ]
