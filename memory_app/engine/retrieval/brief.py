"""Brief: the context to put before an assistant's prompt. Relevant or empty, within its budget, and receipted."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import F

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_entry
from memory_app.engine.retrieval.apply_gate import GateResult, add_later_statements, apply_gate, keep_helpful
from memory_app.engine.retrieval.brief_sections import (
    ALL_KNOWN_TYPES,
    PROFILE_TYPES,
    Section,
    dated_lines,
    profile_sections,
    sections_from_notes,
)
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.retrieval.receipts import new_receipt, receipt_item
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, Operation, Receipt
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.commands.small_talk import is_command_or_small_talk
from memory_app.nlp.locales import request_in_english
from memory_app.nlp.queries.query_kind import asked_topic, spoken_answer
from memory_app.nlp.query_expansion import related_words
from memory_app.nlp.text import quoted
from memory_app.postgres.availability import optional_write
from memory_app.postgres.fast.insert_rows import insert_pair
from memory_app.rules.filters import NO_FILTERS, Filters
from memory_app.rules.gate import skips_intent

HEADING = "Relevant background:"
DEFAULT_LIMIT = 5
DEFAULT_TOKEN_BUDGET = 300
MAX_RESULTS_READ = 20
"""Results that compete for a place: more than are taken, for some are too long or say the same."""

INTENT_SKIPPED, SMALL_TALK, IRRELEVANT, TOO_LONG = "intent", "small talk", "nothing relevant", "nothing fits"
"""Why a brief may be empty, as the log tells it."""

REASONS = {
    INTENT_SKIPPED: "the intent “{intent}” gains nothing from memory",
    SMALL_TALK: "a command or small talk gains nothing from memory",
    IRRELEVANT: "nothing found is relevant enough",
    TOO_LONG: "what is relevant does not fit the budget of tokens",
}


@dataclass(frozen=True, slots=True)
class BriefRequest:
    """What the brief is for. conversation: the one going on, whose own memories are known to the assistant already."""

    query: str
    intent: str = ""
    conversation: UUID | None = None
    limit: int = DEFAULT_LIMIT
    token_budget: int = DEFAULT_TOKEN_BUDGET
    profile: bool = False
    filters: Filters = NO_FILTERS


@dataclass(frozen=True, slots=True)
class BriefDraft:
    """What a brief would hold: the text to inject, its tokens, and, where no memory is let through, why: one of
    REASONS. answer: what to say to whoever asks what is remembered of something; "" to any other question.
    found, relevant: of how many memories these are those that are told."""

    text: str
    results: Sequence[MemoryResult]
    tokens: int
    why: str
    reason: str
    answer: str = ""
    found: int = 0
    relevant: int = 0


@dataclass(frozen=True, slots=True)
class Brief:
    """The text to inject, what it holds, and its receipt. text is empty when nothing is relevant. answer: as above.
    stored: whether the receipt is; not that of a stranger, for whom there is nobody to keep it, nor on a full disk."""

    text: str
    results: Sequence[MemoryResult]
    tokens: int
    receipt: Receipt
    answer: str = ""
    stored: bool = True


def brief(
    *, venue_context: VenueContext, brief_request: BriefRequest, author: Author, now: datetime, encoder: Encoder
) -> Brief:
    """Recalls, keeps what passes the gate and fits, records that it was recalled, and writes the receipt."""
    draft = draft_brief(venue_context=venue_context, brief_request=brief_request, now=now, encoder=encoder)
    receipt, stored = _receipt_of(venue_context, brief_request, draft, author, now), False
    with optional_write(), allowed_spaces(venue_context.venue.spaces):
        _count_recalled([result.row for result in draft.results], now)
        if not venue_context.is_unknown:
            insert_pair(receipt, _brief_log_entry(receipt, draft, author, now))
            stored = True
    return Brief(draft.text, draft.results, draft.tokens, receipt, draft.answer, stored)


def draft_brief(
    *, venue_context: VenueContext, brief_request: BriefRequest, now: datetime, encoder: Encoder
) -> BriefDraft:
    """What a brief for this occasion would hold. Changes and records nothing: for looking at."""
    why = _skip_reason(brief_request, venue_context.person.language)
    topic_name = asked_topic(request_in_english(brief_request.query, venue_context.person.language))
    gate_result = GateResult() if why else _recall_through_gate(venue_context, brief_request, topic_name, now, encoder)
    lines = _lines_by_id(gate_result.with_later, venue_context)
    chosen = _within_budget(gate_result.with_later, lines, brief_request, encoder)
    why = why or _empty_reason(gate_result.relevant, chosen)
    ordered = gate_result.in_order(chosen)
    asks_for_notes = why in ("", IRRELEVANT) and not brief_request.filters  # which no note passes
    notes = sections_from_notes(venue_context, brief_request.query, now, encoder) if asks_for_notes else []
    profile = _profile_sections(venue_context, brief_request, topic_name, gate_result.found, now)
    why = "" if notes else why
    text = _with_sections(
        [*profile, *notes],
        _brief_text(ordered, lines),
        _included_lines(ordered, venue_context) if profile or notes else set(),
        brief_request,
        encoder,
    )
    reason = REASONS[why].format(intent=brief_request.intent) if why else ""
    answer = _spoken_answer(topic_name, gate_result.relevant, profile)
    tokens = encoder.count_tokens(text)
    return BriefDraft(text, ordered, tokens, why, reason, answer, len(gate_result.found), len(gate_result.relevant))


def _profile_sections(
    venue_context: VenueContext,
    brief_request: BriefRequest,
    topic_name: str | None,
    found: Sequence[UUID],
    now: datetime,
) -> list[Section]:
    """Where it is asked for, or the question is what is known of the person themselves."""
    if not (brief_request.profile or topic_name == "") or skips_intent(brief_request.intent):
        return []
    types = ALL_KNOWN_TYPES if topic_name == "" else PROFILE_TYPES
    return profile_sections(
        venue_context, now, types, brief_request.filters, budget=brief_request.token_budget, found=found
    )


def _included_lines(results: Sequence[MemoryResult], venue_context: VenueContext) -> set[str]:
    """What a section need not say again, with its day or without."""
    undated = {quoted(result.row.summary) for result in results}
    return undated | {*dated_lines([(result.row.summary, result.row) for result in results], venue_context)}


def _recall_through_gate(
    venue_context: VenueContext, brief_request: BriefRequest, topic_name: str | None, now: datetime, encoder: Encoder
) -> GateResult:
    """What the gate lets through, asked in one way or another, and what was said later beside it."""
    found: list[UUID] = []
    for recall_query in _query_variants(topic_name or brief_request.query, venue_context, brief_request.filters):
        recall_results = recall(venue_context=venue_context, recall_query=recall_query, now=now, encoder=encoder)
        relevant = apply_gate(
            venue_context,
            recall_query,
            recall_results,
            conversation=brief_request.conversation,
            by_topic=bool(topic_name),
        )
        found = [result.row.id for result in recall_results.results]
        if relevant:
            helpful = keep_helpful(relevant, brief_request.query)
            return add_later_statements(
                venue_context, recall_query, recall_results, helpful, brief_request.conversation, now, encoder
            )
    return GateResult(found=found)


def _query_variants(query: str, venue_context: VenueContext, filters: Filters) -> list[RecallQuery]:
    """As it was asked.

    At last of a side of their life, by the words that it is told by: of 60 questions in other words than what was kept
    ("who is my boss?", "Alice reports to Maria"), put to people with 50 memories, 4 were answered without and 43 so;
    of 30 others, written after the list was, none and 21. Of 120 that nothing answers, 119 were left empty and 116
    so."""
    sides = related_words(query, venue_context.person.language)
    plain = [RecallQuery(query, limit=MAX_RESULTS_READ, filters=filters)]
    expanded = [replace(plain[0], sides=sides)] if sides else []
    return [*plain, *expanded]


def _spoken_answer(topic_name: str | None, relevant: Sequence[MemoryResult], sections: Sequence[Section]) -> str:
    if topic_name is None:
        return ""
    if topic_name == "":
        return spoken_answer([(item, item) for item in (sections[0].texts if sections else ())], of="you")
    return spoken_answer([(quoted(each.row.summary), quoted(each.row.content)) for each in relevant])


def _skip_reason(brief_request: BriefRequest, language: str) -> str:
    if skips_intent(brief_request.intent):
        return INTENT_SKIPPED
    nothing_said = not brief_request.query.strip() or is_command_or_small_talk(brief_request.query, language=language)
    return SMALL_TALK if nothing_said else ""


def _empty_reason(relevant: Sequence[MemoryResult], chosen: Sequence[MemoryResult]) -> str:
    if chosen:
        return ""
    return TOO_LONG if relevant else IRRELEVANT


def _lines_by_id(results: Sequence[MemoryResult], venue_context: VenueContext) -> dict[UUID, str]:
    """The line that each result is told by."""
    lines = dated_lines([(result.short_text, result.row) for result in results], venue_context)
    return {result.row.id: line for result, line in zip(results, lines, strict=True)}


def _within_budget(
    results: Sequence[MemoryResult], lines: Mapping[UUID, str], brief_request: BriefRequest, encoder: Encoder
) -> list[MemoryResult]:
    """The best that fit the budget together; one too long is passed over."""
    chosen: list[MemoryResult] = []
    for result in results:
        if len(chosen) == brief_request.limit:
            break
        if encoder.count_tokens(_brief_text([*chosen, result], lines)) <= brief_request.token_budget:
            chosen.append(result)
    return chosen


def _brief_text(results: Sequence[MemoryResult], lines: Mapping[UUID, str]) -> str:
    return "\n".join([HEADING, *(f"- {lines[result.row.id]}" for result in results)]) if results else ""


def _with_sections(
    sections: Sequence[Section], text: str, included: set[str], brief_request: BriefRequest, encoder: Encoder
) -> str:
    """The text, led by as much of the sections as the budget has room for; what it says already is left out."""
    opening: list[str] = []
    for section in sections:
        lines = [f"- {item}" for item in section.lines if item not in included]

        def size(count: int, under: Sequence[str] = (*opening, section.heading), lines: list[str] = lines) -> int:
            return encoder.count_tokens("\n".join([*under, *lines[:count], text]))

        if count := bisect_right(range(1, len(lines) + 1), brief_request.token_budget, key=size):
            opening += [section.heading, *lines[:count]]
    return "\n".join([*opening, *([text] if text else [])])


def _count_recalled(memories: Sequence[Memory], now: datetime) -> None:
    """Being recalled is counted and keeps a memory strong: one statement for all.

    One that is being changed at this moment is left out: a brief waits for nobody.
    """
    if memories:
        rows = Memory.objects.filter(
            space_id__in={memory.space_id for memory in memories}, id__in=[memory.id for memory in memories]
        )
        free = rows.select_for_update(skip_locked=True).values("id")
        rows.filter(id__in=free).update(access_count=F("access_count") + 1, last_accessed_at=now, reinforced_at=now)


def _receipt_of(
    venue_context: VenueContext, brief_request: BriefRequest, draft: BriefDraft, author: Author, now: datetime
) -> Receipt:
    return new_receipt(
        venue_context=venue_context,
        query=brief_request.query,
        intent=brief_request.intent,
        conversation=brief_request.conversation,
        items=[
            receipt_item(rank, result.row, result.score, result.why) for rank, result in enumerate(draft.results, 1)
        ],
        tokens=draft.tokens,
        token_budget=brief_request.token_budget,
        reason=draft.reason,
        author=author,
        now=now,
    )


def _brief_log_entry(receipt: Receipt, draft: BriefDraft, author: Author, now: datetime) -> Operation:
    """What the gate let through, or why nothing, for the log: with the receipt in one statement, for a brief is waited
    for. What was asked, and which memories were told, some of them others', is in the receipt alone."""
    detail = {
        "decision": "left empty" if draft.why else "let through",
        "reason": draft.why,
        "found": draft.found,
        "relevant": draft.relevant,
        "told": len(draft.results),
        "receipt": str(receipt.id),
    }
    return log_entry("brief", detail, author=author, now=now, space=receipt.space_id, person=receipt.person_id)
