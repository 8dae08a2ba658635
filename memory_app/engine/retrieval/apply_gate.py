"""Apply the gate: of what was found, choose what is relevant enough for an assistant's brief, and may be told there.

Beside each statement that passes, what the same person said later on the same subject passes too. Where
KEEPSAKE_LLM_BRIEFS is set, a language model then says which lines help with the question; if it is slow, down or wrong,
it changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import structlog
from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.later_statements import LaterStatement, find_later_statements
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery, memory_results
from memory_app.engine.retrieval.recall import RecallResults, load_memories
from memory_app.engine.venue_context import VenueContext
from memory_app.llm.model import ModelError, model_for_request
from memory_app.llm.prompts.helping_lines import helping_lines
from memory_app.models import Memory, SensitivePolicy, SourceType, Status
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.queries.query_kind import query_kind
from memory_app.nlp.query_expansion import ENCODER_LANGUAGES
from memory_app.rules.decide import same_statements
from memory_app.rules.fusion import Share
from memory_app.rules.gate import PART_OF_BEST_SIDE, gate_opens, has_related_word, is_about_topic, is_relevant_enough
from memory_app.rules.result_order import by_subject


def apply_gate(
    venue_context: VenueContext,
    recall_query: RecallQuery,
    recall_results: RecallResults,
    *,
    conversation: UUID | None,
    by_topic: bool,
) -> list[MemoryResult]:
    """What was found, if it passes the gate: what may be said here, still holds, and is not of the conversation that is
    going on. One of those that say the same, such as a memory kept in private and in a space: the most relevant.

    asked_for: memories of a topic were asked for; then all that speak of it are relevant, and nothing else is.
    """
    if recall_query.sides:
        relevant = _results_on_sides(recall_results)
    else:
        relevant = (
            _results_on_topic(recall_results)
            if by_topic
            else _results_through_gate(recall_results, venue_context.person.language)
        )
    return _without_repeats(
        [result for result in relevant if is_allowed_in_brief(result.row, venue_context, conversation)]
    )


def is_allowed_in_brief(memory: Memory, venue_context: VenueContext, conversation: UUID | None) -> bool:
    """Whether what is relevant may be told here, still holds, and is not of the conversation that is going on."""
    tells_all = venue_context.person.sensitive_policy == SensitivePolicy.PRIVATE
    return (
        (tells_all or not memory.sensitive)
        and memory.status == Status.ACTIVE
        # A week's digest repeats what is found beside it, under a title that says nothing; `about` has its lines.
        and memory.source_type != SourceType.REFLECTION
        and (conversation is None or memory.source_conversation != conversation)
    )


def _results_on_sides(recall_results: RecallResults) -> list[MemoryResult]:
    matching = [
        result
        for result in memory_results(recall_results.results)
        if has_related_word(result.signals, recall_results.statistics)
    ]
    return [result for result in matching if is_relevant_enough(result.score, matching[0].score, PART_OF_BEST_SIDE)]


def _results_on_topic(recall_results: RecallResults) -> list[MemoryResult]:
    found = memory_results(recall_results.results)
    return [result for result in found if is_about_topic(result.signals, recall_results.statistics)]


def _results_through_gate(recall_results: RecallResults, language: str) -> list[MemoryResult]:
    found, question = memory_results(recall_results.results), recall_results.question
    if question.is_figure and not any(result.signals.matched for result in found):
        return []
    kind = query_kind(question.text, language)
    if not gate_opens(
        [result.signals for result in found], recall_results.statistics, recall_results.speakers_named, kind
    ):
        return []
    return [result for result in found if is_relevant_enough(result.score, found[0].score)]


def _without_repeats(results: Sequence[MemoryResult]) -> list[MemoryResult]:
    chosen: list[MemoryResult] = []
    for result in results:
        if not any(same_statements(result.row.content, [other.row.content for other in chosen])):
            chosen.append(result)
    return chosen


LATER_SIGNAL = "later"
"""The signal by which a statement came along, as a receipt has it; its value is how close the two are."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """relevant: what the gate let through, the most relevant first. with_later: each followed by what came along with
    it. found: all that was looked at, best first. pairs: ids of two that are on one subject."""

    relevant: Sequence[MemoryResult] = ()
    with_later: Sequence[MemoryResult] = ()
    found: Sequence[UUID] = ()
    pairs: Sequence[tuple[UUID, UUID]] = ()

    def in_order(self, chosen: Sequence[MemoryResult]) -> list[MemoryResult]:
        """Subject by subject, and within a subject the newest first."""
        by_id = {result.row.id: result for result in chosen}
        said_at = {id: result.row.valid_from for id, result in by_id.items()}
        return [by_id[id] for id in by_subject([*by_id], self.pairs, said_at)]


def add_later_statements(
    venue_context: VenueContext,
    recall_query: RecallQuery,
    recall_results: RecallResults,
    relevant: Sequence[MemoryResult],
    conversation: UUID | None,
    now: datetime,
    encoder: Encoder,
) -> GateResult:
    """What passed, with what the same person said later on the same subject; that only where the encoder can tell: to
    it all sentences of a language that it does not know are alike."""
    found = [result.row.id for result in recall_results.results]
    if not relevant or venue_context.person.language not in ENCODER_LANGUAGES:
        return GateResult(relevant, relevant, found)
    known = {result.row.id for result in relevant}
    with allowed_spaces(venue_context.venue.spaces):
        later = find_later_statements(venue_context, recall_query, recall_results, relevant, encoder, now)
        new = [statement for statement in later if statement.id not in known]
        spaces, ids = {one.space for one in new}, {one.id for one in new}
        rows = load_memories(spaces, ids, venue_context) if new else []
    allowed = {row.id: row for row in rows if is_allowed_in_brief(row, venue_context, conversation)}
    with_later: list[MemoryResult] = []
    for result in relevant:
        own = [statement for statement in new if statement.earlier == result.row.id and statement.id in allowed]
        with_later += [result, *(_later_result(allowed.pop(statement.id), statement, result) for statement in own)]
    return GateResult(relevant, with_later, found, [(statement.earlier, statement.id) for statement in later])


def _later_result(memory: Memory, later: LaterStatement, result: MemoryResult) -> MemoryResult:
    """A result for what came along: as relevant as that with which it came. The signals are not its own."""
    signals = result.signals._replace(id=memory.id, cosine=None, bare_cosine=None, matched=0, linked=0, part=0)
    return replace(result, row=memory, why=(Share(LATER_SIGNAL, 1, round(later.close, 4), 1.0),), signals=signals)


_log = structlog.get_logger(__name__)


def keep_helpful(results: Sequence[MemoryResult], question: str) -> list[MemoryResult]:
    """The results that help with the question, in their order. What is sensitive is not shown to a model, and stays."""
    judged = [result for result in results if not result.row.sensitive]
    model = model_for_request() if judged and settings.KEEPSAKE_LLM_BRIEFS else None
    if model is None:
        return list(results)
    try:
        helping = helping_lines(model, question, [result.short_text for result in judged])
    except ModelError as error:
        _log.warning("lines of a brief not judged", model=model.name, why=f"{type(error).__name__}: {error}")
        return list(results)
    dropped = {result.row.id for place, result in enumerate(judged) if place not in helping}
    return [result for result in results if result.row.id not in dropped]
