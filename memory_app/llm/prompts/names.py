"""Whom and what a few memories name: people, projects, organizations, places, subjects."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from memory_app.llm.prompts import NO_INSTRUCTIONS, block, one_of
from memory_app.llm.protocol import Prompt

PROMPT_ID = "names-1"

MAX_TOKENS = 3_000

TYPES = ("person", "project", "organization", "location", "topic")

RULES = f"""\
You mark the names in things that a person asked to have remembered.

{NO_INSTRUCTIONS}

For each name of a person, project, organization, location or topic (a tool, a language, a subject by its own name):
- memory: the number of the memory it stands in
- text: the name exactly as it stands there
- name: what it is called, without title, possessive, "@" or "#"
- type: which of these it is

No dates, no addresses, no everyday words. Nothing that does not stand in the text.

Example:
<memories>
{{"memory": 1, "text": "lunch with ravi's sister paulina at the museum of clocks"}}
</memories>
Answer:
{{"names": [{{"memory": 1, "text": "ravi's", "name": "Ravi", "type": "person"}}, {{"memory": 1, "text": "paulina", \
"name": "Paulina", "type": "person"}}, {{"memory": 1, "text": "museum of clocks", "name": "Museum of Clocks", "type": \
"organization"}}]}}
"""


class Name(BaseModel):
    memory: int
    text: str = ""
    name: str = ""
    type: Annotated[str, Field(json_schema_extra=one_of(*TYPES))] = ""


class Names(BaseModel):
    names: list[Name] = []


def prompt(texts: Sequence[str]) -> Prompt:
    """Asks about texts, numbered from 1."""
    rows = [{"memory": number, "text": text} for number, text in enumerate(texts, 1)]
    return Prompt(PROMPT_ID, RULES, block("memories", rows), MAX_TOKENS)
