"""Undo an import: what it brought is taken back, but for what its person has made theirs since."""

from dataclasses import dataclass
from datetime import datetime

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.deletion.undo import undo_operations
from memory_app.engine.segments import take_out_rows
from memory_app.errors import ConflictError
from memory_app.models import (
    Conversation,
    ExtractionRun,
    HistoryImport,
    ImportState,
    Memory,
    Operation,
    Proposal,
    Turn,
)
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.grant import EVERYTHING, Grant

UNDOABLE = (ImportState.DONE, ImportState.FAILED)


@dataclass(frozen=True, slots=True)
class UndoneImport:
    """memories: how many are in tier 2 now. conversations: how many went. left: how many stay, for memories rest on
    them."""

    memories: int
    conversations: int
    left: int


def undo_import(*, row: HistoryImport, grant: Grant = EVERYTHING, author: Author, now: datetime) -> UndoneImport:
    """Forgets the memories that an import brought, unless they were changed since, and removes its conversations with
    what was proposed of them, also the turns that later imports added. A conversation that a memory rests on stays, and
    so do turns that came into a conversation of before. Imported again, all of it is back. Raises ConflictError unless
    the import is over."""
    with allowed_spaces([row.space_id]):
        lock_writers(row.person_id)
        here = HistoryImport.objects.select_for_update().filter(space_id=row.space_id, id=row.id)
        if not here.filter(state__in=UNDOABLE).exists():
            raise ConflictError("Only an import that is over can be undone, and only once.")
        operations = Operation.objects.filter(space_id=row.space_id, person_id=row.person_id, request_id=str(row.id))
        undone = undo_operations(operations=operations, grant=grant, author=author, now=now)
        gone, left = _remove_conversations(row)
        HistoryImport.objects.filter(space_id=row.space_id, id=row.id).update(state=ImportState.UNDONE)
        result = UndoneImport(len(undone.deleted), gone, left)
        detail = {"import": str(row.id), "memories": result.memories, "conversations": gone, "left": left}
        log_event("undo_import", detail, author=author, now=now, space=row.space_id, person=row.person_id)
        return result


def _remove_conversations(row: HistoryImport) -> tuple[int, int]:
    """How many went and how many stay."""
    brought = Conversation.objects.filter(space_id=row.space_id, person_id=row.person_id, import_id=row.id)
    ids = set(brought.values_list("id", flat=True))
    imported = Memory.objects.undeleted().filter(person_id=row.person_id, source_conversation__in=ids)
    followed = Conversation.objects.filter(space_id=row.space_id, follows__in=ids)
    resting = {*imported.values_list("source_conversation", flat=True), *followed.values_list("follows", flat=True)}
    going = list(ids - resting)
    take_out_rows(Turn.objects.filter(space_id=row.space_id, conversation_id__in=going))
    for model in (Proposal, ExtractionRun, Turn):
        model._default_manager.filter(space_id=row.space_id, conversation_id__in=going).delete()
    Conversation.objects.filter(space_id=row.space_id, id__in=going).delete()
    return len(going), len(resting)
