"""Conversations and what was noticed in them: plain functions that the tests of the inbox share."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memory_app.embedding.encoder import current
from memory_app.engine.enter import PRIVATE, Place, enter
from memory_app.engine.listening.listen import Said, converse, listen
from memory_app.engine.listening.propose import propose
from memory_app.models import Conversation, Proposal, Trigger, Turn
from memory_app.models.scope import every_space, within
from tests.dashboard.people import KITCHEN

TALK = (
    ("user", "Hi! I just got back from the weekend."),
    ("assistant", "Welcome back! How was it?"),
    ("user", "We decided to renovate the kitchen, and the budget is 50,000 dollars."),
    ("assistant", "That is a big project. Anything else?"),
    ("user", "My sister Anna moved to Lisbon last month and works as a nurse there."),
    ("assistant", "How nice for her."),
    ("user", "I started playing the cello in March, I practise every evening."),
    ("assistant", "Wonderful!"),
)


def said(
    person: str,
    turns: Sequence[tuple[str, str]] = TALK,
    *,
    place: Place = PRIVATE,
    external_id: str = "",
    now: datetime | None = None,
) -> Conversation:
    """A conversation in which these turns were said, which nothing has read yet."""
    moment, entered = now or timezone.now(), enter(person=person, place=place)
    conversation, _ = converse(entered=entered, external_id=external_id, now=moment)
    heard = listen(conversation=conversation.id, said=[Said(role, text) for role, text in turns], now=moment)
    return heard.conversation


def read(conversation: Conversation, now: datetime | None = None) -> Sequence[Proposal]:
    """What the extractor notices in a conversation."""
    return propose(
        space=conversation.space_id,
        conversation=conversation.id,
        trigger=Trigger.END,
        author=KITCHEN,
        now=now or timezone.now(),
        encoder=current(),
    ).proposals


def noticed(
    person: str, content: str, *, of: Conversation | None = None, quoting: Sequence[str] = (), **fields: Any
) -> Proposal:
    """One proposal as it is described. `of`: the conversation it quotes; by default it quotes its own content there."""
    entered = enter(person=person)
    about: dict[str, Any] = {"type": "fact", "category": "fact", "confidence": 0.8, "reason": "Says a fact", **fields}
    if of:
        about |= {"space": of.space, "visibility": of.visibility, "conversation_id": of.id}
        about["quotes"] = _quotes(of, quoting or [content])
    else:
        about |= {"space": entered.person.space, "visibility": "private"}
    with every_space():
        about.setdefault("summary", content)
        return Proposal.objects.create(person=entered.person, content=content, **about)


def decided(proposal: Proposal | UUID) -> Proposal:
    """The proposal as the database has it now."""
    with every_space():
        return Proposal.objects.get(id=proposal if isinstance(proposal, UUID) else proposal.id)


def _quotes(conversation: Conversation, texts: Sequence[str]) -> list[dict[str, object]]:
    with within([conversation.space_id]):
        turns = list(Turn.objects.filter(space_id=conversation.space_id, conversation_id=conversation.id))
    found = [(turn, text) for text in texts for turn in turns if text in turn.content]
    assert len(found) >= len(texts), texts
    return [{"turn": str(turn.id), "position": turn.position, "text": text} for turn, text in found]
