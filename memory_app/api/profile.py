"""/people/{person}/profile.md: the living MEMORY.md, downloaded, edited and put back."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import parse_etags, quote_etag
from ninja import Router

from memory_app.api import fields
from memory_app.api.answers import as_told
from memory_app.api.auth import author_of, grant_of, reads, writes
from memory_app.api.body import storable
from memory_app.api.schemas import Shown
from memory_app.embedding.encoder import current
from memory_app.engine.enter import enter
from memory_app.engine.summing.profile import mark, profile_of
from memory_app.engine.summing.put_profile import Difference, difference, put_profile
from memory_app.errors import Invalid
from memory_app.models import Memory

router = Router(tags=["people"])

MARKDOWN = "text/markdown; charset=utf-8"
DOCUMENTED = {"responses": {200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}}}
"""The answer is no JSON, which Ninja would say of any type it were given."""

WORDS: dict[str, Any] = {"updated": [], "removed": [], "newer": []}
"""Of the answer to an edit, what holds lines as they are kept, as it is to who may not read."""


class AddedOut(Shown):
    text: str
    category: str


class ChangedOut(Shown):
    id: UUID
    text: str
    category: str


class ForgottenOut(Shown):
    id: UUID | None
    text: str
    category: str


class DifferenceOut(Shown):
    """What an edited profile changed, or, with dry_run, would change."""

    added: list[AddedOut]
    updated: list[ChangedOut]
    removed: list[ChangedOut]
    unchanged: int
    newer: list[ChangedOut]
    """What was edited since the profile was written, and stays as it is by now."""
    forgotten: list[ForgottenOut]
    """Lines whose memories were forgotten since, which are not added again."""


@router.get("/people/{text:person}/profile.md", response={200: None}, auth=reads, openapi_extra=DOCUMENTED)
def read_profile(request: HttpRequest, person: fields.Name) -> HttpResponse:
    """What is known of a person, as Markdown: a section a category, a line a memory, each with its id in a comment."""
    entered = enter(person=person, grant=grant_of(request), create=False, as_user=True)
    text = profile_of(entered, timezone.now())
    return HttpResponse(text, content_type=MARKDOWN, headers={"ETag": quote_etag(mark(text))})


@router.put("/people/{text:person}/profile.md", response=DifferenceOut, auth=writes)
def write_profile(request: HttpRequest, person: fields.Name, dry_run: bool = False) -> DifferenceOut:
    """Reads an edited profile as adds, updates and removals. With `If-Match`, only if it is still the one read.

    Without, what changed since it was written stands: `newer` are memories whose lines were left as they were, and
    `forgotten` are lines that are not added again."""
    now, text, expected = timezone.now(), _text(request), _expected(request)
    entered = enter(person=person, grant=grant_of(request), create=not dry_run, as_user=True)
    if dry_run:
        return as_told(request, _shown(difference(entered, text, now, expected)), WORDS)
    author = author_of(request)
    changed = put_profile(entered=entered, text=text, author=author, now=now, encoder=current(), expected=expected)
    return as_told(request, _shown(changed), WORDS)


def _text(request: HttpRequest) -> str:
    try:
        return storable(request.body.decode("utf-8-sig"))
    except ValueError as error:
        raise Invalid("body", f"The profile is to be UTF-8 text: {error}") from None


def _expected(request: HttpRequest) -> str | None:
    given = request.headers.get("If-Match")
    if given is None or given.strip() == "*":
        return None
    tags = parse_etags(given)
    return tags[0].strip('"') if tags else given


def _shown(changed: Difference) -> DifferenceOut:
    return DifferenceOut(
        added=[AddedOut(text=line.text, category=line.category) for line in changed.adds],
        updated=[_changed(update.memory, update.text, update.category) for update in changed.updates],
        removed=_as_they_are(changed.removals, changed.removed_texts),
        unchanged=changed.unchanged,
        newer=_as_they_are(changed.newer, changed.newer_texts),
        forgotten=[ForgottenOut(id=line.id, text=line.text, category=line.category) for line in changed.forgotten],
    )


def _changed(memory: Memory, text: str, category: str) -> ChangedOut:
    return ChangedOut(id=memory.id, text=text, category=category)


def _as_they_are(memories: Sequence[Memory], texts: Sequence[str]) -> list[ChangedOut]:
    return [_changed(memory, text, memory.category) for memory, text in zip(memories, texts, strict=True)]
