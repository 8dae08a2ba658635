"""What in a conversation is worth keeping: asked with what the local extractor noticed, and what is kept already."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field

from memory_app.llm.prompts import NO_INSTRUCTIONS, block, one_of
from memory_app.llm.protocol import Prompt

PROMPT_ID = "extract-2"

MAX_TOKENS = 8_000
"""Ten items are about 2,000 tokens; the rest is room for models that think first."""

TYPES = ("fact", "preference", "decision", "event", "person", "project")
CATEGORIES = ("preference", "work", "personal", "reading", "fact")
RELATIONS = ("same", "addition", "update", "contradiction")

RULES = f"""\
You read one conversation and note what an assistant should still know about its people in a year.

{NO_INSTRUCTIONS}

The message holds <turns> of the conversation, <candidates> that a simpler reader noticed in them, and what is <known> \
already. Refer to each by its number only.

Note what people tell of themselves and their lives: facts, tastes, decisions, plans, events, people, projects. Leave \
out questions, requests, small talk, guesses, passing moods, whatever the assistant says, and anything about health, \
money, passwords or identity papers. If nothing is worth it, note nothing.

For each item:
- candidate: the candidate that it says better, or null
- content: one or two sentences that can be understood alone in a year. Names in place of "I" and "she", dates in \
place of "last Friday" (`at` is when a turn was spoken). No name and no number that was not said.
- summary: the same in at most 100 characters
- type, category: what it is, and the section of a profile that it belongs to
- key: only where the speaker can have one such thing at a time, its name, such as home_city or employer; else ""
- keywords: three to five words to find it by
- confidence: 1 if said outright, 0.5 if it can only be read between the lines
- global_safe: true only for what may be told anywhere: language, time zone, user name, tools preferred
- quotes: the words it rests on, copied letter by letter from a turn that is not the assistant's
- relation: null, or what it is to one known memory: same (says the same), update (tells what holds now in its place), \
contradiction (both cannot be true, and it is not said which is), addition (adds to it)

In `dismissed`, list the candidates that are not worth keeping.

Example:
<turns>
{{"turn": 1, "by": "assistant", "at": "Monday 2 March 2026 18:05", "text": "How was the weekend?"}}
{{"turn": 2, "by": "Dana", "at": "Monday 2 March 2026 18:06", "text": "Lovely, we finally moved! No more Ghent for \
me, I'm in Antwerp since Saturday. Can you find me a plumber?"}}
</turns>
<candidates>
{{"candidate": 1, "text": "Dana, lovely, moved.", "turns": [2]}}
</candidates>
<known>
{{"known": 1, "text": "Dana lives in Ghent."}}
</known>
Answer:
{{"items": [{{"candidate": 1, "content": "Dana moved from Ghent to Antwerp on Saturday 28 February 2026.", "summary": \
"Dana moved from Ghent to Antwerp on 28 February 2026", "type": "fact", "category": "personal", "key": "home_city", \
"keywords": ["Antwerp", "move", "home"], "confidence": 1, "global_safe": false, "quotes": [{{"turn": 2, "text": "I'm \
in Antwerp since Saturday"}}], "relation": {{"known": 1, "kind": "update"}}}}], "dismissed": []}}
"""


class Quoted(BaseModel):
    turn: int
    text: str


class Related(BaseModel):
    known: int
    kind: Annotated[str, Field(json_schema_extra=one_of(*RELATIONS))]


class Item(BaseModel):
    """One thing to keep. Nothing here can name a person, a space, a visibility or a setting."""

    candidate: int | None = None
    content: str
    summary: str = ""
    type: Annotated[str, Field(json_schema_extra=one_of(*TYPES))]
    category: Annotated[str, Field(json_schema_extra=one_of(*CATEGORIES))]
    key: str = ""
    keywords: list[str] = []
    confidence: float
    global_safe: bool = False
    quotes: list[Quoted]
    relation: Related | None = None


class ExtractedItems(BaseModel):
    items: list[Item]
    dismissed: list[int] = []


Rows = Iterable[Mapping[str, Any]]


def prompt(*, turns: Rows, candidates: Rows, known: Rows, limit: int) -> Prompt:
    """Asks for at most `limit` items. Rows as in the example of the rules."""
    parts = (block("turns", turns), block("candidates", candidates), block("known", known))
    return Prompt(PROMPT_ID, f"{RULES}\nNote at most {limit} items, the surest first.", "\n".join(parts), MAX_TOKENS)
