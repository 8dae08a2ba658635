"""Remember: keep what a caller gives, or what a person asks for in their own words.

What is left to a language model, if one is set, once a write is over: enqueued, never waited for.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.author import Author
from memory_app.engine.audit.request_log import note_decision
from memory_app.engine.memories.change import log_operation
from memory_app.engine.memories.conversation_input import inputs_from_conversation
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.model_advice import Advice, ask_for_advice, open_fields
from memory_app.engine.memories.save import SaveResult, save_memories
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import Invalid, KeepsakeError
from memory_app.llm.model import configured_model, model_for_request
from memory_app.llm.queue import enqueue_model_task
from memory_app.models import Memory, MemoryType, Role, SourceType, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.commands.remember import RememberRequest, remember_requests
from memory_app.nlp.commands.small_talk import is_command_or_small_talk
from memory_app.nlp.locales import asked_in_english
from memory_app.nlp.privacy.sensitive import prepare

OUTCOME_SENTENCES = {
    "added": "Got it, I'll remember that.",
    "duplicate": "I already knew that.",
    "superseded": "Got it, I've replaced what I knew.",
    "merged": "Got it, I've added that to what I knew.",
    "proposed": "I've put that up for you to confirm.",
}
"""What an assistant may answer the person, by outcome."""


NO_REMINDER_NOTE = "I won't remind you of it, though: ask me for it when you need it."
"""Said with a task."""

SENSITIVE_NOTE = "It is sensitive, so only you can see it."

CONFLICT_QUESTION = "I also have “{}”, of {}. Does the new one replace it? Your inbox asks which of the two holds."
CONFLICT_QUESTION_MASKED = (
    "I also have something sensitive that it may replace: your inbox asks which of the two holds."
)
"""Said with it where another memory may not hold beside it. What is sensitive is not told."""

REMEMBER_REQUEST = "remember_request"
"""What the log calls words that were read as a request to remember."""

MOST_ADVISED = 3
"""Things asked for in one utterance of which a model is asked while the person waits: each takes some of the time."""

AdviceByContent = Mapping[str, Advice]

TURNS_SEARCHED = 10
"""Turns among which "remember that" looks for what it means."""


def remember(
    *, venue_context: VenueContext, memory_input: MemoryInput, author: Author, now: datetime, encoder: Encoder
) -> SaveResult:
    """Keeps one memory; where another one may not hold beside it, the person is asked. Raises the errors of
    `compose`."""
    return _save_inputs(venue_context, [memory_input], author, now, encoder, {})[0]


def _save_inputs(
    venue_context: VenueContext,
    inputs: Sequence[MemoryInput],
    author: Author,
    now: datetime,
    encoder: Encoder,
    advice_by_content: AdviceByContent,
) -> list[SaveResult]:
    advice = [advice_by_content.get(memory_input.content) for memory_input in inputs]
    drafts = [
        build_memory(venue_context, one.memory_input(memory_input) if one else memory_input, now)
        for memory_input, one in zip(inputs, advice, strict=True)
    ]
    relations = [one.relations if one else {} for one in advice]
    saved = save_memories(
        venue_context=venue_context, drafts=drafts, author=author, now=now, encoder=encoder, relations=relations
    )
    answered = list(zip(inputs, saved, advice, strict=True))
    enqueue_model_work([(memory_input, one) for memory_input, one, said in answered if said is None])
    for _, one, said in answered:
        if said is not None:
            _log_advice(one.memory, said, author, now)
    return saved


def _log_advice(memory: Memory, said: Advice, author: Author, now: datetime) -> None:
    """Tells the log what the model said of a memory as it was kept."""
    made = Author("model", said.reading.source.extractor if said.reading else "", request=author.request)
    with allowed_spaces([memory.space_id]):
        log_operation(memory, "refine", made, now, said.detail)


def advise_on_request(
    *, venue_context: VenueContext, utterance: str, conversation: UUID | None, now: datetime, encoder: Encoder
) -> dict[str, Advice]:
    """What a language model says, in time, of what an utterance asks to keep, by content; for `remember_said`. Nothing
    where none is set, or waited for. Expects no transaction: it takes seconds, and holds nobody off."""
    model, requests = model_for_request(), _find_requests(utterance, venue_context)
    if model is None or not settings.KEEPSAKE_MEMORY or not requests or requests[0].everything:
        return {}
    advice_by_content: dict[str, Advice] = {}
    for memory_input in _inputs_from_requests(venue_context, utterance, conversation, requests, None, None)[
        :MOST_ADVISED
    ]:
        try:
            found = ask_for_advice(
                venue_context=venue_context, memory_input=memory_input, model=model, now=now, encoder=encoder
            )
        except KeepsakeError:  # who keeps it meets the same
            continue
        if found is not None:
            advice_by_content[memory_input.content] = found
    return advice_by_content


def remember_many(
    *, venue_context: VenueContext, inputs: Sequence[MemoryInput], author: Author, now: datetime, encoder: Encoder
) -> list[SaveResult | KeepsakeError]:
    """Keeps many memories of one person in one transaction. A bad one is answered with its error; the rest go in."""
    prepare([memory_input.content for memory_input in inputs])
    composed = [_build_or_error(venue_context, memory_input, now) for memory_input in inputs]
    good = [item for item in composed if not isinstance(item, KeepsakeError)]
    saved = iter(save_memories(venue_context=venue_context, drafts=good, author=author, now=now, encoder=encoder))
    answers = [item if isinstance(item, KeepsakeError) else next(saved) for item in composed]
    pairs = zip(inputs, answers, strict=True)
    enqueue_model_work(
        [(memory_input, answer) for memory_input, answer in pairs if not isinstance(answer, KeepsakeError)]
    )
    return answers


def remember_on_request(
    *,
    venue_context: VenueContext,
    utterance: str,
    conversation: UUID | None,
    turn: Turn | None = None,
    said_at: datetime | None = None,
    author: Author,
    now: datetime,
    encoder: Encoder,
    advice_by_content: AdviceByContent | None = None,
) -> list[SaveResult]:
    """Keeps what an utterance such as "remember that we chose the blue tile" asks to keep; "remember that" alone means
    what the person said just before in the conversation. One memory for each thing it asks for, in one transaction.
    "Remember everything" means all of the conversation: what is noticed in it is kept, as what was asked for.

    turn: as which it was said in the conversation, told_at: when, if that was before now. advised: see `advise`.
    Raises Invalid for an utterance that asks for nothing; that it was read so is told to the log.
    """
    requests = _find_requests(utterance, venue_context)
    if not requests:
        note_decision(REMEMBER_REQUEST, {"decision": "nothing kept", "reason": "no request"})
        raise Invalid("utterance", 'This asks for nothing to be remembered; say "remember that …" or "/remember …".')
    if (
        conversation
        and requests[0].everything
        and (everything := inputs_from_conversation(venue_context, conversation, requests[0].about))
    ):
        return _save_inputs(venue_context, everything, author, now, encoder, {})
    inputs = _inputs_from_requests(venue_context, utterance, conversation, requests, turn, said_at)
    if not all(memory_input.content for memory_input in inputs):
        note_decision(REMEMBER_REQUEST, {"decision": "nothing kept", "reason": "nothing said to keep"})
        raise Invalid("utterance", 'There is nothing to remember in this; say "remember that …" and what.')
    return _save_inputs(venue_context, inputs, author, now, encoder, advice_by_content or {})


def _inputs_from_requests(
    venue_context: VenueContext,
    utterance: str,
    conversation: UUID | None,
    requests: Sequence[RememberRequest],
    turn: Turn | None,
    said_at: datetime | None,
) -> list[MemoryInput]:
    """What requests ask to keep; with no content where nothing was said that they may mean."""
    said = turn
    if conversation and requests[0].refers_back:
        said = _previous_statement(venue_context, conversation, utterance, turn)
        requests = (
            [one for one in _find_requests(said.content, venue_context) if one.content] if said else []
        ) or requests
    contents = [(one.content or (said.content if said else ""), one.task) for one in requests]
    source = MemorySource(
        SourceType.EXPLICIT.value, conversation, venue_context.person.name, (said.id,) if said else ()
    )
    return [
        MemoryInput(
            content=content,
            source=source,
            type="task" if task else None,
            said_at=said_at,
        )
        for content, task in contents
    ]


def answer_sentence(saved: Sequence[SaveResult], *, in_words: bool = True) -> str:
    """What to answer the person about all that came of one request. in_words: whether a memory in conflict is told."""
    conflicts = [_conflict_sentence(one.conflicts[0], in_words) for one in saved if one.conflicts]
    more = [sentence for one in saved for sentence in _notes_for_person(one)]
    return " ".join(dict.fromkeys([*(OUTCOME_SENTENCES[one.outcome] for one in saved), *more, *conflicts]))


def _notes_for_person(saved: SaveResult) -> list[str]:
    """What the person may not expect of what was kept."""
    task = saved.memory.type == MemoryType.TASK and saved.outcome != "duplicate"
    return [NO_REMINDER_NOTE] * task + [SENSITIVE_NOTE] * saved.memory.sensitive


def _conflict_sentence(other: Memory, in_words: bool) -> str:
    if other.sensitive or not in_words:
        return CONFLICT_QUESTION_MASKED
    return CONFLICT_QUESTION.format(other.summary, f"{other.valid_from:%-d %B %Y}")


def _previous_statement(
    venue_context: VenueContext, conversation: UUID, utterance: str, turn: Turn | None
) -> Turn | None:
    """The person's last turn in the conversation (before this one) that tells something: not this request, in whatever
    words it was sent as a turn, and not "thanks"."""
    with allowed_spaces(venue_context.venue.spaces):
        rows = (
            Turn.objects.searchable()
            .visible_from(venue_context.venue)
            .filter(conversation_id=conversation, role=Role.USER)
        )
        turns_of_person = rows.filter(person=venue_context.person).exclude(content=utterance).order_by("-position")
        turns_of_person = turns_of_person.filter(position__lt=turn.position) if turn else turns_of_person
        return next(
            (turn for turn in turns_of_person[:TURNS_SEARCHED] if _states_something(turn.content, venue_context)), None
        )


def _find_requests(utterance: str, venue_context: VenueContext) -> list[RememberRequest]:
    return remember_requests(asked_in_english(utterance, venue_context.person.language))


def _states_something(said: str, venue_context: VenueContext) -> bool:
    requests = _find_requests(said, venue_context)
    return not is_command_or_small_talk(said, language=venue_context.person.language) and (
        not requests or not requests[0].refers_back
    )


def _build_or_error(
    venue_context: VenueContext, memory_input: MemoryInput, now: datetime
) -> MemoryDraft | KeepsakeError:
    try:
        return build_memory(venue_context, memory_input, now)
    except KeepsakeError as error:
        return error


MAX_MODEL_WORK = 20
"""Of a batch of more nothing is asked: that is an import, and the worker has other things to do for its people."""


def enqueue_model_work(pairs: Sequence[tuple[MemoryInput, SaveResult]]) -> None:
    """Has a model read what was newly kept."""
    if not configured_model() or len(pairs) > MAX_MODEL_WORK:
        return
    for memory_input, saved in pairs:
        fields, memory = open_fields(memory_input), saved.memory
        if fields and saved.outcome != "duplicate" and not memory.sensitive:
            enqueue_model_task("refine_kept_memory", str(memory.space_id), str(memory.id), fields)
