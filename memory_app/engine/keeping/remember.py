"""Remember: keep what a caller gives, or what a person asks for in their own words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import record
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import Given, Source, compose
from memory_app.engine.keeping.keep import Kept, keep
from memory_app.engine.keeping.model_advice import Advice, advice_for
from memory_app.engine.keeping.told_in import told_in
from memory_app.engine.logbook.spoken_of import note_decision
from memory_app.engine.running.model_later import model_later
from memory_app.errors import Invalid, KeepsakeError
from memory_app.language.sensitive import prepare
from memory_app.llm.model import configured_in_time
from memory_app.models import Memory, MemoryType, Role, SourceType, Turn
from memory_app.models.scope import within
from memory_app.rules.smalltalk import is_command_or_small_talk
from memory_app.rules.tongues import asked_in_english
from memory_app.rules.triggers.remember import RememberRequest, remember_requests

SAID = {
    "added": "Got it, I'll remember that.",
    "duplicate": "I already knew that.",
    "superseded": "Got it, I've replaced what I knew.",
    "merged": "Got it, I've added that to what I knew.",
    "proposed": "I've put that up for you to confirm.",
}
"""What an assistant may answer the person, by outcome."""


UNREMINDED = "I won't remind you of it, though: ask me for it when you need it."
"""Said with a task."""

PRIVATE = "It is sensitive, so only you can see it."

CONFLICT = "I also have “{}”, of {}. Does the new one replace it? Your inbox asks which of the two holds."
CONFLICT_UNSHOWN = "I also have something sensitive that it may replace: your inbox asks which of the two holds."
"""Said with it where another memory may not hold beside it. What is sensitive is not told."""

ASKED = "remember_request"
"""What the log calls words that were read as a request to remember."""

MOST_ADVISED = 3
"""Things asked for in one utterance of which a model is asked while the person waits: each takes some of the time."""

Advised = Mapping[str, Advice]

LOOKED_BACK_AT = 10
"""Turns among which "remember that" looks for what it means."""


def remember(*, entered: Entered, given: Given, author: Author, now: datetime, encoder: Encoder) -> Kept:
    """Keeps one memory; where another one may not hold beside it, the person is asked. Raises the errors of
    `compose`."""
    return _remember(entered, [given], author, now, encoder, {})[0]


def _remember(
    entered: Entered, givens: Sequence[Given], author: Author, now: datetime, encoder: Encoder, advised: Advised
) -> list[Kept]:
    advice = [advised.get(given.content) for given in givens]
    memories = [
        compose(entered, one.given(given) if one else given, now) for given, one in zip(givens, advice, strict=True)
    ]
    judged = [one.judged if one else {} for one in advice]
    kept = keep(entered=entered, memories=memories, author=author, now=now, encoder=encoder, judged=judged)
    together = list(zip(givens, kept, advice, strict=True))
    model_later([(given, one) for given, one, said in together if said is None])
    for _, one, said in together:
        if said is not None:
            _note_advice(one.memory, said, author, now)
    return kept


def _note_advice(memory: Memory, said: Advice, author: Author, now: datetime) -> None:
    """Tells the log what the model said of a memory as it was kept."""
    made = Author("model", said.reading.made.extractor if said.reading else "", request=author.request)
    with within([memory.space_id]):
        record(memory, "refine", made, now, said.detail)


def advise(
    *, entered: Entered, utterance: str, conversation: UUID | None, now: datetime, encoder: Encoder
) -> dict[str, Advice]:
    """What a language model says, in time, of what an utterance asks to keep, by content; for `remember_said`. Nothing
    where none is set, or waited for. Expects no transaction: it takes seconds, and holds nobody off."""
    model, requests = configured_in_time(), _asked(utterance, entered)
    if model is None or not settings.KEEPSAKE_MEMORY or not requests or requests[0].all_of_it:
        return {}
    advised: dict[str, Advice] = {}
    for given in _givens(entered, utterance, conversation, requests, None, None)[:MOST_ADVISED]:
        try:
            found = advice_for(entered=entered, given=given, model=model, now=now, encoder=encoder)
        except KeepsakeError:  # who keeps it meets the same
            continue
        if found is not None:
            advised[given.content] = found
    return advised


def remember_all(
    *, entered: Entered, givens: Sequence[Given], author: Author, now: datetime, encoder: Encoder
) -> list[Kept | KeepsakeError]:
    """Keeps many memories of one person in one transaction. A bad one is answered with its error; the rest go in."""
    prepare([given.content for given in givens])
    composed = [_composed(entered, given, now) for given in givens]
    good = [item for item in composed if not isinstance(item, KeepsakeError)]
    kept = iter(keep(entered=entered, memories=good, author=author, now=now, encoder=encoder))
    answers = [item if isinstance(item, KeepsakeError) else next(kept) for item in composed]
    pairs = zip(givens, answers, strict=True)
    model_later([(given, answer) for given, answer in pairs if not isinstance(answer, KeepsakeError)])
    return answers


def remember_said(
    *,
    entered: Entered,
    utterance: str,
    conversation: UUID | None,
    turn: Turn | None = None,
    told_at: datetime | None = None,
    author: Author,
    now: datetime,
    encoder: Encoder,
    advised: Advised | None = None,
) -> list[Kept]:
    """Keeps what an utterance such as "remember that we chose the blue tile" asks to keep; "remember that" alone means
    what the person said just before in the conversation. One memory for each thing it asks for, in one transaction.
    "Remember everything" means all of the conversation: what is noticed in it is kept, as what was asked for.

    turn: as which it was said in the conversation, told_at: when, if that was before now. advised: see `advise`.
    Raises Invalid for an utterance that asks for nothing; that it was read so is told to the log.
    """
    requests = _asked(utterance, entered)
    if not requests:
        note_decision(ASKED, {"decision": "nothing kept", "reason": "no request"})
        raise Invalid("utterance", 'This asks for nothing to be remembered; say "remember that …" or "/remember …".')
    if conversation and requests[0].all_of_it and (all_of_it := told_in(entered, conversation, requests[0].about)):
        return _remember(entered, all_of_it, author, now, encoder, {})
    givens = _givens(entered, utterance, conversation, requests, turn, told_at)
    if not all(given.content for given in givens):
        note_decision(ASKED, {"decision": "nothing kept", "reason": "nothing said to keep"})
        raise Invalid("utterance", 'There is nothing to remember in this; say "remember that …" and what.')
    return _remember(entered, givens, author, now, encoder, advised or {})


def _givens(
    entered: Entered,
    utterance: str,
    conversation: UUID | None,
    requests: Sequence[RememberRequest],
    turn: Turn | None,
    told_at: datetime | None,
) -> list[Given]:
    """What requests ask to keep; with no content where nothing was said that they may mean."""
    said = turn
    if conversation and requests[0].refers_back:
        said = _said_before(entered, conversation, utterance, turn)
        requests = ([one for one in _asked(said.content, entered) if one.content] if said else []) or requests
    contents = [(one.content or (said.content if said else ""), one.task) for one in requests]
    source = Source(SourceType.EXPLICIT.value, conversation, entered.person.name, (said.id,) if said else ())
    return [
        Given(
            content=content,
            source=source,
            type="task" if task else None,
            told_at=told_at,
        )
        for content, task in contents
    ]


def answered(kept: Sequence[Kept], *, in_words: bool = True) -> str:
    """What to answer the person about all that came of one request. in_words: whether a memory in conflict is told."""
    conflicts = [_conflict(one.conflicts[0], in_words) for one in kept if one.conflicts]
    more = [sentence for one in kept for sentence in _beside(one)]
    return " ".join(dict.fromkeys([*(SAID[one.outcome] for one in kept), *more, *conflicts]))


def _beside(kept: Kept) -> list[str]:
    """What the person may not expect of what was kept."""
    task = kept.memory.type == MemoryType.TASK and kept.outcome != "duplicate"
    return [UNREMINDED] * task + [PRIVATE] * kept.memory.sensitive


def _conflict(other: Memory, in_words: bool) -> str:
    if other.sensitive or not in_words:
        return CONFLICT_UNSHOWN
    return CONFLICT.format(other.summary, f"{other.valid_from:%-d %B %Y}")


def _said_before(entered: Entered, conversation: UUID, utterance: str, turn: Turn | None) -> Turn | None:
    """The person's last turn in the conversation (before this one) that tells something: not this request, in whatever
    words it was sent as a turn, and not "thanks"."""
    with within(entered.venue.spaces):
        rows = Turn.objects.spoken().visible_from(entered.venue).filter(conversation_id=conversation, role=Role.USER)
        theirs = rows.filter(person=entered.person).exclude(content=utterance).order_by("-position")
        theirs = theirs.filter(position__lt=turn.position) if turn else theirs
        return next((turn for turn in theirs[:LOOKED_BACK_AT] if _tells(turn.content, entered)), None)


def _asked(utterance: str, entered: Entered) -> list[RememberRequest]:
    return remember_requests(asked_in_english(utterance, entered.person.language))


def _tells(said: str, entered: Entered) -> bool:
    requests = _asked(said, entered)
    return not is_command_or_small_talk(said, language=entered.person.language) and (
        not requests or not requests[0].refers_back
    )


def _composed(entered: Entered, given: Given, now: datetime) -> Memory | KeepsakeError:
    try:
        return compose(entered, given, now)
    except KeepsakeError as error:
        return error
