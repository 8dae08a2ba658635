"""What an explicit memory is, as a language model reads it. What fails its check is left to the local reading."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.sensitive import masked, sensitive_kinds
from memory_app.llm.checks.clean import LONGEST_SUMMARY, key_of, keywords_of, plain
from memory_app.llm.checks.grounded import invented
from memory_app.llm.checks.relations import relation_fault
from memory_app.llm.failures import Withheld
from memory_app.llm.prompts import understand
from memory_app.llm.prompts.extract import CATEGORIES, Related
from memory_app.llm.protocol import Made, Model
from memory_app.rules.decide import Judgement
from memory_app.rules.text import shortened

LONGEST_READ = 8_000
"""Characters of a memory that are shown."""

LONGEST_KNOWN = 300
"""Characters of a known memory that are shown."""

EARLIEST, LATEST = timedelta(days=150 * 365), timedelta(days=100 * 365)
"""How far before and after it was said a memory's event may lie: a grandmother's birth, a child's old age."""


@dataclass(frozen=True, slots=True)
class MemoryReading:
    """What the model says of a memory. Empty, or None: nothing that passed, and the local reading stands. relations: to
    the known memories, by their places."""

    type: str
    category: str
    key: str
    summary: str
    keywords: tuple[str, ...]
    event_time: datetime | None
    relations: Mapping[int, Judgement]
    made: Made
    dropped: Counter[str] = field(default_factory=Counter)


def read_memory(
    model: Model, content: str, at: datetime, timezone: ZoneInfo, known: Sequence[str] = ()
) -> MemoryReading:
    """Asks once about a text said at `at` (aware), beside those known, none of which is sensitive. Sensitive text is
    never sent: Withheld. Raises ModelError."""
    if sensitive_kinds(content):
        raise Withheld("Sensitive text is not sent to a language model.")
    shown = [masked(shortened(text, LONGEST_KNOWN)) for text in known]
    answer = model.ask(understand.prompt(content[:LONGEST_READ], at.astimezone(timezone), shown), understand.Filed)
    filed, dropped = answer.value, Counter[str]()
    summary, keywords = plain(filed.summary, LONGEST_SUMMARY), keywords_of(filed.keywords)
    if fault := _fault("\n".join((summary, *keywords)), content):
        dropped[fault] += 1
        summary, keywords = "", ()
    return MemoryReading(
        type=_listed(filed.type, understand.TYPES, "unknown type", dropped),
        category=_listed(filed.category, CATEGORIES, "unknown category", dropped),
        key=key_of(filed.key),
        summary=summary,
        keywords=keywords,
        event_time=_event(filed.event_time, at, timezone, dropped),
        relations=_relations(filed.relations, content, known, dropped),
        made=answer.made,
        dropped=dropped,
    )


def _relations(
    told: Sequence[Related], content: str, known: Sequence[str], dropped: Counter[str]
) -> dict[int, Judgement]:
    """One for each known memory at most: of two that are told neither can be believed."""
    found: dict[int, Judgement] = {}
    numbers = Counter(one.known for one in told)
    for one in told:
        if fault := relation_fault(one.known, one.kind, content, known):
            dropped[fault] += 1
        elif numbers[one.known] > 1:
            dropped["relation told twice"] += 1
        else:
            found[one.known - 1] = cast(Judgement, one.kind)
    return found


def _fault(words: str, content: str) -> str:
    if sensitive_kinds(words):
        return "sensitive"
    # A memory that speaks of such things itself may be summed up as doing so.
    if is_hostile(words) and not is_hostile(content):
        return "hostile"
    return "invented" if invented(words, [content]) else ""


def _listed(word: str, allowed: tuple[str, ...], reason: str, dropped: Counter[str]) -> str:
    if word and word not in allowed:
        dropped[reason] += 1
        return ""
    return word


def _event(told: str | None, at: datetime, timezone: ZoneInfo, dropped: Counter[str]) -> datetime | None:
    """The time told, in the person's time zone where it names none; None where it is none or absurd."""
    if not told:
        return None
    try:
        time = datetime.fromisoformat(told)
        time = time if time.tzinfo else time.replace(tzinfo=timezone)
        if at - EARLIEST <= time <= at + LATEST:
            return time
    except (ValueError, OverflowError):
        pass
    dropped["no such time"] += 1
    return None
