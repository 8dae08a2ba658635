"""Deciding on many proposals at once, and until when a proposal is put off."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.listening.review import accept, reject, reopen, snooze
from memory_app.errors import Invalid, KeepsakeError
from memory_app.models import Proposal
from memory_app.rules.grant import Grant

MOST_AT_ONCE = 500
"""Proposals that one press of a button decides on: each takes some milliseconds, and a person waits."""

DAYS_OFF = {"tomorrow": 1, "week": 7}
MORNING = time(8)
"""When what was put off is back, in the reader's time zone."""


@dataclass
class Done:
    """Proposals on which it was done, and how many were left because it could not be."""

    proposals: list[Proposal] = field(default_factory=list)
    left: int = 0


def until(days_off: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The morning of one of DAYS_OFF. Raises Invalid for anything else."""
    if days_off not in DAYS_OFF:
        raise Invalid("until", f"Say until when it is put off: until={' or until='.join(DAYS_OFF)}.")
    return datetime.combine(now.astimezone(zone).date() + timedelta(days=DAYS_OFF[days_off]), MORNING, zone)


def decide_all(
    proposals: Iterable[Proposal], act: str, *, grant: Grant, author: Author, now: datetime, back_on: datetime
) -> Done:
    """Accepts, rejects or snoozes each. One that is decided already is left as it is."""
    done = Done()
    for proposal in proposals:
        try:
            _decide(proposal, act, grant, author, now, back_on)
        except KeepsakeError:
            done.left += 1
        else:
            done.proposals.append(proposal)
    return done


def reopen_all(proposals: Iterable[Proposal], *, grant: Grant, author: Author, now: datetime) -> Done:
    """Undoes what was decided on each, or that it was put off; what changed since is left as it is."""
    done = Done()
    for proposal in proposals:
        try:
            reopen(proposal=proposal, grant=grant, author=author, now=now)
        except KeepsakeError:
            done.left += 1
        else:
            done.proposals.append(proposal)
    return done


def _decide(proposal: Proposal, act: str, grant: Grant, author: Author, now: datetime, back_on: datetime) -> None:
    match act:
        case "accept":
            accept(proposal=proposal, grant=grant, author=author, now=now, encoder=current())
        case "reject":
            reject(proposal=proposal, author=author, now=now)
        case _:
            snooze(proposal=proposal, until=back_on, author=author, now=now)
