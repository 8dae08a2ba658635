"""The client that waits for each answer."""

import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, cast

import httpx

from keepsake_client import calls
from keepsake_client.calls import Venue
from keepsake_client.errors import ConnectionFailed
from keepsake_client.transport import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    Attempts,
    Call,
    build_request,
    http_settings,
    read_answer,
)
from keepsake_client.types import (
    Context,
    Conversation,
    DayNotes,
    Document,
    DocumentPage,
    ItemAnswer,
    Memory,
    MemoryPage,
    Note,
    Proposals,
    Saved,
    SearchResults,
    Turn,
    TurnPage,
    TurnsAdded,
)


class Keepsake:
    """A client of one server, with one key. Use it in a `with` block, or close it.

    url: of the server, without /api/v1. timeout: seconds for each try. retries: how often a call is tried again that
    did not go through; what creates something is sent with an Idempotency-Key, so that it is done once.

    Every method raises ApiError, with what the server said, or ConnectionFailed.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(**http_settings(url, key, timeout), transport=transport)
        self._retries = retries

    def __enter__(self) -> "Keepsake":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def run(self, call: Call) -> Any:
        """Makes any call of the API; its JSON, its text where it is none, or None."""
        attempts = Attempts(call, self._retries)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self._http.send(build_request(self._http, attempts))
            except httpx.TransportError as error:
                outcome = error
            pause = attempts.pause_after(outcome)
            if isinstance(outcome, httpx.Response) and (pause is None or not outcome.is_error):
                return read_answer(outcome)
            if pause is None:
                raise ConnectionFailed(f"{call.method} {call.path}: {outcome or type(outcome).__name__}")
            time.sleep(pause)

    def remember(
        self, person: str, utterance: str, *, venue: Venue | None = None, conversation: str | None = None
    ) -> Saved:
        """Keeps what a request such as "remember that …" asks for."""
        return cast(Saved, self.run(calls.remember(person, utterance, venue, conversation)))

    def add_memory(self, person: str, content: str, **fields: Any) -> Memory:
        """Keeps one memory. fields: as in the API, such as venue, type, tags, key, visibility."""
        return cast(Memory, self.run(calls.add_memory(person, content, fields)))

    def add_memories(self, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Keeps up to 1,000 at once; each is answered by itself, in order, with `memory` or `error`."""
        return cast("list[dict[str, Any]]", (self.run(calls.add_memories(items)))["items"])

    def get_memory(self, memory: str, *, person: str | None = None) -> Memory:
        return cast(Memory, self.run(calls.get_memory(memory, person)))

    def list_memories(self, person: str, **filters: Any) -> MemoryPage:
        """A person's memories, a page at a time. filters: as in the API, such as types, tags, attributes,
        since, limit, cursor. Raises Invalid for one that the API does not know."""
        return cast(MemoryPage, self.run(calls.list_memories(person, filters)))

    def update_memory(self, memory: str, *, version: int | None = None, **changes: Any) -> Memory:
        """Changes fields of a memory; with a version, only if that is still the one."""
        return cast(Memory, self.run(calls.update_memory(memory, changes, version)))

    def delete_memory(self, memory: str) -> None:
        """Soft: it can be restored."""
        self.run(calls.delete_memory(memory))

    def search(
        self, person: str, query: str, *, venue: Venue | None = None, limit: int = 20, **filters: Any
    ) -> SearchResults:
        """What answers a question, best first. filters: as in the API, such as kinds, types, tags, since."""
        return cast(SearchResults, self.run(calls.search(person, query, venue, limit, filters)))

    def context(self, person: str, query: str, *, venue: Venue | None = None, **options: Any) -> Context:
        """What to put before an assistant's prompt. options: token_budget, limit, profile, conversation …"""
        return cast(Context, self.run(calls.context(person, query, venue, options)))

    def open_conversation(
        self, person: str, *, external_id: str | None = None, venue: Venue | None = None
    ) -> Conversation:
        """Begins a conversation; the same external_id gives the same one."""
        return cast(Conversation, self.run(calls.open_conversation(person, external_id, venue)))

    def get_conversation(self, conversation: str) -> Conversation:
        return cast(Conversation, self.run(calls.get_conversation(conversation)))

    def add_turns(self, conversation: str, turns: Sequence[Mapping[str, Any]]) -> TurnsAdded:
        """Stores up to 500 turns: {"role": "user", "content": …}."""
        return cast(TurnsAdded, self.run(calls.add_turns(conversation, turns)))

    def list_turns(
        self, conversation: str, *, newest_first: bool = False, limit: int = 20, cursor: str | None = None
    ) -> TurnPage:
        return cast(TurnPage, self.run(calls.list_turns(conversation, newest_first, limit, cursor)))

    def remove_last_turn(self, conversation: str) -> Turn:
        """Takes the last turn back. Raises NotFound where there is none."""
        return cast(Turn, self.run(calls.remove_last_turn(conversation)))

    def end_conversation(self, conversation: str) -> Proposals:
        return cast(Proposals, self.run(calls.end_conversation(conversation)))

    def reply(self, conversation: str, text: str) -> dict[str, Any]:
        """Carries out the person's answer to what was proposed: "yes", "1 and 3" …"""
        return cast("dict[str, Any]", self.run(calls.reply(conversation, text)))

    def propose(
        self,
        person: str,
        items: Sequence[Mapping[str, Any]],
        *,
        venue: Venue | None = None,
        conversation: str | None = None,
    ) -> list[dict[str, Any]]:
        """Hands in what an assistant's own model noticed; it waits for the person."""
        answer = self.run(calls.propose(person, items, venue, conversation))
        return cast("list[dict[str, Any]]", answer["items"])

    def list_proposals(self, person: str, **filters: Any) -> dict[str, Any]:
        """What waits for the person. filters: status, limit, cursor."""
        return cast("dict[str, Any]", self.run(calls.list_proposals(person, filters)))

    def run_items(
        self, operations: Sequence[Mapping[str, Any]], *, person: str | None = None, person_label: int | None = None
    ) -> list[ItemAnswer]:
        """Reads, stores, searches and lists items under namespaces: up to 500 operations, answered in order."""
        answer = self.run(calls.run_items(operations, person, person_label))
        return cast("list[ItemAnswer]", answer["results"])

    def get_profile(self, person: str) -> str:
        """The profile of a person, as Markdown."""
        return cast("str | None", self.run(calls.get_profile(person))) or ""

    def put_profile(self, person: str, text: str) -> dict[str, Any]:
        """Hands back an edited profile: read as additions, updates and removals."""
        return cast("dict[str, Any]", self.run(calls.put_profile(person, text)))

    def get_notes(self, person: str, day: str) -> DayNotes:
        """The notes of a day (YYYY-MM-DD)."""
        return cast(DayNotes, self.run(calls.get_notes(person, day)))

    def list_notes(self, person: str, **filters: Any) -> dict[str, Any]:
        """A person's notes, the latest first. filters: q, since, until, limit, cursor."""
        return cast("dict[str, Any]", self.run(calls.list_notes(person, filters)))

    def add_note(self, person: str, day: str, text: str) -> Note:
        return cast(Note, self.run(calls.add_note(person, day, text)))

    def list_documents(self, person: str, **filters: Any) -> DocumentPage:
        """Files that assistants keep, without their text; of one `path`, with it. filters: path, prefix, limit …"""
        return cast(DocumentPage, self.run(calls.list_documents(person, filters)))

    def create_document(self, person: str, path: str, content: str) -> Document:
        """Stores a new one. Raises Conflict where the path is taken."""
        return cast(Document, self.run(calls.create_document(person, path, content)))

    def get_document(self, person: str, document: str) -> Document:
        return cast(Document, self.run(calls.get_document(person, document)))

    def update_document(self, person: str, document: str, *, version: int | None = None, **changes: str) -> Document:
        """Another content or path; with a version, only if that is still the one."""
        return cast(Document, self.run(calls.update_document(person, document, changes, version)))

    def delete_document(self, person: str, document: str) -> None:
        """Soft: it can be restored."""
        self.run(calls.delete_document(person, document))
