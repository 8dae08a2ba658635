"""Decisions on proposals: the latest ones, grouped by request, and deciding on or reopening many at once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from dashboard.proposal_wording import decision_verb, describe_decision
from dashboard.viewer import Viewer
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.proposals.accept_proposal import accept
from memory_app.engine.proposals.review import reject, reopen, snooze
from memory_app.errors import Invalid, KeepsakeError
from memory_app.models import Proposal, ProposalStatus
from memory_app.rules.grant import Grant

MAX_PROPOSALS_READ, MAX_DECISIONS_SHOWN = 200, 5
MAX_DECISIONS = 50


@dataclass(frozen=True, slots=True)
class Decision:
    """What one request decided. proposal: the one it was about, if one. reason: why it was rejected, if given."""

    words: str
    at: datetime
    proposals: list[UUID]
    proposal: Proposal | None
    reason: str
    status: str
    author: str


def latest_decisions(viewer: Viewer) -> list[Decision]:
    """The latest decisions that someone took, newest first."""
    return _list_decisions(viewer, MAX_DECISIONS_SHOWN)


def decisions_since(viewer: Viewer, since: datetime) -> list[Decision]:
    """The same, since a time."""
    return _list_decisions(viewer, MAX_DECISIONS, decided_at__gt=since)


def decision_json(decision: Decision) -> dict[str, Any]:
    """status: what was decided, as proposals call it; author: who."""
    return {
        "status": decision.status,
        "author": decision.author,
        "at": decision.at.isoformat(),
        "reason": decision.reason or None,
        "proposals": [str(proposal) for proposal in decision.proposals],
    }


def _list_decisions(viewer: Viewer, limit: int, **filters: datetime) -> list[Decision]:
    decided = viewer.proposals().exclude(decided_at=None).exclude(status=ProposalStatus.EXPIRED).filter(**filters)
    rows = list(decided.defer("embedding").order_by("-decided_at", "-id")[:MAX_PROPOSALS_READ])
    groups = [list(group) for _, group in groupby(rows, key=_group_key)]
    return [_decision(viewer, group) for group in groups[:limit]]


def _group_key(proposal: Proposal) -> tuple[datetime | None, str, str]:
    return (proposal.decided_at, proposal.decided_by, decision_verb(proposal))


def _decision(viewer: Viewer, group: list[Proposal]) -> Decision:
    first = group[0]
    assert first.decided_at is not None  # those that are not decided were left out
    return Decision(
        words=describe_decision(first, len(group), reader=viewer.author().label),
        at=first.decided_at,
        proposals=[proposal.id for proposal in group],
        proposal=first if len(group) == 1 else None,
        reason=first.reject_reason if len(group) == 1 else "",
        status=first.status,
        author=first.decided_by,
    )


MAX_AT_ONCE = 500
"""Proposals that one press of a button decides on: each takes some milliseconds, and a person waits."""

SNOOZE_DAYS = {"tomorrow": 1, "week": 7}
MORNING = time(8)
"""When a snoozed proposal returns, in the reader's time zone."""


@dataclass
class BulkResult:
    """proposals: those it was done to. skipped: how many it could not be done to."""

    proposals: list[Proposal] = field(default_factory=list)
    skipped: int = 0


def snooze_end(choice: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The morning that one of SNOOZE_DAYS means. Raises Invalid for anything else."""
    if choice not in SNOOZE_DAYS:
        raise Invalid("until", f"Say until when it is put off: until={' or until='.join(SNOOZE_DAYS)}.")
    return datetime.combine(now.astimezone(zone).date() + timedelta(days=SNOOZE_DAYS[choice]), MORNING, zone)


def decide_all(
    proposals: Iterable[Proposal], action: str, *, grant: Grant, author: Author, now: datetime, snoozed_until: datetime
) -> BulkResult:
    """Accepts, rejects or snoozes each. One that is decided already is left as it is."""
    return _for_each(proposals, lambda proposal: _decide(proposal, action, grant, author, now, snoozed_until))


def reopen_all(proposals: Iterable[Proposal], *, grant: Grant, author: Author, now: datetime) -> BulkResult:
    """Undoes the decision on each, or that it was put off; what changed since is left as it is."""
    return _for_each(proposals, lambda proposal: reopen(proposal=proposal, grant=grant, author=author, now=now))


def _for_each(proposals: Iterable[Proposal], action: Callable[[Proposal], object]) -> BulkResult:
    result = BulkResult()
    for proposal in proposals:
        try:
            action(proposal)
        except KeepsakeError:
            result.skipped += 1
        else:
            result.proposals.append(proposal)
    return result


def _decide(
    proposal: Proposal, action: str, grant: Grant, author: Author, now: datetime, snoozed_until: datetime
) -> None:
    match action:
        case "accept":
            accept(proposal=proposal, grant=grant, author=author, now=now, encoder=current_encoder())
        case "reject":
            reject(proposal=proposal, author=author, now=now)
        case _:
            snooze(proposal=proposal, until=snoozed_until, author=author, now=now)
