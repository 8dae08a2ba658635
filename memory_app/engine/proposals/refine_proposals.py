"""Refine: have a language model read what the local extractor read, while the person waits or in the background.

Without an answer, or with a bad one, what was proposed locally stays as it is, and the run says so.
"""

import time
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.proposals.apply_model_reading import apply_model_reading
from memory_app.engine.proposals.model_input import ModelInput, load_model_input
from memory_app.llm.model import Model, ModelError, configured_model, model_for_request
from memory_app.llm.queue import enqueue_model_task
from memory_app.llm.read_conversation import ConversationReading, KnownMemory, read_conversation
from memory_app.models import Conversation, ExtractionRun
from memory_app.models.conversation import turns_for_extractor
from memory_app.models.row_security import allowed_spaces


def refine_now_or_later(*, space: UUID, run: UUID, now: datetime, encoder: Encoder) -> None:
    """Before what a run proposed is put to the person: waits for the model as long as they may wait for it, and leaves
    to the worker what takes longer. Expects no transaction."""
    model = model_for_request()
    if model is not None:
        try:
            refine_with_model(space=space, run=run, model=model, now=now, encoder=encoder, person_waits=True)
        except ModelError:
            model = None
    if model is None and configured_model():
        enqueue_model_task("refine_run", str(space), str(run))


def refine_with_model(
    *, space: UUID, run: UUID, model: Model, now: datetime, encoder: Encoder, person_waits: bool = False
) -> ExtractionRun | None:
    """Asks the model about the turns of a run; no transaction is open while it thinks. Returns the record of it.

    If a turn was erased or the person merged meanwhile, the answer is about other words or someone else: the model is
    asked again, about what is there now. None where nothing is left to read.

    person_waits: the proposals are put to the person after this. Then a model that may answer later raises its
    ModelError, and nothing is recorded. Otherwise the person was asked already: pending proposals take the model's
    words, marked as reworded, none of them goes, and a new one has no number.

    By the policy `auto` an item is kept or noted without asking, as what is noticed locally is, where nothing speaks
    against it.
    """
    started, tokens = time.perf_counter(), 0
    while model_input := load_model_input(space=space, run=run, now=now, encoder=encoder):
        reading, error, spent = _ask_model(model_input, model, person_waits)
        tokens += spent
        with allowed_spaces([model_input.conversation.space_id]):
            if not model_input.is_current():
                continue
            record = _build_run(model_input, model, reading, now, error=error, tokens=tokens)
            if reading is not None:
                apply_model_reading(
                    model_input,
                    reading,
                    record,
                    now,
                    encoder,
                    already_presented=not person_waits and _has_ended(model_input),
                )
            record.milliseconds = int((time.perf_counter() - started) * 1000)
            record.save(force_insert=True)
            return record
    return None


def _ask_model(
    model_input: ModelInput, model: Model, person_waits: bool
) -> tuple[ConversationReading | None, str, int]:
    """What came of asking, what went wrong, and the tokens that it took either way."""
    person = model_input.conversation.person
    try:
        reading = read_conversation(
            model,
            turns_for_extractor(model_input.turns),
            [proposal.finding for proposal in model_input.proposals],
            [KnownMemory(memory.content) for memory in model_input.memories],
            person=str(person),
            timezone=person.zone,
            limit=settings.KEEPSAKE_PROPOSALS,
        )
    except ModelError as error:
        if person_waits and error.later:
            raise
        return None, f"{type(error).__name__}: {error}"[:500], error.tokens_in + error.tokens_out
    return reading, "", reading.source.tokens_in + reading.source.tokens_out


def _build_run(
    model_input: ModelInput,
    model: Model,
    reading: ConversationReading | None,
    now: datetime,
    *,
    error: str,
    tokens: int,
) -> ExtractionRun:
    source = reading.source if reading else None
    return ExtractionRun(
        space_id=model_input.run.space_id,
        conversation_id=model_input.run.conversation_id,
        person_id=model_input.run.person_id,
        trigger=model_input.run.trigger,
        from_position=model_input.run.from_position,
        to_position=model_input.run.to_position,
        read=len(model_input.turns),
        tokens=tokens,
        extractor=(source.extractor if source else model.name)[:100],
        error=error,
        dropped=dict(reading.dropped) if reading else {},
        started_at=now,
    )


def _has_ended(model_input: ModelInput) -> bool:
    """Whether the conversation has ended by now, and so what was proposed in it was put to the person."""
    here = Conversation.objects.filter(space_id=model_input.run.space_id, id=model_input.run.conversation_id)
    return here.exclude(ended_at=None).exists()
