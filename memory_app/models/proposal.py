"""Proposals: what was noticed and may be kept, once the person confirms it; and the runs that noticed it."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from pgvector.django import HalfVectorField

from memory_app.models.choices import VISIBILITY_CHOICES, Category, MemoryType
from memory_app.models.conversation import Conversation, Turn
from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space
from memory_app.models.visible import VisibleQuerySet
from memory_app.nlp.extract import Finding, Quote

FINDING_FIELDS = (
    *("summary", "content", "context", "type", "category", "key", "keywords"),
    *("confidence", "reason", "event_time", "event_end"),
)
"""What a proposal takes from a finding."""

LONGEST_REASON, LONGEST_SPEAKER = 300, 200

Evidence = Sequence[tuple[Turn, str]]
"""Turns, each with its words that are quoted."""

PROPOSAL_EXPIRES_AFTER = timedelta(days=30)
WARNING_PERIOD = timedelta(days=7)
"""How long before it expires the inbox says so; and how long at least one waits once it is no longer put off."""


class Trigger(models.TextChoices):
    """What made a run read a conversation."""

    COUNT = "count"
    HISTORY = "history"
    IDLE = "idle"
    SWITCH = "switch"
    END = "end"
    NIGHTLY = "nightly"
    IMPORT = "import"


class ExtractionRun(models.Model):
    """One reading of some turns of a conversation: what it read, proposed, kept, and what went wrong."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    conversation_id = models.UUIDField()
    conversation = models.ForeignObject(
        Conversation,
        on_delete=models.CASCADE,
        from_fields=["space_id", "conversation_id"],
        to_fields=["space_id", "id"],
        related_name="runs",
    )
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    trigger = models.CharField(max_length=7, choices=Trigger)
    from_position = models.PositiveIntegerField()
    to_position = models.PositiveIntegerField(help_text="exclusive")
    read = models.PositiveIntegerField(default=0)
    proposed = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    noted = models.PositiveIntegerField(default=0, help_text="too unsure to keep by itself: in the daily note")
    tokens = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    extractor = models.CharField(max_length=100, help_text="what read it: the local extractor, or a prompt and a model")
    error = models.CharField(max_length=500, blank=True)
    dropped = models.JSONField(default=dict, blank=True, help_text="{reason: how many}: what a model said in vain")
    started_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "extraction_run"
        constraints = [
            # Serves: reading each stretch of a conversation once by each extractor, however often a job runs.
            models.UniqueConstraint(
                fields=["space", "conversation_id", "from_position", "extractor"], name="extraction_run_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trigger}: {self.proposed} proposed of {self.read} read"


class ProposalStatus(models.TextChoices):
    PENDING = "pending"
    ACCEPTED = "accepted"
    MERGED = "merged"
    REJECTED = "rejected"
    EXPIRED = "expired"


class Relation(models.TextChoices):
    """What accepting it would do to what is kept already."""

    NEW = "new"
    DUPLICATE = "duplicate"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONFLICT = "conflict"


class ProposalQuerySet(VisibleQuerySet["Proposal"]):
    def waiting(self, now: datetime) -> "ProposalQuerySet":
        """Pending ones that are not put off."""
        return self.filter(status=ProposalStatus.PENDING).filter(
            models.Q(snoozed_until=None) | models.Q(snoozed_until__lte=now)
        )

    def snoozed(self, now: datetime) -> "ProposalQuerySet":
        """Pending ones that are put off."""
        return self.filter(status=ProposalStatus.PENDING, snoozed_until__gt=now)

    def expiring(self, now: datetime) -> "ProposalQuerySet":
        """Waiting ones that expire soon."""
        return self.waiting(now).filter(created_at__lte=now - PROPOSAL_EXPIRES_AFTER + WARNING_PERIOD)

    def overdue(self, now: datetime) -> "ProposalQuerySet":
        """Pending ones past their `expires_at`."""
        old = self.filter(status=ProposalStatus.PENDING, created_at__lt=now - PROPOSAL_EXPIRES_AFTER)
        return old.filter(models.Q(snoozed_until=None) | models.Q(snoozed_until__lt=now - WARNING_PERIOD))


class Proposal(models.Model):
    """What may be kept: a memory in waiting, with the words it rests on and what it would change."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="proposals")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="proposals")
    visibility = models.CharField(max_length=8, choices=VISIBILITY_CHOICES)
    channel_id = models.UUIDField(null=True, blank=True)
    conversation_id = models.UUIDField(null=True, blank=True)
    conversation = models.ForeignObject(
        Conversation,
        on_delete=models.CASCADE,
        from_fields=["space_id", "conversation_id"],
        to_fields=["space_id", "id"],
        null=True,
        related_name="proposals",
    )
    run_id = models.UUIDField(null=True, blank=True)
    number = models.PositiveIntegerField(default=0, help_text="its place in the question put to the person, from 1")

    type = models.CharField(max_length=10, choices=MemoryType)
    category = models.CharField(max_length=10, choices=Category)
    key = models.CharField(max_length=100, blank=True)
    summary = models.TextField()
    content = models.TextField()
    context = models.TextField(blank=True, help_text="what was said before, where the words do not stand alone")
    speaker = models.CharField(max_length=200, blank=True, help_text="who said it")
    said_at = models.DateTimeField(null=True, blank=True)
    keywords = ArrayField(models.TextField(), default=list)
    event_time = models.DateTimeField(null=True, blank=True)
    event_end = models.DateTimeField(null=True, blank=True, help_text="the end of the period that event_time begins")
    confidence = models.FloatField()
    reason = models.CharField(max_length=300, help_text="why it was noticed, in plain words")
    quotes = models.JSONField(default=list, help_text="[{turn, position, text}]: the exact words it rests on")
    extractor = models.CharField(max_length=100)

    relation = models.CharField(max_length=9, choices=Relation, default=Relation.NEW)
    target_id = models.UUIDField(null=True, blank=True, help_text="the memory that `relation` is about")

    judgement = models.CharField(
        max_length=13, blank=True, help_text="what a language model says that it is to that memory (rules/decide.py)"
    )
    reworded = models.BooleanField(
        default=False, help_text="whether a language model worded it after it was shown to the person"
    )

    status = models.CharField(max_length=8, choices=ProposalStatus, default=ProposalStatus.PENDING)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=250, blank=True)
    reject_reason = models.CharField(max_length=200, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    memory_id = models.UUIDField(null=True, blank=True, help_text="what it became")
    created_at = models.DateTimeField(default=timezone.now)
    embedding = HalfVectorField(null=True, blank=True)
    embedding_model = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none yet"

    objects = ProposalQuerySet.as_manager()

    class Meta:
        db_table = "proposal"
        indexes = [
            # Serves: a person's inbox and its count.
            models.Index(fields=["space", "person", "status"], name="proposal_inbox"),
            # Serves: finding a proposal by its id alone.
            models.Index(fields=["id"], name="proposal_by_id"),
        ]

    def __str__(self) -> str:
        return self.summary

    @property
    def finding(self) -> Finding:
        """What was noticed, as it was before it became a proposal."""
        fields = {name: getattr(self, name) for name in FINDING_FIELDS}
        quotes = tuple(Quote(quote["position"], quote["text"]) for quote in self.quotes)
        return Finding(**fields | {"keywords": tuple(self.keywords)}, speaker=self.speaker, quotes=quotes)

    @property
    def is_quotation(self) -> bool:
        """Whether its words are those of the turns it rests on, and not an assistant's or a language model's."""
        return any(self.content in quote["text"] for quote in self.quotes)

    @property
    def expires_at(self) -> datetime:
        expires = self.created_at + PROPOSAL_EXPIRES_AFTER
        return max(expires, self.snoozed_until + WARNING_PERIOD) if self.snoozed_until else expires


def build_proposal(
    conversation: Conversation, evidence: Evidence, *, run: UUID | None = None, now: datetime, **fields: Any
) -> Proposal:
    """An unsaved proposal of a conversation's person, at its level. A conversation that is not stored is not named."""
    return Proposal(
        space=conversation.space,
        person=conversation.person,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        conversation_id=None if conversation._state.adding else conversation.id,
        run_id=run,
        said_at=max((turn.time_spoken for turn, _ in evidence), default=None),
        quotes=[{"turn": str(turn.id), "position": turn.position, "text": text} for turn, text in evidence],
        created_at=now,
        **fields,
    )


def proposal_from_finding(
    found: Finding, conversation: Conversation, turns: Mapping[int, Turn], **fields: Any
) -> Proposal:
    """An unsaved proposal of a finding. turns: by position. fields: the rest of `build_proposal`."""
    evidence, speaker = evidence_of(found, turns), found.speaker[:LONGEST_SPEAKER]
    return build_proposal(conversation, evidence, speaker=speaker, **finding_fields(found), **fields)


def evidence_of(found: Finding, turns: Mapping[int, Turn]) -> Evidence:
    """The turns that a finding quotes. turns: by position."""
    return [(turns[quote.index], quote.text) for quote in found.quotes]


def finding_fields(found: Finding) -> dict[str, Any]:
    """A finding as fields of a proposal."""
    fields = {name: getattr(found, name) for name in FINDING_FIELDS}
    return fields | {"keywords": list(found.keywords), "reason": found.reason[:LONGEST_REASON]}
