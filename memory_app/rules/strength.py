"""How strong a memory still is: a pure function of the row and the clock, so that fading twice changes nothing."""

import math
from datetime import datetime, timedelta

FADED = 0.05
"""Below this strength a memory moves to tier 2 (design: "How a memory fades and goes")."""

FADES_FASTER = {"extracted": 3.0, "consolidation": 3.0, "reflection": 0.0}
DECAY_RATE = 0.01
"""Per day. What a person asked to keep lasts 300 days without being recalled; what was noticed or derived, 100."""

SEARCH_REINFORCEMENT = 0.25
"""The part of the way back to full strength that a memory goes when a search shows it. A brief, which an assistant
answers by, takes it all the way."""

SECONDS_A_DAY = 86_400
LONGEST_DAYS = 1e11 / SECONDS_A_DAY


def decay_rate(source_type: str, rate: float = DECAY_RATE) -> float:
    """The rate, per day, at which a memory from this source fades. rate: of what a person asked to keep."""
    return FADES_FASTER.get(source_type, 1.0) * rate


def strength(confidence: float, decay_rate: float, reinforced_at: datetime, now: datetime) -> float:
    """confidence × exp(−decay_rate × days since the last reinforcement), in 0..1 (Ebbinghaus' forgetting curve)."""
    days = max(0.0, (now - reinforced_at).total_seconds() / SECONDS_A_DAY)
    return confidence * math.exp(-decay_rate * days)


def fades_on(confidence: float, decay_rate: float, reinforced_at: datetime, faded: float = FADED) -> datetime | None:
    """The moment at which strength crosses `faded`; None for what does not fade."""
    if decay_rate <= 0:
        return None
    if confidence <= faded:
        return reinforced_at
    days = math.log(confidence / faded) / decay_rate
    # A rate of nearly nothing would leave the range of dates: in 3,000 years is as good as never.
    return reinforced_at + timedelta(days=min(days, LONGEST_DAYS))
