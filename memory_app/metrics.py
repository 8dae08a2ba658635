"""Metrics for Prometheus: counters of this process, and gauges that are asked from the database as they are read.

Jobs run in other processes than the one that answers `/metrics`; what they did is in the database, for all of them.
"""

import time
from collections.abc import Iterable, Iterator

from django.db import Error
from django.db.models import Count, Min
from django.utils import timezone
from django_q.models import OrmQ
from prometheus_client import REGISTRY, Counter
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from memory_app.models import Attempt, JobRun, Memory, Proposal
from memory_app.models.row_security import every_space

CACHE_SECONDS = 30.0
"""Rows are counted no more often: Prometheus asks every 15 to 60 seconds, and may be several."""

RECALLS = Counter("keepsake_recalls", "Searches of memories and turns that were answered")
BRIEFS = Counter("keepsake_briefs", "Briefs that were answered", ["empty"])


class DatabaseCollector(Collector):
    """What is there now. While the database is away only the counters are told."""

    def __init__(self) -> None:
        self.counted_at = 0.0
        self.counted: list[GaugeMetricFamily] = []

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Asked as this is registered: nothing, for then there may be no database yet."""
        return []

    def collect(self) -> Iterable[GaugeMetricFamily]:
        try:
            if time.monotonic() - self.counted_at > CACHE_SECONDS:
                self.counted, self.counted_at = [*_rows(), *_jobs()], time.monotonic()
            return [*self.counted, *_queue()]
        except Error:
            return []


def _rows() -> Iterator[GaugeMetricFamily]:
    with every_space():
        memories = list(Memory.objects.undeleted().order_by().values_list("status").annotate(Count("id")))
        proposals = list(Proposal.objects.order_by().values_list("status").annotate(Count("id")))
    yield _gauge("keepsake_memories", "Memories that are kept", "status", memories)
    yield _gauge("keepsake_proposals", "Proposals of the last months, by what became of them", "status", proposals)


def _jobs() -> Iterator[GaugeMetricFamily]:
    runs = GaugeMetricFamily("keepsake_job_runs", "Runs of jobs in the last 30 days", labels=["job", "state"])
    for kind, state, number in JobRun.objects.order_by().values_list("kind", "state").annotate(Count("id")):
        runs.add_metric([kind, state], number)
    yield runs
    number = Attempt.objects.set_aside().count()
    yield GaugeMetricFamily("keepsake_set_aside", "Rows set aside because they ended their reader twice", number)


def _queue() -> Iterator[GaugeMetricFamily]:
    now = timezone.now()
    waiting = list(
        OrmQ.objects.filter(lock__lte=now).order_by().values_list("key").annotate(Count("id"), oldest=Min("lock"))
    )
    numbers = [(key, number) for key, number, _ in waiting]
    yield _gauge("keepsake_queue_length", "Tasks that wait for a worker", "queue", numbers)
    ages = [(key, (now - oldest).total_seconds()) for key, _, oldest in waiting]
    yield _gauge("keepsake_queue_age_seconds", "How long the oldest of them has waited", "queue", ages)


def _gauge(name: str, about: str, label: str, values: Iterable[tuple[str, float]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values:
        family.add_metric([value], number)
    return family


database_collector = DatabaseCollector()
REGISTRY.register(database_collector)
