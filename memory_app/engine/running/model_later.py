"""What is left to a language model, if one is set, once a write is over: enqueued, never waited for."""

from collections.abc import Sequence

from ...llm.model import configured
from ..keeping.compose import Given
from ..keeping.keep import Kept
from ..keeping.model_advice import left_open
from .queue import ask_model_later

MOST_AT_ONCE = 20
"""Of a batch of more nothing is asked: that is an import, and the worker has other things to do for its people."""


def model_later(pairs: Sequence[tuple[Given, Kept]]) -> None:
    """Has a model read what was newly kept."""
    if not configured() or len(pairs) > MOST_AT_ONCE:
        return
    for given, kept in pairs:
        fields, memory = left_open(given), kept.memory
        if fields and kept.outcome != "duplicate" and not memory.sensitive:
            ask_model_later("refine_kept_memory", str(memory.space_id), str(memory.id), fields)
