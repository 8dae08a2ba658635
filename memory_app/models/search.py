"""Searches that narrow: what was found for a question, and which three of it the person was shown last."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from memory_app.models.api_key import ApiKey
from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space

SEARCH_EXPIRES_AFTER = timedelta(minutes=30)


class Search(models.Model):
    """One search, a few replies long. Bound to the person who searches and the key they search through."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    query = models.TextField()
    place = models.JSONField(default=dict, help_text="names of the space and channel searched from")
    filters = models.JSONField(default=dict, help_text="as they were sent: what the search is narrowed to")
    found = models.JSONField(default=list, help_text="[[space, memory]], best first")
    shown_from = models.PositiveIntegerField(default=0, help_text="where in `found` the last batch began")
    complete = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "search"
        indexes = [
            # Serves: finding a search by its id alone, as replies to it come.
            models.Index(fields=["id"], name="search_by_id"),
            # Serves: dropping old ones.
            models.Index(fields=["created_at"], name="search_age"),
        ]

    def __str__(self) -> str:
        return self.query
