"""Jobs: what the worker does by itself. Each takes ids, may run twice and may be killed anywhere; verbs do the work."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

from .embedding.encoder import current
from .engine.author import Author
from .engine.erasing.erase_person import finish_erasing
from .engine.erasing.purge import purge
from .engine.erasing.purge_traces import is_quick, purge_traces
from .engine.erasing.search_later import search_later
from .engine.forgetting.fade import fade
from .engine.keeping.merge_kept import merge_kept
from .engine.keeping.refine_kept import refine_kept
from .engine.listening.consolidate import consolidate, waiting
from .engine.listening.expire import expire
from .engine.listening.propose import propose
from .engine.listening.refine import refine
from .engine.listening.unread import left_by_switching, long_idle, still_unread
from .engine.naming.enrich import enrich
from .engine.recalling.index_spaces import index_spaces
from .engine.running.carry_out import STRETCH_SECONDS, Report, ask, back_off, carry_out, claim, revive, tidy
from .engine.running.queue import MODELS, ask_model_later
from .engine.running.reembed import reembed
from .engine.running.retry import retry
from .engine.summing.day import day, people_to_go_through, unread_of
from .engine.summing.reflect import reflect
from .engine.summing.word_reflection import word_reflection
from .errors import InConflict, Invalid, NotFound
from .language.model import configured
from .language.name_reader import name_reader
from .models import Conversation, Erasure, JobRun, JobState, Memory, Person, Trigger
from .models.partitions import ensure_partitions

logger = logging.getLogger(__name__)


class JobFailed(Exception):
    """A run failed; what of is in its record and in the server's log."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job: what it runs, and when (cron, UTC), if by itself.

    one: runs it for one person alone, where that can be; its second argument is whether to leave nothing behind.
    asks_model: whether a language model, where one is set, is asked: then it waits for that one's worker.
    """

    run: Callable[[Report], str]
    about: str
    cron: str = ""
    one: Callable[[Person, bool], str] | None = None
    asks_model: bool = False

    @property
    def cluster(self) -> str | None:
        """Whose queue it waits in; None: everyone's."""
        return MODELS if self.asks_model and configured() else None


def propose_from(space: str, conversation: str, trigger: str) -> str:
    """Reads what is unread of one conversation."""
    proposed = propose(
        space=UUID(space),
        conversation=UUID(conversation),
        trigger=Trigger(trigger),
        author=Author("job", f"propose ({trigger})"),
        now=timezone.now(),
        encoder=current(),
    )
    if proposed.run and configured():
        ask_model_later("refine_run", space, str(proposed.run.id))
    return f"{len(proposed.proposals)} proposed"


def refine_run(space: str, run: str) -> str:
    """Has the language model, if one is set, read what a run read."""
    model = configured()
    if model is None:
        return "no language model is set"
    record = refine(space=UUID(space), run=UUID(run), model=model, now=timezone.now(), encoder=current())
    return "gone" if record is None else record.error or f"{record.proposed} proposed, {record.tokens} tokens"


def refine_kept_memory(space: str, memory: str, fields: list[str]) -> str:
    """Has the language model, if one is set, say of a memory what nobody said when it was kept."""
    model = configured()
    if model is None:
        return "no language model is set"
    now = timezone.now()
    return refine_kept(space=UUID(space), memory=UUID(memory), fields=fields, model=model, now=now, encoder=current())


def merge_kept_memories(space: str, proposal: str) -> str:
    """Has the language model, if one is set, merge two memories that are much alike."""
    model = configured()
    if model is None:
        return "no language model is set"
    return merge_kept(space=UUID(space), proposal=UUID(proposal), model=model, now=timezone.now(), encoder=current())


def word_reflection_of(space: str, memory: str) -> str:
    """Has the language model, if one is set, say a week in its own words."""
    model = configured()
    if model is None:
        return "no language model is set"
    return word_reflection(space=UUID(space), memory=UUID(memory), model=model, now=timezone.now())


def switch(person: str, opened: str) -> str:
    """Reads what a person left unread in their other conversations when they opened this one."""
    left = left_by_switching(person=UUID(person), opened=UUID(opened))
    return _read_all(left, Trigger.SWITCH, lambda done, total: None)


def embed_new() -> str:
    """Gives vectors to what was just said; enqueued when turns come in and none were waiting."""
    return run_scheduled("embed")


def _embed(report: Report) -> str:
    return f"{reembed(encoder=current(), report=report)} embedded"


def _attend(report: Report) -> str:
    return _read_all(long_idle(timezone.now()), Trigger.IDLE, report)


def _nightly(report: Report) -> str:
    return _read_all(still_unread(), Trigger.NIGHTLY, report)


def _read_all(conversations: list[Conversation], trigger: Trigger, report: Report) -> str:
    for done, conversation in enumerate(conversations, 1):
        propose_from(str(conversation.space_id), str(conversation.id), trigger.value)
        report(done, len(conversations))
    return _counted(len(conversations), "conversation read", "conversations read")


def _counted(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _expire(report: Report) -> str:
    gone = expire(timezone.now())
    report(gone, gone)
    return _counted(gone, "proposal expired", "proposals expired")


def _daily(report: Report) -> str:
    people = people_to_go_through()
    for done, person in enumerate(people, 1):
        _daily_of(person, False)
        report(done, len(people))
    return _counted(len(people), "person gone through", "people gone through")


def _daily_of(person: Person, dry_run: bool) -> str:
    """A dry run does all of it in one transaction, and takes it back at the end."""
    if not dry_run:
        return _day_of(person).splitlines()[0]
    with transaction.atomic():
        told = _day_of(person)
        transaction.set_rollback(True)
    return told


def _day_of(person: Person) -> str:
    """What is left unread is read first."""
    for conversation in unread_of(person):
        propose_from(str(conversation.space_id), str(conversation.id), Trigger.NIGHTLY.value)
    gone = day(person=person, now=timezone.now())
    if gone is None:
        person.refresh_from_db(fields=["memory_enabled"])
        return "this day was gone through already" if person.memory_enabled else "memory is paused"
    run = gone.run
    told = f"{run.turns} turns, {run.written} memories written, {run.updated} updated, {run.proposed} proposed"
    return f"{told}\n{gone.note}"


def _consolidate(report: Report) -> str:
    conversations = waiting(timezone.now())
    for done, held in enumerate(conversations, 1):
        _consolidate_one(held)
        report(done, len(conversations))
    return _counted(len(conversations), "conversation gone through", "conversations gone through")


def _consolidate_one(held: Conversation) -> None:
    gone = consolidate(space=held.space_id, conversation=held.id, now=timezone.now(), encoder=current())
    if gone.run and configured():
        ask_model_later("refine_run", str(held.space_id), str(gone.run.id))


def _reflect(report: Report) -> str:
    people, made = people_to_go_through(), 0
    for done, person in enumerate(people, 1):
        made += _worded_later(reflect(person=person, now=timezone.now(), encoder=current())) is not None
        report(done, len(people))
    return _counted(made, "reflection made", "reflections made")


def _worded_later(made: Memory | None) -> Memory | None:
    """Enqueued within the transaction: a run that is taken back asks nothing."""
    if made and configured():
        ask_model_later("word_reflection_of", str(made.space_id), str(made.id))
    return made


def reflect_again(person: str, at: str) -> str:
    """Makes a reflection of which something was erased anew, as of its own time."""
    found = Person.objects.filter(id=UUID(person)).first()
    made = reflect(person=found, now=datetime.fromisoformat(at), encoder=current()) if found else None
    return "made again" if _worded_later(made) else "too little is left"


def _reflect_of(person: Person, dry_run: bool) -> str:
    with transaction.atomic():
        told = _reflection_of(person)
        transaction.set_rollback(dry_run)
    return told


def _reflection_of(person: Person) -> str:
    made = _worded_later(reflect(person=person, now=timezone.now(), encoder=current()))
    return made.content if made else "too little is new, or one was made in the last six days"


def _enrich(report: Report) -> str:
    return f"{enrich(reader=name_reader(), report=report)} memories read for names"


def _fade(report: Report) -> str:
    gone = fade(timezone.now())
    report(gone, gone)
    return _counted(gone, "memory faded", "memories faded")


def _index(report: Report) -> str:
    done = index_spaces(encoder=current(), report=report)
    return f"{len(done.built)} indexes of large spaces built, {len(done.dropped)} dropped"


def _partition(report: Report) -> str:
    made = ensure_partitions(timezone.now())
    report(len(made), len(made))
    return f"{len(made)} partitions made"


def _purge(report: Report) -> str:
    gone = purge(timezone.now())
    report(gone.total, gone.total)
    return str(gone)


def _erase(report: Report) -> str:
    begun = list(Erasure.objects.unfinished().order_by("at"))
    for erasure in begun:
        finish_erasing(erasure=erasure.id, now=timezone.now(), report=report)
    searched = sum([search_later(erasure) for erasure in Erasure.objects.unsearched().values_list("id", flat=True)])
    if begun or searched:
        report(len(begun) + searched, len(begun) + searched)
        purge_soon("job:erase")
    told = f"{len(begun)} people erased"
    return f"{told}, {_counted(searched, 'receipt', 'receipts')} completed" if searched else told


def _purge_traces(report: Report) -> str:
    return f"{purge_traces(now=timezone.now(), report=report)} erasures completed"


JOBS = {
    "embed": Job(_embed, "Gives a vector to memories and turns that lack one.", "* * * * *"),
    "reembed": Job(_embed, "Gives every memory and turn a vector of the configured embedding model."),
    "attend": Job(_attend, "Reads conversations in which nobody has spoken for half an hour.", "* * * * *"),
    "propose": Job(_nightly, "Reads what is left unread of all conversations."),
    "daily": Job(_daily, "Goes through each person's day: reads what is left, notes it.", "0 23 * * *", _daily_of),
    "consolidate": Job(_consolidate, "Goes through conversations that are over, once.", "0 3 * * *"),
    "reflect": Job(_reflect, "Sums up each person's week.", "0 3 * * 0", _reflect_of),
    "enrich": Job(_enrich, "Reads again the names of memories in which few were seen.", "0 2 * * *", asks_model=True),
    "fade": Job(_fade, "Lets go of memories that were not recalled or confirmed for long.", "0 4 * * *"),
    "expire": Job(_expire, "Lets proposals go that waited for 30 days.", "15 0 * * *"),
    "erase": Job(_erase, "Goes on erasing people of whom there is much, and searching for traces.", "*/10 * * * *"),
    "purge": Job(_purge, "Drops what is kept for a time only: log, notes, searches, questions, answers.", "20 4 * * *"),
    "purge_traces": Job(_purge_traces, "Rewrites tables that held what was erased.", "40 4 * * *"),
    "index": Job(_index, "Gives large spaces an index of their own, and checks what it finds.", "20 5 * * *"),
    "partition": Job(_partition, "Makes the partitions of the log for the next months.", "30 0 * * *"),
}


def run_scheduled(name: str) -> str:
    """What the worker calls, by name: the queue holds no more than that. A job that is running already stays alone."""
    _revive(timezone.now())
    return _begin(ask(kind=name)[0].id)


def carry_on(run: str) -> str:
    """What the worker calls for a run that waits: asked for by someone, or begun before by a worker that was killed."""
    _revive(timezone.now())
    return _begin(UUID(run))


def ask_for(name: str, asked_by: str) -> JobRun:
    """The run of a job that is alive, else a new one, queued for the worker. Raises NotFound."""
    if name not in JOBS:
        raise NotFound(f"There is no job {name!r}.")
    with transaction.atomic():
        run, new = ask(kind=name, asked_by=asked_by)
        if new:
            _queue(run)
    return run


def retry_of(name: str, run: UUID, asked_by: str) -> JobRun:
    """A failed run of this job once more, queued for the worker. Raises NotFound, InConflict."""
    failed = JobRun.objects.filter(id=run, kind=name).first() if name in JOBS else None
    if failed is None:
        raise NotFound(f"There is no such run of a job {name!r}.")
    with transaction.atomic():
        again, new = retry(run=failed, asked_by=asked_by)
        if new:
            _queue(again)
    return again


def purge_soon(asked_by: str) -> None:
    """Has what was erased just now purged at once where that is quick; else the night's run does it."""
    if is_quick():
        ask_for("purge_traces", asked_by)


def erase_on(erasure: Erasure, asked_by: str) -> None:
    """Has what was begun gone on with, else its traces purged."""
    if erasure.finished_at is None or not erasure.searched:
        ask_for("erase", asked_by)
    else:
        purge_soon(asked_by)


def run_here(name: str, asked_by: str, watch: Report) -> str:
    """Runs a job in this process, to its end. Raises InConflict where it is running elsewhere."""
    return _here(name, "", asked_by, JOBS[name].run, watch)


def run_for(name: str, person: str, asked_by: str, *, dry_run: bool = False) -> str:
    """Runs a job for one person, here and now. Raises NotFound, Invalid for a job that is not of people."""
    one, found = JOBS[name].one, Person.objects.filter(name=person).first()
    if one is None:
        raise Invalid("person", f"The job {name!r} is not run for one person.")
    if found is None:
        raise NotFound(f"Nothing is known of a person {person!r}.")
    if dry_run:
        return one(found, True)
    return _here(name, person, asked_by, lambda report: one(found, False), lambda done, total: None)


def _here(name: str, subject: str, asked_by: str, work: Callable[[Report], str], watch: Report) -> str:
    now = timezone.now()
    _revive(now)
    run = claim(ask(kind=name, subject=subject, asked_by=asked_by)[0].id, now)
    if run is None:
        raise InConflict(f"The job {name!r} is running already; wait for it, or cancel it on the page of jobs.")
    return carry_out(run=run, work=work, watch=watch).message


def _begin(identifier: UUID) -> str:
    now = timezone.now()
    run = claim(identifier, now)
    if run is None:
        return "begun already"
    try:
        ended = carry_out(run=run, work=_work_of(run), seconds=STRETCH_SECONDS)
    except Exception as error:
        _try_again(run)
        logger.exception("the job %s failed", run.kind)
        # The queue stores what is raised, with its message, and logs it: that may repeat a row of the database.
        raise JobFailed(f"{run.kind}: {type(error).__name__}") from None
    if ended.state == JobState.QUEUED:
        _queue(ended)
    tidy(ended, now)
    return ended.message


def _work_of(run: JobRun) -> Callable[[Report], str]:
    """A run for one person, whose command was killed, goes on for that person."""
    job = JOBS[run.kind]
    one, person = job.one, Person.objects.filter(name=run.subject).first() if run.subject else None
    if not run.subject or one is None:
        return job.run
    return lambda report: one(person, False) if person else "nobody of that name is left"


def _queue(run: JobRun) -> None:
    options = {"cluster": cluster} if (cluster := JOBS[run.kind].cluster) else {}
    async_task("memory_app.jobs.carry_on", str(run.id), q_options=options)


def _revive(now: datetime) -> None:
    for run in revive(now):
        _queue(run)


def _try_again(run: JobRun) -> None:
    """A run that failed waits for its next attempt as a schedule of its own, which goes when it was called."""
    if run.state == JobState.QUEUED:
        Schedule.objects.create(
            func="memory_app.jobs.carry_on",
            args=repr((str(run.id),)),
            schedule_type=Schedule.ONCE,
            next_run=timezone.now() + back_off(run),
            cluster=JOBS[run.kind].cluster,
        )


def ensure_schedules() -> None:
    """One schedule for each job that runs by itself; run again, it changes nothing."""
    for name, job in JOBS.items():
        if job.cron:
            Schedule.objects.get_or_create(
                name=name,
                defaults={
                    "func": "memory_app.jobs.run_scheduled",
                    "args": repr((name,)),
                    "schedule_type": Schedule.CRON,
                    "cron": job.cron,
                },
            )
            Schedule.objects.filter(name=name).exclude(cluster=job.cluster).update(cluster=job.cluster)
    if not configured():  # nobody comes for what waits for a model that was set before
        OrmQ.objects.filter(key=MODELS).delete()
