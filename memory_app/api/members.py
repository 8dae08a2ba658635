"""/spaces/{space}/members: who belongs to a shared space; taken out, and in again, by an admin key."""

from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, read_key
from memory_app.engine.people.members import admit_member, members_of, remove_member
from memory_app.models import Membership
from memory_app.serializers import OutputModel

router = Router(tags=["people"])


class MemberOut(OutputModel):
    person: str
    display_name: str
    joined_at: datetime


class MemberPage(OutputModel):
    """All of them at once: a space is as many people as share it."""

    items: list[MemberOut]
    next_cursor: str | None = None


@router.get("/spaces/{text:space}/members", response=MemberPage, auth=read_key)
def list_members(request: HttpRequest, space: fields.Name) -> MemberPage:
    """Who belongs to a space now, by name."""
    return MemberPage(items=[_member_out(row) for row in members_of(space=space, grant=grant_of(request))])


@router.put("/spaces/{text:space}/members/{text:person}", response=MemberOut, auth=admin_key)
def add_member(request: HttpRequest, space: fields.Name, person: fields.Name) -> MemberOut:
    """Makes a person who is known a member, also one who was removed."""
    grant, author, now = grant_of(request), author_of(request), timezone.now()
    return _member_out(admit_member(space=space, person=person, grant=grant, author=author, now=now))


@router.delete("/spaces/{text:space}/members/{text:person}", response={204: None}, auth=admin_key)
def delete_member(request: HttpRequest, space: fields.Name, person: fields.Name) -> Status[None]:
    """Takes a person out of a space. What was theirs there stays theirs; of the space they see no more, and they do not
    come back by speaking there."""
    grant, author, now = grant_of(request), author_of(request), timezone.now()
    remove_member(space=space, person=person, grant=grant, author=author, now=now)
    return Status(204, None)


def _member_out(membership: Membership) -> MemberOut:
    person = membership.person
    return MemberOut(person=person.name, display_name=person.display_name, joined_at=membership.joined_at)
