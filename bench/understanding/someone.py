"""A person of one case's own, and what an assistant does for them: the acts of the API, at the times of the case.

Each act is the engine's verb behind an address of the API, for a request has no time but the present.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.conflicts.listing import conflicts_of
from memory_app.engine.enter import enter
from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.remember import remember, remember_said
from memory_app.engine.listening.ask import Replied, put_up, reply
from memory_app.engine.listening.assistant_items import AssistantItem
from memory_app.engine.listening.assistant_proposals import propose_items
from memory_app.engine.listening.finish import finish
from memory_app.engine.listening.listen import Said, conversation_at, converse
from memory_app.engine.listening.propose import propose
from memory_app.engine.listening.remember_turns import listen_and_remember
from memory_app.engine.recalling.brief import Occasion, brief
from memory_app.errors import Invalid
from memory_app.models import Conversation, Memory, Proposal, Status, Trigger, Turn
from memory_app.models.scope import within
from memory_app.rules.grant import EVERYTHING

AUTHOR = Author("command", "bench")


@dataclass(frozen=True)
class Talk:
    """A conversation as it was stored, and what was kept of it at once, for it was asked for."""

    conversation: Conversation
    turns: Sequence[Turn]
    remembered: Sequence[Memory]


class Someone:
    def __init__(self, name: str, encoder: Encoder) -> None:
        self._name, self._encoder = name, encoder
        self._entered = enter(person=name)

    def another(self) -> "Someone":
        """Of whom nothing is known either."""
        return Someone(f"{self._name}, once more", self._encoder)

    def told(self, content: str, at: datetime) -> Memory:
        """POST /memories."""
        given = Given(content=content, told_at=at)
        return remember(entered=self._entered, given=given, author=AUTHOR, now=at, encoder=self._encoder).memory

    def request(self, utterance: str, at: datetime) -> list[Memory]:
        """POST /remember: what is kept; nothing where it is answered that this asks for nothing."""
        try:
            kept = remember_said(
                entered=self._entered,
                utterance=utterance,
                conversation=None,
                author=AUTHOR,
                now=at,
                encoder=self._encoder,
            )
        except Invalid:
            return []
        return [one.memory for one in kept]

    def talk(self, turns: Sequence[tuple[str, str]], at: datetime) -> Talk:
        """POST /conversations, then its turns one by one; it is read whenever it is time to."""
        conversation, _ = converse(entered=self._entered, external_id="", now=at)
        stored: list[Turn] = []
        remembered: list[Memory] = []
        for role, content in turns:
            heard, asked_for = listen_and_remember(
                conversation=conversation.id,
                said=[Said(role, content)],
                now=at,
                author=AUTHOR,
                encoder=self._encoder,
            )
            stored += [turn for turn in heard.turns if turn]
            remembered += [kept.memory for one in asked_for for kept in one.kept]
            if heard.due:
                self._read(heard.conversation, heard.due, at)
        return Talk(conversation, stored, remembered)

    def end(self, conversation: Conversation, at: datetime) -> list[Proposal]:
        """POST /conversations/{id}/end: what is put to the person."""
        found = conversation_at(conversation=conversation.id, grant=EVERYTHING)
        ended = finish(conversation=found, now=at)
        self._read(ended, Trigger.END, at)
        return put_up(conversation=ended, now=at)

    def propose(self, conversation: Conversation, contents: Sequence[str], at: datetime) -> list[Any]:
        """POST /proposals: for each content the proposal, or why it is refused."""
        return propose_items(
            entered=self._entered,
            conversation=conversation,
            items=[AssistantItem(content) for content in contents],
            author=AUTHOR,
            now=at,
            encoder=self._encoder,
        )

    def reply(self, conversation: Conversation, text: str, at: datetime) -> Replied:
        """POST /conversations/{id}/reply."""
        found = conversation_at(conversation=conversation.id, grant=EVERYTHING)
        return reply(conversation=found, text=text, author=AUTHOR, now=at, encoder=self._encoder)

    def brief(self, query: str, at: datetime) -> str:
        """POST /context: the text to inject."""
        occasion = Occasion(query)
        return brief(entered=self._entered, occasion=occasion, author=AUTHOR, now=at, encoder=self._encoder).text

    def memories(self) -> list[Memory]:
        """GET /memories: what holds, oldest first."""
        with within(self._entered.venue.spaces):
            rows = Memory.objects.filter(space_id=self._entered.venue.home, deleted_at=None, status=Status.ACTIVE)
            return list(rows.order_by("id"))

    def has_conflict(self) -> bool:
        """GET /conflicts: whether one waits for an answer."""
        with within(self._entered.venue.spaces):
            return conflicts_of(self._entered).open().exists()

    def _read(self, conversation: Conversation, trigger: Trigger, at: datetime) -> None:
        propose(
            space=conversation.space_id,
            conversation=conversation.id,
            trigger=trigger,
            author=AUTHOR,
            now=at,
            encoder=self._encoder,
        )
