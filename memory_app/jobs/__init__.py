"""Jobs: what the worker does by itself. Each takes ids, may run twice and may be killed anywhere; verbs do the work.

The queue and the schedules in the database hold names of functions: those of this package, wherever in it they are.
"""

from memory_app.jobs.job import Job
from memory_app.jobs.listed import JOBS, ensure_schedules
from memory_app.jobs.memories import purge_soon, refine_kept_memory
from memory_app.jobs.people import reflect_again, word_reflection_of
from memory_app.jobs.reading import propose_from, refine_run, switch
from memory_app.jobs.run import (
    JobFailed,
    ask_for,
    carry_on,
    embed_new,
    erase_on,
    retry_of,
    run_for,
    run_here,
    run_scheduled,
)

__all__ = [
    "JOBS",
    "Job",
    "JobFailed",
    "ask_for",
    "carry_on",
    "embed_new",
    "ensure_schedules",
    "erase_on",
    "propose_from",
    "purge_soon",
    "refine_kept_memory",
    "refine_run",
    "reflect_again",
    "retry_of",
    "run_for",
    "run_here",
    "run_scheduled",
    "switch",
    "word_reflection_of",
]
