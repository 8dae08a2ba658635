"""Conflicts are rows of their own: marks among attributes and questions among proposals become such rows."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import memory_app.models.ids
from memory_app.models.row_security import in_every_space, protect, refer, unprotect

OPENED = """
    INSERT INTO conflict (space_id, id, person_id, older_id, newer_id, older_digest, newer_digest, reason, opened_at,
                          answer, answered_at, answered_by)
    SELECT DISTINCT ON (proposal.space_id, older.id, newer.id)
        proposal.space_id, proposal.id, proposal.person_id, older.id, newer.id, older.digest, newer.digest,
        proposal.reason, proposal.created_at,
        CASE WHEN proposal.status = 'accepted' THEN CASE WHEN older.superseded_by = newer.id THEN 'newest' ELSE 'both' END
             WHEN proposal.status = 'merged' THEN 'merged'
             WHEN proposal.status = 'rejected' AND proposal.relation = 'conflict' THEN 'oldest'
             WHEN proposal.status = 'rejected' THEN 'both'
             ELSE '' END,
        proposal.decided_at, proposal.decided_by
    FROM proposal
    JOIN memory AS older ON older.space_id = proposal.space_id AND older.id = proposal.target_id
    JOIN memory AS newer ON newer.space_id = proposal.space_id AND newer.id = proposal.folds
    WHERE proposal.folds IS NOT NULL AND proposal.status <> 'expired'
    ORDER BY proposal.space_id, older.id, newer.id, proposal.created_at DESC
    ON CONFLICT DO NOTHING
"""
MARKED = """
    INSERT INTO conflict (space_id, id, person_id, older_id, newer_id, older_digest, newer_digest, reason, opened_at,
                          answer, answered_by)
    SELECT older.space_id, older.id, older.person_id, older.id, newer.id, older.digest, newer.digest,
        'the two may not both hold', greatest(older.updated_at, newer.created_at), '', ''
    FROM memory AS newer
    JOIN memory AS older ON older.space_id = newer.space_id
        AND older.id::text = newer.attributes ->> 'conflicts_with' AND older.valid_from <= newer.valid_from
    WHERE newer.attributes ? 'conflicts_with' AND NOT EXISTS (
        SELECT FROM conflict
        WHERE conflict.space_id = newer.space_id AND older.id IN (older_id, newer_id) AND newer.id IN (older_id, newer_id)
    )
    ON CONFLICT DO NOTHING
"""
AS_SURE_AS_BEFORE = """
    UPDATE memory SET confidence = greatest(memory.confidence, before.confidence)
    FROM (
        SELECT DISTINCT ON (space_id, memory_id) space_id, memory_id, (state ->> 'confidence')::float AS confidence
        FROM memory_version WHERE NOT (state -> 'attributes') ? 'conflicts_with'
        ORDER BY space_id, memory_id, number DESC
    ) AS before
    WHERE memory.space_id = before.space_id AND memory.id = before.memory_id AND memory.attributes ? 'conflicts_with'
        AND memory.confidence <= 0.3
"""
UNMARKED = [
    "UPDATE memory SET attributes = attributes - 'conflicts_with' - 'told_first' WHERE attributes ? 'conflicts_with'",
    """UPDATE memory_version
       SET state = jsonb_set(state, '{attributes}', (state -> 'attributes') - 'conflicts_with' - 'told_first')
       WHERE (state -> 'attributes') ? 'conflicts_with'""",
]
ASKED_ELSEWHERE = "DELETE FROM proposal WHERE folds IS NOT NULL"


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0041_guests_who_became_users"),
    ]

    operations = [
        migrations.CreateModel(
            name="Conflict",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memory_app.models.ids.new_id, editable=False)),
                ("older_id", models.UUIDField()),
                ("newer_id", models.UUIDField()),
                ("older_digest", models.BinaryField(help_text="of the older text that this is about", max_length=16)),
                ("newer_digest", models.BinaryField(help_text="of the newer text that this is about", max_length=16)),
                (
                    "reason",
                    models.CharField(help_text="why the two may not both hold, in plain words", max_length=300),
                ),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("newest", "Newest"), ("oldest", "Oldest"), ("both", "Both"), ("merged", "Merged")],
                        help_text="empty: not answered yet",
                        max_length=6,
                    ),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("answered_by", models.CharField(blank=True, help_text="as Author.label", max_length=250)),
                (
                    "newer",
                    models.ForeignObject(
                        from_fields=["space_id", "newer_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.memory",
                        to_fields=["space_id", "id"],
                    ),
                ),
                (
                    "older",
                    models.ForeignObject(
                        from_fields=["space_id", "older_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.memory",
                        to_fields=["space_id", "id"],
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
            ],
            options={
                "db_table": "conflict",
                "indexes": [
                    models.Index(
                        condition=models.Q(("answer", "")), fields=["space", "person"], name="conflict_without_answer"
                    ),
                    models.Index(fields=["space", "newer_id"], name="conflict_by_newer"),
                    models.Index(fields=["id"], name="conflict_by_id"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "older_id", "newer_id", "older_digest", "newer_digest"), name="conflict_of_two"
                    )
                ],
            },
        ),
        migrations.RunSQL(protect("conflict"), unprotect("conflict")),
        migrations.RunSQL(
            [refer("conflict", "older_id", "memory"), refer("conflict", "newer_id", "memory")], migrations.RunSQL.noop
        ),
        migrations.RunSQL(
            in_every_space(OPENED, MARKED, AS_SURE_AS_BEFORE, *UNMARKED, ASKED_ELSEWHERE), migrations.RunSQL.noop
        ),
    ]
