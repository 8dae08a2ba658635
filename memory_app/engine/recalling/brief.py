"""Brief: the context to put before an assistant's prompt. Relevant or empty, within its budget, and receipted."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import F

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.engine.logbook.event import entry
from memory_app.engine.recalling.about import DURABLE, KNOWN, Section, about, dated, line
from memory_app.engine.recalling.asked import Asked, Result
from memory_app.engine.recalling.let_through import let_through
from memory_app.engine.recalling.model_gate import those_that_help
from memory_app.engine.recalling.notes_asked_for import notes_asked_for
from memory_app.engine.recalling.passed import Passed, with_later
from memory_app.engine.recalling.recall import recall
from memory_app.language.akin import sides_of_oneself
from memory_app.models import Memory, Operation, Receipt
from memory_app.models.insert import insert_both
from memory_app.models.scope import within
from memory_app.postgres.away import optional_write
from memory_app.rules.asked_about import spoken, topic
from memory_app.rules.filters import NO_FILTERS, Filters
from memory_app.rules.gate import gains_nothing
from memory_app.rules.smalltalk import is_command_or_small_talk
from memory_app.rules.tongues import asked_in_english

HEADING = "Relevant background:"
LIMIT = 5
TOKEN_BUDGET = 300
LOOKED_AT = 20
"""Results that compete for a place: more than are taken, for some are too long or say the same."""

INTENT, SMALL_TALK, IRRELEVANT, TOO_LONG = "intent", "small talk", "nothing relevant", "nothing fits"
"""Why a brief may be empty, as the log tells it."""

REASONS = {
    INTENT: "the intent “{intent}” gains nothing from memory",
    SMALL_TALK: "a command or small talk gains nothing from memory",
    IRRELEVANT: "nothing found is relevant enough",
    TOO_LONG: "what is relevant does not fit the budget of tokens",
}


@dataclass(frozen=True, slots=True)
class Occasion:
    """What the brief is for. conversation: the one going on, whose own memories are known to the assistant already."""

    query: str
    intent: str = ""
    conversation: UUID | None = None
    limit: int = LIMIT
    token_budget: int = TOKEN_BUDGET
    profile: bool = False
    filters: Filters = NO_FILTERS


@dataclass(frozen=True, slots=True)
class Draft:
    """What a brief would hold: the text to inject, its tokens, and, where no memory is let through, why: one of
    REASONS. answer: what to say to whoever asks what is remembered of something; "" to any other question.
    found, relevant: of how many memories these are those that are told."""

    text: str
    results: Sequence[Result]
    tokens: int
    why: str
    reason: str
    answer: str = ""
    found: int = 0
    relevant: int = 0


@dataclass(frozen=True, slots=True)
class Briefed:
    """The text to inject, what it holds, and its receipt. text is empty when nothing is relevant. answer: as above.
    stored: whether the receipt is; not that of a stranger, for whom there is nobody to keep it, nor on a full disk."""

    text: str
    results: Sequence[Result]
    tokens: int
    receipt: Receipt
    answer: str = ""
    stored: bool = True


def brief(*, entered: Entered, occasion: Occasion, author: Author, now: datetime, encoder: Encoder) -> Briefed:
    """Recalls, keeps what passes the gate and fits, records that it was recalled, and writes the receipt."""
    draft = drafted(entered=entered, occasion=occasion, now=now, encoder=encoder)
    receipt, stored = _receipt(entered, occasion, draft, author, now), False
    with optional_write(), within(entered.venue.spaces):
        _note_recalled([result.memory for result in draft.results], now)
        if not entered.stranger:
            insert_both(receipt, _decided(receipt, draft, author, now))
            stored = True
    return Briefed(draft.text, draft.results, draft.tokens, receipt, draft.answer, stored)


def drafted(*, entered: Entered, occasion: Occasion, now: datetime, encoder: Encoder) -> Draft:
    """What a brief for this occasion would hold. Changes and records nothing: for looking at."""
    why = _why_to_skip(occasion, entered.person.language)
    wanted = topic(asked_in_english(occasion.query, entered.person.language))
    passed = Passed() if why else _passed(entered, occasion, wanted, now, encoder)
    chosen = _fitting(passed.with_later, entered, occasion, encoder)
    why = why or _why_empty(passed.relevant, chosen)
    ordered = passed.in_order(chosen)
    asks_for_notes = why in ("", IRRELEVANT) and not occasion.filters  # which no note passes
    notes = notes_asked_for(entered, occasion.query, now, encoder) if asks_for_notes else []
    profile = _profile(entered, occasion, wanted, passed.found, now)
    why = "" if notes else why
    text = _opened([*profile, *notes], _text(ordered, entered), _lines_told(ordered, entered), occasion, encoder)
    reason = REASONS[why].format(intent=occasion.intent) if why else ""
    answer = _answer(wanted, passed.relevant, profile)
    tokens = encoder.count_tokens(text)
    return Draft(text, ordered, tokens, why, reason, answer, len(passed.found), len(passed.relevant))


def _profile(
    entered: Entered, occasion: Occasion, wanted: str | None, found: Sequence[UUID], now: datetime
) -> list[Section]:
    """Where it is asked for, or the question is what is known of the person themselves."""
    if not (occasion.profile or wanted == "") or gains_nothing(occasion.intent):
        return []
    types = KNOWN if wanted == "" else DURABLE
    return about(entered, now, types, occasion.filters, budget=occasion.token_budget, found=found)


def _lines_told(results: Sequence[Result], entered: Entered) -> set[str]:
    """What a section need not say again, with its day or without."""
    undated = {line(result.memory.summary) for result in results}
    return undated | {dated(result.memory.summary, result.memory, entered) for result in results}


def _passed(entered: Entered, occasion: Occasion, wanted: str | None, now: datetime, encoder: Encoder) -> Passed:
    """What the gate lets through, asked in one way or another, and what was said later beside it."""
    found: list[UUID] = []
    for asked in _ways_to_ask(wanted or occasion.query, entered, occasion.filters):
        recalled = recall(entered=entered, asked=asked, now=now, encoder=encoder)
        relevant = let_through(entered, asked, recalled, conversation=occasion.conversation, asked_for=bool(wanted))
        found = [result.memory.id for result in recalled.results]
        if relevant:
            helping = those_that_help(relevant, occasion.query)
            return with_later(entered, asked, helping, found, occasion.conversation, now, encoder)
    return Passed(found=found)


def _ways_to_ask(query: str, entered: Entered, filters: Filters) -> list[Asked]:
    """As it was asked.

    At last of a side of their life, by the words that it is told by: of 60 questions in other words than what was kept
    ("who is my boss?", "Alice reports to Maria"), put to people with 50 memories, 4 were answered without and 43 so;
    of 30 others, written after the list was, none and 21. Of 120 that nothing answers, 119 were left empty and 116
    so."""
    sides = sides_of_oneself(query, entered.person.language)
    asked = [Asked(query=query, limit=LOOKED_AT, filters=filters)]
    by_sides = [replace(asked[0], sides=sides)] if sides else []
    return [*asked, *by_sides]


def _answer(wanted: str | None, relevant: Sequence[Result], sections: Sequence[Section]) -> str:
    if wanted is None:
        return ""
    if wanted == "":
        return spoken([(item, item) for item in (sections[0].texts if sections else ())], of="you")
    return spoken([(line(each.memory.summary), line(each.memory.content)) for each in relevant])


def _why_to_skip(occasion: Occasion, language: str) -> str:
    if gains_nothing(occasion.intent):
        return INTENT
    nothing_said = not occasion.query.strip() or is_command_or_small_talk(occasion.query, language=language)
    return SMALL_TALK if nothing_said else ""


def _why_empty(relevant: Sequence[Result], chosen: Sequence[Result]) -> str:
    if chosen:
        return ""
    return TOO_LONG if relevant else IRRELEVANT


def _fitting(results: Sequence[Result], entered: Entered, occasion: Occasion, encoder: Encoder) -> list[Result]:
    """The best that fit the budget together; one too long is passed over."""
    chosen: list[Result] = []
    for result in results:
        if len(chosen) == occasion.limit:
            break
        if encoder.count_tokens(_text([*chosen, result], entered)) <= occasion.token_budget:
            chosen.append(result)
    return chosen


def _text(results: Sequence[Result], entered: Entered) -> str:
    return (
        "\n".join([HEADING, *(f"- {dated(result.told, result.memory, entered)}" for result in results)])
        if results
        else ""
    )


def _opened(sections: Sequence[Section], text: str, told: set[str], occasion: Occasion, encoder: Encoder) -> str:
    """The text, led by as much of the sections as the budget has room for; what it says already is left out."""
    opening: list[str] = []
    for section in sections:
        lines = [f"- {item}" for item in section.lines if item not in told]

        def size(count: int, under: Sequence[str] = (*opening, section.heading), lines: list[str] = lines) -> int:
            return encoder.count_tokens("\n".join([*under, *lines[:count], text]))

        if count := bisect_right(range(1, len(lines) + 1), occasion.token_budget, key=size):
            opening += [section.heading, *lines[:count]]
    return "\n".join([*opening, *([text] if text else [])])


def _note_recalled(memories: Sequence[Memory], now: datetime) -> None:
    """Being recalled is counted and keeps a memory strong: one statement for all.

    One that is being changed at this moment is left out: a brief waits for nobody.
    """
    if memories:
        recalled = Memory.objects.filter(
            space_id__in={memory.space_id for memory in memories}, id__in=[memory.id for memory in memories]
        )
        free = recalled.select_for_update(skip_locked=True).values("id")
        recalled.filter(id__in=free).update(access_count=F("access_count") + 1, last_accessed_at=now, reinforced_at=now)


def _receipt(entered: Entered, occasion: Occasion, draft: Draft, author: Author, now: datetime) -> Receipt:
    return Receipt(
        space_id=entered.venue.home,
        person=entered.person,
        at=now,
        query=occasion.query,
        intent=occasion.intent,
        author=author.label,
        venue={
            "space": entered.place.space,
            "channel": entered.place.channel,
            "restricted": entered.venue.restricted,
        },
        tokens=draft.tokens,
        token_budget=occasion.token_budget,
        items=[_item(rank, result) for rank, result in enumerate(draft.results, 1)],
        conversation=occasion.conversation,
        reason=draft.reason,
    )


def _decided(receipt: Receipt, draft: Draft, author: Author, now: datetime) -> Operation:
    """What the gate let through, or why nothing, for the log: with the receipt in one statement, for a brief is waited
    for. What was asked, and which memories were told, some of them others', is in the receipt alone."""
    told = {
        "decision": "left empty" if draft.why else "let through",
        "reason": draft.why,
        "found": draft.found,
        "relevant": draft.relevant,
        "told": len(draft.results),
        "receipt": str(receipt.id),
    }
    return entry("brief", told, author=author, now=now, space=receipt.space_id, person=receipt.person_id)


def _item(rank: int, result: Result) -> dict[str, object]:
    return {
        "memory": str(result.memory.id),
        "space": str(result.memory.space_id),
        "version": result.memory.version,
        "rank": rank,
        "score": round(result.score, 4),
        "why": [{"signal": share.signal, "rank": share.rank, "share": share.share} for share in result.why],
    }
