"""Narrow: show what was found three at a time, and let the person point at the one they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.errors import ConflictError, NotFound
from memory_app.models import ApiKey, Memory, Search
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.models.search import SEARCH_EXPIRES_AFTER
from memory_app.nlp.commands.narrowing_replies import (
    Answer,
    NewQuestion,
    Selection,
    read_narrowing_reply,
)
from memory_app.nlp.locales import reply_in_english
from memory_app.nlp.queries.query_kind import asked_topic
from memory_app.nlp.text import shortened
from memory_app.rules.filters import read_filters
from memory_app.rules.grant import Grant

BATCH_SIZE = 3
MAX_RESULTS = 60
"""Results to page through: twenty batches, which nobody reaches the end of."""

NO_MORE = "That's all I found for that search."
ENDED = "Okay, let me know if you want to search for something else."
MAX_TOPIC_LENGTH = 100
"""Characters of a query that an answer repeats."""

ASK_WHICH = "Is it one of these, or would you like to hear more?"
ASK_WHICH_LAST = "Is it one of these?"
NO_EARLIER = "These are the first ones."
UNCLEAR = (
    "Would you like to hear more options, or is it one of the ones I mentioned? "
    "You can say 'more' or tell me which number."
)


@dataclass(frozen=True, slots=True)
class NarrowStep:
    """Where a search stands: what to say, and the memories shown, or the one that was meant."""

    search: Search
    message: str
    batch: Sequence[Memory] = field(default=())
    selected: Memory | None = None
    awaiting_clarification: bool = False

    @property
    def has_more(self) -> bool:
        return not self.search.complete and self.search.shown_from + BATCH_SIZE < len(self.search.found)


def start_narrowing(
    *, venue_context: VenueContext, query: str, filters: Mapping[str, Any], key: ApiKey, now: datetime, encoder: Encoder
) -> NarrowStep:
    """Begins a search and shows its first three results. That of a stranger is not kept, and cannot go on. filters: as
    `read_filters` takes them; they hold for further questions too."""
    search = Search(
        space_id=venue_context.venue.home,
        person=venue_context.person,
        api_key=key,
        query=query,
        place={
            "space": venue_context.place.space,
            "channel": venue_context.place.channel,
            "restricted": venue_context.venue.restricted,
        },
        filters=dict(filters),
        found=_find_places(venue_context, query, filters, now, encoder),
        created_at=now,
    )
    search.complete = not search.found
    if not venue_context.is_unknown:
        with allowed_spaces([venue_context.venue.home]):
            search.save(force_insert=True)
    return _show_batch(venue_context, search, introduce=True)


def continue_narrowing(
    *, search: UUID, text: str, key: ApiKey, grant: Grant, now: datetime, encoder: Encoder
) -> NarrowStep:
    """Goes on with a search by what the person replied.

    Raises NotFound for one that is another's, ConflictError for one that is over.
    """
    found = _get_search(search, key, now)
    venue_context = resolve_venue(
        person=found.person.name, place=VenueNames(**found.place), grant=grant, allow_unknown=True
    )
    if found.complete:
        raise ConflictError("This search is over; start a new one.")
    batch = _load_batch(venue_context, found)
    reply = reply_in_english(text, venue_context.person.language)
    match read_narrowing_reply(reply, [memory.summary for memory in batch]):
        case Selection(index=index):
            selected = batch[index]
            # What is left of the search is what was meant: "forget that" means it alone.
            _update_search(found, complete=True, found=[[str(selected.space_id), str(selected.id)]], shown_from=0)
            return NarrowStep(found, f"Here's what I have: {selected.content}", selected=selected)
        case Answer.MORE | Answer.NONE:
            return _next_batch(venue_context, found)
        case Answer.BACK:
            return _previous_batch(venue_context, found)
        case Answer.OVER:
            _update_search(found, complete=True)
            return NarrowStep(found, ENDED)
        case NewQuestion(text=question):
            _update_search(
                found,
                query=question,
                found=_find_places(venue_context, question, found.filters, now, encoder),
                shown_from=0,
            )
            return _show_batch(venue_context, found, introduce=True)
    return NarrowStep(found, UNCLEAR, batch, awaiting_clarification=True)


def nothing_found_about(query: str) -> str:
    """What is answered where nothing relevant was found."""
    about = (asked_topic(query) or query).strip()
    return f"I couldn't find anything about “{shortened(about, MAX_TOPIC_LENGTH)}”."


def _find_places(
    venue_context: VenueContext, query: str, filters: Mapping[str, Any], now: datetime, encoder: Encoder
) -> list[list[str]]:
    recall_query = RecallQuery(query, limit=MAX_RESULTS, filters=read_filters(filters))
    recall_results = recall(venue_context=venue_context, recall_query=recall_query, now=now, encoder=encoder)
    return [[str(result.row.space_id), str(result.row.id)] for result in recall_results.results if result.relevant]


def _get_search(search: UUID, key: ApiKey, now: datetime) -> Search:
    with every_space():
        found = Search.objects.select_related("person").filter(id=search, api_key=key).first()
    if found is None or found.created_at < now - SEARCH_EXPIRES_AFTER:
        raise NotFound("There is no such search; start a new one.")
    return found


def _load_batch(venue_context: VenueContext, search: Search) -> list[Memory]:
    """The memories last shown, those that may still be seen: one forgotten meanwhile is not shown again."""
    places = search.found[search.shown_from : search.shown_from + BATCH_SIZE]
    with allowed_spaces(venue_context.venue.spaces):
        rows = Memory.objects.undeleted().visible_from(venue_context.venue).select_related(*WITH_NAMES)
        found = {str(memory.id): memory for memory in rows.filter(id__in=[identifier for _, identifier in places])}
    return [found[identifier] for _, identifier in places if identifier in found]


def _next_batch(venue_context: VenueContext, search: Search) -> NarrowStep:
    following = search.shown_from + BATCH_SIZE
    if following >= len(search.found):
        _update_search(search, complete=True)
        return NarrowStep(search, NO_MORE)
    _update_search(search, shown_from=following)
    return _show_batch(venue_context, search)


def _previous_batch(venue_context: VenueContext, search: Search) -> NarrowStep:
    if search.shown_from == 0:
        return NarrowStep(search, NO_EARLIER, _load_batch(venue_context, search))
    _update_search(search, shown_from=max(0, search.shown_from - BATCH_SIZE))
    return _show_batch(venue_context, search)


def _show_batch(venue_context: VenueContext, search: Search, *, introduce: bool = False) -> NarrowStep:
    batch = _load_batch(venue_context, search)
    if not batch:
        _update_search(search, complete=True)
        return NarrowStep(search, nothing_found_about(search.query))
    zone = venue_context.person.zone
    count = len(search.found)
    found = f"I found {count} memories. Here are the top matches:" if count > 1 else "I found one memory:"
    lines = [
        f"{number}. {memory.created_at.astimezone(zone):%B %d} - {memory.summary}"
        for number, memory in enumerate(batch, 1)
    ]
    narrowed = NarrowStep(search, "", batch)
    ask = ASK_WHICH if narrowed.has_more else ASK_WHICH_LAST
    return NarrowStep(search, "\n".join([*([found] if introduce else []), *lines, ask]), batch)


def _update_search(search: Search, **fields: object) -> None:
    for name, value in fields.items():
        setattr(search, name, value)
    if search._state.adding:  # a stranger's, which is not kept
        return
    with allowed_spaces([search.space_id]):
        search.save(update_fields=list(fields))
