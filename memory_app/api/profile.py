"""/people/{person}/profile.md: the living MEMORY.md, downloaded, edited and put back."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import parse_etags, quote_etag
from ninja import Router

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key, write_key
from memory_app.api.redaction import redacted
from memory_app.api.requests import storable
from memory_app.api.venue import existing_person
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.summaries.profile import profile_fingerprint, profile_text
from memory_app.engine.summaries.update_profile import ProfileDifference, compare_profile, update_profile
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import Invalid
from memory_app.models import Memory
from memory_app.serializers import OutputModel

router = Router(tags=["people"])

MARKDOWN = "text/markdown; charset=utf-8"
PROFILE_RESPONSES = {"responses": {200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}}}
"""The answer is no JSON, which Ninja would say of any type it were given."""

EMPTY_DIFFERENCE_TEXTS: dict[str, Any] = {"updated": [], "removed": [], "newer": []}
"""Of the answer to an edit, what holds lines as they are kept, as it is to who may not read."""


class AddedOut(OutputModel):
    text: str
    category: str


class ChangedOut(OutputModel):
    id: UUID
    text: str
    category: str


class ForgottenOut(OutputModel):
    id: UUID | None
    text: str
    category: str


class DifferenceOut(OutputModel):
    """What an edited profile changed, or, with dry_run, would change."""

    added: list[AddedOut]
    updated: list[ChangedOut]
    removed: list[ChangedOut]
    unchanged: int
    newer: list[ChangedOut]
    """What was edited since the profile was written, and stays as it is by now."""
    forgotten: list[ForgottenOut]
    """Lines whose memories were forgotten since, which are not added again."""


@router.get("/people/{text:person}/profile.md", response={200: None}, auth=read_key, openapi_extra=PROFILE_RESPONSES)
def read_profile(request: HttpRequest, person: fields.Name) -> HttpResponse:
    """What is known of a person, as Markdown: a section a category, a line a memory, each with its id in a comment."""
    venue_context = existing_person(request, person)
    text = profile_text(venue_context, timezone.now())
    return HttpResponse(text, content_type=MARKDOWN, headers={"ETag": quote_etag(profile_fingerprint(text))})


@router.put("/people/{text:person}/profile.md", response=DifferenceOut, auth=write_key)
def write_profile(request: HttpRequest, person: fields.Name, dry_run: bool = False) -> DifferenceOut:
    """Reads an edited profile as adds, updates and removals. With `If-Match`, only if it is still the one read.

    Without, what changed since it was written stands: `newer` are memories whose lines were left as they were, and
    `forgotten` are lines that are not added again."""
    now, text, expected = timezone.now(), _body_text(request), _expected_etag(request)
    venue_context = resolve_venue(person=person, grant=grant_of(request), create=not dry_run, follow_merges=True)
    if dry_run:
        return redacted(
            request, _difference_out(compare_profile(venue_context, text, now, expected)), EMPTY_DIFFERENCE_TEXTS
        )
    author = author_of(request)
    changed = update_profile(
        venue_context=venue_context, text=text, author=author, now=now, encoder=current_encoder(), expected=expected
    )
    return redacted(request, _difference_out(changed), EMPTY_DIFFERENCE_TEXTS)


def _body_text(request: HttpRequest) -> str:
    try:
        return storable(request.body.decode("utf-8-sig"))
    except ValueError as error:
        raise Invalid("body", f"The profile is to be UTF-8 text: {error}") from None


def _expected_etag(request: HttpRequest) -> str | None:
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    tags = parse_etags(header)
    return tags[0].strip('"') if tags else header


def _difference_out(changed: ProfileDifference) -> DifferenceOut:
    return DifferenceOut(
        added=[AddedOut(text=line.text, category=line.category) for line in changed.adds],
        updated=[_changed_out(update.memory, update.text, update.category) for update in changed.updates],
        removed=_unchanged_out(changed.removals, changed.removed_texts),
        unchanged=changed.unchanged,
        newer=_unchanged_out(changed.newer, changed.newer_texts),
        forgotten=[ForgottenOut(id=line.id, text=line.text, category=line.category) for line in changed.forgotten],
    )


def _changed_out(memory: Memory, text: str, category: str) -> ChangedOut:
    return ChangedOut(id=memory.id, text=text, category=category)


def _unchanged_out(memories: Sequence[Memory], texts: Sequence[str]) -> list[ChangedOut]:
    return [_changed_out(memory, text, memory.category) for memory, text in zip(memories, texts, strict=True)]
