"""The history of proposals: what was put to a person before, or kept and deleted since, is not put to them again.

If something else was said in between, what is said again now is put to them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.models import Conversation, Memory, Person, Proposal, ProposalStatus, SourceType, Status, Turn
from memory_app.models.proposal import evidence_of
from memory_app.nlp.comparison import differs_in_a_particular
from memory_app.nlp.extract import Finding
from memory_app.nlp.text import normalised
from memory_app.rules.decide import is_same_quote, repeats_refused, same_key, same_statements, say_the_same

HISTORY_SIZE = 200
"""How many earlier proposals a new one is compared with."""


@dataclass(frozen=True, slots=True)
class ProposalHistory:
    """What was proposed before, the latest first. refused: texts and vectors. quoted: what the refused ones quote, each
    a turn and words of it. others: all that was not refused. deleted: texts of deleted memories of this conversation.
    superseded: memories that were replaced since. remembered: what the person asked to remember in this conversation,
    each a turn and its words."""

    refused: Sequence[tuple[str, Vectors]]
    quoted: Sequence[tuple[str, str]]
    others: Sequence[Proposal]
    deleted: Sequence[str]
    superseded: frozenset[UUID]
    remembered: Sequence[tuple[str, str]] = ()

    def repeats(self, found: Finding, vector: Vectors, turns: Mapping[int, Turn], *, by_model: bool = False) -> bool:
        """Whether a finding was put to the person before, or they asked to remember it. turns: those that it quotes, by
        position. by_model: a language model worded it, so one that quotes what a refused one quotes is the same."""
        evidence = evidence_of(found, turns)
        quotes = [(str(turn.id), text) for turn, text in evidence]
        stored_at = max(turn.created_at for turn, _ in evidence)
        was_proposed = self.contains(found.content, vector, stored_at, quotes if by_model else ())
        return was_proposed or self.was_remembered(quotes)

    def was_remembered(self, quotes: Iterable[tuple[str, str]]) -> bool:
        """Whether the person asked to remember these very words of a turn: all that is quoted, or most."""
        normalised_quotes = [(turn, normalised(text)) for turn, text in quotes]
        return any(
            turn == at and (quote in content or (content in quote and len(content) > len(quote) / 2))
            for turn, quote in normalised_quotes
            for at, content in self.remembered
        )

    def contains(self, text: str, vector: Vectors, stored_at: datetime, quotes: Iterable[tuple[str, str]] = ()) -> bool:
        """Whether a text was put to the person before. A refused one counts in whatever words, any other in the same
        words. quotes: what it quotes; a text that quotes what a refused one quotes is that one reworded.

        What was kept and is said otherwise now is no repetition: the person has to decide about it. Nor is what was
        said otherwise in between, and is said again now.
        """
        if any(is_same_quote(quote, other) for quote in quotes for other in self.quoted):
            return True
        if repeats_refused(text, vector, self.refused) or (self.deleted and any(same_statements(text, self.deleted))):
            return True
        return any(not self._is_past(other, stored_at) for other in self._same(text))

    def waiting(self, text: str) -> list[UUID]:
        """The proposals of the same that wait still."""
        return [other.id for other in self._same(text) if other.status == ProposalStatus.PENDING]

    def _same(self, text: str) -> list[Proposal]:
        are_same = same_statements(text, [other.content for other in self.others])
        return [other for other, is_same in zip(self.others, are_same, strict=True) if is_same]

    def _is_past(self, proposal: Proposal, stored_at: datetime) -> bool:
        """Whether it was told otherwise between then and now."""
        if stored_at <= proposal.created_at:
            return False
        if proposal.status != ProposalStatus.PENDING:
            return proposal.memory_id in self.superseded
        return any(_differs(proposal, other) for other in self.others if other.created_at > proposal.created_at)


def load_history(conversation: Conversation, model: str) -> ProposalHistory:
    """Of the conversation's person, visibility and place, the latest. `model`: whose vectors these are."""
    person = conversation.person
    rows = Proposal.objects.filter(
        space_id=conversation.space_id,
        person_id=conversation.person_id,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        embedding_model=model,
    )
    fields = (
        "space_id",
        "id",
        "person_id",
        "content",
        "key",
        "status",
        "memory_id",
        "created_at",
        "embedding",
        "quotes",
    )
    latest = list(rows.order_by("-created_at").only(*fields)[:HISTORY_SIZE])
    refused = [row for row in latest if row.status == ProposalStatus.REJECTED]
    others = [row for row in latest if row.status != ProposalStatus.REJECTED]
    return ProposalHistory(
        refused=[(row.content, row.embedding) for row in refused],
        quoted=[(quote["turn"], quote["text"]) for row in refused for quote in row.quotes],
        others=others,
        deleted=_deleted_contents(conversation),
        superseded=_superseded_memories(person, others),
        remembered=_remembered_quotes(conversation),
    )


def expire_repeated(proposals: Sequence[UUID], conversation: Conversation, author: Author, now: datetime) -> None:
    """Expires pending proposals that are proposed again."""
    if not proposals:
        return
    waiting = Proposal.objects.filter(space_id=conversation.space_id, status=ProposalStatus.PENDING)
    waiting.filter(id__in=proposals).update(status=ProposalStatus.EXPIRED, decided_at=now, decided_by=author.label)


def _differs(one: Proposal, later: Proposal) -> bool:
    if later.status not in (ProposalStatus.PENDING, ProposalStatus.ACCEPTED):
        return False
    if say_the_same(one.content, later.content):
        return False
    return differs_in_a_particular(one.content, later.content) or same_key(one.key, later.key)


def _superseded_memories(person: Person, proposals: Iterable[Proposal]) -> frozenset[UUID]:
    """What they became and holds no more, for another memory replaced it. What was forgotten stays so."""
    memory_ids = {proposal.memory_id for proposal in proposals if proposal.memory_id}
    superseded = (
        Memory.objects.undeleted().filter(person_id=person.id, id__in=memory_ids).filter(status=Status.SUPERSEDED)
    )
    return frozenset(superseded.values_list("id", flat=True))


def _remembered_quotes(conversation: Conversation) -> list[tuple[str, str]]:
    """Wherever it is kept: what is sensitive is in private."""
    spaces = {conversation.space_id, conversation.person.space_id}
    remembered_rows = Memory.objects.filter(space_id__in=spaces, source_conversation=conversation.id)
    rows = remembered_rows.filter(source_type=SourceType.EXPLICIT).order_by("-created_at")
    latest = rows.values_list("source_turns", "content")[:HISTORY_SIZE]
    return [(str(turn), normalised(content)) for turns, content in latest for turn in turns]


def _deleted_contents(conversation: Conversation) -> list[str]:
    """What was kept of this very conversation, and let go: a run that was undone is not done again by the next."""
    rows = Memory.objects.deleted().filter(
        space_id=conversation.space_id, person_id=conversation.person_id, source_conversation=conversation.id
    )
    return list(rows.order_by("-created_at").values_list("content", flat=True)[:HISTORY_SIZE])
