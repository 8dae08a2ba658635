"""Where someone is signed in: each browser that holds a session of theirs, so that one that should not can be ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession

from dashboard.access import Asked
from memory_app.errors import NotFound
from memory_app.models import User

BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Windows", "Windows"),
           ("Mac OS X", "a Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip
"""What a browser says of itself, the most telling first: Edge says that it is Chrome too, Android that it is Linux."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """One session. number: what it is ended by; device: such as "Firefox on Linux"; current: this very one.
    seen: when it last asked for a page, to the minute."""

    number: int
    device: str
    address: str
    since: datetime
    seen: datetime
    current: bool


def sessions(request: Asked) -> Sequence[SignedIn]:
    """Those of the user that are still good, this one first, then the latest. Notes this one where nobody did yet."""
    if not UserSession.objects.filter(session_key=request.session.session_key).exists():
        UserSession.objects.create_from_request(request)
    found = [_shown(row, request) for row in UserSession.objects.purge_and_list(request.user)]
    return sorted(found, key=lambda one: (one.current, one.seen), reverse=True)


def session_json(one: SignedIn) -> dict[str, Any]:
    """A session, by the number it is ended by; never the key that opens it."""
    return {
        "id": one.number,
        "device": one.device,
        "address": one.address,
        "current": one.current,
        "created_at": one.since,
        "last_seen_at": one.seen,
    }


def end_session(request: Asked, number: int) -> None:
    """Ends another session of the user: its next request is a stranger's. Raises NotFound."""
    ended = _others(request, id=number)
    if not ended:
        raise NotFound
    get_adapter().end_sessions(ended)


def end_all_others(request: Asked) -> int:
    """Ends all but this one; answers how many these were."""
    ended = _others(request)
    get_adapter().end_sessions(ended)
    return len(ended)


def end_all_of(user: User) -> None:
    """Ends every session of someone, such as one whose login is switched off."""
    get_adapter().end_sessions(list(UserSession.objects.filter(user=user)))


def _others(request: Asked, **which: int) -> list[UserSession]:
    own = UserSession.objects.filter(user=request.user, **which)
    return list(own.exclude(session_key=request.session.session_key))


def _shown(row: UserSession, request: Asked) -> SignedIn:
    current = row.session_key == request.session.session_key
    return SignedIn(row.pk, device(row.user_agent), row.ip, row.created_at, row.last_seen_at, current)


def device(told: str) -> str:
    """What a browser is and runs on, as far as it says so."""
    browser = next((name for mark, name in BROWSERS if mark in told), "A browser")
    system = next((name for mark, name in SYSTEMS if mark in told), "")
    return f"{browser} on {system}" if system else browser
