"""All jobs by name, and their schedules."""

from django_q.models import OrmQ, Schedule

from memory_app.engine.running.queue import MODELS
from memory_app.jobs.job import Job
from memory_app.jobs.memories import (
    embed,
    enriched,
    erase_more,
    expire_old,
    index_large,
    let_fade,
    let_go,
    partition,
    purge_erased,
)
from memory_app.jobs.people import daily, daily_of, reflect_of, reflect_on_weeks
from memory_app.jobs.reading import attend, consolidate_ended, read_unread
from memory_app.llm.model import configured

JOBS = {
    "embed": Job(embed, "Gives a vector to memories and turns that lack one.", "* * * * *"),
    "reembed": Job(embed, "Gives every memory and turn a vector of the configured embedding model."),
    "attend": Job(attend, "Reads conversations in which nobody has spoken for half an hour.", "* * * * *"),
    "propose": Job(read_unread, "Reads what is left unread of all conversations."),
    "daily": Job(daily, "Goes through each person's day: reads what is left, notes it.", "0 23 * * *", daily_of),
    "consolidate": Job(consolidate_ended, "Goes through conversations that are over, once.", "0 3 * * *"),
    "reflect": Job(reflect_on_weeks, "Sums up each person's week.", "0 3 * * 0", reflect_of),
    "enrich": Job(enriched, "Reads again the names of memories in which few were seen.", "0 2 * * *", asks_model=True),
    "fade": Job(let_fade, "Lets go of memories that were not recalled or confirmed for long.", "0 4 * * *"),
    "expire": Job(expire_old, "Lets proposals go that waited for 30 days.", "15 0 * * *"),
    "erase": Job(erase_more, "Goes on erasing people of whom there is much, and searching for traces.", "*/10 * * * *"),
    "purge": Job(let_go, "Drops what is kept for a time only: log, notes, searches, questions, answers.", "20 4 * * *"),
    "purge_traces": Job(purge_erased, "Rewrites tables that held what was erased.", "40 4 * * *"),
    "index": Job(index_large, "Gives large spaces an index of their own, and checks what it finds.", "20 5 * * *"),
    "partition": Job(partition, "Makes the partitions of the log for the next months.", "30 0 * * *"),
}


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
