from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0015_merges_and_sensitive_policy"),
    ]

    operations = [
        migrations.AddField(
            model_name="proposal",
            name="event_end",
            field=models.DateTimeField(blank=True, help_text="the end of the period that event_time begins", null=True),
        ),
        migrations.AddField(
            model_name="extractionrun",
            name="dropped",
            field=models.JSONField(blank=True, default=dict, help_text="{reason: how many}: what a model said in vain"),
        ),
    ]
