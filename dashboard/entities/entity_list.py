"""`/entities/`: people, places and other names that memories mention."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import SignedInRequest, with_viewer
from dashboard.filters import FilterOption
from dashboard.pagination import page_number
from dashboard.responses import clean_text, wants_json
from dashboard.viewer import Viewer
from memory_app.engine.entities.visible_entities import ListedEntity, VisibleRows, entity_list, visible_rows
from memory_app.llm.name_reader import installed_model
from memory_app.models import Entity, Memory, Person
from memory_app.serializers.entity import entity_out

PAGE_SIZE = 40
MAX_PAGE = 1_000

ENTITY_TYPE_LABELS = {
    "person": "People",
    "project": "Projects",
    "organization": "Organizations",
    "location": "Places",
    "topic": "Subjects",
    "email": "Addresses",
    "url": "Links",
    "date": "Dates",
    "other": "Other names",
}


@dataclass(frozen=True, slots=True)
class EntityRow:
    """One entity of a list; `owner`: whose, where the list is of several people."""

    listed: ListedEntity
    owner: str

    @property
    def kind(self) -> str:
        return ENTITY_TYPE_LABELS.get(self.listed.type, self.listed.type)


@dataclass(frozen=True, slots=True)
class EntityListing:
    """reader: the model of spaCy that reads names at night; "" where none is installed."""

    items: Sequence[EntityRow]
    q: str
    type: str
    person: str
    types: Sequence[FilterOption]
    number: int
    newer: str
    older: str
    reader: str


def entities_seen_by(viewer: Viewer) -> VisibleRows:
    """Several people's entities of one name are different ones: super users see them side by side."""
    now = timezone.now()
    if viewer.is_super_user:
        return VisibleRows(Entity.objects.all(), Memory.objects.current(now), by_owner=True)
    if viewer.venue_context is None:
        return VisibleRows(Entity.objects.none(), Memory.objects.none())
    return visible_rows(viewer.venue_context, now)


def list_entities(viewer: Viewer, path: str, url: QueryDict) -> EntityListing:
    """What the URL asks for: `q`, `type`, `page` and, of a super user, `person`; what means nothing is ignored."""
    kind = url.get("type", "")
    parameters = {
        "q": clean_text(url.get("q", ""), 200),
        "type": kind if kind in ENTITY_TYPE_LABELS else "",
        "person": clean_text(url.get("person", "")) if viewer.is_super_user else "",
    }
    number = min(max(page_number(url.get("page")), 1), MAX_PAGE)
    visible = _of_person(parameters["person"], entities_seen_by(viewer))
    found = entity_list(visible, q=parameters["q"], type=parameters["type"], limit=PAGE_SIZE * number + 1)
    types = {"": "All", **ENTITY_TYPE_LABELS}
    return EntityListing(
        items=_entity_rows(found[PAGE_SIZE * (number - 1) : PAGE_SIZE * number]),
        types=[
            FilterOption(value, label, value == parameters["type"], _url(path, {**parameters, "type": value}))
            for value, label in types.items()
        ],
        number=number,
        newer=_url(path, {**parameters, "page": number - 1}) if number > 1 else "",
        older=_url(path, {**parameters, "page": number + 1}) if len(found) > PAGE_SIZE * number else "",
        reader=installed_model() or "",
        **parameters,
    )


def _of_person(name: str, visible: VisibleRows) -> VisibleRows:
    """Of all that is visible, what is one person's own; all of it where nobody is named."""
    if not name:
        return visible
    own = {"person__name": name}
    return replace(visible, entities=visible.entities.filter(**own), memories=visible.memories.filter(**own))


def _entity_rows(found: Sequence[ListedEntity]) -> list[EntityRow]:
    names = dict[Any, str]()
    owners = {one.owner for one in found if one.owner}
    if owners:
        names = {person.id: str(person) for person in Person.objects.filter(id__in=owners)}
    return [EntityRow(one, names.get(one.owner, "")) for one in found]


def _url(path: str, parameters: dict[str, Any]) -> str:
    given = {name: value for name, value in parameters.items() if value and value != 1}
    return f"{path}?{urlencode(given)}" if given else path


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_entities(viewer, request.path, request.GET)
    if wants_json(request):
        items = [entity_out(item.listed).model_dump(mode="json") for item in listing.items]
        return JsonResponse({"items": items, "page": listing.number, "next": listing.older or None})
    return render(request, "dashboard/entities.html", {"viewer": viewer, "listing": listing})
