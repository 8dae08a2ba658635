from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0019_entities_by_name_and_latest_receipts"),
    ]

    operations = [
        migrations.AddField(
            model_name="erasure",
            name="sought",
            field=models.BinaryField(null=True, help_text="what is still to be searched for, encrypted; dropped then"),
        ),
        migrations.AddIndex(
            model_name="erasure",
            index=models.Index(
                condition=models.Q(("sought", None), _negated=True), fields=["at"], name="erasure_unsearched"
            ),
        ),
    ]
