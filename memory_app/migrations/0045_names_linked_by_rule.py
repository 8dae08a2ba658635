"""Entities that someone decided on by hand are told from those that are one by their names."""

from django.db import migrations, models

from memory_app.models.row_security import in_every_space

DECIDED = """
    UPDATE entity SET by_hand = true WHERE merged_into IS NOT NULL OR apart > 0
        OR EXISTS (SELECT FROM entity_link AS link
            WHERE link.space_id = entity.space_id AND entity.id IN (link.moved_from, link.entity_id)
                AND link.source = 'hand')
        OR EXISTS (SELECT FROM operation AS act
            WHERE act.space_id = entity.space_id AND act.name = 'part entities' AND act.detail ? 'from'
                AND act.detail ->> 'entity' = entity.id::text)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0031_what_workers_have_taken"),
    ]

    operations = [
        migrations.AddField(
            model_name="entity",
            name="by_hand",
            field=models.BooleanField(
                default=False, help_text="someone decided whether this is another, and which; names decide it no more"
            ),
        ),
        migrations.AddField(
            model_name="entitylink",
            name="same_as",
            field=models.UUIDField(
                blank=True, help_text="the entity that the memory says this one is: “my mother Ruth”", null=True
            ),
        ),
        migrations.RunSQL(in_every_space(DECIDED), migrations.RunSQL.noop),
    ]
