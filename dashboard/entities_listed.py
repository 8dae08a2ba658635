"""The pages of entities: whom and what memories speak of, as far as the signed-in user reaches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict
from django.utils import timezone

from dashboard.inbox.dialogue import Line, line, speaker
from dashboard.reach import Reach
from dashboard.star import Star, star
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.naming.entities import Listed, Profile, Seen, entity_list, memories_of, profile, seen_from
from memory_app.engine.naming.said_of import said_of
from memory_app.errors import NotFound
from memory_app.llm.name_reader import installed_model
from memory_app.models import Conversation, Entity, EntityLink, Memory, Person, Turn

PAGE = 40
SHOWN = 50
"""Memories on the page of one entity; the list of memories has all."""

SAID = 10
"""Turns on that page; a search finds the rest."""

TYPES = {
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
class Choice:
    label: str
    url: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One entity of a list; `owner`: whose, where the list is of several people."""

    listed: Listed
    owner: str

    @property
    def kind(self) -> str:
        return TYPES.get(self.listed.type, self.listed.type)


@dataclass(frozen=True, slots=True)
class EntityList:
    """reader: the model of spaCy that reads names at night; "" where none is installed."""

    items: Sequence[Item]
    q: str
    type: str
    person: str
    types: Sequence[Choice]
    number: int
    newer: str
    older: str
    reader: str


@dataclass(frozen=True, slots=True)
class Month:
    """The memories of one month of the timeline; start: its first moment."""

    start: datetime
    memories: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class EntityPage:
    """One entity. `said`: the latest turns that name it. `mine`: whether the reader may merge and part it. `others`:
    what it may be merged into. `asks`: what the page of searches is to be asked for all that is known of it."""

    profile: Profile
    memories: Sequence[Memory]
    months: Sequence[Month]
    said: Sequence[Line]
    star: Star
    others: Sequence[Listed]
    mine: bool
    parted: bool
    owner: str
    asks: str


def seen_by(reach: Reach) -> Seen:
    """What a user sees. Several people's entities of one name are not one: super users see them side by side."""
    now = timezone.now()
    if reach.everyone:
        return Seen(Entity.objects.all(), Memory.objects.current(now), by_owner=True)
    if reach.entered is None:
        return Seen(Entity.objects.none(), Memory.objects.none())
    return seen_from(reach.entered, now)


def entity_page_list(reach: Reach, path: str, url: QueryDict) -> EntityList:
    """What the URL asks for: `q`, `type`, `page` and, of a super user, `person`; what means nothing is passed over."""
    q, kind = url.get("q", "").replace("\x00", "")[:200], url.get("type", "")
    person = url.get("person", "").replace("\x00", "") if reach.everyone else ""
    kind = kind if kind in TYPES else ""
    page = url.get("page", "1")
    number = min(int(page), 1_000) if page.isascii() and page.isdigit() and int(page) else 1
    found = entity_list(_of(person, seen_by(reach)), q=q, type=kind, limit=PAGE * number + 1)
    here = {"q": q, "type": kind, "person": person}
    return EntityList(
        items=_items(found[PAGE * (number - 1) : PAGE * number]),
        q=q,
        type=kind,
        person=person,
        types=[Choice(label, _url(path, {**here, "type": value}), value == kind) for value, label in _types()],
        number=number,
        newer=_url(path, {**here, "page": number - 1}) if number > 1 else "",
        older=_url(path, {**here, "page": number + 1}) if len(found) > PAGE * number else "",
        reader=installed_model() or "",
    )


def _of(person: str, seen: Seen) -> Seen:
    """Of all that is seen, what is one person's own; all of it where nobody is named."""
    if not person:
        return seen
    own = {"person__name": person}
    return replace(seen, entities=seen.entities.filter(**own), memories=seen.memories.filter(**own))


def entity_page(reach: Reach, identifier: UUID) -> EntityPage:
    """One entity and the memories that speak of it, the latest first. Raises NotFound."""
    seen = seen_by(reach)
    told = profile(seen, identifier)
    whose = Person.objects.get(id=seen.entities.filter(id__in=told.ids)[0].person_id) if reach.everyone else None
    owner = owner_of(reach, told.ids)
    found = memories_of(seen.memories, told.ids).select_related(*WITH_NAMES).order_by("-created_at", "-id")[:SHOWN]
    memories = list(found)
    links = EntityLink.objects.filter(entity_id__in=told.ids)
    question = f"Tell me everything about {told.listed.name}"
    return EntityPage(
        profile=told,
        memories=memories,
        months=_months(memories),
        said=_said(reach, told),
        star=star(told.related),
        others=_others(seen, told),
        mine=owner is not None,
        parted=links.exclude(moved_from=None).exists(),
        owner=str(whose or ""),
        asks=urlencode({"person": whose.name, "q": question} if whose else {"q": question}),
    )


def _said(reach: Reach, told: Profile) -> list[Line]:
    turns, talks = Turn.objects.spoken(), Conversation.objects.all()
    if told.listed.owner:  # as super users see them, each person's apart
        turns, talks = turns.filter(person_id=told.listed.owner), talks.filter(person_id=told.listed.owner)
    elif reach.entered:
        turns, talks = turns.visible_from(reach.entered.venue), talks.visible_from(reach.entered.venue)
    else:
        return []
    mine = reach.person.id if reach.person else None
    said = said_of(turns, told, talks)[:SAID]
    latest = Turn.objects.filter(pk__in=said).select_related("person").order_by("-spoken_at", "-id")
    return [line(turn, [], who=speaker(turn, person=str(turn.person), mine=turn.person_id == mine)) for turn in latest]


def happened(memory: Memory) -> datetime:
    """When what a memory tells was, by what it says; else when it was kept."""
    return memory.event_time or memory.created_at


def owner_of(reach: Reach, ids: Sequence[UUID]) -> UUID | None:
    """For whom the user may change these: their own person; for a super user, whoever's they are."""
    owners = set(seen_by(reach).entities.filter(id__in=list(ids)).values_list("person_id", flat=True))
    if reach.everyone:
        return next(iter(owners), None)
    own = reach.person.id if reach.person else None
    return own if own in owners else None


def own_entity(reach: Reach, identifier: UUID) -> UUID:
    """The person whose entity this is, to be changed. Raises NotFound where it is not for this user to change."""
    owner = owner_of(reach, [identifier])
    if owner is None:
        raise NotFound
    return owner


def _months(memories: Sequence[Memory]) -> list[Month]:
    """By month, in the reader's time zone, the latest first."""
    ordered = sorted(memories, key=happened, reverse=True)
    grouped = groupby(ordered, key=lambda memory: timezone.localtime(happened(memory)).strftime("%Y-%m"))
    of_months = [list(of_month) for _, of_month in grouped]
    return [Month(happened(of_month[0]), of_month) for of_month in of_months]


def _others(seen: Seen, told: Profile) -> list[Listed]:
    found = entity_list(seen, type=told.listed.type, limit=SHOWN * 4)
    return sorted(
        (one for one in found if one.id not in told.ids and one.owner == told.listed.owner),
        key=lambda one: one.normal,
    )


def _items(found: Sequence[Listed]) -> list[Item]:
    names = dict[Any, str]()
    owners = {one.owner for one in found if one.owner}
    if owners:
        names = {person.id: str(person) for person in Person.objects.filter(id__in=owners)}
    return [Item(one, names.get(one.owner, "")) for one in found]


def _types() -> list[tuple[str, str]]:
    return [("", "All"), *TYPES.items()]


def _url(path: str, parts: dict[str, Any]) -> str:
    said = {name: value for name, value in parts.items() if value and value != 1}
    return f"{path}?{urlencode(said)}" if said else path
