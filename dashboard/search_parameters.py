"""What the URL of `/search/` asks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Self, cast
from zoneinfo import ZoneInfo

from django.http import QueryDict

from dashboard.lists import MAX_QUERY_LENGTH, NO_TYPED_FILTERS, TypedFilters, split_at_commas
from dashboard.responses import clean_text
from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS, VISIBILITY_LABELS
from memory_app.engine.retrieval.query import Kind, Method, RecallQuery
from memory_app.rules.filters import Filters

MAX_RESULTS = 20

KIND_LABELS = {"memory": "Memories", "turn": "What was said", "note": "Daily notes", "document": "Documents"}
METHOD_LABELS = {
    "hybrid": "All signals",
    "text": "Words only",
    "vector": "Meaning only",
    "entity": "Names only",
    "rrf": "By rank (RRF)",
}
RERANK_LABELS = {"": "If a reranker is set", "yes": "Yes, where there is a model for it", "no": "No"}
"""Whether a reranker orders the best results again."""


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """What the URL asks. since, until: days in the person's time zone, both included."""

    query: str = ""
    person: str = ""
    kinds: tuple[str, ...] = ("memory",)
    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    tags: str = ""
    all_tags: bool = False
    typed: TypedFilters = NO_TYPED_FILTERS
    method: str = "hybrid"
    rerank: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def read(cls, url: QueryDict) -> Self:
        """From a query string. What means nothing there is ignored."""
        method, rerank = url.get("method", "hybrid"), url.get("rerank", "")
        return cls(
            query=clean_text(url.get("q", ""), MAX_QUERY_LENGTH).strip(),
            person=clean_text(url.get("person", ""), 200).strip(),
            kinds=_known_values(url.getlist("kind"), KIND_LABELS) or ("memory",),
            types=_known_values(url.getlist("type"), TYPE_LABELS),
            categories=_known_values(url.getlist("category"), CATEGORY_LABELS),
            visibility=_known_values(url.getlist("visibility"), VISIBILITY_LABELS),
            tags=clean_text(url.get("tag", ""), MAX_QUERY_LENGTH).strip(),
            all_tags=url.get("tags") == "all",
            typed=TypedFilters.read(url),
            method=method if method in METHOD_LABELS else "hybrid",
            rerank=rerank if rerank in RERANK_LABELS else "",
            since=_parse_day(url.get("since", "")),
            until=_parse_day(url.get("until", "")),
        )

    @property
    def filters(self) -> Filters:
        tags = split_at_commas(self.tags)
        return replace(
            self.typed.filters,
            types=self.types,
            categories=self.categories,
            visibility=self.visibility,
            any_tags=() if self.all_tags else tags,
            all_tags=tags if self.all_tags else (),
        )

    def recall_query(self, zone: ZoneInfo) -> RecallQuery:
        return RecallQuery(
            text=self.query,
            limit=MAX_RESULTS,
            kinds=cast(tuple[Kind, ...], self.kinds),
            filters=self.filters,
            since=_midnight(self.since, zone),
            until=_midnight(self.until and self.until + timedelta(days=1), zone),
            method=cast(Method, self.method),
            rerank=None if not self.rerank else self.rerank == "yes",
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether it asks for anything but the usual."""
        return replace(self, query="", person="") != SearchParameters()


def _known_values(values: list[str], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(value for value in known if value in values)


def _parse_day(text: str) -> date | None:
    """A day, but for those at the ends of the calendar, around which some time zone has none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if 2 <= day.year <= 9998 else None


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime(day.year, day.month, day.day, tzinfo=zone) if day else None
