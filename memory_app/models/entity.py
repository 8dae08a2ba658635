"""Entities: whom and what memories speak of. Each belongs to one owner at one level, as the memories that name it do:
so who may not see these sees neither the name nor that there is one."""

from collections.abc import Sequence
from uuid import UUID

from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from memory_app.models.choices import VISIBILITY_CHOICES
from memory_app.models.ids import new_id
from memory_app.models.memory import Memory
from memory_app.models.person import Person
from memory_app.models.space import Channel, Space
from memory_app.models.visible import ID_ARRAY, TEXT_ARRAY, VisibleQuerySet, comparison
from memory_app.rules.visibility import Placed, Visibility


class EntityType(models.TextChoices):
    PERSON = "person"
    PROJECT = "project"
    ORGANIZATION = "organization"
    LOCATION = "location"
    EMAIL = "email"
    URL = "url"
    TOPIC = "topic"
    DATE = "date"
    OTHER = "other"


SHORT_NAMED_TYPES = (EntityType.PERSON, EntityType.ORGANIZATION, EntityType.OTHER)
"""Those that a part of their name may stand for."""


class LinkSource(models.TextChoices):
    """How it was seen that a memory speaks of an entity."""

    FORM = "form", "its form: a mention, an address, a name in capitals"
    KNOWN = "known", "a name that was known already"
    READER = "reader", "a model of names, at night"
    HAND = "hand", "someone said so"


class EntityQuerySet(VisibleQuerySet["Entity"]):
    def same_level(self, placed: Placed) -> "EntityQuerySet":
        """Those of one owner at one level and place: all that a new mention there may be."""
        return self.filter(
            space_id=placed.space,
            person_id=placed.owner,
            visibility=placed.visibility.value,
            channel_id=placed.channel,
        )

    def with_names(self, exact: Sequence[str], first_words: Sequence[str]) -> "EntityQuerySet":
        """Those of an exact name, and people and firms whose names begin with one of these words: they may be called by
        a part of their name. All names are normalised."""
        first_word = Func(F("normal"), Value(" "), Value(1), function="split_part", output_field=models.TextField())
        return self.filter(
            Q(comparison("normal", "= ANY", exact, TEXT_ARRAY))
            | Q(comparison(first_word, "= ANY", first_words, TEXT_ARRAY), type__in=SHORT_NAMED_TYPES)
        )

    def matching_ids_or_names(self, ids: Sequence[UUID], names: Sequence[str]) -> "EntityQuerySet":
        """Those of an id or a normalised name, at whatever level: the same type and name is one, and so is what was
        merged into it."""
        known = self.filter(
            Q(comparison("id", "= ANY", ids, ID_ARRAY)) | Q(comparison("normal", "= ANY", names, TEXT_ARRAY))
        )
        roots = self.filter(id__in=known.values(root=Coalesce("merged_into", "id")))
        levels = self.filter(
            Exists(roots.filter(type=OuterRef("type"), normal=OuterRef("normal"), apart=OuterRef("apart"))),
            merged_into=None,
        )
        return self.filter(Q(id__in=levels.values("id")) | Q(merged_into__in=levels.values("id")))


class Entity(models.Model):
    """One name of someone or something, as memories of one owner at one level use it.

    The same `type`, `normal` and `apart` at several levels are one to whoever sees them all. apart: tells two people of
    one name from each other, where someone parted them by hand.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    visibility = models.CharField(max_length=8, choices=VISIBILITY_CHOICES)
    channel_id = models.UUIDField(null=True, blank=True)
    channel = models.ForeignObject(
        Channel,
        on_delete=models.CASCADE,
        from_fields=["space_id", "channel_id"],
        to_fields=["space_id", "id"],
        null=True,
        related_name="+",
    )
    type = models.CharField(max_length=12, choices=EntityType)
    name = models.TextField(help_text="as it is called")
    normal = models.TextField(help_text="normalised: names equal but for case, accents and punctuation are equal")
    apart = models.PositiveSmallIntegerField(default=0)
    merged_into = models.UUIDField(null=True, blank=True, help_text="the entity of the same level that this one is")
    merged_via = models.UUIDField(null=True, blank=True, help_text="the one with which it came along")
    by_hand = models.BooleanField(
        default=False, help_text="someone decided whether this is another, and which; names decide it no more"
    )
    created_at = models.DateTimeField(default=timezone.now)

    objects = EntityQuerySet.as_manager()

    class Meta:
        db_table = "entity"
        constraints = [
            # Serves: finding what a mention names, in keeping and in recall.
            models.UniqueConstraint(
                fields=["space", "person", "visibility", "channel_id", "normal", "type", "apart"],
                nulls_distinct=False,
                name="entity_once",
            ),
        ]
        indexes = [
            # Serves: finding an entity by its id alone.
            models.Index(fields=["id"], name="entity_by_id"),
            # Serves: recall, which looks for whom and what a question names, whoever's and at whatever level.
            models.Index(fields=["space", "normal"], name="entity_by_name"),
            # Serves: recall, which takes what was merged for one.
            models.Index(
                fields=["space", "merged_into"], condition=~models.Q(merged_into=None), name="entity_merged_into"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def placed(self) -> Placed:
        return Placed(self.space_id, self.person_id, Visibility(self.visibility), self.channel_id)


class EntityLinkQuerySet(models.QuerySet["EntityLink"]):
    def by_hand(self) -> "EntityLinkQuerySet":
        """Those that someone made, each with what it links to."""
        return self.filter(source=LinkSource.HAND).select_related("entity")


class EntityLink(models.Model):
    """That a memory speaks of an entity, in which words, and how that was seen."""

    pk = models.CompositePrimaryKey("space_id", "memory_id", "entity_id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    memory_id = models.UUIDField()
    memory = models.ForeignObject(
        Memory,
        on_delete=models.CASCADE,
        from_fields=["space_id", "memory_id"],
        to_fields=["space_id", "id"],
        related_name="entity_links",
    )
    entity_id = models.UUIDField()
    entity = models.ForeignObject(
        Entity,
        on_delete=models.CASCADE,
        from_fields=["space_id", "entity_id"],
        to_fields=["space_id", "id"],
        related_name="links",
    )
    surface = models.TextField(help_text="the words as they stand in the memory")
    confidence = models.FloatField()
    source = models.CharField(max_length=6, choices=LinkSource)
    moved_from = models.UUIDField(null=True, blank=True, help_text="the entity it was of before that was parted")

    same_as = models.UUIDField(
        null=True, blank=True, help_text="the entity that the memory says this one is: “my mother Ruth”"
    )

    objects = EntityLinkQuerySet.as_manager()

    class Meta:
        db_table = "entity_link"
        indexes = [
            # Serves: the memories of an entity.
            models.Index(fields=["space", "entity_id"], name="entity_link_of_entity"),
        ]

    def __str__(self) -> str:
        return self.surface
