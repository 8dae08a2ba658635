"""Limits on guessing passwords, asking for the password again before a risky change, and encrypted MFA secrets.

Wrong passwords count by address for strangers and by session for who is signed in. So nobody who guesses at a login
keeps its owner from signing in elsewhere, or from acting where they are signed in, such as revoking a key that leaked.
"""

import base64
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.forms import ChangePasswordForm
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from dashboard.responses import show_warning
from memory_app.encryption import decrypt_secret, encrypt_secret
from memory_app.engine.erasure.tombstone_file import append_logins
from memory_app.models import User

ADDRESS_LIMIT, SESSION_LIMIT = "login_failed", "reauthentication_failed"
"""The limits' names in `settings.ACCOUNT_RATE_LIMITS`."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts wrong passwords under these limits; the base class takes a right one off again. A new password is recorded
    outside of the database, so that no backup brings the old one back."""

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
    """The limit under which a try counts, and its key."""
    user = request.user
    if user.is_authenticated and user.get_username() == username:
        return SESSION_LIMIT, f"{user.pk}:{request.session.session_key}"
    return ADDRESS_LIMIT, f"{ratelimit.get_ip(request)}:{username.lower()}"


WRONG_PASSWORD = "This is not your password. Nothing was changed."
TOO_MANY_TRIES = "Too many tries. Wait five minutes, then try again. Nothing was changed."


def password_error(user: User, password: str) -> str:
    """Why the password is not accepted; "" where it is."""
    try:
        return "" if get_adapter().reauthenticate(user, password) else WRONG_PASSWORD
    except ValidationError:  # by its adapter: too many wrong ones of late
        return TOO_MANY_TRIES


def has_given_password(request: HttpRequest, user: User) -> bool:
    """Whether a form came with the right password; if not, the next page says so."""
    wrong_password = password_error(user, request.POST.get("password", ""))
    if wrong_password:
        show_warning(request, wrong_password)
    return not wrong_password


class ConfirmedForm(forms.Form):
    """A form that takes the password of whoever is signed in."""

    password = forms.CharField(
        label="Your password",
        max_length=4_096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if error := password_error(self.user, password):
            raise ValidationError(error)
        return password


class PasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """A new password, for whoever knows the old one."""

    def clean_oldpassword(self) -> str:
        password: str = self.cleaned_data["oldpassword"]
        if error := password_error(self.user, password):
            raise ValidationError(error)
        return password


UNREADABLE_BYTES = 40


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Encrypts secrets of authenticator apps and seeds of recovery codes: whoever reads them could make the codes."""

    def encrypt(self, text: str) -> str:
        return encrypt_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        """If the secret key has changed since, this answers a secret that nobody knows, so no code fits."""
        return decrypt_secret(encrypted_text) or base64.b32encode(secrets.token_bytes(UNREADABLE_BYTES)).decode()
