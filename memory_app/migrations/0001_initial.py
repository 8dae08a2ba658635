"""All tables, as they stood when the migrations before this one were made one.

Everything is written out here, and nothing of the project is imported: the code goes on, and this must not change.
"""

import itertools
import uuid
from datetime import UTC, datetime

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import pgvector.django.halfvec
import uuid_utils.compat
from django.db import migrations, models
from pgvector.django import VectorExtension

REPLACED = """
0001_spaces_and_people
0002_channels_and_memberships
0003_memories_and_versions
0004_keys_and_idempotency
0005_operations_and_receipts
0006_conversations_and_proposals
0007_job_runs
0008_tokens_and_erasures
0009_searches
0010_log_by_time
0011_erasures_of_what_was_derived
0012_entities
0013_who_read_the_names
0014_daily_runs_and_consolidation
0015_merges_and_sensitive_policy
0016_ends_of_events_and_what_was_dropped
0018_tombstones
0019_entities_by_name_and_latest_receipts
0020_words_that_are_still_searched_for
0024_retries_of_runs
0022_what_was_stated_of_a_memory
0025_passages_of_long_texts
0026_few_rows_have_passages
0036_intents_are_as_long_as_names
0037_secrets_of_second_steps_are_sealed
0031_what_workers_have_taken
0045_names_linked_by_rule
0039_keys_without_case_and_conversations_by_venue
0040_signals
0041_guests_who_became_users
0050_conflicts
0051_proposals_without_folds
0053_words_in_context
0069_notes_are_found_and_deleted
0070_what_was_cleared
0073_model_judgements
0066_filters_of_a_search
"""

OF_A_SPACE = (
    "channel", "memory", "memory_version", "conversation", "turn", "extraction_run", "proposal", "conflict", "entity",
    "entity_link", "note", "daily_run", "person_merge", "signal", "receipt", "search", "token", "operation",
)  # fmt: skip
"""Tables whose rows are seen by space."""

IN_ONE_SPACE = [
    ("memory", "channel_id", "channel"),
    ("memory_version", "memory_id", "memory"),
    ("conversation", "channel_id", "channel"),
    ("turn", "conversation_id", "conversation"),
    ("extraction_run", "conversation_id", "conversation"),
    ("proposal", "conversation_id", "conversation"),
    ("conflict", "older_id", "memory"),
    ("conflict", "newer_id", "memory"),
    ("entity", "channel_id", "channel"),
    ("entity_link", "memory_id", "memory"),
    ("entity_link", "entity_id", "entity"),
]
"""A column that refers to a table, within the same space."""

POLICY = (
    "space_id = ANY((SELECT nullif(current_setting('app.spaces', true), '')::uuid[])::uuid[])"
    " OR (SELECT current_setting('app.every_space', true) = 'on')"
)

OPERATION = """
    CREATE TABLE operation (
        space_id uuid NOT NULL,
        id uuid NOT NULL,
        at timestamptz NOT NULL,
        name varchar(40) NOT NULL,
        author varchar(250) NOT NULL,
        person_id uuid,
        memory_id uuid,
        request_id varchar(64) NOT NULL,
        detail jsonb NOT NULL,
        PRIMARY KEY (space_id, id)
    ) PARTITION BY RANGE (id);
    CREATE INDEX operation_of_memory ON operation (space_id, memory_id);
    CREATE INDEX operation_by_time ON operation (at, id)
"""

COMMONS = """
    INSERT INTO space (id, kind, name, created_at)
    VALUES ('00000000-0000-7000-8000-000000000001', 'commons', '', now())
    ON CONFLICT DO NOTHING
"""

MONTHS = 4
"""Partitions of the log that are made at once: of this month and the next three."""


def row_security(table):
    """Only rows of spaces that a transaction may touch are there for it, whoever owns the table."""
    return [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {table}_by_space ON {table} USING ({POLICY}) WITH CHECK ({POLICY})",
    ]


def reference(child, column, parent):
    """A foreign key that no row of another space can satisfy."""
    return (
        f"ALTER TABLE {child} ADD CONSTRAINT {child}_{column}_in_space"
        f" FOREIGN KEY (space_id, {column}) REFERENCES {parent} (space_id, id) ON DELETE CASCADE"
    )


def passages(table):
    """Columns for the parts of a long text, which models do not know."""
    return [
        f"ALTER TABLE {table} ADD COLUMN passages halfvec[], ADD COLUMN passage_words tsvector[]",
        # A vector does not compress; and statistics would hold words of a text that is erased.
        f"ALTER TABLE {table} ALTER COLUMN passages SET STORAGE EXTERNAL, ALTER COLUMN passages SET STATISTICS 0,"
        " ALTER COLUMN passage_words SET STATISTICS 0",
        # Few rows have passages; the statistics have the planner take this index to find them.
        f"CREATE INDEX {table}_in_passages ON {table} (space_id) WHERE num_nulls(passages) = 0",
        f"CREATE STATISTICS {table}_passages ON (num_nulls(passages)) FROM {table}",
        f"CREATE INDEX {table}_awaiting_passages ON {table} (space_id, id)"
        " WHERE passages IS NULL AND octet_length(content) >= 600",
    ]


def make_partitions(apps, schema_editor):
    """One a month. Ids begin with the millisecond in which they were made, so the ids of a month are a range."""
    today = datetime.now(UTC)
    months = today.year * 12 + today.month - 1
    starts = [datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC) for month in range(months, months + MONTHS + 1)]
    for start, end in itertools.pairwise(starts):
        first, last = (uuid.UUID(int=int(moment.timestamp() * 1000) << 80) for moment in (start, end))
        name = f"operation_{start:%Y_%m}"
        schema_editor.execute(f"CREATE TABLE {name} PARTITION OF operation FOR VALUES FROM ('{first}') TO ('{last}')")
        for statement in row_security(name):
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    initial = True

    replaces = [("memory_app", name) for name in REPLACED.split()]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="Space",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("personal", "Personal"), ("shared", "Shared"), ("commons", "Commons")],
                        default="shared",
                        max_length=10,
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        blank=True, help_text="the caller's own stable string; empty unless shared", max_length=200
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "db_table": "space",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "shared")), fields=("name",), name="space_shared_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("display_name", models.CharField(blank=True, max_length=200)),
                ("timezone", models.CharField(default="UTC", max_length=64)),
                (
                    "language",
                    models.CharField(
                        default="english", help_text="a PostgreSQL text search configuration", max_length=32
                    ),
                ),
                ("memory_enabled", models.BooleanField(default=True)),
                (
                    "extraction_policy",
                    models.CharField(
                        choices=[("ask", "Ask"), ("auto", "Auto"), ("off", "Off")], default="ask", max_length=4
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "space",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="owner", to="memory_app.space"
                    ),
                ),
                (
                    "sensitive_policy",
                    models.CharField(
                        choices=[
                            ("private", "kept, and told in private talks"),
                            ("sealed", "kept, and never told to an assistant unless it is searched for"),
                            ("refused", "not kept"),
                        ],
                        default="private",
                        max_length=7,
                    ),
                ),
                (
                    "merged_into",
                    models.UUIDField(blank=True, help_text="who goes on for them: a guest became a user", null=True),
                ),
                (
                    "cleared_at",
                    models.DateTimeField(blank=True, help_text="nothing of before is read or told any more", null=True),
                ),
            ],
            options={
                "db_table": "person",
                "constraints": [models.UniqueConstraint(fields=("name",), name="person_name")],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="users",
                        to="memory_app.person",
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "db_table": "dashboard_user",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Channel",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("name", models.CharField(max_length=200)),
                ("restricted", models.BooleanField(default=False, help_text="once restricted, a channel stays so")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="channels", to="memory_app.space"
                    ),
                ),
            ],
            options={
                "db_table": "channel",
                "constraints": [models.UniqueConstraint(fields=("space", "name"), name="channel_name")],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "person_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="memory_app.space"
                    ),
                ),
            ],
            options={
                "db_table": "membership",
                "indexes": [models.Index(fields=["person"], name="membership_person")],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "prefix",
                    models.CharField(help_text="the public beginning of the key, to tell keys apart", max_length=20),
                ),
                ("hash", models.BinaryField(max_length=32)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[("read", "Read"), ("write", "Write"), ("admin", "Admin")], max_length=5
                        ),
                        size=None,
                    ),
                ),
                (
                    "spaces",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list, size=None
                    ),
                ),
                (
                    "people",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list, size=None
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "db_table": "api_key",
                "constraints": [models.UniqueConstraint(fields=("hash",), name="api_key_hash")],
            },
        ),
        migrations.CreateModel(
            name="Idempotency",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=255)),
                ("request_hash", models.BinaryField(help_text="SHA-256 of method, path and body", max_length=32)),
                ("status", models.PositiveSmallIntegerField()),
                ("response", models.JSONField()),
                (
                    "memory_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(),
                        default=list,
                        help_text="what the answer shows, so that erase finds it",
                        size=None,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "api_key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.apikey"
                    ),
                ),
            ],
            options={
                "db_table": "idempotency",
                "indexes": [models.Index(fields=["created_at"], name="idempotency_age")],
                "constraints": [models.UniqueConstraint(fields=("api_key", "key"), name="idempotency_once")],
            },
        ),
        migrations.CreateModel(
            name="Conversation",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "private"),
                            ("channel", "channel"),
                            ("space", "space"),
                            ("global", "global"),
                            ("everyone", "everyone"),
                        ],
                        max_length=8,
                    ),
                ),
                ("channel_id", models.UUIDField(blank=True, null=True)),
                ("external_id", models.CharField(blank=True, max_length=200)),
                (
                    "follows",
                    models.UUIDField(
                        blank=True, help_text="the ended conversation that this one goes on from", null=True
                    ),
                ),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_turn_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("turn_count", models.PositiveIntegerField(default=0)),
                ("extracted_to", models.PositiveIntegerField(default=0, help_text="turns read by extraction so far")),
                ("user_turns_unread", models.PositiveIntegerField(default=0, help_text="user turns since then")),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="conversations", to="memory_app.space"
                    ),
                ),
                (
                    "consolidated_at",
                    models.DateTimeField(blank=True, help_text="when all that was said had been read", null=True),
                ),
                (
                    "channel_name",
                    models.CharField(blank=True, help_text="of its venue, open or restricted", max_length=200),
                ),
                (
                    "cleared_to",
                    models.PositiveIntegerField(
                        default=0, help_text="turns of before were cleared: nothing reads them"
                    ),
                ),
                (
                    "channel",
                    models.ForeignObject(
                        from_fields=["space_id", "channel_id"],
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="memory_app.channel",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "conversation",
                "indexes": [
                    models.Index(fields=["id"], name="conversation_by_id"),
                    models.Index(
                        condition=models.Q(("extracted_to__lt", models.F("turn_count"))),
                        fields=["last_turn_at"],
                        name="conversation_unread",
                    ),
                    models.Index(
                        condition=models.Q(("consolidated_at", None)),
                        fields=["last_turn_at"],
                        name="conversation_not_gone_through",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=("space", "person", "visibility", "channel_name", "external_id"),
                        name="conversation_external_id",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.person",
                    ),
                ),
                ("conversation_id", models.UUIDField()),
                ("position", models.PositiveIntegerField(help_text="from 0, in the order said")),
                ("spoken_at", models.DateTimeField()),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "private"),
                            ("channel", "channel"),
                            ("space", "space"),
                            ("global", "global"),
                            ("everyone", "everyone"),
                        ],
                        max_length=8,
                    ),
                ),
                ("channel_id", models.UUIDField(blank=True, null=True)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func(models.F("tsv"), function="length"),
                        output_field=models.IntegerField(),
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[("conversation", "Conversation"), ("command", "Command"), ("ambient", "Ambient")],
                        default="conversation",
                        max_length=12,
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[("ok", "Ok"), ("failed", "Failed"), ("cancelled", "Cancelled")],
                        default="ok",
                        max_length=9,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("user", "User"), ("assistant", "Assistant"), ("system", "System")], max_length=9
                    ),
                ),
                ("speaker", models.CharField(blank=True, max_length=200)),
                ("embedding_model", models.CharField(blank=True, max_length=200, null=True)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
                ("tsv", django.contrib.postgres.search.SearchVectorField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("content", models.TextField()),
                ("intent", models.CharField(blank=True, max_length=200)),
                (
                    "conversation",
                    models.ForeignObject(
                        from_fields=["space_id", "conversation_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="memory_app.conversation",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "turn",
                "indexes": [
                    models.Index(
                        condition=models.Q(("embedding", None)), fields=["space", "id"], name="turn_awaiting_vector"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("space", "conversation_id", "position"), name="turn_position")
                ],
            },
        ),
        migrations.RunSQL(passages("turn"), migrations.RunSQL.noop),
        migrations.CreateModel(
            name="ExtractionRun",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("conversation_id", models.UUIDField()),
                (
                    "trigger",
                    models.CharField(
                        choices=[
                            ("count", "Count"),
                            ("history", "History"),
                            ("idle", "Idle"),
                            ("switch", "Switch"),
                            ("end", "End"),
                            ("nightly", "Nightly"),
                        ],
                        max_length=7,
                    ),
                ),
                ("from_position", models.PositiveIntegerField()),
                ("to_position", models.PositiveIntegerField(help_text="exclusive")),
                ("read", models.PositiveIntegerField(default=0)),
                ("proposed", models.PositiveIntegerField(default=0)),
                ("duplicates", models.PositiveIntegerField(default=0)),
                ("kept", models.PositiveIntegerField(default=0)),
                (
                    "noted",
                    models.PositiveIntegerField(default=0, help_text="too unsure to keep by itself: in the daily note"),
                ),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("milliseconds", models.PositiveIntegerField(default=0)),
                (
                    "extractor",
                    models.CharField(
                        help_text="what read it: the local extractor, or a prompt and a model", max_length=100
                    ),
                ),
                ("error", models.CharField(blank=True, max_length=500)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                (
                    "dropped",
                    models.JSONField(
                        blank=True, default=dict, help_text="{reason: how many}: what a model said in vain"
                    ),
                ),
                (
                    "conversation",
                    models.ForeignObject(
                        from_fields=["space_id", "conversation_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="memory_app.conversation",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "extraction_run",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "conversation_id", "from_position", "extractor"), name="extraction_run_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "private"),
                            ("channel", "channel"),
                            ("space", "space"),
                            ("global", "global"),
                            ("everyone", "everyone"),
                        ],
                        max_length=8,
                    ),
                ),
                ("channel_id", models.UUIDField(blank=True, null=True)),
                ("conversation_id", models.UUIDField(blank=True, null=True)),
                ("run_id", models.UUIDField(blank=True, null=True)),
                (
                    "number",
                    models.PositiveIntegerField(
                        default=0, help_text="its place in the question put to the person, from 1"
                    ),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("fact", "Fact"),
                            ("preference", "Preference"),
                            ("decision", "Decision"),
                            ("event", "Event"),
                            ("person", "Person"),
                            ("project", "Project"),
                            ("meeting", "Meeting"),
                            ("journal", "Journal"),
                            ("profile", "Profile"),
                            ("task", "Task"),
                            ("note", "Note"),
                            ("reflection", "Reflection"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("preference", "Preference"),
                            ("work", "Work"),
                            ("personal", "Personal"),
                            ("reading", "Reading"),
                            ("fact", "Fact"),
                        ],
                        max_length=10,
                    ),
                ),
                ("key", models.CharField(blank=True, max_length=100)),
                ("summary", models.TextField()),
                ("content", models.TextField()),
                (
                    "keywords",
                    django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None),
                ),
                ("event_time", models.DateTimeField(blank=True, null=True)),
                ("confidence", models.FloatField()),
                ("reason", models.CharField(help_text="why it was noticed, in plain words", max_length=300)),
                (
                    "quotes",
                    models.JSONField(default=list, help_text="[{turn, position, text}]: the exact words it rests on"),
                ),
                ("extractor", models.CharField(max_length=100)),
                (
                    "relation",
                    models.CharField(
                        choices=[
                            ("new", "New"),
                            ("duplicate", "Duplicate"),
                            ("merge", "Merge"),
                            ("supersede", "Supersede"),
                            ("conflict", "Conflict"),
                        ],
                        default="new",
                        max_length=9,
                    ),
                ),
                ("target_id", models.UUIDField(blank=True, help_text="the memory that `relation` is about", null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("accepted", "Accepted"),
                            ("merged", "Merged"),
                            ("rejected", "Rejected"),
                            ("expired", "Expired"),
                        ],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.CharField(blank=True, max_length=250)),
                ("reject_reason", models.CharField(blank=True, max_length=200)),
                ("snoozed_until", models.DateTimeField(blank=True, null=True)),
                ("memory_id", models.UUIDField(blank=True, help_text="what it became", null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
                ("embedding_model", models.CharField(blank=True, max_length=200, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="proposals", to="memory_app.space"
                    ),
                ),
                (
                    "event_end",
                    models.DateTimeField(
                        blank=True, help_text="the end of the period that event_time begins", null=True
                    ),
                ),
                (
                    "context",
                    models.TextField(blank=True, help_text="what was said before, where the words do not stand alone"),
                ),
                ("speaker", models.CharField(blank=True, help_text="who said it", max_length=200)),
                ("said_at", models.DateTimeField(blank=True, null=True)),
                (
                    "judgement",
                    models.CharField(
                        blank=True,
                        help_text="what a language model says that it is to that memory (rules/decide.py)",
                        max_length=13,
                    ),
                ),
                (
                    "reworded",
                    models.BooleanField(
                        default=False, help_text="whether a language model worded it after it was shown to the person"
                    ),
                ),
                (
                    "conversation",
                    models.ForeignObject(
                        from_fields=["space_id", "conversation_id"],
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="memory_app.conversation",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "proposal",
                "indexes": [
                    models.Index(fields=["space", "person", "status"], name="proposal_inbox"),
                    models.Index(fields=["id"], name="proposal_by_id"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Memory",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memories", to="memory_app.space"
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memories",
                        to="memory_app.person",
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("valid_from", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "private"),
                            ("channel", "channel"),
                            ("space", "space"),
                            ("global", "global"),
                            ("everyone", "everyone"),
                        ],
                        max_length=8,
                    ),
                ),
                ("channel_id", models.UUIDField(blank=True, null=True)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("valid_to", models.DateTimeField(blank=True, null=True)),
                ("event_time", models.DateTimeField(blank=True, null=True)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func(models.F("tsv"), function="length"),
                        output_field=models.IntegerField(),
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("active", "Active"), ("superseded", "Superseded"), ("deleted", "Deleted")],
                        default="active",
                        max_length=10,
                    ),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("fact", "Fact"),
                            ("preference", "Preference"),
                            ("decision", "Decision"),
                            ("event", "Event"),
                            ("person", "Person"),
                            ("project", "Project"),
                            ("meeting", "Meeting"),
                            ("journal", "Journal"),
                            ("profile", "Profile"),
                            ("task", "Task"),
                            ("note", "Note"),
                            ("reflection", "Reflection"),
                        ],
                        default="fact",
                        max_length=10,
                    ),
                ),
                ("source_speaker", models.CharField(blank=True, help_text="who said it", max_length=200)),
                ("embedding_model", models.CharField(blank=True, max_length=200, null=True)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
                ("tsv", django.contrib.postgres.search.SearchVectorField(null=True)),
                ("reinforced_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "event_end",
                    models.DateTimeField(
                        blank=True, help_text="the end of the period that event_time begins", null=True
                    ),
                ),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_accessed_at", models.DateTimeField(blank=True, null=True)),
                ("supersedes", models.UUIDField(blank=True, null=True)),
                ("superseded_by", models.UUIDField(blank=True, null=True)),
                ("source_conversation", models.UUIDField(blank=True, null=True)),
                ("confidence", models.FloatField(default=1.0)),
                ("decay_rate", models.FloatField(default=0.01)),
                ("access_count", models.PositiveIntegerField(default=0)),
                ("source_count", models.PositiveIntegerField(default=1)),
                ("version", models.PositiveIntegerField(default=1)),
                ("position", models.PositiveIntegerField(default=0, help_text="its place in the batch it came in")),
                ("protected", models.BooleanField(default=False)),
                ("sensitive", models.BooleanField(default=False)),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("preference", "Preference"),
                            ("work", "Work"),
                            ("personal", "Personal"),
                            ("reading", "Reading"),
                            ("fact", "Fact"),
                        ],
                        default="fact",
                        max_length=10,
                    ),
                ),
                (
                    "key",
                    models.CharField(blank=True, help_text="a slot that holds one value at a time", max_length=100),
                ),
                ("summary", models.TextField()),
                ("content", models.TextField()),
                (
                    "keywords",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("attributes", models.JSONField(blank=True, default=dict)),
                (
                    "digest",
                    models.BinaryField(
                        help_text="of the normalised content: equal texts are equal digests", max_length=16
                    ),
                ),
                (
                    "source_type",
                    models.CharField(
                        choices=[
                            ("explicit", "Explicit"),
                            ("extracted", "Extracted"),
                            ("meeting", "Meeting"),
                            ("journal", "Journal"),
                            ("migration", "Migration"),
                            ("consolidation", "Consolidation"),
                            ("reflection", "Reflection"),
                            ("api", "Api"),
                        ],
                        default="api",
                        max_length=13,
                    ),
                ),
                (
                    "source_turns",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "changed_by",
                    models.CharField(blank=True, help_text="who made this version, as Author.label", max_length=250),
                ),
                ("deleted_by", models.CharField(blank=True, max_length=250)),
                ("delete_reason", models.CharField(blank=True, max_length=20)),
                ("named_by", models.CharField(blank=True, max_length=200, null=True)),
                (
                    "stated",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(),
                        blank=True,
                        help_text="fields that were set, not worked out from the text; null: nobody noted which",
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "channel",
                    models.ForeignObject(
                        from_fields=["space_id", "channel_id"],
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memories",
                        to="memory_app.channel",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "memory",
                "indexes": [
                    models.Index(fields=["id"], name="memory_by_id"),
                    models.Index(fields=["space", "person", "digest"], name="memory_by_digest"),
                    models.Index(
                        condition=models.Q(("source_type__in", ["consolidation", "reflection"])),
                        fields=["space", "person"],
                        name="memory_derived",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_at", None), ("embedding", None)),
                        fields=["space", "id"],
                        name="memory_awaiting_vector",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("confidence__gte", 0), ("confidence__lte", 1)),
                        name="memory_confidence_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("visibility", "channel"), ("channel_id", None), _connector="XOR"),
                        name="memory_channel_level",
                    ),
                ],
            },
        ),
        migrations.RunSQL(passages("memory"), migrations.RunSQL.noop),
        migrations.AddField(
            model_name="memory",
            name="comparable_key",
            field=models.GeneratedField(
                db_persist=True,
                expression=django.db.models.functions.text.Lower(
                    django.db.models.functions.text.Trim(
                        models.Func(
                            models.F("key"),
                            models.Value("[\\s_-]+"),
                            models.Value(" "),
                            models.Value("g"),
                            function="regexp_replace",
                        )
                    )
                ),
                output_field=models.CharField(max_length=100),
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="context",
            field=models.TextField(blank=True, help_text="what was said before, where the words do not stand alone"),
        ),
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
        migrations.CreateModel(
            name="Version",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("memory_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("changed_by", models.CharField(blank=True, help_text="who made this version", max_length=250)),
                ("changed_at", models.DateTimeField(help_text="when this version was made")),
                ("replaced_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("state", models.JSONField(help_text="the fields of VERSIONED as they were")),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
                (
                    "memory",
                    models.ForeignObject(
                        from_fields=["space_id", "memory_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="memory_app.memory",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "memory_version",
                "constraints": [
                    models.UniqueConstraint(fields=("space", "memory_id", "number"), name="memory_version_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Conflict",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("older_id", models.UUIDField()),
                ("newer_id", models.UUIDField()),
                ("older_digest", models.BinaryField(help_text="of the older text that this is about", max_length=16)),
                ("newer_digest", models.BinaryField(help_text="of the newer text that this is about", max_length=16)),
                ("reason", models.CharField(help_text="why the two may not both hold, in plain words", max_length=300)),
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
        migrations.CreateModel(
            name="Entity",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "private"),
                            ("channel", "channel"),
                            ("space", "space"),
                            ("global", "global"),
                            ("everyone", "everyone"),
                        ],
                        max_length=8,
                    ),
                ),
                ("channel_id", models.UUIDField(blank=True, null=True)),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("project", "Project"),
                            ("organization", "Organization"),
                            ("location", "Location"),
                            ("email", "Email"),
                            ("url", "Url"),
                            ("topic", "Topic"),
                            ("date", "Date"),
                            ("other", "Other"),
                        ],
                        max_length=12,
                    ),
                ),
                ("name", models.TextField(help_text="as it is called")),
                (
                    "normal",
                    models.TextField(
                        help_text="normalised: names equal but for case, accents and punctuation are equal"
                    ),
                ),
                ("apart", models.PositiveSmallIntegerField(default=0)),
                (
                    "merged_into",
                    models.UUIDField(blank=True, help_text="the entity of the same level that this one is", null=True),
                ),
                ("merged_via", models.UUIDField(blank=True, help_text="the one with which it came along", null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                (
                    "by_hand",
                    models.BooleanField(
                        default=False,
                        help_text="someone decided whether this is another, and which; names decide it no more",
                    ),
                ),
                (
                    "channel",
                    models.ForeignObject(
                        from_fields=["space_id", "channel_id"],
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.channel",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "entity",
                "indexes": [
                    models.Index(fields=["id"], name="entity_by_id"),
                    models.Index(fields=["space", "normal"], name="entity_by_name"),
                    models.Index(
                        condition=models.Q(("merged_into", None), _negated=True),
                        fields=["space", "merged_into"],
                        name="entity_merged_into",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "person", "visibility", "channel_id", "normal", "type", "apart"),
                        name="entity_once",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EntityLink",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id",
                        "memory_id",
                        "entity_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("memory_id", models.UUIDField()),
                ("entity_id", models.UUIDField()),
                ("surface", models.TextField(help_text="the words as they stand in the memory")),
                ("confidence", models.FloatField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("form", "its form: a mention, an address, a name in capitals"),
                            ("known", "a name that was known already"),
                            ("reader", "a model of names, at night"),
                            ("hand", "someone said so"),
                        ],
                        max_length=6,
                    ),
                ),
                (
                    "moved_from",
                    models.UUIDField(blank=True, help_text="the entity it was of before that was parted", null=True),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
                (
                    "same_as",
                    models.UUIDField(
                        blank=True, help_text="the entity that the memory says this one is: “my mother Ruth”", null=True
                    ),
                ),
                (
                    "entity",
                    models.ForeignObject(
                        from_fields=["space_id", "entity_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="memory_app.entity",
                        to_fields=["space_id", "id"],
                    ),
                ),
                (
                    "memory",
                    models.ForeignObject(
                        from_fields=["space_id", "memory_id"],
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entity_links",
                        to="memory_app.memory",
                        to_fields=["space_id", "id"],
                    ),
                ),
            ],
            options={
                "db_table": "entity_link",
                "indexes": [models.Index(fields=["space", "entity_id"], name="entity_link_of_entity")],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("date", models.DateField()),
                ("text", models.TextField(db_column="content")),
                ("author", models.CharField(max_length=250)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("deleted_by", models.CharField(blank=True, max_length=250)),
                ("delete_reason", models.CharField(blank=True, max_length=20)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
                ("embedding_model", models.CharField(blank=True, max_length=200, null=True)),
                ("tsv", django.contrib.postgres.search.SearchVectorField(null=True)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func(models.F("tsv"), function="length"),
                        output_field=models.IntegerField(),
                    ),
                ),
            ],
            options={
                "db_table": "note",
                "indexes": [
                    models.Index(fields=["space", "person", "date"], name="note_of_day"),
                    models.Index(
                        condition=models.Q(
                            ("deleted_at", None), ("embedding", None), models.Q(("author", "job:daily"), _negated=True)
                        ),
                        fields=["space", "id"],
                        name="note_awaiting_vector",
                    ),
                ],
            },
        ),
        migrations.RunSQL(passages("note"), migrations.RunSQL.noop),
        migrations.CreateModel(
            name="DailyRun",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("date", models.DateField()),
                ("turns", models.PositiveIntegerField(default=0, help_text="what was said, by anyone")),
                ("conversations", models.PositiveIntegerField(default=0)),
                ("written", models.PositiveIntegerField(default=0, help_text="memories made that day")),
                ("updated", models.PositiveIntegerField(default=0, help_text="memories changed that day")),
                ("proposed", models.PositiveIntegerField(default=0)),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("milliseconds", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="daily_runs",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
                ("error", models.CharField(blank=True, help_text="the kind of error that ended it", max_length=200)),
                (
                    "status",
                    models.CharField(choices=[("done", "Done"), ("failed", "Failed")], default="done", max_length=6),
                ),
            ],
            options={
                "db_table": "daily_run",
                "constraints": [models.UniqueConstraint(fields=("space", "person", "date"), name="daily_run_once")],
            },
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("by", models.CharField(help_text="as Author.label", max_length=250)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "moved",
                    models.JSONField(
                        default=dict, help_text="{kind: [[space it was in, id, what else undoing needs]]}"
                    ),
                ),
                ("counts", models.JSONField(default=dict, help_text="{kind: rows that passed}")),
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
                "db_table": "person_merge",
                "indexes": [models.Index(fields=["space", "person", "at"], name="person_merge_latest")],
            },
        ),
        migrations.CreateModel(
            name="Signal",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                (
                    "action",
                    models.CharField(
                        choices=[("reaction", "Reaction"), ("save", "Save"), ("command", "Command")], max_length=8
                    ),
                ),
                ("subject", models.CharField(help_text="the topic, title or command", max_length=500)),
                ("url", models.CharField(blank=True, max_length=2000)),
                ("liked", models.BooleanField(default=True, help_text="false: a reaction against it")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signals",
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
                "db_table": "signal",
                "indexes": [models.Index(fields=["space", "person", "at"], name="signal_latest")],
            },
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("query", models.TextField()),
                ("intent", models.CharField(blank=True, max_length=200)),
                ("author", models.CharField(max_length=250)),
                (
                    "venue",
                    models.JSONField(
                        default=dict, help_text="names of the space and channel, and whether it is restricted"
                    ),
                ),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("token_budget", models.PositiveIntegerField(default=0)),
                (
                    "items",
                    models.JSONField(default=list, help_text="[{memory, space, rank, score, why}], in order of rank"),
                ),
                (
                    "reason",
                    models.CharField(blank=True, help_text="why the brief is empty, where it is", max_length=300),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receipts",
                        to="memory_app.person",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.space"
                    ),
                ),
                ("conversation", models.UUIDField(blank=True, help_text="the one it was made for", null=True)),
            ],
            options={
                "db_table": "receipt",
                "indexes": [
                    models.Index(fields=["space", "conversation"], name="receipt_of_conversation"),
                    models.Index(fields=["space", "-at", "-id"], name="receipt_latest"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Search",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("query", models.TextField()),
                ("place", models.JSONField(default=dict, help_text="names of the space and channel searched from")),
                ("found", models.JSONField(default=list, help_text="[[space, memory]], best first")),
                (
                    "shown_from",
                    models.PositiveIntegerField(default=0, help_text="where in `found` the last batch began"),
                ),
                ("complete", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "api_key",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_app.apikey",
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
                (
                    "filters",
                    models.JSONField(default=dict, help_text="as they were sent: what the search is narrowed to"),
                ),
            ],
            options={
                "db_table": "search",
                "indexes": [
                    models.Index(fields=["id"], name="search_by_id"),
                    models.Index(fields=["created_at"], name="search_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                ("hash", models.BinaryField(help_text="SHA-256; the token itself is told once", max_length=32)),
                ("conversation", models.UUIDField(blank=True, null=True)),
                (
                    "place",
                    models.JSONField(default=dict, help_text="names of the space and channel where it was asked"),
                ),
                ("memories", models.JSONField(default=list, help_text="[[space, memory]], as they were numbered")),
                ("everything", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
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
                "db_table": "token",
                "indexes": [
                    models.Index(fields=["space", "hash"], name="token_by_hash"),
                    models.Index(fields=["expires_at"], name="token_age"),
                ],
            },
        ),
        # Django cannot say PARTITION BY.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(OPERATION, "DROP TABLE operation"),
                migrations.RunPython(make_partitions, migrations.RunPython.noop),
            ],
            state_operations=[
                migrations.CreateModel(
                    name="Operation",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "space_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                            ),
                        ),
                        (
                            "space",
                            models.ForeignKey(
                                db_constraint=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="memory_app.space",
                            ),
                        ),
                        ("id", models.UUIDField(default=uuid_utils.compat.uuid7, editable=False)),
                        ("at", models.DateTimeField()),
                        (
                            "name",
                            models.CharField(help_text="the verb: remember, edit, forget, restore, …", max_length=40),
                        ),
                        ("author", models.CharField(help_text="as Author.label", max_length=250)),
                        ("person_id", models.UUIDField(blank=True, null=True)),
                        ("memory_id", models.UUIDField(blank=True, null=True)),
                        ("request_id", models.CharField(blank=True, max_length=64)),
                        ("detail", models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        "db_table": "operation",
                        "indexes": [
                            models.Index(fields=["space", "memory_id"], name="operation_of_memory"),
                            models.Index(fields=["at", "id"], name="operation_by_time"),
                        ],
                    },
                ),
            ],
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(choices=[("memory", "Memory"), ("person", "Person")], max_length=6)),
                ("subject", models.UUIDField(help_text="the memory, or the person, that is gone")),
                ("of_space", models.UUIDField(help_text="the space it lived in")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("by", models.CharField(help_text="as Author.label", max_length=250)),
                ("removed", models.JSONField(default=dict, help_text="{table: rows deleted}")),
                ("blanked", models.JSONField(default=dict, help_text="{table: rows that lost its words and stayed}")),
                (
                    "quoted",
                    models.JSONField(default=dict, help_text="{table: rows of what was said that hold its very words}"),
                ),
                (
                    "found",
                    models.JSONField(
                        default=dict, help_text="{table.column: rows}: what a search for its words still found"
                    ),
                ),
                (
                    "searched",
                    models.PositiveIntegerField(default=0, help_text="columns that were searched for its words"),
                ),
                ("purged", models.JSONField(default=dict, help_text="{step: when it was done, or why it was not}")),
                ("purged_at", models.DateTimeField(blank=True, null=True)),
                ("signature", models.CharField(help_text="HMAC-SHA-256 of the above, as hex", max_length=64)),
                (
                    "derived",
                    models.JSONField(default=list, help_text="ids of memories made from it, which went with it"),
                ),
                ("done", models.PositiveIntegerField(default=0, help_text="rows that are gone")),
                (
                    "total",
                    models.PositiveIntegerField(
                        default=0, help_text="rows that were to go, where it takes more than one step"
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "sought",
                    models.BinaryField(
                        help_text="what is still to be searched for, encrypted; dropped then", null=True
                    ),
                ),
            ],
            options={
                "db_table": "erasure",
                "indexes": [
                    models.Index(condition=models.Q(("finished_at", None)), fields=["at"], name="erasure_unfinished"),
                    models.Index(
                        condition=models.Q(("sought", None), _negated=True), fields=["at"], name="erasure_unsearched"
                    ),
                    models.Index(condition=models.Q(("purged_at", None)), fields=["at"], name="erasure_unpurged"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tombstone",
            fields=[
                ("memory_id", models.UUIDField(primary_key=True, serialize=False)),
                ("erasure_id", models.UUIDField()),
            ],
            options={
                "db_table": "tombstone",
                "indexes": [models.Index(fields=["erasure_id"], name="tombstone_of_erasure")],
            },
        ),
        migrations.CreateModel(
            name="JobRun",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(help_text="the job's name", max_length=40)),
                (
                    "subject",
                    models.CharField(blank=True, help_text="the one it is run for, where not for all", max_length=200),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=9,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0, help_text="0 while it is not known")),
                ("message", models.CharField(blank=True, max_length=500)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("cancel_requested", models.BooleanField(default=False)),
                (
                    "asked_by",
                    models.CharField(blank=True, help_text="as Author.label; empty: its schedule", max_length=250),
                ),
                ("heartbeat", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "retry_of",
                    models.UUIDField(
                        blank=True, help_text="the run that failed, which this one tries again", null=True
                    ),
                ),
            ],
            options={
                "db_table": "job_run",
                "indexes": [models.Index(fields=["kind", "-id"], name="job_run_of_kind")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("queued", "running"))),
                        fields=("kind", "subject"),
                        name="job_run_one_alive",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TakenTask",
            fields=[
                ("task", models.BigIntegerField(help_text="its id in the queue", primary_key=True, serialize=False)),
                (
                    "cluster",
                    models.CharField(
                        blank=True, help_text="host, process and its start; empty: released", max_length=300
                    ),
                ),
                ("worker", models.PositiveIntegerField(blank=True, help_text="the process that began it", null=True)),
                ("heartbeat", models.DateTimeField()),
                ("begun_at", models.DateTimeField(blank=True, null=True)),
                (
                    "deaths",
                    models.PositiveIntegerField(default=0, help_text="how often the worker died that had begun it"),
                ),
            ],
            options={
                "db_table": "taken_task",
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(help_text="what reads it, such as propose", max_length=40)),
                ("space", models.UUIDField(help_text="the space it lives in")),
                ("unit", models.UUIDField(help_text="its id there, such as that of a conversation")),
                ("number", models.PositiveIntegerField(default=0, help_text="attempts so far")),
                (
                    "reader",
                    models.CharField(
                        blank=True, help_text="host, process and its start; empty: it failed", max_length=300
                    ),
                ),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "error",
                    models.CharField(
                        blank=True, help_text="the kind of error that ended the last attempt", max_length=200
                    ),
                ),
                ("set_aside_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "db_table": "attempt",
                "constraints": [models.UniqueConstraint(fields=("kind", "unit"), name="attempt_once")],
            },
        ),
        # In the row, however long the row: a scan of all that someone sees would else fetch each vector apart.
        *(
            migrations.RunSQL(f"ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE MAIN", migrations.RunSQL.noop)
            for table in ("memory", "turn")
        ),
        migrations.RunSQL([reference(*columns) for columns in IN_ONE_SPACE], migrations.RunSQL.noop),
        *(migrations.RunSQL(row_security(table), migrations.RunSQL.noop) for table in OF_A_SPACE),
        migrations.RunSQL(COMMONS, migrations.RunSQL.noop),
    ]
