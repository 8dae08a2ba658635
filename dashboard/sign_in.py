"""How often a password may be guessed at: strangers are counted by their address, who is signed in by their session.

So nobody who guesses at a login keeps its owner from signing in elsewhere, or from what they do where they are signed
in, such as taking away a key that leaked.

The password that is asked for again before what opens doors is changed. Wrong ones count as at signing in, under a
limit of the session, for one could guess for long; a right one counts nothing.

What the codes of a second step are made from, sealed in the database: by them alone, anyone could make the codes.
"""

import base64
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.forms import ChangePasswordForm
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from memory_app.encryption import decrypt_secret, encrypt_secret
from memory_app.engine.erasure.tombstone_file import append_logins
from memory_app.models import User

ADDRESS_LIMIT, SESSION_LIMIT = "login_failed", "reauthentication_failed"
"""The limits' names in `settings.ACCOUNT_RATE_LIMITS`."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts wrong passwords under these limits; a right one is taken off again, by the adapter this one extends. A new
    password is told outside of the database, so that no backup brings the old one back."""

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        transaction.on_commit(lambda: append_logins([user]), robust=True)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        action, key = _rate_limit_key(request, credentials.get("username", ""))
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        self._login_failed_rl_usage = usage
        if not usage:
            raise self.validation_error("too_many_login_attempts")


def _rate_limit_key(request: HttpRequest, username: str) -> tuple[str, str]:
    """Under which limit a try counts, and as whose."""
    user = request.user
    if user.is_authenticated and user.get_username() == username:
        return SESSION_LIMIT, f"{user.pk}:{request.session.session_key}"
    return ADDRESS_LIMIT, f"{ratelimit.get_ip(request)}:{username.lower()}"


WRONG_PASSWORD = "This is not your password. Nothing was changed."
TOO_MANY_TRIES = "Too many tries. Wait five minutes, then try again. Nothing was changed."


def password_error(user: User, password: str) -> str:
    """Why this does not prove who is signed in; nothing where it does."""
    try:
        return "" if get_adapter().reauthenticate(user, password) else WRONG_PASSWORD
    except ValidationError:  # by its adapter: too many wrong ones of late
        return TOO_MANY_TRIES


class PasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """A new password, for who knows the old one."""

    def clean_oldpassword(self) -> str:
        password: str = self.cleaned_data["oldpassword"]
        if error := password_error(self.user, password):
            raise ValidationError(error)
        return password


UNREADABLE_BYTES = 40


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Seals secrets of authenticator apps and seeds of recovery codes."""

    def encrypt(self, text: str) -> str:
        return encrypt_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Where the secret key is another one by now, no code fits: it is read as a secret that nobody knows."""
        return decrypt_secret(encrypted_text) or base64.b32encode(secrets.token_bytes(UNREADABLE_BYTES)).decode()
