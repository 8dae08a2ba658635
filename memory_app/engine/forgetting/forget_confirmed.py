"""Forget, confirmed: carry out what a person answers to the question what to forget."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered, Place, enter, user_of
from memory_app.engine.forgetting.clear import clear, digest, removable_own, there_at
from memory_app.engine.forgetting.clear_others import clear_others
from memory_app.engine.forgetting.forget_said import Forgetting, delete, listed, log_decision, named, said_gone
from memory_app.engine.locate import WITH_NAMES
from memory_app.errors import Invalid, NotFound, NotGranted
from memory_app.models import Memory, Note, Person, Token
from memory_app.models.scope import within
from memory_app.rules import linear_re as re
from memory_app.rules.grant import Grant
from memory_app.rules.replies import chosen

LEFT = "Okay, I'll keep that."
GONE = "That was forgotten already."
STAYS = "What came after I asked stays: {}."
NO_TOKEN = "This question is no longer open: it was answered, or is too long ago. Say again what to forget."

ANSWERED = "forget_answer"
REASONS = {LEFT: "to be kept", GONE: "gone already"}
"""Why nothing was forgotten, as the log tells it."""

_FORGET = re.compile(r"\b(?:please |just )*(?:forget|delete|remove|erase|drop)\b(?: about\b)?", re.IGNORECASE)
_KEEP = re.compile(r"\b(?:keep|save|remember|leave)\b", re.IGNORECASE)


def forget_confirmed(
    *,
    person: str,
    token: str,
    choice: str | None,
    conversation: UUID | None,
    grant: Grant,
    author: Author,
    now: datetime,
) -> Forgetting:
    """Forgets what was chosen. choice: "2", "1 and 3", "all", "no"; None agrees to the only candidate.

    Raises NotFound where the token is not open for this person in this conversation, or the key does not reach the
    place it was asked in; and Invalid for a choice that is not understood: the token then stays open.
    """
    with transaction.atomic():
        held = _taken(_speaker(person, grant), token, conversation, now)
        entered = _where_it_was_asked(person, held, grant)
        carry_out = _cleared if held.everything else _forgotten
        forgetting = carry_out(entered, held, choice, author, now)
        log_decision(ANSWERED, forgetting, REASONS.get(forgetting.message, "chosen"), entered, author, now)
    return replace(forgetting, everything=held.everything, paused=not entered.person.is_remembered)


def _forgotten(entered: Entered, held: Token, choice: str | None, author: Author, now: datetime) -> Forgetting:
    offered = _still_there(entered, held)
    picked = _picked(entered, offered, choice)
    if offered and not picked:
        return Forgetting("none", LEFT)
    gone = [delete(memory, author, now) for memory in picked]
    return Forgetting("done", said_gone(entered, gone), gone) if gone else Forgetting("none", GONE)


def _speaker(person: str, grant: Grant) -> Person:
    """Who answers, wherever they were asked: what the grant does not reach, it does not tell of."""
    speaker = Person.objects.filter(name=person).first()
    if speaker is None:
        raise NotFound(NO_TOKEN)
    return user_of(speaker, lambda user: grant.speaks_for(user.name))


def _taken(speaker: Person, token: str, conversation: UUID | None, now: datetime) -> Token:
    """The token, no longer there for anyone else."""
    with within([speaker.space_id]):
        one_writer(speaker.id)  # before the question, as whoever erases one of its memories does
        held = Token.objects.filter(space_id=speaker.space_id).presented(token, speaker.id, now)
        if held is None or (conversation and held.conversation not in (None, conversation)):
            raise NotFound(NO_TOKEN)
        Token.objects.filter(space_id=held.space_id, id=held.id).delete()
    return held


def _where_it_was_asked(person: str, held: Token, grant: Grant) -> Entered:
    """To a key that does not reach there, a token that is open is one that never was."""
    try:
        return enter(person=person, place=Place(**held.place), grant=grant, create=False, as_user=True)
    except NotGranted:
        raise NotFound(NO_TOKEN) from None


def _still_there(entered: Entered, held: Token) -> list[Memory | Note]:
    """The candidates in the order they were numbered. One that went meanwhile would shift the numbers of others, and
    one that was changed says something else than was read out: then it is asked again."""
    ids = [memory for _, memory in held.memories]
    with within(entered.venue.spaces):
        memories = list(removable_own(entered).filter(id__in=ids).select_related(*WITH_NAMES))
        notes = list(Note.objects.visible_from(entered.venue).kept().filter(id__in=ids).defer("embedding", "tsv"))
    rows: dict[str, Memory | Note] = {str(row.id): row for row in memories} | {str(row.id): row for row in notes}
    if rows and (len(rows) < len(ids) or any(row.updated_at > held.created_at for row in memories)):
        raise NotFound(NO_TOKEN)
    return [rows[memory] for memory in ids if memory in rows]


def _picked(entered: Entered, offered: Sequence[Memory | Note], choice: str | None) -> list[Memory | Note]:
    if choice is None and len(offered) <= 1:
        return list(offered)
    picked = chosen(_plain(choice), [named(entered, memory) for memory in offered])
    if offered and not picked.clear:
        told = f"Choose by number, 1 to {len(offered)}, or say all or none." if len(offered) > 1 else "Say yes or no."
        raise Invalid("choice", told)
    return [offered[at] for at in sorted(picked.accepted)]


def _plain(choice: str | None) -> str:
    """The choice without its verb: "forget the second" chooses the second. To keep some is not to choose the others."""
    if not choice or not choice.strip() or _KEEP.search(choice):
        raise Invalid("choice", "Say which to forget, by number.")
    return _FORGET.sub(" ", choice).strip() or "yes"


def _cleared(entered: Entered, held: Token, choice: str | None, author: Author, now: datetime) -> Forgetting:
    agreed = chosen("yes" if choice is None else _plain(choice), ["everything"])
    if not agreed.clear:
        raise Invalid("choice", "Say yes or no.")
    if not agreed.accepted:
        return Forgetting("none", LEFT)
    with within(entered.venue.spaces):
        asked = there_at(entered, held.created_at)
    # Moved, erased, or brought by an import meanwhile: what was there can no longer be told.
    if [digest(asked)] != held.memories:
        raise NotFound(NO_TOKEN)
    cleared = clear(entered=entered, memories=asked, author=author, now=now)
    others = clear_others(entered=entered, moment=held.created_at, author=author, now=now)
    left = f" {STAYS.format(_counted(cleared.left))}" if cleared.left else ""
    gone = [*([_counted(cleared.gone)] if cleared.gone else []), *others.named]
    return Forgetting("done", f"I've forgotten {listed(gone)}.{left}") if gone else Forgetting("none", f"{GONE}{left}")


def _counted(memories: int) -> str:
    return f"{memories} {'memory' if memories == 1 else 'memories'}"
