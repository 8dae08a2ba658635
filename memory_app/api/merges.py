"""/people/{person}/merge: what was kept of a guest or a thread passes to a person, and goes back for 30 days."""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, writes
from memory_app.api.schemas import Shown, Strict
from memory_app.engine.enter import enter
from memory_app.engine.passing.merge_people import merge_people
from memory_app.engine.passing.unmerge_people import unmerge_people
from memory_app.models import Merge
from memory_app.models.merge import UNDONE_WITHIN

router = Router(tags=["people"])


class MergeIn(Strict):
    into: fields.Name


class MergeOut(Shown):
    """counts: rows that passed, by kind; of the memories among them, how many were duplicates or were replaced."""

    id: UUID
    person: str
    into: str
    at: datetime
    undo_until: datetime
    undone_at: datetime | None
    counts: dict[str, int]


@router.post("/people/{text:person}/merge/undo", response=MergeOut, auth=writes)
def undo_merge(request: HttpRequest, person: fields.Name, payload: MergeIn) -> MergeOut:
    """Takes the last merge of the two back: what passed goes back as it was then."""
    grant = grant_of(request)
    of, into = (enter(person=name, grant=grant, create=False) for name in (person, payload.into))
    merge = unmerge_people(person=of, into=into, author=author_of(request), now=timezone.now())
    return _shown(merge, person, payload.into)


@router.post("/people/{text:person}/merge", response=MergeOut, auth=writes)
def merge_person(request: HttpRequest, person: fields.Name, payload: MergeIn) -> MergeOut:
    """Passes all that is kept of a person to another, who may come into being here. Needs a key that may write for both
    in private: whoever may read and write for both could carry each memory over by hand, and this can be undone."""
    grant = grant_of(request)
    of = enter(person=person, grant=grant, create=False)
    into = enter(person=payload.into, grant=grant)
    merge = merge_people(person=of, into=into, author=author_of(request), now=timezone.now())
    return _shown(merge, person, payload.into)


def _shown(merge: Merge, person: str, into: str) -> MergeOut:
    return MergeOut(
        id=merge.id,
        person=person,
        into=into,
        at=merge.at,
        undo_until=merge.at + UNDONE_WITHIN,
        undone_at=merge.undone_at,
        counts=merge.counts,
    )
