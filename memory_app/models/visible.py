"""The visibility rule as a QuerySet method: the only way memories and turns are read for someone."""

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Expression, F, Func, Value
from django.db.models.functions import Extract, JSONObject

from memory_app.rules.visibility import Clause, Venue, clauses

Row = TypeVar("Row", bound=models.Model)


class VisibleQuerySet(models.QuerySet[Row]):
    """Rows that carry space, person, visibility and channel."""

    def visible_from(self, venue: Venue) -> Self:
        """Rows that may be seen from a venue (`rules.visibility.clauses`)."""
        visible = models.Q()
        for clause in clauses(venue):
            visible |= _as_q(clause)
        return self.filter(space_id__in=sorted(venue.spaces)).filter(visible)

    def matching_filters(self, filters: Mapping[str, Any], entities: "models.QuerySet[Any] | None" = None) -> Self:
        """Rows that pass filters, given as `rules.filters.Filters.values`. entities: those that may be seen.

        The SQL depends on which filters there are, and not on their values.
        """
        rows = self
        for name, value in filters.items():
            if name in COMPARISONS:
                column, operator, of = COMPARISONS[name]
                rows = rows.filter(comparison(column, operator, value, of))
        if entities is not None and "entity_names" in filters:
            matching = entities.matching_ids_or_names(filters["entity_ids"], filters["entity_names"])  # type: ignore[attr-defined]
            rows = rows.filter(id__in=matching.values("links__memory_id"))
        return rows


class JsonPath(models.Field):  # type: ignore[type-arg]
    """An SQL/JSON path, as a parameter."""

    def get_placeholder(self, value: str, compiler: Any, connection: Any) -> str:
        return "%s::jsonpath"


TEXT_ARRAY: "models.Field[Any, Any]" = ArrayField(models.TextField())
ID_ARRAY: "models.Field[Any, Any]" = ArrayField(models.UUIDField())

ROW_DOCUMENT = JSONObject(
    attributes="attributes",
    content="content",
    tags="tags",
    labels=Func(F("tags"), F("category"), function="array_append", output_field=TEXT_ARRAY),
    keywords="keywords",
    created_at=Extract("created_at", "epoch"),
    updated_at=Extract("updated_at", "epoch"),
)
"""A memory as one JSON document, for conditions that combine several of its fields. labels: its tags and its category;
times in seconds since 1970."""

COMPARISONS: "Mapping[str, tuple[str | Expression, str, models.Field[Any, Any]]]" = {
    "types": ("type", "= ANY", TEXT_ARRAY),
    "categories": ("category", "= ANY", TEXT_ARRAY),
    "visibility": ("visibility", "= ANY", TEXT_ARRAY),
    "any_tags": ("tags", "&&", TEXT_ARRAY),
    "all_tags": ("tags", "@>", TEXT_ARRAY),
    "attributes": ("attributes", "@@", JsonPath()),
    "row": (ROW_DOCUMENT, "@@", JsonPath()),
}
"""By filter: the column, the operator, and the type of the value.

No index serves tags and attributes: under row security the database looks up in one only what operators compare that
are marked leakproof, and those of arrays and of JSON are not (GIN indexes on both were made, and never used). The rows
of the visible set are read for a search anyway: of 50,000, a filtered one took .5 s where all of them took .75."""


def comparison(column: str | Expression, operator: str, value: Any, of: "models.Field[Any, Any]") -> Func:
    """A condition whose value is one parameter, however many it holds."""
    return Func(
        F(column) if isinstance(column, str) else column,
        Value(value, output_field=of),
        arg_joiner=f" {operator} (",
        template="(%(expressions)s))",
        output_field=models.BooleanField(),
    )


def _as_q(clause: Clause) -> models.Q:
    q = models.Q(visibility=clause.visibility.value, space_id__in=sorted(clause.spaces))
    if clause.owner is not None:
        q &= models.Q(person_id=clause.owner)
    if clause.channel is not None:
        q &= models.Q(channel_id=clause.channel)
    return q
