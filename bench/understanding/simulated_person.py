"""A person of one case's own, and what an assistant does for them: the acts of the API, at the times of the case.

Each act is the engine's verb behind an address of the API, for a request has no time but the present.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conflicts.answer import conflicts_of
from memory_app.engine.conversations.add_turns import TurnInput, find_conversation, find_or_open_conversation
from memory_app.engine.conversations.remember_in_turns import add_turns_and_remember
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember, remember_on_request
from memory_app.engine.proposals.assistant_items import AssistantItem
from memory_app.engine.proposals.assistant_proposals import propose_items
from memory_app.engine.proposals.end_and_reply import ReplyResult, end_and_ask, reply
from memory_app.engine.proposals.propose import propose
from memory_app.engine.retrieval.brief import BriefRequest, brief
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import Invalid
from memory_app.models import Conversation, Memory, Proposal, Status, Trigger, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.grant import EVERYTHING

AUTHOR = Author("command", "bench")


@dataclass(frozen=True)
class StoredConversation:
    """A conversation as it was stored, and what was kept of it at once, for it was asked for."""

    conversation: Conversation
    turns: Sequence[Turn]
    remembered: Sequence[Memory]


class SimulatedPerson:
    def __init__(self, name: str, encoder: Encoder) -> None:
        self._name, self._encoder = name, encoder
        self._venue_context = resolve_venue(person=name)

    def another(self) -> "SimulatedPerson":
        """Of whom nothing is known either."""
        return SimulatedPerson(f"{self._name}, once more", self._encoder)

    def save_memory(self, content: str, at: datetime) -> Memory:
        """POST /memories."""
        memory_input = MemoryInput(content=content, said_at=at)
        return remember(
            venue_context=self._venue_context, memory_input=memory_input, author=AUTHOR, now=at, encoder=self._encoder
        ).memory

    def request(self, utterance: str, at: datetime) -> list[Memory]:
        """POST /remember: what is kept; nothing where it is answered that this asks for nothing."""
        try:
            saved = remember_on_request(
                venue_context=self._venue_context,
                utterance=utterance,
                conversation=None,
                author=AUTHOR,
                now=at,
                encoder=self._encoder,
            )
        except Invalid:
            return []
        return [one.memory for one in saved]

    def talk(self, turns: Sequence[tuple[str, str]], at: datetime) -> StoredConversation:
        """POST /conversations, then its turns one by one; it is read whenever it is time to."""
        conversation, _ = find_or_open_conversation(venue_context=self._venue_context, external_id="", now=at)
        stored: list[Turn] = []
        remembered: list[Memory] = []
        for role, content in turns:
            added, on_request = add_turns_and_remember(
                conversation=conversation.id,
                turns=[TurnInput(role, content)],
                now=at,
                author=AUTHOR,
                encoder=self._encoder,
            )
            stored += [turn for turn in added.turns if turn]
            remembered += [saved.memory for one in on_request for saved in one.saved]
            if added.due:
                self._read(added.conversation, added.due, at)
        return StoredConversation(conversation, stored, remembered)

    def end(self, conversation: Conversation, at: datetime) -> list[Proposal]:
        """POST /conversations/{id}/end: what is put to the person."""
        ended = end_and_ask(conversation=conversation.id, author=AUTHOR, now=at, encoder=self._encoder)
        return [*ended.proposals]

    def propose(self, conversation: Conversation, contents: Sequence[str], at: datetime) -> list[Any]:
        """POST /proposals: for each content the proposal, or why it is refused."""
        return propose_items(
            venue_context=self._venue_context,
            conversation=conversation,
            items=[AssistantItem(content) for content in contents],
            author=AUTHOR,
            now=at,
            encoder=self._encoder,
        )

    def reply(self, conversation: Conversation, text: str, at: datetime) -> ReplyResult:
        """POST /conversations/{id}/reply."""
        found = find_conversation(conversation=conversation.id, grant=EVERYTHING)
        return reply(conversation=found, text=text, author=AUTHOR, now=at, encoder=self._encoder)

    def brief(self, query: str, at: datetime) -> str:
        """POST /context: the text to inject."""
        brief_request = BriefRequest(query)
        return brief(
            venue_context=self._venue_context, brief_request=brief_request, author=AUTHOR, now=at, encoder=self._encoder
        ).text

    def memories(self) -> list[Memory]:
        """GET /memories: what holds, oldest first."""
        with allowed_spaces(self._venue_context.venue.spaces):
            rows = Memory.objects.filter(space_id=self._venue_context.venue.home, deleted_at=None, status=Status.ACTIVE)
            return list(rows.order_by("id"))

    def has_conflict(self) -> bool:
        """GET /conflicts: whether one waits for an answer."""
        with allowed_spaces(self._venue_context.venue.spaces):
            return conflicts_of(self._venue_context).open().exists()

    def _read(self, conversation: Conversation, trigger: Trigger, at: datetime) -> None:
        propose(
            space=conversation.space_id,
            conversation=conversation.id,
            trigger=trigger,
            author=AUTHOR,
            now=at,
            encoder=self._encoder,
        )
