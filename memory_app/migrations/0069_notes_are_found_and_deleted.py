"""Daily notes are searched as turns are, corrected, deleted and restored; vectors come with the next backfill."""

import django.contrib.postgres.search
import pgvector.django.halfvec
from django.db import migrations, models

from memory_app.models.passages import add_passages, count_no_passages, count_passages, remove_passages
from memory_app.models.row_security import in_every_space

FOUND_BY = """
    UPDATE note SET tsv = to_tsvector(
        person.language::regconfig, '[' || to_char(note.date, 'FMDD FMMonth YYYY') || '] ' || note.content
    )
    FROM person WHERE person.id = note.person_id AND note.author <> 'job:daily'
"""


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0053_words_in_context")]

    operations = [
        migrations.AlterField("note", "text", models.TextField(db_column="content")),
        migrations.AddField("note", "version", models.PositiveIntegerField(default=1)),
        migrations.AddField("note", "deleted_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "note", "deleted_by", models.CharField(blank=True, default="", max_length=250), preserve_default=False
        ),
        migrations.AddField(
            "note", "delete_reason", models.CharField(blank=True, default="", max_length=20), preserve_default=False
        ),
        migrations.AddField("note", "embedding", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
        migrations.AddField("note", "embedding_model", models.CharField(blank=True, max_length=200, null=True)),
        migrations.AddField("note", "tsv", django.contrib.postgres.search.SearchVectorField(null=True)),
        migrations.RunSQL(in_every_space(FOUND_BY), migrations.RunSQL.noop),
        migrations.AddField(
            "note",
            "words",
            models.GeneratedField(
                db_persist=True,
                expression=models.Func(models.F("tsv"), function="length"),
                output_field=models.IntegerField(),
            ),
        ),
        migrations.RunSQL(add_passages("note"), remove_passages("note")),
        migrations.RunSQL(count_passages("note"), count_no_passages("note")),
        migrations.AddIndex(
            "note",
            models.Index(
                condition=models.Q(
                    ("deleted_at", None), ("embedding", None), models.Q(("author", "job:daily"), _negated=True)
                ),
                fields=["space", "id"],
                name="note_awaiting_vector",
            ),
        ),
    ]
