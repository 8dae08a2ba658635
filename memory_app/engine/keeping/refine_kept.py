"""Refine what was kept: have a language model read an explicit memory, in the background, for what nobody said of it.

The write is over by then, and stands whatever comes of this.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.author import Author
from memory_app.engine.change import held, locked, record
from memory_app.engine.conflicts.answer import replace_memory
from memory_app.engine.edit import At, edit
from memory_app.engine.keeping.conflicts import open_conflict
from memory_app.engine.keeping.keep import Judged
from memory_app.engine.keeping.model_advice import fields_of, judged_of, known_beside
from memory_app.engine.keeping.nearest import Known
from memory_app.engine.keeping.surroundings import Surroundings
from memory_app.errors import KeepsakeError
from memory_app.llm.model import Model, ModelError
from memory_app.llm.tasks.read_memory import read_memory
from memory_app.models import Memory, Status
from memory_app.models.scope import within
from memory_app.rules.decide import is_believable

REWORDED = "reworded"
"""The attribute of a memory that says that a language model worded it after it was shown."""

CONTRADICTS = "the two cannot both be true, as the language model reads them"


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
        known = _known(found, now, encoder.name)
        read = read_memory(model, found.content, found.created_at, found.person.zone, [one.content for one in known])
    except ModelError as error:
        author, tokens = Author("model", model.name), error.tokens_in + error.tokens_out
        return told(space, memory, author, now, tokens=tokens, error=f"{type(error).__name__}: {error}"[:500])
    author = Author("model", read.made.extractor)
    changes, error_met = fields_of(found, read, fields), ""
    if "summary" in changes:
        changes["attributes"] = {**found.attributes, REWORDED: True}
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
    related = _relate(space, found, judged_of(read, known), author, now, encoder.name)
    said = [name for name in changes if name != "attributes"]
    told_of = {"dropped": dict(read.dropped), "set": said, **({"relations": related} if related else {})}
    return told(space, memory, author, now, tokens=tokens, error=error_met, **told_of)


def _known(memory: Memory, now: datetime, model: str) -> Sequence[Known]:
    if memory.embedding is None or memory.embedding_model != model:
        return []
    return known_beside(memory, _vector(memory), now, model)


def _vector(memory: Memory) -> Vectors:
    vector: Vectors = np.asarray([memory.embedding], dtype=np.float32)[0]
    return vector


def _relate(space: UUID, memory: Memory, judged: Judged, author: Author, now: datetime, model: str) -> dict[str, str]:
    """Carries out what the memory is to older ones, where it can be believed and nothing has changed since: what it
    updates gives way to it, and what it contradicts is asked about. Answers what was done, by ids."""
    done: dict[str, str] = {}
    with within([space]):
        now_there = held(space, memory.id) if judged else None
        if now_there is None or now_there.digest != memory.digest or not _stands(now_there):
            return done
        around = Surroundings([now_there], _vector(now_there)[np.newaxis], now, model)
        candidate = around.candidate(0)
        for other in around.of(0, judged):
            said = judged.get(other.id)
            if said not in ("update", "contradiction") or not is_believable(said, candidate, other):
                continue
            if around.known(other.id).order > now_there.order:
                continue
            if said == "update":
                replace_memory(At(space, other.id), now_there, author, now)
            else:
                open_conflict(now_there, other.id, CONTRADICTS, now)
            done[str(other.id)] = said
    return done


def _stands(memory: Memory) -> bool:
    return memory.status == Status.ACTIVE and memory.deleted_at is None


def told(space: UUID, memory: UUID, author: Author, now: datetime, **detail: Any) -> str:
    """Writes to the log what came of asking a model about a memory; answers the same in words."""
    with within([space]):
        if found := locked(space, memory):
            record(found, "refine", author, now, detail)
    return str(detail.get("error")) or f"{', '.join(detail.get('set', ())) or 'nothing'} set, {detail['tokens']} tokens"
