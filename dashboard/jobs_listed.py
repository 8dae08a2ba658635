"""The page of jobs as rows: how far each is, its last run in words, its durations as a picture."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.bars import Bars, bars
from memory_app.engine.running.job_list import Listed, job_list
from memory_app.jobs import JOBS
from memory_app.models import Attempt, JobRun

STATES = {
    "queued": "Waits for the worker",
    "running": "Running",
    "done": "Done",
    "failed": "Failed",
    "cancelled": "Cancelled",
}


MOST_SET_ASIDE = 50
"""Listed of what is set aside, the latest first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One job."""

    listed: Listed
    about: str
    durations: Bars

    @property
    def shown(self) -> JobRun | None:
        """The run to tell of: the one that is alive, else the last."""
        return self.listed.alive or self.listed.last


@dataclass(frozen=True, slots=True)
class Jobs:
    """All jobs, and a mark that differs whenever the page would."""

    rows: Sequence[Row]
    set_aside: Sequence[Attempt]
    mark: str


def jobs(now: datetime) -> Jobs:
    """Every job as it is now. Times are told by the minute, so the mark changes with it."""
    listed = job_list(JOBS)
    rows = [Row(item, JOBS[item.name].about, bars(item.over)) for item in listed]
    aside = list(Attempt.objects.set_aside()[:MOST_SET_ASIDE])
    return Jobs(rows, aside, _mark(listed, aside, now))


def _mark(listed: Sequence[Listed], aside: Sequence[Attempt], now: datetime) -> str:
    said = [f"{now:%Y-%m-%d %H:%M}", *(str(one.id) for one in aside)]
    for item in listed:
        runs = [run for run in (item.alive, item.last) if run]
        said.append(f"{item.name} {item.cron} {item.next_run} {len(item.over)}")
        said += [f"{run.id} {run.state} {run.done} {run.total} {run.cancel_requested} {run.attempt}" for run in runs]
    return hashlib.blake2b("\n".join(said).encode(), digest_size=12).hexdigest()
