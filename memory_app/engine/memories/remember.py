"""Remember: save what a caller sends, or what a person asks to remember in their own words.

A language model that is configured fills in the rest later: that is enqueued and not waited for.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_operation
from memory_app.engine.audit.request_log import note_decision
from memory_app.engine.memories.build_many import build_memories
from memory_app.engine.memories.conversation_input import inputs_from_conversation
from memory_app.engine.memories.memory_input import (
    NO_ADDITIONS,
    Additions,
    MemoryInput,
    MemorySource,
    build_memory,
)
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
from memory_app.nlp.locales import request_in_english

OUTCOME_SENTENCES = {
    "added": "Got it, I'll remember that.",
    "duplicate": "I already knew that.",
    "superseded": "Got it, I've replaced what I knew.",
    "merged": "Got it, I've added that to what I knew.",
    "proposed": "I've put that up for you to confirm.",
}
"""What an assistant may answer the person, by outcome."""

NO_REMINDER_NOTE = "I won't remind you of it, though: ask me for it when you need it."
"""Added for a task."""

SENSITIVE_NOTE = "It is sensitive, so only you can see it."

CONFLICT_QUESTION = "I also have “{}”, of {}. Does the new one replace it? Your inbox asks which of the two holds."
CONFLICT_QUESTION_MASKED = (
    "I also have something sensitive that it may replace: your inbox asks which of the two holds."
)
"""Added where another memory may contradict it. Sensitive text is not repeated."""

REMEMBER_REQUEST = "remember_request"
"""The name of a request to remember in the log."""

MOST_ADVISED = 3
"""Memories of one utterance that a model is asked about while the person waits: each takes some of the time."""

AdviceByContent = Mapping[str, Advice]

TURNS_SEARCHED = 10
"""Turns that are searched for the statement that "remember that" refers to."""


MAX_MODEL_WORK = 20
"""A larger batch is an import, and a model is not asked about it: the worker has other things to do."""


def remember(
    *, venue_context: VenueContext, memory_input: MemoryInput, author: Author, now: datetime, encoder: Encoder
) -> SaveResult:
    """Saves one memory; where another one may contradict it, a conflict is opened. Raises the errors of
    `build_memory`."""
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
        build_memory(venue_context, one.apply_to(memory_input) if one else memory_input, now)
        for memory_input, one in zip(inputs, advice, strict=True)
    ]
    relations = [one.relations if one else {} for one in advice]
    saved = save_memories(
        venue_context=venue_context, drafts=drafts, author=author, now=now, encoder=encoder, relations=relations
    )
    results = list(zip(inputs, saved, advice, strict=True))
    enqueue_model_work([(memory_input, result) for memory_input, result, advised in results if advised is None])
    for _, result, advised in results:
        if advised is not None:
            _log_advice(result.memory, advised, author, now)
    return saved


def _log_advice(memory: Memory, advice: Advice, author: Author, now: datetime) -> None:
    """Logs what the model said about a memory that was saved."""
    model_author = Author("model", advice.reading.source.extractor if advice.reading else "", request=author.request)
    with allowed_spaces([memory.space_id]):
        log_operation(memory, "refine", model_author, now, advice.detail)


def advise_on_request(
    *, venue_context: VenueContext, utterance: str, conversation: UUID | None, now: datetime, encoder: Encoder
) -> dict[str, Advice]:
    """What a language model says in time about what an utterance asks to remember, by content, for
    `remember_on_request`; empty where no model is configured or waited for. Expects no transaction, for this takes
    seconds."""
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
        except KeepsakeError:  # saving it raises the same
            continue
        if found is not None:
            advice_by_content[memory_input.content] = found
    return advice_by_content


def remember_many(
    *, venue_context: VenueContext, inputs: Sequence[MemoryInput], author: Author, now: datetime, encoder: Encoder
) -> list[SaveResult | KeepsakeError]:
    """Saves many memories of one person in one transaction. An invalid one is answered with its error."""
    drafts = build_memories(venue_context, inputs, now, encoder)
    good = [draft for draft in drafts if not isinstance(draft, KeepsakeError)]
    saved = iter(save_memories(venue_context=venue_context, drafts=good, author=author, now=now, encoder=encoder))
    answers = [draft if isinstance(draft, KeepsakeError) else next(saved) for draft in drafts]
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
    additions: Additions = NO_ADDITIONS,
) -> list[SaveResult]:
    """Saves what an utterance such as "remember that we chose the blue tile" asks for: a memory for each thing, in one
    transaction. "Remember that" alone refers to what the person said just before in the conversation; "remember
    everything" to all that is worth remembering in it.

    turn: the utterance as a turn of the conversation. said_at: when it was said, if that was before now.
    advice_by_content: from `advise_on_request`. Raises Invalid for an utterance that asks for nothing, and logs it.
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
        everything = [additions.apply_to(memory_input) for memory_input in everything]
        return _save_inputs(venue_context, everything, author, now, encoder, {})
    inputs = _inputs_from_requests(venue_context, utterance, conversation, requests, turn, said_at)
    if not all(memory_input.content for memory_input in inputs):
        note_decision(REMEMBER_REQUEST, {"decision": "nothing kept", "reason": "nothing said to keep"})
        raise Invalid("utterance", 'There is nothing to remember in this; say "remember that …" and what.')
    inputs = [additions.apply_to(memory_input) for memory_input in inputs]
    return _save_inputs(venue_context, inputs, author, now, encoder, advice_by_content or {})


def _inputs_from_requests(
    venue_context: VenueContext,
    utterance: str,
    conversation: UUID | None,
    requests: Sequence[RememberRequest],
    turn: Turn | None,
    said_at: datetime | None,
) -> list[MemoryInput]:
    """Input for what requests ask for; without content where they refer to something that nobody said."""
    stated = turn
    if conversation and requests[0].refers_back:
        stated = _previous_statement(venue_context, conversation, utterance, turn)
        requests = (
            [one for one in _find_requests(stated.content, venue_context) if one.content] if stated else []
        ) or requests
    contents = [(one.content or (stated.content if stated else ""), one.task) for one in requests]
    turns = (stated.id,) if stated else ()
    source = MemorySource(SourceType.EXPLICIT.value, conversation, venue_context.person.name, turns)
    return [
        MemoryInput(content=content, source=source, type="task" if task else None, said_at=said_at)
        for content, task in contents
    ]


def answer_sentence(saved: Sequence[SaveResult], *, in_words: bool = True) -> str:
    """The answer to the person about one request. in_words: whether memories in conflict are quoted."""
    conflicts = [_conflict_sentence(one.conflicts[0], in_words) for one in saved if one.conflicts]
    more = [sentence for one in saved for sentence in _notes_for_person(one)]
    return " ".join(dict.fromkeys([*(OUTCOME_SENTENCES[one.outcome] for one in saved), *more, *conflicts]))


def _notes_for_person(saved: SaveResult) -> list[str]:
    """What the person may not expect."""
    task = saved.memory.type == MemoryType.TASK and saved.outcome != "duplicate"
    return [NO_REMINDER_NOTE] * task + [SENSITIVE_NOTE] * saved.memory.sensitive


def _conflict_sentence(other: Memory, in_words: bool) -> str:
    if other.sensitive or not in_words:
        return CONFLICT_QUESTION_MASKED
    return CONFLICT_QUESTION.format(other.summary, f"{other.valid_from:%-d %B %Y}")


def _previous_statement(
    venue_context: VenueContext, conversation: UUID, utterance: str, turn: Turn | None
) -> Turn | None:
    """The person's last turn in the conversation, before this one, that states something: neither this request nor
    "thanks"."""
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
    return remember_requests(request_in_english(utterance, venue_context.person.language))


def _states_something(text: str, venue_context: VenueContext) -> bool:
    requests = _find_requests(text, venue_context)
    return not is_command_or_small_talk(text, language=venue_context.person.language) and (
        not requests or not requests[0].refers_back
    )


def enqueue_model_work(pairs: Sequence[tuple[MemoryInput, SaveResult]]) -> None:
    """Enqueues new memories with open fields for a language model."""
    if not configured_model() or len(pairs) > MAX_MODEL_WORK:
        return
    for memory_input, saved in pairs:
        fields, memory = open_fields(memory_input), saved.memory
        if fields and saved.outcome != "duplicate" and not memory.sensitive:
            enqueue_model_task("refine_kept_memory", str(memory.space_id), str(memory.id), fields)
