"""Remember: keep what a caller gives, or what a person asks for in their own words."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from ...embedding.encoder import Encoder
from ...errors import Invalid, KeepsakeError
from ...models import Memory, Relation, Role, SourceType, Turn
from ...models.scope import within
from ...rules.facts import separate
from ...rules.smalltalk import is_command_or_small_talk
from ...rules.tongues import asked_in_english
from ...rules.triggers.remember import RememberRequest, remember_request
from ..author import Author
from ..enter import Entered
from ..logbook.spoken_of import note_decision
from ..running.model_later import model_later
from .compose import Given, Source, compose
from .keep import Kept, keep
from .marked import unmarked
from .told_in import told_in

SAID = {
    "added": "Got it, I'll remember that.",
    "duplicate": "I already knew that.",
    "superseded": "Got it, I've replaced what I knew.",
    "merged": "Got it, I've added that to what I knew.",
    "proposed": "I've put that up for you to confirm.",
}
"""What an assistant may answer the person, by outcome."""


CONTRADICTS = "It says otherwise than “{}”: your inbox asks which of the two holds."
CONTRADICTS_UNSHOWN = "It says otherwise than something I knew."
"""Said with it where a memory that is kept says otherwise. What is sensitive is not told."""

ASKED_ABOUT = (Relation.MERGE, Relation.CONFLICT)
"""What one remembers by itself is put up for."""

ASKED = "remember_request"
"""What the log calls words that were read as a request to remember."""

LOOKED_BACK_AT = 10
"""Turns among which "remember that" looks for what it means."""


def remember(*, entered: Entered, given: Given, author: Author, now: datetime, encoder: Encoder) -> Kept:
    """Keeps one memory; where it is very like another one, the person is asked whether to merge them. Raises the errors
    of `compose`."""
    return _remember(entered, [given], author, now, encoder)[0]


def _remember(entered: Entered, givens: Sequence[Given], author: Author, now: datetime, encoder: Encoder) -> list[Kept]:
    memories = [_new(entered, given, now) for given in givens]
    kept = keep(entered=entered, memories=memories, author=author, now=now, encoder=encoder, put_up=ASKED_ABOUT)
    model_later(list(zip(givens, kept, strict=True)))
    return kept


def remember_all(
    *, entered: Entered, givens: Sequence[Given], author: Author, now: datetime, encoder: Encoder
) -> list[Kept | KeepsakeError]:
    """Keeps many memories of one person in one transaction. A bad one is answered with its error; the rest go in."""
    composed = [_composed(entered, given, now) for given in givens]
    good = [item for item in composed if not isinstance(item, KeepsakeError)]
    put_up = [Relation.CONFLICT]
    kept = iter(keep(entered=entered, memories=good, author=author, now=now, encoder=encoder, put_up=put_up))
    answers = [item if isinstance(item, KeepsakeError) else next(kept) for item in composed]
    pairs = zip(givens, answers, strict=True)
    model_later([(given, answer) for given, answer in pairs if not isinstance(answer, KeepsakeError)])
    return answers


def remember_said(
    *,
    entered: Entered,
    utterance: str,
    conversation: UUID | None,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> list[Kept]:
    """Keeps what an utterance such as "remember that we chose the blue tile" asks to keep; "remember that" alone means
    what the person said just before in the conversation. One memory, or as many as it tells facts that each stand alone
    ("that I live in Rome and my sister is called Nora"), in one transaction. "Remember everything" means all of the
    conversation: what is noticed in it is kept, as what was asked for.

    Raises Invalid for an utterance that asks for nothing; that it was read so is told to the log.
    """
    request = _asked(utterance, entered)
    if request is None:
        note_decision(ASKED, {"decision": "nothing kept", "reason": "no request"})
        raise Invalid("utterance", 'This asks for nothing to be remembered; say "remember that …" or "/remember …".')
    if conversation and request.all_of_it and (all_of_it := told_in(entered, conversation, request.about)):
        return _remember(entered, all_of_it, author, now, encoder)
    turn = _said_before(entered, conversation, utterance) if conversation and request.refers_back else None
    meant = (_asked(turn.content, entered) if turn else None) or request
    content = meant.content or (turn.content if turn else "")
    if not content:
        note_decision(ASKED, {"decision": "nothing kept", "reason": "nothing said to keep"})
        raise Invalid("utterance", 'There is nothing to remember in this; say "remember that …" and what.')
    turns = (turn.id,) if turn else ()
    source = Source(SourceType.EXPLICIT.value, conversation, entered.person.name, turns)
    parts = [content] if request.task else separate(content)
    givens = [Given(content=part, source=source, type="task" if request.task else None) for part in parts]
    return _remember(entered, givens, author, now, encoder)


def answered(kept: Sequence[Kept]) -> str:
    """What to answer the person about all that came of one request."""
    against = [one.contradicts for one in kept if one.contradicts]
    return " ".join(dict.fromkeys([*(SAID[one.outcome] for one in kept), *map(_against, against)]))


def _against(other: Memory) -> str:
    return CONTRADICTS_UNSHOWN if other.sensitive else CONTRADICTS.format(other.summary)


def _said_before(entered: Entered, conversation: UUID, utterance: str) -> Turn | None:
    """The person's last turn in the conversation that tells something: not this request, in whatever words it was sent
    as a turn, and not "thanks"."""
    with within(entered.venue.spaces):
        rows = Turn.objects.spoken().visible_from(entered.venue).filter(conversation_id=conversation, role=Role.USER)
        theirs = rows.filter(person=entered.person).exclude(content=utterance).order_by("-position")
        return next((turn for turn in theirs[:LOOKED_BACK_AT] if _tells(turn.content, entered)), None)


def _asked(utterance: str, entered: Entered) -> RememberRequest | None:
    return remember_request(asked_in_english(utterance, entered.person.language))


def _tells(said: str, entered: Entered) -> bool:
    request = _asked(said, entered)
    return not is_command_or_small_talk(said, language=entered.person.language) and (
        request is None or not request.refers_back
    )


def _new(entered: Entered, given: Given, now: datetime) -> Memory:
    """Which memory says otherwise is found out, and cannot be told."""
    memory = compose(entered, given, now)
    memory.attributes = unmarked(memory.attributes)
    return memory


def _composed(entered: Entered, given: Given, now: datetime) -> Memory | KeepsakeError:
    try:
        return _new(entered, given, now)
    except KeepsakeError as error:
        return error
