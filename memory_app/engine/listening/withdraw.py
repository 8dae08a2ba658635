"""Withdraw: what waits for the person's word, but was told otherwise since: a plan that was moved or called off.

It is let go as if its time were over, says why, and can be opened again; undoing the run that saw the change does so.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from ...language.extract import Found
from ...language.extract.plans import changed
from ...language.extract.replanned import plan_changed_by, tell_of_one_plan
from ...models import Conversation, ExtractionRun, Operation, Proposal, ProposalStatus, Turn
from ...rules.differences import differences
from ...rules.speaker import led
from ...rules.text import sentences
from ..author import Author
from ..keeping.compared import decided_by
from ..keeping.noticed import said_at, said_last
from ..logbook.event import event

WITHDRAW = "withdraw"
CHANGED_SINCE = "it was told otherwise since"
"""Why, in words that quote nobody."""


def withdraw(
    found: Iterable[Found],
    turns: Mapping[int, Turn],
    run: ExtractionRun,
    waiting: Sequence[Proposal],
    author: Author,
    now: datetime,
) -> int:
    """Lets go of what waits and is outdated by what a run found. Answers how many.

    turns: by position, those that the findings quote. waiting: of the same person and level, the latest first.
    """
    still = [proposal for proposal in waiting if proposal.status == ProposalStatus.PENDING]
    when = said_last(still) if still else {}
    outdated = {proposal.id: proposal for one in found for proposal in _outdated_by(one, turns, run, still, when)}
    for proposal in outdated.values():
        proposal.status, proposal.decided_at, proposal.decided_by = ProposalStatus.EXPIRED, now, author.label
        proposal.reject_reason = CHANGED_SINCE
        proposal.save(update_fields=["status", "decided_at", "decided_by", "reject_reason"])
        told = {"proposal": str(proposal.id), "run": str(run.id)}
        event(WITHDRAW, told, author=author, now=now, space=proposal.space_id, person=proposal.person_id)
    return len(outdated)


def waiting_beside(conversation: Conversation) -> list[Proposal]:
    """What waits of the conversation's person at its level, the latest first, held until the transaction ends."""
    rows = (
        Proposal.objects.select_for_update(of=("self",))
        .select_related("person")
        .filter(
            space_id=conversation.space_id,
            person_id=conversation.person_id,
            visibility=conversation.visibility,
            channel_id=conversation.channel_id,
            status=ProposalStatus.PENDING,
            folds=None,
        )
    )
    return list(rows.defer("embedding").order_by("-created_at", "-number"))


def withdrawn_by(run: ExtractionRun) -> list[Proposal]:
    """What a run withdrew, and nobody has decided on since."""
    events = Operation.objects.filter(name=WITHDRAW, person_id=run.person_id, detail__run=str(run.id))
    at = {row.detail["proposal"]: row.at for row in events}
    rows = Proposal.objects.select_related("person__space", "space", "conversation")
    there = rows.filter(person_id=run.person_id, id__in=[*at], status=ProposalStatus.EXPIRED)
    return [proposal for proposal in there if proposal.decided_at == at[str(proposal.id)]]


def _outdated_by(
    found: Found,
    turns: Mapping[int, Turn],
    run: ExtractionRun,
    waiting: Sequence[Proposal],
    when: Mapping[UUID, datetime],
) -> list[Proposal]:
    """when: each of what waits was said."""
    here = [proposal for proposal in waiting if proposal.conversation_id == run.conversation_id]
    told = [one for one in here if _rests_on_what_changed(found, one) or _tells_the_plan_otherwise(found, one)]
    said = max(said_at(turns[position]) for position in found.turns)
    # Conversations are not read in the order in which they were held, nor is one that is read again by pages.
    before = [one for one in waiting if (_last_quoted(one) < max(found.turns) if one in here else when[one.id] <= said)]
    ahead = [proposal for proposal in before if _lies_ahead(proposal, said)]
    texts = [led(proposal.content).said for proposal in ahead]
    meant = {at for sentence in sentences(led(found.content).said) for at in plan_changed_by(sentence, texts)}
    return told + [ahead[at] for at in sorted(meant)]


def _rests_on_what_changed(found: Found, proposal: Proposal) -> bool:
    """Whether a finding quotes all that a proposal rests on, and a later turn in which that changed."""
    quoted = [(quote.index, quote.text) for quote in found.quotes]
    rests_on = [(quote["position"], quote["text"]) for quote in proposal.quotes]
    if not rests_on or not all(any(at == p and text in t for p, t in quoted) for at, text in rests_on):
        return False
    last = max(at for at, _ in rests_on)
    if any(at > last and changed(text) for at, text in quoted):
        return True
    return max(found.turns) > last and _says_otherwise(found, proposal)


def _tells_the_plan_otherwise(found: Found, proposal: Proposal) -> bool:
    """Whether it tells of the same plan, in a later turn, that it is to be at another time."""
    if min(found.turns) <= _last_quoted(proposal):
        return False
    said, was = led(found.content).said, led(proposal.content).said
    return tell_of_one_plan(said, was) and _says_otherwise(found, proposal)


def _says_otherwise(found: Found, proposal: Proposal) -> bool:
    said, was = (decided_by(proposal.person, text, "") for text in (found.content, proposal.content))
    return bool(differences(was, said))


def _last_quoted(proposal: Proposal) -> int:
    return max((quote["position"] for quote in proposal.quotes), default=0)


def _lies_ahead(proposal: Proposal, said: datetime) -> bool:
    """Whether it is one plan, which was not over when it was said to change."""
    if len(sentences(led(proposal.content).said)) != 1:
        return False
    return proposal.event_time is None or max(proposal.event_time, proposal.event_end or proposal.event_time) >= said
