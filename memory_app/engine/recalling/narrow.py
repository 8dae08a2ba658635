"""Narrow: show what was found three at a time, and let the person point at the one they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.enter import Entered, Place, enter
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import recall
from memory_app.errors import InConflict, NotFound
from memory_app.models import ApiKey, Memory, Search
from memory_app.models.scope import every_space, within
from memory_app.models.search import EXPIRES_AFTER
from memory_app.rules.asked_about import topic
from memory_app.rules.filters import read_filters
from memory_app.rules.grant import Grant
from memory_app.rules.narrowing import Back, More, NeverMind, NewQuestion, NoneOfThese, Selection, narrowing
from memory_app.rules.text import shortened
from memory_app.rules.tongues import replied_in_english

BATCH = 3
MOST = 60
"""Results to page through: twenty batches, which nobody reaches the end of."""

NO_MORE = "That's all I found for that search."
ENDED = "Okay, let me know if you want to search for something else."
LONGEST_TOPIC = 100
"""Characters of a query that an answer repeats."""

ASK = "Is it one of these, or would you like to hear more?"
ASK_LAST = "Is it one of these?"
FIRST_ALREADY = "These are the first ones."
UNCLEAR = (
    "Would you like to hear more options, or is it one of the ones I mentioned? "
    "You can say 'more' or tell me which number."
)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Where a search stands: what to say, and the memories shown, or the one that was meant."""

    search: Search
    message: str
    batch: Sequence[Memory] = field(default=())
    selected: Memory | None = None
    awaiting_clarification: bool = False

    @property
    def has_more(self) -> bool:
        return not self.search.complete and self.search.shown_from + BATCH < len(self.search.found)


def narrow(
    *, entered: Entered, query: str, filters: Mapping[str, Any], key: ApiKey, now: datetime, encoder: Encoder
) -> Narrowed:
    """Begins a search and shows its first three results. That of a stranger is not kept, and cannot go on. filters: as
    `read_filters` takes them; they hold for further questions too."""
    search = Search(
        space_id=entered.venue.home,
        person=entered.person,
        api_key=key,
        query=query,
        place={"space": entered.place.space, "channel": entered.place.channel, "restricted": entered.venue.restricted},
        filters=dict(filters),
        found=_found(entered, query, filters, now, encoder),
        created_at=now,
    )
    search.complete = not search.found
    if not entered.stranger:
        with within([entered.venue.home]):
            search.save(force_insert=True)
    return _shown(entered, search, introduce=True)


def narrow_on(*, search: UUID, text: str, key: ApiKey, grant: Grant, now: datetime, encoder: Encoder) -> Narrowed:
    """Goes on with a search by what the person replied.

    Raises NotFound for one that is another's, InConflict for one that is over.
    """
    held = _held(search, key, now)
    entered = enter(person=held.person.name, place=Place(**held.place), grant=grant, visit=True)
    if held.complete:
        raise InConflict("This search is over; start a new one.")
    batch = _batch(entered, held)
    reply = replied_in_english(text, entered.person.language)
    match narrowing(reply, [memory.summary for memory in batch]):
        case Selection(index=index):
            meant = batch[index]
            # What is left of the search is what was meant: "forget that" means it alone.
            _move(held, complete=True, found=[[str(meant.space_id), str(meant.id)]], shown_from=0)
            return Narrowed(held, f"Here's what I have: {meant.content}", selected=meant)
        case More() | NoneOfThese():
            return _onward(entered, held)
        case Back():
            return _backward(entered, held)
        case NeverMind():
            _move(held, complete=True)
            return Narrowed(held, ENDED)
        case NewQuestion(text=question):
            _move(held, query=question, found=_found(entered, question, held.filters, now, encoder), shown_from=0)
            return _shown(entered, held, introduce=True)
    return Narrowed(held, UNCLEAR, batch, awaiting_clarification=True)


def nothing_about(query: str) -> str:
    """What is answered where nothing relevant was found."""
    about = (topic(query) or query).strip()
    return f"I couldn't find anything about “{shortened(about, LONGEST_TOPIC)}”."


def _found(
    entered: Entered, query: str, filters: Mapping[str, Any], now: datetime, encoder: Encoder
) -> list[list[str]]:
    asked = Asked(query=query, limit=MOST, filters=read_filters(filters))
    recalled = recall(entered=entered, asked=asked, now=now, encoder=encoder)
    return [[str(one.memory.space_id), str(one.memory.id)] for one in recalled.results if one.relevant]


def _held(search: UUID, key: ApiKey, now: datetime) -> Search:
    with every_space():
        found = Search.objects.select_related("person").filter(id=search, api_key=key).first()
    if found is None or found.created_at < now - EXPIRES_AFTER:
        raise NotFound("There is no such search; start a new one.")
    return found


def _batch(entered: Entered, search: Search) -> list[Memory]:
    """The memories last shown, those that may still be seen: one forgotten meanwhile is not shown again."""
    places = search.found[search.shown_from : search.shown_from + BATCH]
    with within(entered.venue.spaces):
        rows = Memory.objects.kept().visible_from(entered.venue).select_related(*WITH_NAMES)
        there = {str(memory.id): memory for memory in rows.filter(id__in=[identifier for _, identifier in places])}
    return [there[identifier] for _, identifier in places if identifier in there]


def _onward(entered: Entered, search: Search) -> Narrowed:
    following = search.shown_from + BATCH
    if following >= len(search.found):
        _move(search, complete=True)
        return Narrowed(search, NO_MORE)
    _move(search, shown_from=following)
    return _shown(entered, search)


def _backward(entered: Entered, search: Search) -> Narrowed:
    if search.shown_from == 0:
        return Narrowed(search, FIRST_ALREADY, _batch(entered, search))
    _move(search, shown_from=max(0, search.shown_from - BATCH))
    return _shown(entered, search)


def _shown(entered: Entered, search: Search, *, introduce: bool = False) -> Narrowed:
    batch = _batch(entered, search)
    if not batch:
        _move(search, complete=True)
        return Narrowed(search, nothing_about(search.query))
    zone = entered.person.zone
    count = len(search.found)
    found = f"I found {count} memories. Here are the top matches:" if count > 1 else "I found one memory:"
    lines = [
        f"{number}. {memory.created_at.astimezone(zone):%B %d} - {memory.summary}"
        for number, memory in enumerate(batch, 1)
    ]
    narrowed = Narrowed(search, "", batch)
    ask = ASK if narrowed.has_more else ASK_LAST
    return Narrowed(search, "\n".join([*([found] if introduce else []), *lines, ask]), batch)


def _move(search: Search, **fields: object) -> None:
    for name, value in fields.items():
        setattr(search, name, value)
    if search._state.adding:  # a stranger's, which is not kept
        return
    with within([search.space_id]):
        search.save(update_fields=list(fields))
