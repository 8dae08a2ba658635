"""What was erased may stand as context before other words of the same person: there it goes too."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import F, Q, TextField, Value
from django.db.models.functions import Cast

from memory_app.engine.erasing.tally import Tally
from memory_app.engine.keeping.compose import reindexed
from memory_app.models import Memory, Proposal, Version


def erase_context(memory: Memory, said: Sequence[str], tally: Tally) -> None:
    """Takes away the context of memories and proposals, and of earlier versions, that is part of one of the texts, or
    has one in it. Their vectors are made anew by the next backfill. Expects `every_space()`."""
    texts = {text for text in said if text}
    here = Memory.objects.filter(space_id=memory.space_id, person_id=memory.person_id).exclude(id=memory.id)
    for other in _with(here, texts).select_related("person"):
        fields = {"context": "", "embedding": None, "embedding_model": None}
        Memory.objects.filter(space_id=other.space_id, id=other.id).update(**fields, **reindexed(other, fields))
        tally.note("memory", 1, blanks=True)
    proposals = Proposal.objects.filter(space_id=memory.space_id, person_id=memory.person_id)
    ids = list(_with(proposals, texts).values_list("id", flat=True))
    tally.note("proposal", proposals.filter(id__in=ids).update(context=""), blanks=True)
    for past in Version.objects.filter(space_id=memory.space_id, memory__person_id=memory.person_id).filter(
        state__context__in=texts
    ):
        Version.objects.filter(space_id=past.space_id, id=past.id).update(state={**past.state, "context": ""})
        tally.note("memory_version", 1, blanks=True)


def _with(rows: Any, texts: Collection[str]) -> Any:
    """Those of some rows whose context is among these texts, or has one of them in it."""
    found = Q(pk__isnull=True)
    for n, text in enumerate(texts):
        rows = rows.annotate(**{f"said_{n}": Cast(Value(text), TextField())})
        found |= Q(context__icontains=text) | Q(**{f"said_{n}__icontains": F("context")})
    return rows.exclude(context="").filter(found)
