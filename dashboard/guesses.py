"""How often a password may be guessed at: strangers are counted by their address, who is signed in by their session.

So nobody who guesses at a login keeps its owner from signing in elsewhere, or from what they do where they are signed
in, such as taking away a key that leaked.
"""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.db import transaction
from django.http import HttpRequest

from memory_app.engine.erasing.erased_outside import write_logins
from memory_app.models import User

FROM_AN_ADDRESS, IN_A_SESSION = "login_failed", "reauthentication_failed"
"""The limits' names in `settings.ACCOUNT_RATE_LIMITS`."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts wrong passwords under these limits; a right one is taken off again, by the adapter this one extends. A new
    password is told outside of the database, so that no backup brings the old one back."""

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        transaction.on_commit(lambda: write_logins([user]), robust=True)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        action, key = _counted_as(request, credentials.get("username", ""))
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        self._login_failed_rl_usage = usage
        if not usage:
            raise self.validation_error("too_many_login_attempts")


def _counted_as(request: HttpRequest, username: str) -> tuple[str, str]:
    """Under which limit a try counts, and as whose."""
    user = request.user
    if user.is_authenticated and user.get_username() == username:
        return IN_A_SESSION, f"{user.pk}:{request.session.session_key}"
    return FROM_AN_ADDRESS, f"{ratelimit.get_ip(request)}:{username.lower()}"
