"""Alice, Bob and a super user, and what is remembered of them: plain functions that the tests of the pages share.

Conversations and what was noticed in them: plain functions that the tests of the inbox share.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.test import Client
from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.proposals.propose import propose
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames, resolve_venue
from memory_app.models import Conversation, Memory, Proposal, Trigger, Turn, User
from memory_app.models.row_security import allowed_spaces, every_space

PASSWORD = "correct horse battery staple"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
KITCHEN = Author("key", "kitchen")


def create_login(name: str, *, person: str | None = None, everyone: bool = False) -> User:
    """A login, tied to a person where one is named."""
    user = User(username=name, is_superuser=everyone)
    user.set_password(PASSWORD)
    if person:
        user.person = resolve_venue(person=person).person
    user.save()
    return user


def create_memory(
    person: str, content: str, *, place: VenueNames = PRIVATE_VENUE, now: datetime | None = None, **memory_input: Any
) -> Memory:
    """A memory that an assistant kept."""
    moment = now or datetime.now(UTC)
    venue_context = resolve_venue(person=person, place=place)
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=KITCHEN,
        now=moment,
        encoder=current_encoder(),
    ).memory


def person_id(name: str) -> UUID:
    """The id of a person, who comes into being here if nothing was said of them yet."""
    return resolve_venue(person=name).person.id


def reload_memory(memory: UUID | str) -> Memory:
    """The memory as the database has it now."""
    with every_space():
        return Memory.objects.select_related("person", "space", "channel").get(id=memory)


def memory_contents(person: str) -> set[str]:
    """Texts of a person's memories in tier 1."""
    with every_space():
        return set(Memory.objects.undeleted().filter(person__name=person).values_list("content", flat=True))


def get_page(client: Client, path: str, **parameters: str) -> str:
    """The HTML of a page that is there, by `one_line`."""
    answer = client.get(path, parameters)
    assert answer.status_code == 200, answer.content
    return one_line(answer.content.decode())


def one_line(html: str) -> str:
    """White space made single spaces, as a browser shows it: a sentence may stand on two lines of a template."""
    return re.sub(r"\s+", " ", html)


def find_undo_path(html: str) -> str:
    """The address that the first offer to undo on a page posts to."""
    found = re.search(r'action="(/undo/[0-9a-f-]{36}/)"', html)
    assert found, html
    return found.group(1)


CONVERSATION = (
    ("user", "Hi! I just got back from the weekend."),
    ("assistant", "Welcome back! How was it?"),
    ("user", "We decided to renovate the kitchen, and the budget is 50,000 dollars."),
    ("assistant", "That is a big project. Anything else?"),
    ("user", "My sister Anna moved to Lisbon last month and works as a nurse there."),
    ("assistant", "How nice for her."),
    ("user", "I started playing the cello in March, I practise every evening."),
    ("assistant", "Wonderful!"),
)


def create_conversation(
    person: str,
    turns: Sequence[tuple[str, str]] = CONVERSATION,
    *,
    place: VenueNames = PRIVATE_VENUE,
    external_id: str = "",
    now: datetime | None = None,
) -> Conversation:
    """A conversation in which these turns were said, which nothing has read yet."""
    moment, venue_context = now or timezone.now(), resolve_venue(person=person, place=place)
    conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id=external_id, now=moment)
    heard = add_turns(conversation=conversation.id, turns=[TurnInput(role, text) for role, text in turns], now=moment)
    return heard.conversation


def extract_proposals(conversation: Conversation, now: datetime | None = None) -> Sequence[Proposal]:
    """What the extractor notices in a conversation."""
    return propose(
        space=conversation.space_id,
        conversation=conversation.id,
        trigger=Trigger.END,
        author=KITCHEN,
        now=now or timezone.now(),
        encoder=current_encoder(),
    ).proposals


def create_proposal(
    person: str, content: str, *, of: Conversation | None = None, quoting: Sequence[str] = (), **fields: Any
) -> Proposal:
    """One proposal as it is described. `of`: the conversation it quotes; by default it quotes its own content there."""
    venue_context = resolve_venue(person=person)
    about: dict[str, Any] = {"type": "fact", "category": "fact", "confidence": 0.8, "reason": "Says a fact", **fields}
    if of:
        about |= {"space": of.space, "visibility": of.visibility, "conversation_id": of.id}
        about["quotes"] = _quotes(of, quoting or [content])
    else:
        about |= {"space": venue_context.person.space, "visibility": "private"}
    with every_space():
        about.setdefault("summary", content)
        return Proposal.objects.create(person=venue_context.person, content=content, **about)


def reload_proposal(proposal: Proposal | UUID) -> Proposal:
    """The proposal as the database has it now."""
    with every_space():
        return Proposal.objects.get(id=proposal if isinstance(proposal, UUID) else proposal.id)


def _quotes(conversation: Conversation, texts: Sequence[str]) -> list[dict[str, object]]:
    with allowed_spaces([conversation.space_id]):
        turns = list(Turn.objects.filter(space_id=conversation.space_id, conversation_id=conversation.id))
    found = [(turn, text) for text in texts for turn in turns if text in turn.content]
    assert len(found) >= len(texts), texts
    return [{"turn": str(turn.id), "position": turn.position, "text": text} for turn, text in found]
