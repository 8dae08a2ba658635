"""Segments: what is searched, packed. One row holds what a search compares of many rows, side by side.

All units of a segment are seen by the same people, so who may see them is asked once. A segment is never changed: it is
replaced. A row knows whether it is packed as it stands: the database works out a `fingerprint` of all that a unit is
made of, and `packed_as` is the fingerprint that was packed. While the two differ a search reads the row itself and
passes over its units in segments, so that no writer has to know of segments. Only who deletes rows must, or gives them
to someone else (`engine/segments.py`). These columns, and `packed_in`, the segment, are unknown to the ORM.
"""

from typing import Self

from django.db import models

from memory_app.models.choices import VISIBILITY_CHOICES
from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space
from memory_app.models.visible import VisibleQuerySet
from memory_app.rules.visibility import Venue, VenueClass

KINDS = ("memory", "turn", "note", "document")
"""What is searched: names of tables, and of kinds of results."""

UNPACKED = "num_nonnulls(nullif(packed_as, fingerprint)) = 1"
"""SQL: whether a row is not packed as it stands. Written like this because the database keeps statistics of the
expression: with them the planner finds the few such rows by their own index."""


class SegmentQuerySet(VisibleQuerySet["Segment"]):
    def visible_from(self, venue: Venue) -> Self:
        """As `MemoryQuerySet.visible_from` has it of the rows."""
        told = models.Q(sensitive=False)
        if venue.kind is VenueClass.PRIVATE:
            told |= models.Q(person_id=venue.person)
        return super().visible_from(venue).filter(told)


class Segment(models.Model):
    """Units of one person at one level in one place, by one embedding model.

    units: a record for each, as `rules/units.py` reads them. words: the hashes of the words of each, one after the
    other.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_index=False, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+")
    channel_id = models.UUIDField(null=True, blank=True)
    kind = models.CharField(max_length=8, choices=[(kind, kind) for kind in KINDS])
    visibility = models.CharField(max_length=8, choices=VISIBILITY_CHOICES)
    sensitive = models.BooleanField(default=False)
    embedding_model = models.CharField(max_length=200, blank=True, help_text="empty: units without a vector")
    size = models.PositiveIntegerField(help_text="units in it")
    units = models.BinaryField()
    words = models.BinaryField()

    objects = SegmentQuerySet.as_manager()

    class Meta:
        db_table = "segment"
        indexes = [
            # Serves: a search, which reads all that someone may see.
            models.Index(fields=["space", "visibility", "person"], name="segment_of_level"),
        ]

    def __str__(self) -> str:
        return f"{self.size} of {self.kind}"
