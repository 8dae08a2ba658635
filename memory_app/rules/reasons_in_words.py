"""Why something was recalled, in plain words: "says “blue tile” · close in meaning · from March 2026"."""

from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.nlp.queries.question import Question
from memory_app.rules.candidate_signals import Signals, Statistics
from memory_app.rules.fusion import closeness, time_match

VERY_CLOSE, CLOSE, NEAR = 0.75, 0.45, 0.2
"""On the fixed scale of `fusion.closeness`; read off results by eye."""

BETWEEN = " · "


def explain(
    signals: Signals,
    statistics: Statistics,
    question: Question,
    *,
    now: datetime,
    timezone: ZoneInfo,
    reranked: bool = False,
) -> str:
    """The reasons that count for a person, the most telling first; never empty."""
    reasons = [
        *_words(signals, statistics, question),
        *_meaning(signals),
        *_time(signals, question, now, timezone),
        *(["replaced since"] if signals.superseded else []),
        *(["placed by the reranker"] if reranked else []),
    ]
    return BETWEEN.join(reasons) or "the nearest there is"


def _words(signals: Signals, statistics: Statistics, question: Question) -> list[str]:
    found = [
        (word, word in question.names or bool(signals.linked >> bit & 1))
        for bit, (word, counts) in enumerate(zip(question.words, statistics.counts, strict=False))
        if counts and signals.matched >> bit & 1
    ]
    text = " ".join(word for word, name in found if not name)
    names = ", ".join(word for word, name in found if name)
    reasons = [f"says “{text}”"] if text else []
    if names:
        reasons.append(f"said by {names}" if signals.speaker_named else f"mentions {names}")
    return reasons


def _meaning(signals: Signals) -> list[str]:
    close = closeness(signals.cosine)
    if close >= VERY_CLOSE:
        return ["very close in meaning"]
    if close >= CLOSE:
        return ["close in meaning"]
    return ["near in meaning"] if close >= NEAR else []


def _time(signals: Signals, question: Question, now: datetime, timezone: ZoneInfo) -> list[str]:
    if signals.said_at is None or not time_match(signals.said_at, question.periods):
        return []
    at, today = signals.said_at.astimezone(timezone), now.astimezone(timezone)
    days = (today.date() - at.date()).days
    if days in (0, 1):
        return ["from today" if days == 0 else "from yesterday"]
    return [f"from {at.day} {at:%B}" if at.year == today.year else f"from {at:%B %Y}"]
