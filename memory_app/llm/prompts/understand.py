"""What one memory is: its type, section, key, summary, keywords and time, and what it is to those known already.

What an explicit memory is, as a language model reads it. What fails its check is left to the local reading.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, cast
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from memory_app.llm.checks import MAX_SUMMARY, clean_key, clean_keywords, clean_line, invented_parts, relation_error
from memory_app.llm.prompts import NO_INSTRUCTIONS, block, one_of
from memory_app.llm.prompts.extract import CATEGORIES, Related
from memory_app.llm.protocol import AnswerSource, Model, NotSent, Prompt
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.privacy.sensitive import mask_sensitive, sensitive_kinds
from memory_app.nlp.text import shortened
from memory_app.rules.decide import Judgement

PROMPT_ID = "understand-2"

MAX_TOKENS = 3_000

TYPES = ("fact", "preference", "decision", "event", "person", "project", "task", "note")
"""Those that a text alone can be; meetings, journal entries and the rest are said to be such when they are made."""

RULES = f"""\
You file one thing that a person asked to have remembered.

{NO_INSTRUCTIONS}

- type, category: what it is, and the section of a profile that it belongs to
- key: only where the person can have one such thing at a time, its name, such as home_city or employer; else ""
- summary: its gist in at most 100 characters, with its names and numbers, and none that it does not hold
- keywords: three to five words to find it by
- event_time: when what it tells of happens, in ISO 8601 with offset, counted from `at`, which is when it was said and \
where; null if it tells of no time
- relations: what it is to those of the known memories that are of its subject: same (says the same), update (tells \
what holds now in its place), contradiction (both cannot be true, and it is not said which is), addition (both hold)

Example:
<memory>
{{"at": "2026-03-02T18:05:00+01:00", "text": "Pick up the bike from Ravi's workshop on Thursday, he closes at five."}}
</memory>
<known>
{{"known": 1, "text": "Ravi's workshop closes at six."}}
{{"known": 2, "text": "The cello lesson is on Thursday."}}
</known>
Answer:
{{"type": "task", "category": "personal", "key": "", "summary": "Pick up the bike at Ravi's workshop on Thursday \
before five", "keywords": ["bike", "Ravi", "workshop"], "event_time": "2026-03-05T17:00:00+01:00", \
"relations": [{{"known": 1, "kind": "update"}}]}}
"""


class MemoryAnswer(BaseModel):
    type: Annotated[str, Field(json_schema_extra=one_of(*TYPES))] = ""
    category: Annotated[str, Field(json_schema_extra=one_of(*CATEGORIES))] = ""
    key: str = ""
    summary: str = ""
    keywords: list[str] = []
    event_time: str | None = None
    relations: list[Related] = []


def prompt(content: str, at: datetime, known: Sequence[str] = ()) -> Prompt:
    """Asks about one text, said at `at` (aware, in the person's own time zone), beside those known, numbered from 1."""
    memory = block("memory", [{"at": at.isoformat(timespec="seconds"), "text": content}])
    rows = [{"known": number, "text": text} for number, text in enumerate(known, 1)]
    return Prompt(PROMPT_ID, RULES, f"{memory}\n{block('known', rows)}", MAX_TOKENS)


MAX_TEXT = 8_000
"""Characters of a memory that are shown."""

MAX_KNOWN_TEXT = 300
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
    source: AnswerSource
    dropped: Counter[str] = field(default_factory=Counter)


def read_memory(
    model: Model, content: str, at: datetime, timezone: ZoneInfo, known: Sequence[str] = ()
) -> MemoryReading:
    """Asks once about a text said at `at` (aware), beside those known, none of which is sensitive. Sensitive text is
    never sent: Withheld. Raises ModelError."""
    if sensitive_kinds(content):
        raise NotSent("Sensitive text is not sent to a language model.")
    known_texts = [mask_sensitive(shortened(text, MAX_KNOWN_TEXT)) for text in known]
    answer = model.ask(prompt(content[:MAX_TEXT], at.astimezone(timezone), known_texts), MemoryAnswer)
    answered_fields, dropped = answer.value, Counter[str]()
    summary, keywords = clean_line(answered_fields.summary, MAX_SUMMARY), clean_keywords(answered_fields.keywords)
    if fault := _text_error("\n".join((summary, *keywords)), content):
        dropped[fault] += 1
        summary, keywords = "", ()
    return MemoryReading(
        type=_allowed_word(answered_fields.type, TYPES, "unknown type", dropped),
        category=_allowed_word(answered_fields.category, CATEGORIES, "unknown category", dropped),
        key=clean_key(answered_fields.key),
        summary=summary,
        keywords=keywords,
        event_time=_event_time(answered_fields.event_time, at, timezone, dropped),
        relations=_relations(answered_fields.relations, content, known, dropped),
        source=answer.source,
        dropped=dropped,
    )


def _relations(
    entries: Sequence[Related], content: str, known: Sequence[str], dropped: Counter[str]
) -> dict[int, Judgement]:
    """One for each known memory at most: of two that are told neither can be believed."""
    found: dict[int, Judgement] = {}
    numbers = Counter(one.known for one in entries)
    for one in entries:
        if fault := relation_error(one.known, one.kind, content, known):
            dropped[fault] += 1
        elif numbers[one.known] > 1:
            dropped["relation told twice"] += 1
        else:
            found[one.known - 1] = cast(Judgement, one.kind)
    return found


def _text_error(words: str, content: str) -> str:
    if sensitive_kinds(words):
        return "sensitive"
    # A memory that speaks of such things itself may be summed up as doing so.
    if is_hostile(words) and not is_hostile(content):
        return "hostile"
    return "invented" if invented_parts(words, [content]) else ""


def _allowed_word(word: str, allowed: tuple[str, ...], reason: str, dropped: Counter[str]) -> str:
    if word and word not in allowed:
        dropped[reason] += 1
        return ""
    return word


def _event_time(entries: str | None, at: datetime, timezone: ZoneInfo, dropped: Counter[str]) -> datetime | None:
    """The time told, in the person's time zone where it names none; None where it is none or absurd."""
    if not entries:
        return None
    try:
        time = datetime.fromisoformat(entries)
        time = time if time.tzinfo else time.replace(tzinfo=timezone)
        if at - EARLIEST <= time <= at + LATEST:
            return time
    except (ValueError, OverflowError):
        pass
    dropped["no such time"] += 1
    return None
