"""Keys compare without case and spacing, and a caller's own id names a conversation of one venue alone.

Of two memories of what is one key by now, the one told last keeps the key; both stay.
"""

from collections.abc import Callable

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from memory_app.models.comparable_key import comparable_key_column
from memory_app.models.scope import every_space

ONE_OF_A_KEY = """
UPDATE memory SET key = '' WHERE status = 'active' AND deleted_at IS NULL AND comparable_key <> '' AND EXISTS (
    SELECT FROM memory later WHERE later.space_id = memory.space_id AND later.person_id = memory.person_id
    AND later.visibility = memory.visibility AND later.channel_id IS NOT DISTINCT FROM memory.channel_id
    AND later.comparable_key = memory.comparable_key AND later.status = 'active' AND later.deleted_at IS NULL
    AND (later.valid_from, later.id) > (memory.valid_from, memory.id))
"""

NAMES_OF_CHANNELS = """
UPDATE conversation SET channel_name = channel.name FROM channel
WHERE channel.space_id = conversation.space_id AND channel.id = conversation.channel_id
"""


def _run(statement: str) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    def run(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        with every_space(), editor.connection.cursor() as cursor:
            cursor.execute(statement)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no index is made while checks of rows are put off

    return run


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0045_names_linked_by_rule"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="memory", name="memory_one_active_key"),
        migrations.AddField(model_name="memory", name="comparable_key", field=comparable_key_column()),
        migrations.RunPython(_run(ONE_OF_A_KEY), migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("deleted_at", None), ("status", "active"), models.Q(("comparable_key", ""), _negated=True)
                ),
                fields=("space", "person", "visibility", "channel_id", "comparable_key"),
                name="memory_one_active_key",
                nulls_distinct=False,
            ),
        ),
        migrations.RemoveConstraint(model_name="conversation", name="conversation_external_id"),
        migrations.AddField(
            model_name="conversation",
            name="channel_name",
            field=models.CharField(
                blank=True, default="", help_text="of its venue, open or restricted", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.RunPython(_run(NAMES_OF_CHANNELS), migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="conversation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("external_id", ""), _negated=True),
                fields=("space", "person", "visibility", "channel_name", "external_id"),
                name="conversation_external_id",
            ),
        ),
    ]
