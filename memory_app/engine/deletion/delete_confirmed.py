"""Forget, confirmed: carry out what a person answers to the question what to forget."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.clear import (
    clear_all,
    deletable_memories,
    ids_digest,
    memories_at,
)
from memory_app.engine.deletion.delete_by_words import (
    DeletionReply,
    delete_row,
    deleted_message,
    describe,
    join_phrases,
    log_decision,
)
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import VenueContext, VenueNames, merged_person, resolve_venue
from memory_app.errors import Invalid, NotAllowed, NotFound
from memory_app.models import Memory, Note, Person, Token
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.replies import read_choice
from memory_app.rules.grant import Grant

NOT_DELETED_MESSAGE = "Okay, I'll keep that."
ALREADY_DELETED_MESSAGE = "That was forgotten already."
REMAINING_MESSAGE = "What came after I asked stays: {}."
NO_TOKEN = "This question is no longer open: it was answered, or is too long ago. Say again what to forget."

ANSWER_OPERATION = "forget_answer"
REASONS = {NOT_DELETED_MESSAGE: "to be kept", ALREADY_DELETED_MESSAGE: "gone already"}
"""Why nothing was forgotten, as the log tells it."""

_DELETE_VERB = re.compile(r"\b(?:please |just )*(?:forget|delete|remove|erase|drop)\b(?: about\b)?", re.IGNORECASE)
_KEEP_VERB = re.compile(r"\b(?:keep|save|remember|leave)\b", re.IGNORECASE)


def confirm_deletion(
    *,
    person: str,
    token: str,
    choice: str | None,
    conversation: UUID | None,
    grant: Grant,
    author: Author,
    now: datetime,
) -> DeletionReply:
    """Forgets what was chosen. choice: "2", "1 and 3", "all", "no"; None agrees to the only candidate.

    Raises NotFound where the token is not open for this person in this conversation, or the key does not reach the
    place it was asked in; and Invalid for a choice that is not understood: the token then stays open.
    """
    with transaction.atomic():
        question = _take_token(_find_speaker(person, grant), token, conversation, now)
        venue_context = _venue_of_question(person, question, grant)
        delete_chosen = _clear_everything if question.everything else _delete_chosen
        reply = delete_chosen(venue_context, question, choice, author, now)
        log_decision(ANSWER_OPERATION, reply, REASONS.get(reply.message, "chosen"), venue_context, author, now)
    return replace(reply, everything=question.everything, paused=not venue_context.person.is_memory_on)


def _delete_chosen(
    venue_context: VenueContext, question: Token, choice: str | None, author: Author, now: datetime
) -> DeletionReply:
    offered = _offered_rows(venue_context, question)
    choices = _chosen_rows(venue_context, offered, choice)
    if offered and not choices:
        return DeletionReply("none", NOT_DELETED_MESSAGE)
    deleted = [delete_row(memory, author, now) for memory in choices]
    return (
        DeletionReply("done", deleted_message(venue_context, deleted), deleted)
        if deleted
        else DeletionReply("none", ALREADY_DELETED_MESSAGE)
    )


def _find_speaker(person: str, grant: Grant) -> Person:
    """Who answers, wherever they were asked: what the grant does not reach, it does not tell of."""
    speaker = Person.objects.filter(name=person).first()
    if speaker is None:
        raise NotFound(NO_TOKEN)
    return merged_person(speaker, lambda user: grant.speaks_for(user.name))


def _take_token(speaker: Person, token: str, conversation: UUID | None, now: datetime) -> Token:
    """The token, no longer there for anyone else."""
    with allowed_spaces([speaker.space_id]):
        lock_writers(speaker.id)  # before the question, as whoever erases one of its memories does
        question = Token.objects.filter(space_id=speaker.space_id).by_token(token, speaker.id, now)
        if question is None or (conversation and question.conversation not in (None, conversation)):
            raise NotFound(NO_TOKEN)
        Token.objects.filter(space_id=question.space_id, id=question.id).delete()
    return question


def _venue_of_question(person: str, question: Token, grant: Grant) -> VenueContext:
    """To a key that does not reach there, a token that is open is one that never was."""
    try:
        return resolve_venue(
            person=person, place=VenueNames(**question.place), grant=grant, create=False, follow_merges=True
        )
    except NotAllowed:
        raise NotFound(NO_TOKEN) from None


def _offered_rows(venue_context: VenueContext, question: Token) -> list[Memory | Note]:
    """The candidates in the order they were numbered. One that went meanwhile would shift the numbers of others, and
    one that was changed says something else than was read out: then it is asked again."""
    ids = [memory for _, memory in question.memories]
    with allowed_spaces(venue_context.venue.spaces):
        memories = list(deletable_memories(venue_context).filter(id__in=ids).select_related(*WITH_NAMES))
        notes = list(
            Note.objects.visible_from(venue_context.venue).undeleted().filter(id__in=ids).defer("embedding", "tsv")
        )
    rows: dict[str, Memory | Note] = {str(row.id): row for row in memories} | {str(row.id): row for row in notes}
    if rows and (len(rows) < len(ids) or any(row.updated_at > question.created_at for row in memories)):
        raise NotFound(NO_TOKEN)
    return [rows[memory] for memory in ids if memory in rows]


def _chosen_rows(
    venue_context: VenueContext, offered: Sequence[Memory | Note], choice: str | None
) -> list[Memory | Note]:
    if choice is None and len(offered) <= 1:
        return list(offered)
    choices = read_choice(_without_verb(choice), [describe(venue_context, memory) for memory in offered])
    if offered and not choices.clear:
        hint = f"Choose by number, 1 to {len(offered)}, or say all or none." if len(offered) > 1 else "Say yes or no."
        raise Invalid("choice", hint)
    return [offered[at] for at in sorted(choices.accepted)]


def _without_verb(choice: str | None) -> str:
    """The choice without its verb: "forget the second" chooses the second. To keep some is not to choose the others."""
    if not choice or not choice.strip() or _KEEP_VERB.search(choice):
        raise Invalid("choice", "Say which to forget, by number.")
    return _DELETE_VERB.sub(" ", choice).strip() or "yes"


def _clear_everything(
    venue_context: VenueContext, question: Token, choice: str | None, author: Author, now: datetime
) -> DeletionReply:
    agreed = read_choice("yes" if choice is None else _without_verb(choice), ["everything"])
    if not agreed.clear:
        raise Invalid("choice", "Say yes or no.")
    if not agreed.accepted:
        return DeletionReply("none", NOT_DELETED_MESSAGE)
    with allowed_spaces(venue_context.venue.spaces):
        memories = memories_at(venue_context, question.created_at)
    # Moved, erased, or brought by an import meanwhile: what was there can no longer be told.
    if [ids_digest(memories)] != question.memories:
        raise NotFound(NO_TOKEN)
    all_cleared = clear_all(
        venue_context=venue_context, memories=memories, moment=question.created_at, author=author, now=now
    )
    cleared, others = all_cleared.memories, all_cleared.others
    remaining = f" {REMAINING_MESSAGE.format(_counted_memories(cleared.remaining))}" if cleared.remaining else ""
    deleted = [*([_counted_memories(cleared.deleted)] if cleared.deleted else []), *others.descriptions]
    return (
        DeletionReply("done", f"I've forgotten {join_phrases(deleted)}.{remaining}")
        if deleted
        else DeletionReply("none", f"{ALREADY_DELETED_MESSAGE}{remaining}")
    )


def _counted_memories(memories: int) -> str:
    return f"{memories} {'memory' if memories == 1 else 'memories'}"
