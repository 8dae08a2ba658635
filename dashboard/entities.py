"""`/entities/`: people, places and other names that memories mention; and the merges and splits of the last day."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view
from dashboard.lists import FilterOption, page_number
from dashboard.responses import clean_text, wants_json
from dashboard.viewer import Viewer, get_row
from dashboard.wording import describe_operation
from memory_app.engine.deletion.undo import OFFER_PERIOD
from memory_app.engine.entities.merge_and_split import MERGE_OR_SPLIT, undo_step
from memory_app.engine.entities.visible_entities import ListedEntity, VisibleRows, entity_list, visible_rows
from memory_app.llm.name_reader import installed_model
from memory_app.models import Entity, Memory, Operation, Person
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
    """What the viewer sees. For super users, entities of one name that belong to several people stay apart."""
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


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_entities(viewer, request.path, request.GET)
    if wants_json(request):
        items = [entity_out(item.listed).model_dump(mode="json") for item in listing.items]
        return JsonResponse({"items": items, "page": listing.number, "next": listing.older or None})
    return render(request, "dashboard/entities.html", {"viewer": viewer, "listing": listing})


MAX_OPERATIONS = 200
"""Operations of a day that are read: merging by hand is rare, and one request makes many of them."""


@dataclass(frozen=True, slots=True)
class EntityAction:
    """What one request did. operation: its latest. names: of the entities that still exist. undone: whether all of
    it was undone. is_undo: whether it undid an action before it."""

    operation: Operation
    words: str
    names: Sequence[tuple[UUID, str]]
    undoable: bool
    undone: bool
    is_undo: bool

    @property
    def title(self) -> str:
        return " ".join(name for _, name in self.names)


def recent_entity_actions(viewer: Viewer, now: datetime) -> list[EntityAction]:
    """The latest first."""
    rows = list(_rows(viewer, now).order_by("-at", "-id")[:MAX_OPERATIONS])
    return [_action(viewer, list(group), rows) for _, group in groupby(rows, key=_group_key)]


def operations_of_entity_action(viewer: Viewer, operation: UUID, now: datetime) -> list[Operation]:
    """All operations of the same action, the latest first. Raises NotFound where the viewer may not undo it, or it is
    too old."""
    rows = _rows(viewer, now)
    found = get_row(rows, operation)
    return list(rows.filter(name=found.name, author=found.author, request_id=found.request_id, at=found.at))


def entity_action_json(action: EntityAction) -> dict[str, Any]:
    return {
        "id": str(action.operation.id),
        "operation": action.operation.name,
        "author": action.operation.author,
        "at": action.operation.at.isoformat(),
        "entities": [str(identifier) for identifier, _ in action.names],
        "can_be_undone": action.undoable,
        "undone": action.undone,
    }


def _rows(viewer: Viewer, now: datetime) -> Any:
    return viewer.operations().filter(name__in=MERGE_OR_SPLIT, at__gt=now - OFFER_PERIOD)


def _group_key(operation: Operation) -> tuple[str, str, str, datetime]:
    return (operation.name, operation.author, operation.request_id, operation.at)


def _entity_pair(operation: Operation) -> frozenset[str]:
    """The two entities: a split says in `from` which the other was."""
    return frozenset((operation.detail["entity"], operation.detail.get("from", operation.detail["other"])))


def _has_opposite(operation: Operation, others: Sequence[Operation]) -> bool:
    """Whether any of these merged what it split, or split what it merged."""
    return any(other.name != operation.name and _entity_pair(other) == _entity_pair(operation) for other in others)


def _action(viewer: Viewer, group: list[Operation], rows: Sequence[Operation]) -> EntityAction:
    """rows: all of the day, the latest first."""
    seen, ids = entities_seen_by(viewer), list[str]()
    for operation in group:
        ids += [operation.detail["entity"], operation.detail.get("from", operation.detail["other"])]
    found = dict(seen.entities.filter(id__in=set(ids)).values_list("id", "name"))
    named = dict.fromkeys(UUID(identifier) for identifier in ids)
    undoable = any(undo_step(seen, operation) for operation in group)
    later, before = rows[: rows.index(group[0])], rows[rows.index(group[-1]) + 1 :]
    return EntityAction(
        operation=group[0],
        words=describe_operation(group[0], reader=viewer.author().label),
        names=[(identifier, found[identifier]) for identifier in named if identifier in found],
        undoable=undoable,
        undone=not undoable and all(_has_opposite(operation, later) for operation in group),
        is_undo=any(_has_opposite(operation, before) for operation in group),
    )
