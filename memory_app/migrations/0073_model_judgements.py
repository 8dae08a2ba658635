"""What a language model says that a proposal is to a memory, and whether it worded it after it was shown."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0070_what_was_cleared")]

    operations = [
        migrations.AddField(
            model_name="proposal",
            name="judgement",
            field=models.CharField(
                blank=True,
                default="",
                help_text="what a language model says that it is to that memory (rules/decide.py)",
                max_length=13,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="proposal",
            name="reworded",
            field=models.BooleanField(
                default=False, help_text="whether a language model worded it after it was shown to the person"
            ),
        ),
    ]
