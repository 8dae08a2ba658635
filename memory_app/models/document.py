"""Documents: files that assistants keep of a person, each under a path, with the texts that they had before."""

from typing import Self

from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Cast
from django.utils import timezone
from pgvector.django import HalfVectorField

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space
from memory_app.models.text_search import distinct_words, passages_missing
from memory_app.models.visible import VisibleQuerySet
from memory_app.rules.visibility import Venue, Visibility

MAX_PATH = 500
SEARCHED_CHARACTERS = 100_000
"""From the beginning: what a document is found by. The whole of it is stored and shown."""


class DocumentQuerySet(VisibleQuerySet["Document"]):
    def visible_from(self, venue: Venue) -> Self:
        """Documents that may be seen from a venue: each is private to its person."""
        return super(DocumentQuerySet, self.with_level()).visible_from(venue)

    def with_level(self) -> Self:
        """With the columns that say who sees a row."""
        private_level, no_channel = Value(Visibility.PRIVATE.value), Cast(Value(None), models.UUIDField())
        return self.annotate(visibility=private_level, channel_id=no_channel)

    def of_person(self, person: Person) -> Self:
        return self.filter(space_id=person.space_id, person_id=person.id)

    def undeleted(self) -> Self:
        return self.filter(deleted_at=None)

    def deleted(self) -> Self:
        return self.exclude(deleted_at=None)

    def without_index(self) -> Self:
        """Without what a row is found by, which nobody reads."""
        return self.defer("embedding", "tsv")

    def awaiting_vector(self, model: str) -> Self:
        """As `TurnQuerySet.awaiting_vector`."""
        embedded = Q(embedding_model=model, embedding__isnull=False)
        return self.undeleted().filter(~embedded | Q(passages_missing("document")))


class Document(models.Model):
    """One document, or a text that it had before, in tier 2. The path is the assistant's own, such as `plans/trip.md`.

    No confirmed memory: what it says nobody has said yes to.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_index=False, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="documents")
    path = models.CharField(max_length=MAX_PATH)
    content = models.TextField(blank=True)
    author = models.CharField(max_length=250, help_text="who wrote it last, as Author.label")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1)
    deleted_at = models.DateTimeField(null=True, blank=True)
    deleted_by = models.CharField(max_length=250, blank=True)
    delete_reason = models.CharField(max_length=20, blank=True)
    embedding_model = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none yet"
    embedding = HalfVectorField(null=True, blank=True)
    tsv = SearchVectorField(null=True)
    words = distinct_words()

    objects = DocumentQuerySet.as_manager()

    class Meta:
        db_table = "document"
        constraints = [
            # Serves: finding a document by its path.
            models.UniqueConstraint(
                fields=["space", "person", "path"], condition=Q(deleted_at=None), name="document_path"
            ),
        ]
        indexes = [
            # Serves: the documents of a person, the latest first.
            models.Index(fields=["space", "person", "updated_at"], name="document_of_person"),
            # Serves: the embeddings backfill.
            models.Index(
                fields=["space", "id"], condition=Q(embedding=None, deleted_at=None), name="document_awaiting_vector"
            ),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def searched_text(self) -> str:
        return self.content[:SEARCHED_CHARACTERS]

    @property
    def searchable_text(self) -> str:
        """What it is found by: its path is among the words."""
        return f"[{self.path}] {self.searched_text}"
