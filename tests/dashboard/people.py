"""Alice, Bob and a super user, and what is remembered of them: plain functions that the tests of the pages share."""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.test import Client

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.enter import PRIVATE, Place, enter
from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.remember import remember
from memory_app.models import Memory, User
from memory_app.models.scope import every_space

PASSWORD = "correct horse battery staple"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
KITCHEN = Author("key", "kitchen")


def login(name: str, *, person: str | None = None, everyone: bool = False) -> User:
    """A login, tied to a person where one is named."""
    user = User(username=name, is_superuser=everyone)
    user.set_password(PASSWORD)
    if person:
        user.person = enter(person=person).person
    user.save()
    return user


def kept(person: str, content: str, *, place: Place = PRIVATE, now: datetime | None = None, **given: Any) -> Memory:
    """A memory that an assistant kept."""
    moment = now or datetime.now(UTC)
    entered = enter(person=person, place=place)
    return remember(
        entered=entered, given=Given(content, **given), author=KITCHEN, now=moment, encoder=current()
    ).memory


def known(name: str) -> UUID:
    """The id of a person, who comes into being here if nothing was said of them yet."""
    return enter(person=name).person.id


def stored(memory: UUID | str) -> Memory:
    """The memory as the database has it now."""
    with every_space():
        return Memory.objects.select_related("person", "space", "channel").get(id=memory)


def contents(person: str) -> set[str]:
    """Texts of a person's memories in tier 1."""
    with every_space():
        return set(Memory.objects.kept().filter(person__name=person).values_list("content", flat=True))


def page(client: Client, path: str, **parameters: str) -> str:
    """The HTML of a page that is there."""
    answer = client.get(path, parameters)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def undo_in(html: str) -> str:
    """The address that the first offer to undo on a page posts to."""
    found = re.search(r'action="(/undo/[0-9a-f-]{36}/)"', html)
    assert found, html
    return found.group(1)
