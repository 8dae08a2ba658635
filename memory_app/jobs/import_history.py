"""Jobs of imports: look through and bring in what was uploaded, and read imported conversations at a person's pace."""

import logging

from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.imports.read_history import next_conversation, people_with_unread_history
from memory_app.engine.imports.run_import import check_import, run_import
from memory_app.engine.imports.uploads import delete_imports, finish_import
from memory_app.engine.proposals.propose import ProposeResult, propose
from memory_app.errors import KeepsakeError
from memory_app.jobs.attempts import attempt_row, set_aside_ids
from memory_app.jobs.job import counted_noun, enqueue_job
from memory_app.llm.model import configured_model
from memory_app.llm.queue import enqueue_model_task
from memory_app.models import Conversation, HistoryImport, ImportState, Trigger
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.postgres.availability import is_unavailable
from memory_app.progress import ReportProgress, RunStopped, TurnOver

IMPORT_FAILED = "Something went wrong on the server: its log says what. What came in until then stays."
STOPPED_TWICE = "Reading this file stopped the worker twice: it was set aside. What came in until then stays."

logger = logging.getLogger(__name__)


def import_waiting(report: ReportProgress) -> str:
    """All that waits, the oldest first; another may come meanwhile."""
    finished = 0
    while row := _next_import():
        _carry_out(row, report)
        finished += 1
    if finished:
        enqueue_job("read_imported", "job:import")
    return counted_noun(finished, "import gone through", "imports gone through")


def read_imported(report: ReportProgress) -> str:
    """Conversations of each person until enough proposals wait for them."""
    _delete_abandoned()
    _end_stopped()
    aside, read = set_aside_ids("propose"), 0
    people = people_with_unread_history()
    for person in people:
        while conversation := next_conversation(person, timezone.now(), aside):
            if not _read(conversation):
                aside.add(conversation.id)
            read += 1
            report(read, 0)
    return counted_noun(read, "conversation read", "conversations read")


def _next_import() -> HistoryImport | None:
    with every_space():
        return HistoryImport.objects.for_worker().select_related("person", "space").first()


def _carry_out(row: HistoryImport, report: ReportProgress) -> None:
    """One step of one import. What cannot be helped ends it, and no other waits behind it for ever."""
    author, now, state = _author(row), timezone.now(), ImportState(row.state)

    def step() -> RunStopped | TurnOver | bool:
        """What interrupted it, which is no fault of the file, or True."""
        try:
            if state == ImportState.CHECKING:
                check_import(row=row, author=author, now=now, report=report)
            else:
                run_import(row=row, author=author, now=now, encoder=current_encoder(), report=report)
        except (RunStopped, TurnOver) as interruption:
            return interruption
        return True

    try:
        done = attempt_row(f"import_{state.value}", (row.space_id, row.id), step)
    except KeepsakeError:
        raise
    except Exception as error:
        if is_unavailable(error):
            raise
        logger.exception("an import could not be gone through")
        _end(row, IMPORT_FAILED)
        return
    if isinstance(done, RunStopped | TurnOver):
        raise done
    if done is None:
        _end(row, STOPPED_TWICE)


def _end(row: HistoryImport, error: str) -> None:
    with allowed_spaces([row.space_id]):
        here = HistoryImport.objects.select_related("person", "space").filter(space_id=row.space_id, id=row.id)
        if fresh := here.first():
            finish_import(fresh, ImportState.FAILED, _author(row), timezone.now(), error)


def _author(row: HistoryImport) -> Author:
    """Whoever asked for it; what it does can be undone as one."""
    return Author("user", row.author.partition(":")[2], request=str(row.id))


def _read(conversation: Conversation) -> bool:
    """Whether it was read: one that ends its reader is set aside."""

    def read() -> ProposeResult:
        return propose(
            space=conversation.space_id,
            conversation=conversation.id,
            trigger=Trigger.IMPORT,
            author=Author("job", "read_imported"),
            now=timezone.now(),
            encoder=current_encoder(),
        )

    try:
        proposed = attempt_row("propose", (conversation.space_id, conversation.id), read)
    except Exception as error:
        if is_unavailable(error):
            raise
        logger.exception("an imported conversation could not be read")
        return False
    if proposed and proposed.run and configured_model():
        enqueue_model_task("refine_run", str(conversation.space_id), str(proposed.run.id))
    return proposed is not None and proposed.run is not None


def _delete_abandoned() -> None:
    with every_space():
        delete_imports(HistoryImport.objects.abandoned(timezone.now()))


def _end_stopped() -> None:
    """Those of a command that was killed can be undone from now on."""
    with every_space():
        HistoryImport.objects.stopped(timezone.now()).update(state=ImportState.FAILED, finished_at=timezone.now())
