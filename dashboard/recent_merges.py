"""Merges of people that can still be taken back: of everyone's for a super user, else into the user's own person."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.errors import NotFound
from memory_app.models import Merge, Person
from memory_app.models.merge import UNDONE_WITHIN

from .reach import Reach
from .words import author

MOST = 50


@dataclass(frozen=True, slots=True)
class PeopleAct:
    """One merge. last: of those of the two that stand, the one that goes first."""

    merge: Merge
    into: Person
    words: str
    until: datetime
    memories: int
    last: bool


def people_acts(reach: Reach, now: datetime) -> list[PeopleAct]:
    """The latest first; to be evaluated within the reach."""
    rows = list(_rows(reach, now).order_by("-at", "-id")[:MOST])
    owners = {person.space_id: person for person in Person.objects.filter(space_id__in={row.space_id for row in rows})}
    latest: set[tuple[UUID, UUID]] = set()
    acts = []
    for row in rows:
        pair = (row.space_id, row.person_id)
        acts.append(_act(reach, row, owners[row.space_id], last=pair not in latest))
        latest.add(pair)
    return acts


def people_act(reach: Reach, merge: UUID, now: datetime) -> PeopleAct:
    """One that the user may take back. Raises NotFound."""
    found = next((act for act in people_acts(reach, now) if act.merge.id == merge and act.last), None)
    if found is None:
        raise NotFound
    return found


def people_act_json(act: PeopleAct) -> dict[str, Any]:
    return {
        "id": str(act.merge.id),
        "person": act.merge.person.name,
        "into": act.into.name,
        "author": act.merge.by,
        "at": act.merge.at.isoformat(),
        "undo_until": act.until.isoformat(),
        "counts": act.merge.counts,
        "can_be_undone": act.last,
    }


def _rows(reach: Reach, now: datetime) -> Any:
    rows = Merge.objects.select_related("person").filter(undone_at=None, at__gt=now - UNDONE_WITHIN)
    if reach.everyone:
        return rows
    return rows.filter(space_id=reach.person.space_id) if reach.person else rows.none()


def _act(reach: Reach, merge: Merge, into: Person, *, last: bool) -> PeopleAct:
    who = "you" if merge.by == reach.author().label else author(merge.by)
    words = f"{who} merged {merge.person} into {into}"
    return PeopleAct(
        merge=merge,
        into=into,
        words=words[0].upper() + words[1:],
        until=merge.at + UNDONE_WITHIN,
        memories=merge.counts.get("memories", 0),
        last=last,
    )
