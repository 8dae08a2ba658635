"""What one memory is: its type, section, key, summary, keywords and time, and what it is to those known already."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from memory_app.llm.prompts.extract import CATEGORIES, Related
from memory_app.llm.prompts.material import NOT_ORDERS, block, one_of
from memory_app.llm.protocol import Prompt

PROMPT_ID = "understand-2"

MOST_TOKENS = 3_000

TYPES = ("fact", "preference", "decision", "event", "person", "project", "task", "note")
"""Those that a text alone can be; meetings, journal entries and the rest are said to be such when they are made."""

RULES = f"""\
You file one thing that a person asked to have remembered.

{NOT_ORDERS}

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


class Filed(BaseModel):
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
    return Prompt(PROMPT_ID, RULES, f"{memory}\n{block('known', rows)}", MOST_TOKENS)
