"""Merge two memories that are much alike, by a language model, in the background.

Both are kept already, and a proposal to merge them waits for the person. Without a good answer it goes on waiting;
with one it is carried out, and can be undone like any decision.
"""

from datetime import datetime
from uuid import UUID

from ...embedding.encoder import Encoder
from ...errors import KeepsakeError
from ...language.model import Model, ModelError
from ...language.refine import Merged, merge
from ...models import Memory, Proposal, ProposalStatus, Status
from ...models.scope import within
from ..author import Author
from ..change import one_writer
from ..listening.review import accept
from .refine_kept import told


def merge_kept(*, space: UUID, proposal: UUID, model: Model, now: datetime, encoder: Encoder) -> str:
    """Asks once, with no transaction open, and merges where neither memory has changed since. Answers what became."""
    pair = _pair(space, proposal)
    if pair is None:
        return "decided already"
    found, old, new = pair
    try:
        merged = merge(model, old.content, new.content)
    except ModelError as error:
        author, tokens = Author("model", model.name), error.tokens_in + error.tokens_out
        return told(space, new.id, author, now, tokens=tokens, error=f"{type(error).__name__}: {error}"[:500])
    author = Author("model", merged.made.extractor)
    try:
        done = _carried_out(found, old, new, merged, author, now, encoder)
    except KeepsakeError as error:
        return str(error)
    tokens = merged.made.tokens_in + merged.made.tokens_out
    return told(space, old.id, author, now, tokens=tokens, error="" if done else "Changed meanwhile.", set=["content"])


def _pair(space: UUID, proposal: UUID) -> tuple[Proposal, Memory, Memory] | None:
    """The proposal as it waits, the older memory and the newer; None where there is nothing left to merge."""
    with within([space]):
        rows = Proposal.objects.select_related("person__space", "space").exclude(folds=None)
        found = rows.filter(space_id=space, id=proposal, status=ProposalStatus.PENDING).first()
        if found is None or found.target_id is None or found.folds is None:
            return None
        standing = Memory.objects.kept().filter(space_id=space, status=Status.ACTIVE, sensitive=False)
        old, new = (standing.filter(id=memory).first() for memory in (found.target_id, found.folds))
        return (found, old, new) if old and new else None


def _carried_out(
    found: Proposal, old: Memory, new: Memory, merged: Merged, author: Author, now: datetime, encoder: Encoder
) -> bool:
    with within([found.space_id]):
        one_writer(found.person_id)
        pair = _pair(found.space_id, found.id)
        if pair is None or [memory.version for memory in pair[1:]] != [old.version, new.version]:
            return False
        edits = {"summary": merged.summary}
        accept(proposal=found, edits=edits, merged=merged.content, author=author, now=now, encoder=encoder)
        return True
