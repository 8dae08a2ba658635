"""Jobs: what the worker does by itself. Each takes ids, may run twice and may be killed anywhere; verbs do the work.

The queue and the schedules in the database hold names of functions: those of this package, wherever in it they are.
"""

from memory_app.jobs.job import Job
from memory_app.jobs.schedules import JOBS, ensure_schedules
from memory_app.jobs.start_job import (
    JobFailed,
    carry_on,
    continue_erasure,
    embed_new,
    queue_retry,
    request_job,
    run_job_for,
    run_job_here,
    run_scheduled,
)
from memory_app.jobs.tasks import (
    propose_from,
    purge_soon,
    refine_kept_memory,
    refine_run,
    reflect_again,
    switch,
    word_reflection_of,
)

__all__ = [
    "JOBS",
    "Job",
    "JobFailed",
    "carry_on",
    "continue_erasure",
    "embed_new",
    "ensure_schedules",
    "propose_from",
    "purge_soon",
    "queue_retry",
    "refine_kept_memory",
    "refine_run",
    "reflect_again",
    "request_job",
    "run_job_for",
    "run_job_here",
    "run_scheduled",
    "switch",
    "word_reflection_of",
]
