"""Word a reflection: have a language model say a week in its words, in the background.

The digest is there by then, and stands where no good answer comes.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.engine.change import held
from memory_app.engine.keeping.refine_kept import told
from memory_app.engine.summing.digest import ABOUT_TO_FADE
from memory_app.engine.summing.retell import ids_of, rewrite, tell
from memory_app.language.extract.hostile import is_hostile
from memory_app.llm.model import Model, ModelError
from memory_app.llm.tasks.word_reflection import WordedReflection, word_lines
from memory_app.models import Memory, MemoryType
from memory_app.models.scope import within

MOST_SHOWN = 60
"""Memories of a week that the model is shown, the newest: of 300 characters each, some 5,000 tokens."""


def word_reflection(*, space: UUID, memory: UUID, model: Model, now: datetime) -> str:
    """Asks once about the memories that a reflection rests on; no transaction is open meanwhile. Takes over the lines
    that pass their checks, unless someone changed the reflection since. Answers what became of it, which the log tells
    too, with the prompt and its tokens."""
    read = _read(space, memory, now)
    if read is None:
        return "gone, or not to be worded"
    found, sources = read
    try:
        worded = word_lines(model, [source.content for source in sources])
    except ModelError as error:
        tokens, author = error.tokens_in + error.tokens_out, Author("model", model.name)
        return told(space, memory, author, now, tokens=tokens, error=f"{type(error).__name__}: {error}"[:500])
    taken = _taken_over(found, sources, worded, now)
    tokens, author = worded.made.tokens_in + worded.made.tokens_out, Author("model", worded.made.extractor)
    said: dict[str, Any] = {"set": ["content"], "error": ""} if taken else {"set": [], "error": "changed meanwhile"}
    return told(space, memory, author, now, tokens=tokens, dropped=dict(worded.dropped), **said)


def _read(space: UUID, memory: UUID, now: datetime) -> tuple[Memory, list[Memory]] | None:
    """A reflection that is as it was made, and what of it a model may be shown."""
    with within([space]):
        rows = Memory.objects.kept().filter(space_id=space, id=memory, type=MemoryType.REFLECTION, version=1)
        found = rows.select_related("person").first()
        if found is None or not found.person.is_remembered or "worded_by" in found.attributes:
            return None
        own = Memory.objects.current(now).filter(space_id=space, person_id=found.person_id, sensitive=False)
        own = own.filter(id__in=ids_of(found.attributes, "sources"), created_at__lte=found.created_at)
        newest = own.defer("tsv", "embedding").order_by("-created_at", "-id")[:MOST_SHOWN]
        sources = [source for source in newest if not is_hostile(source.content)]
    return (found, sources) if sources else None


def _taken_over(found: Memory, sources: Sequence[Memory], worded: WordedReflection, now: datetime) -> bool:
    """What was forgotten while the model thought is put by at once."""
    with within([found.space_id]):
        row = held(found.space_id, found.id)
        if row is None or row.deleted_at is not None or (row.version, row.content) != (found.version, found.content):
            return False
        lines = _lines(row, sources, worded)
        attributes = {**row.attributes, "lines": lines, "worded_by": worded.made.extractor}
        rewrite(row, "\n".join(f"- {line['text']}" for line in lines), attributes)
        tell(row, now)
    return True


def _lines(reflection: Memory, sources: Sequence[Memory], worded: WordedReflection) -> list[dict[str, Any]]:
    """The model's, between what only we can count and what only we can foresee."""
    ours = [line for line in reflection.attributes.get("lines", []) if isinstance(line, dict)]
    fading = [line for line in ours if str(line.get("text", "")).startswith(ABOUT_TO_FADE)]
    theirs = []
    for line in worded.lines:
        ids = [str(sources[place].id) for place in line.sources]
        theirs.append({"text": line.text, "sources": ids, "quotes": ids, "worded": True})
    return [*(line for line in ours if not line.get("quotes")), *theirs, *fading]
