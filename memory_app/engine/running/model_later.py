"""What is left to a language model, if one is set, once a write is over: enqueued, never waited for."""

from collections.abc import Sequence

from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.keep import Kept
from memory_app.engine.keeping.model_advice import left_open
from memory_app.engine.running.queue import ask_model_later
from memory_app.llm.model import configured

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
