"""Refine what was kept: have a language model read an explicit memory, in the background, for what nobody said of it.

The write is over by then, and stands whatever comes of this.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ...embedding.encoder import Encoder
from ...errors import KeepsakeError
from ...llm.model import Model, ModelError
from ...llm.tasks.read_memory import MemoryReading, read_memory
from ...models import Memory
from ...models.scope import within
from ..author import Author
from ..change import locked, record
from ..edit import SUMMARY_CHARACTERS, At, edit
from .compose import Given

READ = ("type", "category", "key", "summary", "keywords", "event_time")
"""What a model may say of a memory, where whoever kept it did not."""


def left_open(given: Given) -> list[str]:
    """Those of READ that were to be worked out."""
    return [name for name in READ if getattr(given, name) is None]


def refine_kept(
    *, space: UUID, memory: UUID, fields: Sequence[str], model: Model, now: datetime, encoder: Encoder
) -> str:
    """Asks once about a memory, and takes over `fields` of the answer where they pass their checks and nothing has
    changed since. Answers what became of it, which the log tells too."""
    with within([space]):
        found = Memory.objects.kept().select_related("person").filter(space_id=space, id=memory).first()
    if found is None:
        return "gone"
    try:
        read = read_memory(model, found.content, found.created_at, found.person.zone)
    except ModelError as error:
        author, tokens = Author("model", model.name), error.tokens_in + error.tokens_out
        return told(space, memory, author, now, tokens=tokens, error=f"{type(error).__name__}: {error}"[:500])
    author = Author("model", read.made.extractor)
    changes, error_met = _changes(found, read, fields), ""
    if changes:
        try:
            edit(
                at=At(space, memory),
                changes=changes,
                author=author,
                now=now,
                encoder=encoder,
                version=found.version,
                stated=False,
            )
        except KeepsakeError as error:  # changed or forgotten meanwhile, or the key was taken: then it stays as it is
            changes, error_met = {}, str(error)
    tokens = read.made.tokens_in + read.made.tokens_out
    return told(space, memory, author, now, tokens=tokens, error=error_met, dropped=dict(read.dropped), set=[*changes])


def told(space: UUID, memory: UUID, author: Author, now: datetime, **detail: Any) -> str:
    """Writes to the log what came of asking a model about a memory; answers the same in words."""
    with within([space]):
        if found := locked(space, memory):
            record(found, "refine", author, now, detail)
    return str(detail.get("error")) or f"{', '.join(detail.get('set', ())) or 'nothing'} set, {detail['tokens']} tokens"


def _changes(memory: Memory, read: MemoryReading, fields: Sequence[str]) -> dict[str, Any]:
    """What of the answer counts. A slot or a time that our own rules found stays; so does a text as its summary."""
    said: dict[str, Any] = {"type": read.type, "category": read.category, "keywords": list(read.keywords)}
    if not memory.key:
        said["key"] = read.key
    if memory.event_time is None:
        said["event_time"] = read.event_time
    if len(memory.content) > SUMMARY_CHARACTERS:
        said["summary"] = read.summary
    return {name: value for name, value in said.items() if name in fields and value and value != getattr(memory, name)}
