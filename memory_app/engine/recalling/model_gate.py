"""A second gate of a brief, where KEEPSAKE_LLM_BRIEFS is set: a language model says which lines help with the question.

Slow, down or wrong, it changes nothing: what passed the first gate stands.
"""

from collections.abc import Sequence

import structlog
from django.conf import settings

from memory_app.engine.recalling.asked import Result
from memory_app.llm.model import ModelError, configured_in_time
from memory_app.llm.tasks.helping_lines import helping_lines

_log = structlog.get_logger(__name__)


def those_that_help(results: Sequence[Result], question: str) -> list[Result]:
    """The results that help with the question, in their order. What is sensitive is not shown to a model, and stays."""
    shown = [result for result in results if not result.memory.sensitive]
    model = configured_in_time() if shown and settings.KEEPSAKE_LLM_BRIEFS else None
    if model is None:
        return list(results)
    try:
        helping = helping_lines(model, question, [result.told for result in shown])
    except ModelError as error:
        _log.warning("lines of a brief not judged", model=model.name, why=f"{type(error).__name__}: {error}")
        return list(results)
    dropped = {result.memory.id for place, result in enumerate(shown) if place not in helping}
    return [result for result in results if result.memory.id not in dropped]
