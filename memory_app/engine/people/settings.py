"""Change a person's settings: their name, time zone, language and policies, and whether memory is on.

In another language the words by which memories, turns and notes are found are made again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from django.db import connection, transaction

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.conversations.add_turns import turn_search_text
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import Invalid
from memory_app.models import Document, Memory, Note, Person, Turn
from memory_app.models.note import DIGEST_AUTHOR
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.models.text_search import memory_tsvector, text_tsvector
from memory_app.nlp.locales import language_name

SETTINGS = ("display_name", "timezone", "language", "memory_enabled", "extraction_policy", "sensitive_policy")


LOGGED_SETTINGS = ("memory_enabled", "extraction_policy", "sensitive_policy", "timezone", "language")
"""Settings whose new value the log tells; what someone is called is theirs."""


def change_settings(
    *, person: Person, changes: dict[str, Any], author: Author | None = None, now: datetime | None = None
) -> Person:
    """Sets some of SETTINGS; all that is kept is found by the words of a new language from then on. Raises Invalid for
    a time zone or a language that is none.

    author: who did, and when, for the log; None where an import takes settings over, which is told as one.
    """
    if "timezone" in changes and changes["timezone"] not in available_timezones():
        raise Invalid("timezone", "Name a time zone of the IANA database, such as Europe/Berlin.")
    if "language" in changes:
        changes = {**changes, "language": language_name(changes["language"])}
        if changes["language"] not in search_languages():
            raise Invalid("language", f"Name one of {', '.join(search_languages())}, or its code, such as de.")
    changed = sorted(name for name in set(changes) & set(SETTINGS) if changes[name] != getattr(person, name))
    for name in changed:
        setattr(person, name, changes[name])
    with transaction.atomic():
        if "language" in changed:
            lock_writers(person.id)  # first: nobody changes what is indexed anew, nor waits for the person and it
        person.save(update_fields=changed)
        if "language" in changed:
            reindex_texts(person)
        if changed and author and now:
            detail = {"changed": changed, **{name: changes[name] for name in changed if name in LOGGED_SETTINGS}}
            log_event("settle", detail, author=author, now=now, space=person.space_id, person=person.id)
    return person


REINDEX_BATCH = 500
"""Rows that one statement writes."""

REINDEX_SQL = """
UPDATE {table} SET tsv = to_tsvector(given.language::regconfig, given.words), passages = NULL, passage_words = NULL
FROM unnest(%s::uuid[], %s::uuid[], %s::text[], %s::text[]) AS given (space_id, id, language, words)
WHERE {table}.space_id = given.space_id AND {table}.id = given.id
"""


def search_languages() -> list[str]:
    """The languages whose words the database knows, such as `english`; `simple` takes words as they are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT cfgname FROM pg_ts_config ORDER BY cfgname")
        return [name for (name,) in cursor.fetchall()]


def reindex_texts(person: Person) -> int:
    """Indexes all that a person keeps and said in their language, in one transaction; returns how many rows."""
    venue_context = resolve_venue(person=person.name, create=False)
    with allowed_spaces(venue_context.venue.spaces):
        return sum(_reindex_rows(venue_context, model) for model in (Memory, Turn, Note, Document))


def _reindex_rows(venue_context: VenueContext, model: type[Memory | Turn | Note | Document]) -> int:
    rows: Any = Note.objects.exclude(author=DIGEST_AUTHOR) if model is Note else model._default_manager.all()
    own = rows.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
    done, following = 0, own.defer("embedding", "tsv").order_by("id")
    while rows := list(following[:REINDEX_BATCH]):
        _write_text_vectors(rows, venue_context.person.language)
        done += len(rows)
        following = following.filter(id__gt=rows[-1].id)
    return done


def _write_text_vectors(rows: Sequence[Memory | Turn | Note | Document], language: str) -> None:
    vectors = [_text_vector(row, language).configuration_and_text for row in rows]
    values = [[row.space_id for row in rows], [row.id for row in rows], *map(list, zip(*vectors, strict=True))]
    with connection.cursor() as cursor:
        cursor.execute(REINDEX_SQL.format(table=rows[0]._meta.db_table), values)


def _text_vector(row: Memory | Turn | Note | Document, language: str) -> Any:
    if isinstance(row, Memory):
        return memory_tsvector(row, language)
    if isinstance(row, Note | Document):
        return text_tsvector(row.searchable_text, language)
    return text_tsvector(turn_search_text(row.speaker, row.content, row.spoken_at), language)
