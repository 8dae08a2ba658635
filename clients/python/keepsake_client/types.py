"""What the server answers, as far as it is used most. There may be more fields than these."""

from typing import Any, TypedDict


class Memory(TypedDict):
    id: str
    person: str
    type: str
    category: str
    key: str | None
    summary: str
    content: str
    context: str | None
    speaker: str
    said_at: str
    keywords: list[str]
    tags: list[str]
    attributes: dict[str, Any]
    visibility: str
    space: str | None
    channel: str | None
    tier: str
    status: str
    confidence: float
    strength: float
    protected: bool
    sensitive: bool
    created_at: str
    updated_at: str
    version: int


class Saved(TypedDict):
    """What became of words that were to be remembered."""

    memory: Memory
    outcome: str
    message: str | None
    conflicts: list[Memory]


class MemoryPage(TypedDict):
    items: list[Memory]
    next_cursor: str | None


class Result(TypedDict):
    """One thing found: `kind` names the field that holds it."""

    kind: str
    memory: Memory | None
    turn: "Turn | None"
    note: "dict[str, Any] | None"
    score: float
    relevant: bool


class SearchResults(TypedDict):
    results: list[Result]
    total_found: int
    search_method: str
    took_ms: float


class Context(TypedDict):
    """`text` is what to put before a prompt; empty where nothing is relevant."""

    text: str
    answer: str | None
    memories: list[dict[str, Any]]
    tokens: int
    receipt: str | None


class Conversation(TypedDict):
    id: str
    person: str
    external_id: str | None
    visibility: str
    space: str | None
    channel: str | None
    turns: int
    started_at: str
    ended_at: str | None


class Turn(TypedDict):
    id: str | None
    conversation: str
    position: int | None
    role: str
    speaker: str
    content: str
    spoken_at: str
    mode: str
    intent: str | None
    outcome: str
    stored: bool


class TurnsAdded(TypedDict):
    conversation: str
    items: list[Turn]
    remembered: list[dict[str, Any]]
    message: str | None


class TurnPage(TypedDict):
    items: list[Turn]
    next_cursor: str | None


class Proposals(TypedDict):
    """`message` is the question to put to the person."""

    proposals: list[dict[str, Any]]
    message: str


class Item(TypedDict):
    person: str
    namespace: list[str]
    key: str
    value: dict[str, Any]
    created_at: str
    updated_at: str
    expires_at: str | None
    version: int
    score: float | None


class ItemAnswer(TypedDict):
    """What one operation answers: a get `item`, a search `items`, a list `namespaces`, a put `version` or `deleted`."""

    op: str
    item: Item | None
    items: list[Item] | None
    namespaces: list[list[str]] | None
    version: int | None
    deleted: bool | None


class Note(TypedDict):
    id: str
    person: str
    date: str
    text: str
    author: str
    version: int


class Document(TypedDict):
    """`content` is null where only its name was asked for."""

    id: str
    person: str
    path: str
    content: str | None
    size: int
    author: str
    created_at: str
    updated_at: str
    version: int


class DocumentPage(TypedDict):
    items: list[Document]
    next_cursor: str | None


class DayNotes(TypedDict):
    person: str
    date: str
    text: str
    notes: list[Note]
