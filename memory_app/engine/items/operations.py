"""What can be asked of items, and what is answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from memory_app.models import Item
from memory_app.rules.item_filter import Comparison
from memory_app.rules.item_namespace import NamespaceMatch


@dataclass(frozen=True, slots=True)
class GetItem:
    """refresh_ttl: whether its time begins anew by that."""

    namespace: tuple[str, ...]
    key: str
    refresh_ttl: bool = True


@dataclass(frozen=True, slots=True)
class PutItem:
    """value: None deletes. index: paths that are searched; None is the whole value, and none is no search. ttl: how
    long after the last write or read it stays; None is for good."""

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any] | None
    index: tuple[str, ...] | None = None
    ttl: timedelta | None = None


@dataclass(frozen=True, slots=True)
class SearchItems:
    """Those below a prefix that pass a filter: the most relevant first where there is a query, else the latest."""

    prefix: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    query: str = ""
    limit: int = 10
    offset: int = 0
    refresh_ttl: bool = True


@dataclass(frozen=True, slots=True)
class ListNamespaces:
    """Namespaces that match all patterns, each cut to `max_depth` labels and told once."""

    matches: tuple[NamespaceMatch, ...] = ()
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


ItemOperation = GetItem | PutItem | SearchItems | ListNamespaces


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item, and of a search with a query its score, from -1 to 1."""

    item: Item
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """What one operation found or did. version: of what was put; None for what was deleted."""

    item: FoundItem | None = None
    items: Sequence[FoundItem] = ()
    namespaces: Sequence[Sequence[str]] = ()
    version: int | None = None
    deleted: bool = False
