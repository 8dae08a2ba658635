"""Jobs that look after memories and what holds them: vectors, names, fading, what is kept for a time or erased."""

from uuid import UUID

from django.utils import timezone

from memory_app.embedding.encoder import current
from memory_app.engine.erasing.erase_person import finish_erasing
from memory_app.engine.erasing.purge import purge
from memory_app.engine.erasing.purge_traces import is_quick, purge_traces
from memory_app.engine.erasing.search_later import search_later
from memory_app.engine.forgetting.fade import fade
from memory_app.engine.keeping.refine_kept import refine_kept
from memory_app.engine.listening.expire import expire
from memory_app.engine.naming.enrich import enrich
from memory_app.engine.recalling.index_spaces import index_spaces
from memory_app.engine.running.attempts import SET_ASIDE, attempt
from memory_app.engine.running.carry_out import Report
from memory_app.engine.running.reembed import reembed
from memory_app.jobs.job import counted
from memory_app.jobs.queued import queued
from memory_app.llm.model import configured
from memory_app.llm.name_reader import name_reader
from memory_app.models import Erasure
from memory_app.models.partitions import ensure_partitions


def embed(report: Report) -> str:
    return f"{reembed(encoder=current(), report=report)} embedded"


def enriched(report: Report) -> str:
    return f"{enrich(reader=name_reader(), report=report)} memories read for names"


def refine_kept_memory(space: str, memory: str, fields: list[str]) -> str:
    """Has the language model, if one is set, say of a memory what nobody said when it was kept."""
    model = configured()
    if model is None:
        return "no language model is set"
    row, now = (UUID(space), UUID(memory)), timezone.now()

    def read() -> str:
        return refine_kept(space=row[0], memory=row[1], fields=fields, model=model, now=now, encoder=current())

    return attempt("refine_memory", row, read) or SET_ASIDE


def let_fade(report: Report) -> str:
    gone = fade(timezone.now())
    report(gone, gone)
    return counted(gone, "memory faded", "memories faded")


def expire_old(report: Report) -> str:
    gone = expire(timezone.now())
    report(gone, gone)
    return counted(gone, "proposal expired", "proposals expired")


def let_go(report: Report) -> str:
    gone = purge(timezone.now())
    report(gone.total, gone.total)
    return str(gone)


def erase_more(report: Report) -> str:
    begun = list(Erasure.objects.unfinished().order_by("at"))
    for erasure in begun:
        finish_erasing(erasure=erasure.id, now=timezone.now(), report=report)
    searched = sum([search_later(erasure) for erasure in Erasure.objects.unsearched().values_list("id", flat=True)])
    if begun or searched:
        report(len(begun) + searched, len(begun) + searched)
        purge_soon("job:erase")
    told = f"{len(begun)} people erased"
    return f"{told}, {counted(searched, 'receipt', 'receipts')} completed" if searched else told


def purge_erased(report: Report) -> str:
    return f"{purge_traces(now=timezone.now(), report=report)} erasures completed"


def purge_soon(asked_by: str) -> None:
    """Has what was erased just now purged at once where that is quick; else the night's run does it."""
    if is_quick():
        queued("purge_traces", asked_by)


def index_large(report: Report) -> str:
    done = index_spaces(encoder=current(), report=report)
    return f"{len(done.built)} indexes of large spaces built, {len(done.dropped)} dropped"


def partition(report: Report) -> str:
    made = ensure_partitions(timezone.now())
    report(len(made), len(made))
    return f"{len(made)} partitions made"
