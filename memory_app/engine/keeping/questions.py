"""The questions which of two kept memories holds: put up, passed on to another memory, and closed."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from ...models import Memory, Proposal, ProposalStatus, Relation
from ..author import Author

SHOWN = ("visibility", "channel_id", "type", "category", "key", "summary", "content", "keywords", "confidence")
"""What a question about two memories shows of the newer one."""

SAYS_OTHERWISE = "says otherwise, as was found when another one changed"
"""The reason of a question that is put up where nothing new was told."""

PENDING = Q(status=ProposalStatus.PENDING)


def question(relation: Relation, old: Memory, new: Memory, reason: str, now: datetime) -> Proposal | None:
    """The person is shown both texts side by side; nothing sensitive is shown unasked. Not stored yet."""
    if old.sensitive or new.sensitive:
        return None
    return Proposal(
        space_id=new.space_id,
        person_id=new.person_id,
        reason=reason,
        extractor="decide-1",
        relation=relation,
        target_id=old.id,
        folds=new.id,
        created_at=now,
        **{name: getattr(new, name) for name in SHOWN},
    )


def questions_about(memory: UUID, which: Q = PENDING) -> list[Proposal]:
    """Which of two holds, this memory or another that is kept."""
    either = Q(target_id=memory) | Q(folds=memory)
    asked = Proposal.objects.select_for_update().filter(which, either, relation=Relation.CONFLICT, folds__isnull=False)
    return list(asked)


def other_of(asked: Proposal, memory: UUID) -> UUID | None:
    """The other one of the two."""
    return asked.folds if asked.target_id == memory else asked.target_id


def ask_of(asked: Proposal, other: Memory | None, memory: Memory) -> None:
    """Makes it a question about these two, which shows the newer one. Not stored yet."""
    if other is None:
        return
    older, newer = sorted((other, memory), key=lambda one: one.told)
    asked.target_id, asked.folds = older.id, newer.id
    for name in SHOWN:
        setattr(asked, name, getattr(newer, name))


def ask_again(asked: Proposal, other: Memory | None, memory: Memory) -> None:
    """Has it wait for an answer, as a question about these two."""
    ask_of(asked, other, memory)
    asked.status, asked.decided_at, asked.decided_by = ProposalStatus.PENDING, None, ""
    asked.save()


def put_up(older: Memory, newer: Memory, now: datetime) -> None:
    """Asks which of two holds where nothing new was told; nothing where either is sensitive."""
    if asked := question(Relation.CONFLICT, older, newer, SAYS_OTHERWISE, now):
        asked.save()


def close(asked: Iterable[Proposal], author: Author, now: datetime) -> None:
    """Nothing is left to decide."""
    for one in asked:
        one.status, one.decided_at, one.decided_by = ProposalStatus.EXPIRED, now, author.label
        one.save()
