"""Daily notes: a person's running notes, entry by entry. Each entry is found, corrected and deleted for itself."""

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
from memory_app.nlp.text import shortened
from memory_app.rules.visibility import Venue, Visibility

SUMMARY_CHARACTERS = 100

DIGEST_AUTHOR = "job:daily"
"""Who writes the digest of a day: it copies memories and quotes turns, which are found themselves."""


class NoteQuerySet(VisibleQuerySet["Note"]):
    def visible_from(self, venue: Venue) -> Self:
        """Notes that may be seen from a venue: each is private to its person."""
        return super(NoteQuerySet, self.with_level()).visible_from(venue)

    def with_level(self) -> Self:
        """With the columns that say who sees a row."""
        private_level, no_channel = Value(Visibility.PRIVATE.value), Cast(Value(None), models.UUIDField())
        return self.annotate(visibility=private_level, channel_id=no_channel)

    def undeleted(self) -> Self:
        return self.filter(deleted_at=None)

    def deleted(self) -> Self:
        return self.exclude(deleted_at=None)

    def searchable(self) -> Self:
        """Those that search finds: all but the digests of days."""
        return self.undeleted().exclude(author=DIGEST_AUTHOR)

    def awaiting_vector(self, model: str) -> Self:
        """As `TurnQuerySet.awaiting_vector`."""
        embedded = Q(embedding_model=model, embedding__isnull=False)
        return self.searchable().filter(~embedded | Q(passages_missing("note")))


class Note(models.Model):
    """One entry of a day's notes. The day is the person's own, in their time zone."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_index=False, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="notes")
    date = models.DateField()
    # The column is called as in the other tables that are searched: their statements are one.
    text = models.TextField(db_column="content")
    author = models.CharField(max_length=250)
    created_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1)
    deleted_at = models.DateTimeField(null=True, blank=True)
    deleted_by = models.CharField(max_length=250, blank=True)
    delete_reason = models.CharField(max_length=20, blank=True)
    embedding_model = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none yet"
    embedding = HalfVectorField(null=True, blank=True)
    tsv = SearchVectorField(null=True)
    words = distinct_words()

    objects = NoteQuerySet.as_manager()

    class Meta:
        db_table = "note"
        indexes = [
            # Serves: the notes of a day, in order; and dropping those of old days.
            models.Index(fields=["space", "person", "date"], name="note_of_day"),
            # Serves: the embeddings backfill.
            models.Index(
                fields=["space", "id"],
                condition=Q(embedding=None, deleted_at=None) & ~Q(author=DIGEST_AUTHOR),
                name="note_awaiting_vector",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date}: {self.text[:60]}"

    @property
    def content(self) -> str:
        return self.text

    @property
    def summary(self) -> str:
        return shortened(" ".join(self.text.split()), SUMMARY_CHARACTERS)

    @property
    def is_digest(self) -> bool:
        return self.author == DIGEST_AUTHOR

    @property
    def searchable_text(self) -> str:
        """What it is found by: its day is among the words."""
        return f"[{self.date.day} {self.date:%B %Y}] {self.text}"
