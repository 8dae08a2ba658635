"""The functions of the jobs: vectors and names, fading, purging and erasing, each person's day and week, and reading
conversations.
"""

import logging
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.conversations.read_turns import conversations_left, idle_conversations, unread_conversations
from memory_app.engine.deletion.fade import fade
from memory_app.engine.erasure.erase_person import finish_erasure
from memory_app.engine.erasure.purge import is_purge_quick, purge_expired, purge_traces
from memory_app.engine.erasure.traces import search_sealed_texts
from memory_app.engine.memories.model_advice import refine_memory
from memory_app.engine.proposals.consolidate import consolidate, conversations_to_consolidate
from memory_app.engine.proposals.propose import ProposeResult, propose
from memory_app.engine.proposals.refine_proposals import refine_with_model
from memory_app.engine.proposals.review import expire_proposals
from memory_app.engine.retrieval.check_segments import check_segments
from memory_app.engine.retrieval.pack import pack
from memory_app.engine.summaries.daily_note import (
    people_with_memory_on,
    record_failed_day,
    unread_conversations_of,
    write_daily_note,
)
from memory_app.engine.summaries.interests import update_interests
from memory_app.engine.summaries.reflect import reflect, reword_reflection
from memory_app.jobs.attempts import SET_ASIDE, attempt_row, for_each, set_aside_ids
from memory_app.jobs.embed_items import embed_items
from memory_app.jobs.embed_rows import embed_rows
from memory_app.jobs.enrich_entities import enrich_entities
from memory_app.jobs.job import counted_noun, enqueue_job
from memory_app.llm.model import configured_model
from memory_app.llm.name_reader import name_reader
from memory_app.llm.queue import enqueue_model_task
from memory_app.models import Conversation, Erasure, Memory, Person, Trigger
from memory_app.models.operation import ensure_partitions
from memory_app.postgres.availability import is_unavailable
from memory_app.progress import ReportProgress

logger = logging.getLogger(__name__)


def embed_waiting(report: ReportProgress) -> str:
    rows = embed_rows(encoder=current_encoder(), report=report)
    pack(now=timezone.now(), report=lambda done, total: report(rows, rows))
    items = embed_items(encoder=current_encoder(), report=lambda done, total: report(rows + done, rows + total))
    return f"{rows + items} embedded"


def pack_waiting(report: ReportProgress) -> str:
    return counted_noun(pack(now=timezone.now(), report=report), "row packed", "rows packed")


def compare_segments(report: ReportProgress) -> str:
    """That anything differs is no one's doing but ours: it is told, and mended."""
    check = check_segments(mend=True, report=report)
    if check.wrong:
        logger.error("Segments differed from their rows, and were mended: %s", check)
        detail = {"stale": check.stale, "missing": check.missing}
        log_event("mend_segments", detail, author=Author("job", "segments"), now=timezone.now())
    return str(check)


def enrich_waiting(report: ReportProgress) -> str:
    return f"{enrich_entities(reader=name_reader(), report=report)} memories read for names"


def refine_kept_memory(space: str, memory: str, fields: list[str]) -> str:
    """Has the language model, if one is set, say of a memory what nobody said when it was kept."""
    model = configured_model()
    if model is None:
        return "no language model is set"
    row, now = (UUID(space), UUID(memory)), timezone.now()

    def read() -> str:
        return refine_memory(
            space=row[0], memory=row[1], fields=fields, model=model, now=now, encoder=current_encoder()
        )

    return attempt_row("refine_memory", row, read) or SET_ASIDE


def fade_memories(report: ReportProgress) -> str:
    faded = fade(timezone.now())
    report(faded, faded)
    return counted_noun(faded, "memory faded", "memories faded")


def expire_old_proposals(report: ReportProgress) -> str:
    expired = expire_proposals(timezone.now())
    report(expired, expired)
    return counted_noun(expired, "proposal expired", "proposals expired")


def purge_expired_rows(report: ReportProgress) -> str:
    purged = purge_expired(timezone.now())
    report(purged.total, purged.total)
    return str(purged)


def continue_erasures(report: ReportProgress) -> str:
    begun = list(Erasure.objects.unfinished().order_by("at"))
    for erasure in begun:
        finish_erasure(erasure=erasure.id, now=timezone.now(), report=report)
    searched = sum(
        [search_sealed_texts(erasure) for erasure in Erasure.objects.unsearched().values_list("id", flat=True)]
    )
    if begun or searched:
        report(len(begun) + searched, len(begun) + searched)
        purge_soon("job:erase")
    answer = f"{len(begun)} people erased"
    return f"{answer}, {counted_noun(searched, 'receipt', 'receipts')} completed" if searched else answer


def purge_erased_traces(report: ReportProgress) -> str:
    return f"{purge_traces(now=timezone.now(), report=report)} erasures completed"


def purge_soon(asked_by: str) -> None:
    """Has what was erased just now purged at once where that is quick; else the night's run does it."""
    if is_purge_quick():
        enqueue_job("purge_traces", asked_by)


def make_partitions(report: ReportProgress) -> str:
    made = ensure_partitions(timezone.now())
    report(len(made), len(made))
    return f"{len(made)} partitions made"


def write_daily_notes(report: ReportProgress) -> str:
    people = people_with_memory_on()
    for_each(people, _day_or_record_failure, report)
    return counted_noun(len(people), "person gone through", "people gone through")


def _day_or_record_failure(person: Person) -> None:
    """A day that cannot be gone through is recorded as such, and holds up nobody else's."""
    try:
        attempt_row("daily", (person.space_id, person.id), lambda: daily_note_for(person, False))
    except Exception as error:
        if not is_unavailable(error):
            record_failed_day(person=person, error=error, now=timezone.now())
        raise


def daily_note_for(person: Person, dry_run: bool) -> str:
    """A dry run does all of it in one transaction, and takes it back at the end."""
    if not dry_run:
        return _write_day(person).splitlines()[0]
    with transaction.atomic():
        answer = _write_day(person)
        transaction.set_rollback(True)
    return answer


def _write_day(person: Person) -> str:
    """What is left unread is read first."""
    for conversation in unread_conversations_of(person):
        propose_from(str(conversation.space_id), str(conversation.id), Trigger.NIGHTLY.value)
    update_interests(person=person, now=timezone.now(), encoder=current_encoder())
    day = write_daily_note(person=person, now=timezone.now())
    if day is None:
        person.refresh_from_db(fields=["memory_enabled"])
        return "this day was gone through already" if person.is_memory_on else "memory is paused"
    run = day.run
    summary = f"{run.turns} turns, {run.written} memories written, {run.updated} updated, {run.proposed} proposed"
    return f"{summary}\n{day.note}"


def reflect_on_weeks(report: ReportProgress) -> str:
    people, made = people_with_memory_on(), list[Memory]()

    def week_of(person: Person) -> None:
        row = (person.space_id, person.id)
        reflection = attempt_row(
            "reflect", row, lambda: reflect(person=person, now=timezone.now(), encoder=current_encoder())
        )
        made.extend([reflection] if reflection and enqueue_wording(reflection) else [])

    for_each(people, week_of, report)
    return counted_noun(len(made), "reflection made", "reflections made")


def reflection_for(person: Person, dry_run: bool) -> str:
    with transaction.atomic():
        answer = _reflect_and_describe(person)
        transaction.set_rollback(dry_run)
    return answer


def reflect_again(person: str, at: str) -> str:
    """Makes a reflection of which something was erased anew, as of its own time."""
    found = Person.objects.filter(id=UUID(person)).first()
    made = reflect(person=found, now=datetime.fromisoformat(at), encoder=current_encoder()) if found else None
    return "made again" if enqueue_wording(made) else "too little is left"


def word_reflection_of(space: str, memory: str) -> str:
    """Has the language model, if one is set, say a week in its own words."""
    model = configured_model()
    if model is None:
        return "no language model is set"
    row, now = (UUID(space), UUID(memory)), timezone.now()
    answer = attempt_row("word", row, lambda: reword_reflection(space=row[0], memory=row[1], model=model, now=now))
    return answer or SET_ASIDE


def _reflect_and_describe(person: Person) -> str:
    made = enqueue_wording(reflect(person=person, now=timezone.now(), encoder=current_encoder()))
    return made.content if made else "too little is new, or one was made in the last six days"


def enqueue_wording(made: Memory | None) -> Memory | None:
    """Enqueued within the transaction: a run that is taken back asks nothing."""
    if made and configured_model():
        enqueue_model_task("word_reflection_of", str(made.space_id), str(made.id))
    return made


def propose_from(space: str, conversation: str, trigger: str) -> str:
    """Reads what is unread of one conversation."""

    def read() -> ProposeResult:
        return propose(
            space=UUID(space),
            conversation=UUID(conversation),
            trigger=Trigger(trigger),
            author=Author("job", f"propose ({trigger})"),
            now=timezone.now(),
            encoder=current_encoder(),
        )

    proposed = attempt_row("propose", (UUID(space), UUID(conversation)), read)
    if proposed is None:
        return SET_ASIDE
    if proposed.run and configured_model():
        enqueue_model_task("refine_run", space, str(proposed.run.id))
    return f"{len(proposed.proposals)} proposed"


def refine_run(space: str, run: str) -> str:
    """Has the language model, if one is set, read what a run read."""
    model = configured_model()
    if model is None:
        return "no language model is set"
    row = (UUID(space), UUID(run))
    record = attempt_row(
        "refine",
        row,
        lambda: refine_with_model(space=row[0], run=row[1], model=model, now=timezone.now(), encoder=current_encoder()),
    )
    if record is None:
        return "nothing is left to read"
    return record.error or f"{record.proposed} proposed, {record.tokens} tokens"


def switch(person: str, opened: str) -> str:
    """Reads what a person left unread in their other conversations when they opened this one."""
    unread = conversations_left(person=UUID(person), opened=UUID(opened))
    return read_all(unread, Trigger.SWITCH, lambda done, total: None)


def read_idle(report: ReportProgress) -> str:
    return read_all(idle_conversations(timezone.now()), Trigger.IDLE, report)


def read_unread(report: ReportProgress) -> str:
    return read_all(unread_conversations(), Trigger.NIGHTLY, report)


def consolidate_ended(report: ReportProgress) -> str:
    conversations = _without_set_aside("consolidate", conversations_to_consolidate(timezone.now()))
    for_each(conversations, _consolidate_conversation, report)
    return counted_noun(len(conversations), "conversation gone through", "conversations gone through")


def _consolidate_conversation(conversation: Conversation) -> None:
    row = (conversation.space_id, conversation.id)
    result = attempt_row(
        "consolidate",
        row,
        lambda: consolidate(space=row[0], conversation=row[1], now=timezone.now(), encoder=current_encoder()),
    )
    if result and result.run and configured_model():
        enqueue_model_task("refine_run", str(conversation.space_id), str(result.run.id))


def read_all(conversations: list[Conversation], trigger: Trigger, report: ReportProgress) -> str:
    """Those that are set aside are left alone."""

    def read(conversation: Conversation) -> None:
        propose_from(str(conversation.space_id), str(conversation.id), trigger.value)

    to_read = _without_set_aside("propose", conversations)
    for_each(to_read, read, report)
    return counted_noun(len(to_read), "conversation read", "conversations read")


def _without_set_aside(kind: str, conversations: list[Conversation]) -> list[Conversation]:
    aside = set_aside_ids(kind)
    return [conversation for conversation in conversations if conversation.id not in aside]
