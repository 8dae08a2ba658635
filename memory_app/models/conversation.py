"""Conversations and their turns: what was said, verbatim, as evidence for what is kept."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from pgvector.django import HalfVectorField

from memory_app.models.choices import VISIBILITY_CHOICES
from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Channel, Space
from memory_app.models.text_search import distinct_words, passages_missing
from memory_app.models.visible import VisibleQuerySet
from memory_app.nlp.extract import SpokenTurn
from memory_app.rules.visibility import Placed, Visibility

IDLE_AFTER = timedelta(minutes=30)
"""A conversation in which nobody speaks for so long is over, whoever forgot to end it (seed: the idle trigger)."""


MIN_TURNS = 4
"""A conversation shorter than this holds nothing to notice (design: "Fewer than 4 turns: nothing")."""


class Role(models.TextChoices):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Mode(models.TextChoices):
    """How words were meant. Ambient ones were not said to the assistant at all, and are not stored."""

    CONVERSATION = "conversation"
    COMMAND = "command"
    AMBIENT = "ambient"


class TurnOutcome(models.TextChoices):
    OK = "ok"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ConversationQuerySet(VisibleQuerySet["Conversation"]):
    def with_external_id_of(self, other: "Conversation") -> "ConversationQuerySet":
        """Conversations of the venue of another one that the caller calls as that one."""
        names = ("space_id", "person_id", "visibility", "channel_name", "external_id")
        return self.filter(**{name: getattr(other, name) for name in names}).exclude(external_id="")

    def unread(self) -> "ConversationQuerySet":
        """Conversations with turns that nothing was extracted from yet; imported ones have a pace of their own."""
        return self.filter(extracted_to__lt=models.F("turn_count"), import_id=None)

    def imported_unread(self) -> "ConversationQuerySet":
        """The same of imported ones."""
        return self.filter(extracted_to__lt=models.F("turn_count"), import_id__isnull=False)

    def to_consolidate(self, now: datetime) -> "ConversationQuerySet":
        """Over, whoever forgot to end them, and not gone through yet."""
        over = models.Q(last_turn_at__lt=now - IDLE_AFTER) | models.Q(ended_at__isnull=False)
        return self.filter(over, consolidated_at=None, import_id=None)

    def idle(self, now: datetime) -> "ConversationQuerySet":
        return self.unread().filter(last_turn_at__lt=now - IDLE_AFTER)


class Conversation(models.Model):
    """A conversation of one person in one venue; it lives where its memories would."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="conversations")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="conversations")
    visibility = models.CharField(max_length=8, choices=VISIBILITY_CHOICES)
    channel_id = models.UUIDField(null=True, blank=True)
    channel = models.ForeignObject(
        Channel,
        on_delete=models.CASCADE,
        from_fields=["space_id", "channel_id"],
        to_fields=["space_id", "id"],
        null=True,
        related_name="conversations",
    )
    channel_name = models.CharField(max_length=200, blank=True, help_text="of its venue, open or restricted")
    external_id = models.CharField(max_length=200, blank=True)
    follows = models.UUIDField(null=True, blank=True, help_text="the ended conversation that this one goes on from")
    started_at = models.DateTimeField(default=timezone.now)
    last_turn_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    turn_count = models.PositiveIntegerField(default=0)
    extracted_to = models.PositiveIntegerField(default=0, help_text="turns read by extraction so far")
    cleared_to = models.PositiveIntegerField(default=0, help_text="turns of before were cleared: nothing reads them")
    consolidated_at = models.DateTimeField(null=True, blank=True, help_text="when all that was said had been read")
    user_turns_unread = models.PositiveIntegerField(default=0, help_text="user turns since then")
    import_id = models.UUIDField(null=True, blank=True, help_text="the import that brought it; null: it was held here")

    objects = ConversationQuerySet.as_manager()

    class Meta:
        db_table = "conversation"
        constraints = [
            # Serves: finding a conversation of a venue again by the caller's own id.
            models.UniqueConstraint(
                fields=["space", "person", "visibility", "channel_name", "external_id"],
                condition=~models.Q(external_id=""),
                name="conversation_external_id",
            ),
        ]
        indexes = [
            # Serves: finding a conversation by its id alone, as its turns are sent.
            models.Index(fields=["id"], name="conversation_by_id"),
            # Serves: the minute's job, which looks for idle ones.
            models.Index(
                fields=["last_turn_at"],
                condition=models.Q(extracted_to__lt=models.F("turn_count")),
                name="conversation_unread",
            ),
            # Serves: the job that reads imported ones, the latest first.
            models.Index(
                fields=["person", "-last_turn_at"],
                condition=models.Q(extracted_to__lt=models.F("turn_count"), import_id__isnull=False),
                name="conversation_import_unread",
            ),
            # Serves: the night's job, which goes through what is over.
            models.Index(
                fields=["last_turn_at"], condition=models.Q(consolidated_at=None), name="conversation_not_gone_through"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id or str(self.id)

    @property
    def placed(self) -> Placed:
        return Placed(self.space_id, self.person_id, Visibility(self.visibility), self.channel_id)

    def with_external_id(self, external_id: str) -> "Conversation":
        """Itself with another external id; not saved."""
        self.external_id = external_id
        return self


class TurnQuerySet(VisibleQuerySet["Turn"]):
    def searchable(self) -> "TurnQuerySet":
        """What was said in conversation. Commands, and what failed or was cancelled, are only logged."""
        return self.filter(mode=Mode.CONVERSATION, outcome=TurnOutcome.OK)

    def since_cleared(self) -> "TurnQuerySet":
        """What was said in conversation since everything was last cleared."""
        return self.searchable().filter(position__gte=models.F("conversation__cleared_to"))

    def awaiting_vector(self, model: str) -> "TurnQuerySet":
        """Turns whose vector, or those of whose passages, are missing or of another embedding model."""
        embedded = Q(embedding_model=model, embedding__isnull=False)
        return self.filter(~embedded | Q(passages_missing("turn")))


class Turn(models.Model):
    """One turn, verbatim. Seen by whom its conversation is seen."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_index=False, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    conversation_id = models.UUIDField()
    conversation = models.ForeignObject(
        Conversation,
        on_delete=models.CASCADE,
        from_fields=["space_id", "conversation_id"],
        to_fields=["space_id", "id"],
        related_name="turns",
    )
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    visibility = models.CharField(max_length=8, choices=VISIBILITY_CHOICES)
    channel_id = models.UUIDField(null=True, blank=True)
    position = models.PositiveIntegerField(help_text="from 0, in the order said")
    spoken_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)
    words = distinct_words()
    mode = models.CharField(max_length=12, choices=Mode, default=Mode.CONVERSATION)
    outcome = models.CharField(max_length=9, choices=TurnOutcome, default=TurnOutcome.OK)
    role = models.CharField(max_length=9, choices=Role)
    speaker = models.CharField(max_length=200, blank=True)
    embedding_model = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none yet"
    embedding = HalfVectorField(null=True, blank=True)
    tsv = SearchVectorField(null=True)
    content = models.TextField()
    intent = models.CharField(max_length=200, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        db_table = "turn"
        constraints = [
            # Serves: a conversation read in order, and the turns beside one.
            models.UniqueConstraint(fields=["space", "conversation_id", "position"], name="turn_position"),
        ]
        indexes = [
            # Serves: the embeddings backfill.
            models.Index(fields=["space", "id"], condition=models.Q(embedding=None), name="turn_awaiting_vector"),
        ]

    def __str__(self) -> str:
        return f"{self.speaker or self.role}: {self.content[:60]}"

    @property
    def time_spoken(self) -> datetime:
        """When it was spoken, which is never after it was stored."""
        return min(self.spoken_at, self.created_at)


def turns_for_extractor(turns: Sequence[Turn]) -> list[SpokenTurn]:
    """Stored turns in the form that the extractor reads."""
    return [
        SpokenTurn(turn.position, turn.role, turn.content, turn.speaker, turn.spoken_at, turn.mode, turn.outcome)
        for turn in turns
    ]
