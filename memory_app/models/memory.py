"""Memories: what was kept, where it lives, who may see it, and how it got there."""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Lower, Trim
from django.utils import timezone
from pgvector.django import HalfVectorField

from memory_app.models.choices import (
    DERIVED_SOURCES,
    QUOTABLE_SOURCES,
    VISIBILITY_CHOICES,
    Category,
    MemoryType,
    SourceType,
    Status,
)
from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Channel, Space
from memory_app.models.strength_sql import fades_at_expression, fading_condition, strength_expression
from memory_app.models.text_search import distinct_words, passages_missing
from memory_app.models.visible import VisibleQuerySet
from memory_app.rules import strength
from memory_app.rules.decide import comparable_key
from memory_app.rules.visibility import Placed, Venue, VenueClass, Visibility

KEY_SPACING = r"[\s_-]+"
"""As in `rules/decide.py`, which says the same of what is not stored yet."""


def comparable_key_column() -> models.GeneratedField:
    """A column that the database computes from `key`."""
    spaced = Func(F("key"), Value(KEY_SPACING), Value(" "), Value("g"), function="regexp_replace")
    return models.GeneratedField(
        expression=Lower(Trim(spaced)), output_field=models.CharField(max_length=100), db_persist=True
    )


WITHHELD = "withheld"
"""Among a reflection's attributes: lines that rest on what was forgotten, put by until it is back. Shown to nobody."""


def with_context(content: str, context: str) -> str:
    """Words with what was said before them, where that is needed to understand them."""
    return f"{context} {content}" if context else content


class MemoryQuerySet(VisibleQuerySet["Memory"]):
    """Sets of memories."""

    def visible_from(self, venue: Venue) -> Self:
        """As any row; what is sensitive is seen by its owner in private alone (`rules.visibility.sees`)."""
        allowed = models.Q(sensitive=False)
        if venue.kind is VenueClass.PRIVATE:
            allowed |= models.Q(person_id=venue.person)
        return super().visible_from(venue).filter(allowed)

    def undeleted(self) -> "MemoryQuerySet":
        """Tier 1, superseded memories included."""
        return self.filter(deleted_at=None)

    def deleted(self) -> "MemoryQuerySet":
        """Tier 2."""
        return self.exclude(deleted_at=None)

    def current(self, now: datetime) -> "MemoryQuerySet":
        """What holds now: not deleted, not superseded, not expired."""
        return (
            self.undeleted()
            .filter(status=Status.ACTIVE)
            .filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))
        )

    def valid(self, as_of: datetime | None, now: datetime) -> "MemoryQuerySet":
        """What has not expired, superseded memories included; with as_of, what held at that time."""
        rows = self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=as_of or now))
        if as_of is None:
            return rows
        return rows.filter(valid_from__lte=as_of).filter(models.Q(valid_to=None) | models.Q(valid_to__gt=as_of))

    def same_level(self, memory: "Memory") -> "MemoryQuerySet":
        """The owner's memories of the same visibility, space and channel: what decisions compare."""
        return self.filter(
            space_id=memory.space_id,
            person_id=memory.person_id,
            visibility=memory.visibility,
            channel_id=memory.channel_id,
        )

    def with_key(self, key: str) -> "MemoryQuerySet":
        """Those with this key, whatever its case and spacing; none for an empty key."""
        return self.filter(comparable_key=comparable_key(key)).exclude(comparable_key="")

    def originals(self) -> "MemoryQuerySet":
        """What people said. What was derived from it says the same again: it is no duplicate, and in no conflict."""
        return self.exclude(type=MemoryType.REFLECTION, source_type__in=DERIVED_SOURCES)

    def fading(self) -> "MemoryQuerySet":
        """Undeleted memories that fade, each with `fades_at`, the time when it does."""
        return self.undeleted().filter(fading_condition()).annotate(fades_at=fades_at_expression())

    def faded(self, now: datetime) -> "MemoryQuerySet":
        """Undeleted memories whose strength is below the threshold."""
        weak = self.undeleted().filter(fading_condition()).annotate(strength_now=strength_expression(now))
        return weak.filter(strength_now__lt=settings.KEEPSAKE_FADE_BELOW)

    def awaiting_vector(self, model: str) -> "MemoryQuerySet":
        """Undeleted memories whose vector, or those of whose passages, are missing or of another embedding model."""
        embedded = Q(embedding_model=model, embedding__isnull=False)
        return self.undeleted().filter(~embedded | Q(passages_missing("memory")))


class Memory(models.Model):
    """One memory. Its level is `visibility`; its place is `space`, and `channel` where said in a restricted one."""

    # What a scan of all that someone sees reads of each row comes first, fixed widths ahead: the database finds a
    # column by walking over those before it, and a row's texts lie far from its beginning.
    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_index=False, related_name="memories")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="memories")
    created_at = models.DateTimeField(default=timezone.now)
    valid_from = models.DateTimeField(default=timezone.now)
    visibility = models.CharField(max_length=8, choices=VISIBILITY_CHOICES)
    channel_id = models.UUIDField(null=True, blank=True)
    channel = models.ForeignObject(
        Channel,
        on_delete=models.CASCADE,
        from_fields=["space_id", "channel_id"],
        to_fields=["space_id", "id"],
        null=True,
        related_name="memories",
    )
    deleted_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    event_time = models.DateTimeField(null=True, blank=True)
    words = distinct_words()
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    type = models.CharField(max_length=10, choices=MemoryType, default=MemoryType.FACT)
    source_speaker = models.CharField(max_length=200, blank=True, help_text="who said it")
    embedding_model = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none yet"
    # No dimension: another model's vectors fit the same column while it is re-embedded.
    embedding = HalfVectorField(null=True, blank=True)
    tsv = SearchVectorField(null=True)

    reinforced_at = models.DateTimeField(default=timezone.now)
    event_end = models.DateTimeField(null=True, blank=True, help_text="the end of the period that event_time begins")
    updated_at = models.DateTimeField(default=timezone.now)
    last_accessed_at = models.DateTimeField(null=True, blank=True)
    supersedes = models.UUIDField(null=True, blank=True)
    superseded_by = models.UUIDField(null=True, blank=True)
    source_conversation = models.UUIDField(null=True, blank=True)
    confidence = models.FloatField(default=1.0)
    decay_rate = models.FloatField(default=strength.DECAY_RATE)
    access_count = models.PositiveIntegerField(default=0)
    source_count = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    position = models.PositiveIntegerField(default=0, help_text="its place in the batch it came in")
    protected = models.BooleanField(default=False)
    sensitive = models.BooleanField(default=False)
    named_by = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - the reader of names, null: none
    category = models.CharField(max_length=10, choices=Category, default=Category.FACT)
    key = models.CharField(max_length=100, blank=True, help_text="a slot that holds one value at a time")
    comparable_key = comparable_key_column()
    summary = models.TextField()
    content = models.TextField()
    context = models.TextField(blank=True, help_text="what was said before, where the words do not stand alone")
    keywords = ArrayField(models.TextField(), default=list, blank=True)
    tags = ArrayField(models.TextField(), default=list, blank=True)
    attributes = models.JSONField(default=dict, blank=True)
    digest = models.BinaryField(max_length=16, help_text="of the normalised content: equal texts are equal digests")
    source_type = models.CharField(max_length=13, choices=SourceType, default=SourceType.API)
    source_turns = ArrayField(models.UUIDField(), default=list, blank=True)
    changed_by = models.CharField(max_length=250, blank=True, help_text="who made this version, as Author.label")
    deleted_by = models.CharField(max_length=250, blank=True)
    delete_reason = models.CharField(max_length=20, blank=True)
    stated = ArrayField(
        models.TextField(),
        null=True,
        blank=True,
        help_text="fields that were set, not worked out from the text; null: nobody noted which",
    )

    objects = MemoryQuerySet.as_manager()

    class Meta:
        db_table = "memory"
        constraints = [
            # Serves: superseding by key, where two requests at once must not both stand.
            models.UniqueConstraint(
                fields=["space", "person", "visibility", "channel_id", "comparable_key"],
                condition=models.Q(status="active", deleted_at=None) & ~models.Q(comparable_key=""),
                nulls_distinct=False,
                name="memory_one_active_key",
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__gte=0, confidence__lte=1), name="memory_confidence_range"
            ),
            models.CheckConstraint(
                condition=models.Q(visibility="channel") ^ models.Q(channel_id=None), name="memory_channel_level"
            ),
        ]
        indexes = [
            # Serves: finding a memory by its id alone, when a request names no person.
            models.Index(fields=["id"], name="memory_by_id"),
            # Serves: exact duplicates, in remember and in an import that runs twice.
            models.Index(fields=["space", "person", "digest"], name="memory_by_digest"),
            # Serves: erasing what was derived from a memory, which names it in its attributes.
            models.Index(
                fields=["space", "person"],
                condition=models.Q(source_type__in=["consolidation", "reflection"]),
                name="memory_derived",
            ),
            # Serves: the embeddings backfill, which finds nothing almost always.
            models.Index(
                fields=["space", "id"],
                condition=models.Q(embedding=None, deleted_at=None),
                name="memory_awaiting_vector",
            ),
        ]

    def __str__(self) -> str:
        return self.summary

    @property
    def is_quotation(self) -> bool:
        """Whether its words are someone's own, as they were said. Of what assistants word, nobody is the speaker."""
        return self.source_type in QUOTABLE_SOURCES and bool(self.source_speaker)

    @property
    def searchable_text(self) -> str:
        """What it is searched by: what was said before its words, and these."""
        return with_context(self.content, self.context)

    @property
    def visible_attributes(self) -> dict[str, Any]:
        """Its attributes as anyone may read them."""
        return {name: value for name, value in self.attributes.items() if name != WITHHELD}

    @property
    def order(self) -> tuple[datetime, UUID]:
        """By what it is older or newer than another one: when it was said, to the millisecond, as versions keep a time,
        and of what was said at once the order of ids."""
        said_at = self.valid_from
        return said_at.replace(microsecond=said_at.microsecond // 1000 * 1000), self.id

    @property
    def tier(self) -> str:
        return "active" if self.deleted_at is None else "deleted"

    @property
    def placed(self) -> Placed:
        return Placed(self.space_id, self.person_id, Visibility(self.visibility), self.channel_id, self.sensitive)

    @property
    def fades(self) -> bool:
        return not self.protected and self.decay_rate > 0 and self.type != MemoryType.REFLECTION

    def strength(self, now: datetime) -> float:
        """Strength in 0..1 at `now`; what does not fade keeps its confidence."""
        rate = self.decay_rate if self.fades else 0.0
        return strength.strength(self.confidence, rate, self.reinforced_at, now)

    @property
    def fades_on(self) -> datetime | None:
        if not self.fades:
            return None
        return strength.fades_on(self.confidence, self.decay_rate, self.reinforced_at, settings.KEEPSAKE_FADE_BELOW)

    def derived_values(self, now: datetime) -> dict[str, Any]:
        """What is shown of it beside its columns."""
        return {
            "attributes": self.visible_attributes,
            "tier": self.tier,
            "strength": round(self.strength(now), 4),
            "fades_on": self.fades_on,
        }

    @property
    def is_active(self) -> bool:
        """Whether it holds: neither deleted nor superseded."""
        return self.status == Status.ACTIVE and self.deleted_at is None

    @property
    def is_original(self) -> bool:
        """As `MemoryQuerySet.originals` has it."""
        return self.type != MemoryType.REFLECTION or self.source_type not in DERIVED_SOURCES

    def belongs_to(self, venue: Venue) -> bool:
        return self.person_id == venue.person
