"""Whose memories a request reads, and what it narrows them to: each owner's, as their own assistant sees them."""

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from pydantic import TypeAdapter, ValidationError

from memory_app.api.auth import grant_of, set_several_readers
from memory_app.api.requests import storable_json
from memory_app.api.venue import PersonInVenue, reading_venue
from memory_app.compat.mem0.conditions import (
    all_of,
    bound_to,
    label_condition,
    owners_in,
    read_conditions,
    time_condition,
)
from memory_app.compat.mem0.owners import ID_FIELDS, NoOwner, Owner
from memory_app.compat.mem0.schemas import DeleteQuery, NarrowedIn, OwnerId
from memory_app.engine.memories.pages import MemoryView
from memory_app.engine.people.overview import names_within
from memory_app.errors import Invalid
from memory_app.rules.filters import Combined, Compare, Condition, Filters

MOST_OWNERS = 50
"""Of whom one request reads: each is looked through by itself."""

NAMED = TypeAdapter(OwnerId)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a request asks: of whom, and of which of their memories."""

    ids: Mapping[str, str | None] = field(default_factory=dict)
    filters: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None
    categories: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(cls, payload: NarrowedIn) -> "Narrowing":
        return cls(
            payload.ids,
            payload.filters,
            payload.metadata,
            payload.categories or (),
            payload.start_date,
            payload.end_date,
        )

    @property
    def condition(self) -> Condition:
        """All of it as one. Raises NoOwner where nothing is asked, Invalid."""
        named = [Compare((name,), "eq", (value,)) for name, value in self.ids.items() if value]
        times = [
            time_condition("created_at", operator, moment)
            for operator, moment in (("gte", self.since), ("lte", self.until))
            if moment is not None
        ]
        condition = all_of(
            *named,
            read_conditions(self.filters) if self.filters else None,
            read_conditions({"metadata": self.metadata}) if self.metadata else None,
            label_condition(list(self.categories)) if self.categories else None,
            *times,
        )
        if condition is None:
            raise NoOwner
        return condition


def views_of(request: HttpRequest, narrowing: Narrowing) -> list[MemoryView]:
    """For each owner who may be meant, what is asked of their memories. Raises NoOwner where nobody is named,
    NotAllowed where the key may not speak for one of them. Of several, nothing sensitive is told."""
    condition = narrowing.condition
    views = []
    for owner in _owners(request, condition):
        bound = bound_to(condition, owner)
        if bound is False:
            continue
        venue_context = reading_venue(request, PersonInVenue(person=owner.person))
        views.append(MemoryView(venue_context, Filters(row=bound if isinstance(bound, Compare | Combined) else None)))
    if len({view.venue_context.person.id for view in views}) > 1:
        set_several_readers(request)
    return views


def _owners(request: HttpRequest, condition: Condition) -> list[Owner]:
    asked = owners_in(condition)
    owners = dict.fromkeys(_checked(owner) for owner in asked.owners)
    if asked.every:
        names = names_within(grant_of(request), limit=MOST_OWNERS + 1)
        owners |= dict.fromkeys(owner for name in names if (owner := Owner.of_person(name)).kind in asked.every)
    if not owners and not asked.every:
        raise NoOwner
    if len(owners) > MOST_OWNERS:
        raise Invalid("filters", f"This asks of more than {MOST_OWNERS} users; name those whose memories you want.")
    return list(owners)


def _checked(owner: Owner) -> Owner:
    try:
        return Owner(owner.kind, NAMED.validate_python(owner.id))
    except ValidationError:
        raise Invalid(f"{owner.kind}_id", "An id is a text of 1 to 190 characters.") from None


def filters_in_address(text: str | None) -> Mapping[str, Any] | None:
    """Filters that stand in an address. Raises Invalid."""
    if not text:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise Invalid("filters", 'Write filters as JSON, such as {"user_id": "alice"}.')


def ids_in(filters: Mapping[str, Any] | None) -> dict[str, str | None]:
    """The ids that a filter states plainly: who is meant where something is added."""
    plain = filters or {}
    return {name: str(plain[name]) for name in ID_FIELDS if isinstance(plain.get(name), str | int)}


PASSED_OVER = frozenset(
    {"org_id", "project_id", "org_name", "project_name", "version", "api_version", "output_format", "async_mode"}
)
"""What clients send with a deletion, and what narrows nothing."""

NOT_READ = "{} would not narrow what is deleted, so nothing was: leave it out, or name it in filters."


def narrowing_in_address(query: DeleteQuery) -> Narrowing:
    """Raises Invalid."""
    return Narrowing(
        query.ids,
        filters_in_address(query.filters),
        _metadata(query.metadata),
        query.categories,
        query.start_date,
        query.end_date,
    )


def _metadata(text: str | None) -> Mapping[str, Any] | None:
    try:
        return storable_json(filters_in_address(text))  # type: ignore[no-any-return]
    except (Invalid, ValueError) as error:
        raise Invalid("metadata", 'Write metadata as JSON, such as {"project": "one"}.') from error


def require_all_read(request: HttpRequest) -> None:
    """Raises Invalid for a parameter of a deletion that would not be read: it would delete more than was meant."""
    for name in request.GET:
        if name not in DeleteQuery.model_fields and name not in PASSED_OVER:
            raise Invalid(name[:100], NOT_READ.format(name[:100]))
