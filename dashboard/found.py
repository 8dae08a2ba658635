"""What a search box finds: the memories that recall holds relevant, then those in which what was typed occurs."""

from datetime import datetime
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q

from dashboard.reach import Reach
from memory_app.embedding.encoder import current
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import recall
from memory_app.models.memory import MemoryQuerySet

MOST_FOUND = 200
"""Beyond so many, a search is better made narrower than longer."""

LANGUAGE = "english"


def found(reach: Reach, rows: MemoryQuerySet, query: str, now: datetime) -> list[UUID]:
    """Ids among `rows`, best first. A super user's search is by words, for recall speaks for one person."""
    recalled = [] if reach.everyone else _recalled(reach, query, now)
    typed = rows.filter(occurs(query)).order_by("-created_at").values_list("id", flat=True)[:MOST_FOUND]
    ids = dict.fromkeys([*recalled, *typed])
    among = set(rows.filter(id__in=list(ids)).values_list("id", flat=True))
    return [identifier for identifier in ids if identifier in among][:MOST_FOUND]


def occurs(query: str) -> Q:
    """Rows in which what was typed occurs, as it stands or as words in any form."""
    as_typed = Q(content__icontains=query) | Q(summary__icontains=query) | Q(tags__contains=[query])
    return as_typed | Q(tsv=SearchQuery(query, config=LANGUAGE, search_type="websearch"))


def _recalled(reach: Reach, query: str, now: datetime) -> list[UUID]:
    if reach.entered is None:
        return []
    recalled = recall(entered=reach.entered, asked=Asked(query, limit=MOST_FOUND), now=now, encoder=current())
    return [result.memory.id for result in recalled.results if result.relevant]
