"""The password that is asked for again before what opens doors is changed."""

from allauth.core import ratelimit

from .access import Asked

WRONG = "That is not your password. Nothing was changed."
TOO_MANY = "Too many tries. Wait a minute, then try again. Nothing was changed."


def refusal(request: Asked, password: str) -> str:
    """Why this does not prove who is signed in; nothing where it does. Each try counts, or one could guess for long."""
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        return TOO_MANY
    return "" if request.user.check_password(password) else WRONG
