"""Jobs: what the worker does by itself. Each takes ids, may run twice and may be killed anywhere; verbs do the work."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django_q.models import Schedule

from .embedding.encoder import current
from .engine.author import Author
from .engine.expire import expire
from .engine.propose import propose
from .engine.reembed import Report, reembed
from .engine.unread import left_by_switching, long_idle, still_unread
from .models import Conversation, Trigger
from .models.partitions import ensure_partitions


@dataclass(frozen=True, slots=True)
class Job:
    """A job: what it runs, and when (cron, UTC), if by itself."""

    run: Callable[[Report], str]
    about: str
    cron: str = ""


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
    return f"{len(proposed.proposals)} proposed"


def switch(person: str, opened: str) -> str:
    """Reads what a person left unread in their other conversations when they opened this one."""
    left = left_by_switching(person=UUID(person), opened=UUID(opened))
    return _read_all(left, Trigger.SWITCH, lambda done, total: None)


def embed_new() -> str:
    """Gives vectors to what was just said; enqueued when turns come in and none were waiting."""
    return _embed(lambda done, total: None)


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
    return f"{len(conversations)} conversations read"


def _expire(report: Report) -> str:
    gone = expire(timezone.now())
    report(gone, gone)
    return f"{gone} proposals expired"


def _partition(report: Report) -> str:
    made = ensure_partitions(timezone.now())
    report(len(made), len(made))
    return f"{len(made)} partitions made"


JOBS = {
    "embed": Job(_embed, "Gives a vector to memories and turns that lack one.", "* * * * *"),
    "reembed": Job(_embed, "Gives every memory and turn a vector of the configured embedding model."),
    "attend": Job(_attend, "Reads conversations in which nobody has spoken for half an hour.", "* * * * *"),
    "propose": Job(_nightly, "Reads what is left unread of all conversations.", "0 23 * * *"),
    "expire": Job(_expire, "Lets proposals go that waited for 30 days.", "15 0 * * *"),
    "partition": Job(_partition, "Makes the partitions of the log for the next months.", "30 0 * * *"),
}


def run_scheduled(name: str) -> str:
    """What the worker calls, by name: the queue holds no more than that."""
    return JOBS[name].run(lambda done, total: None)


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
