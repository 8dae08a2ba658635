"""The password that is asked for again before what opens doors is changed."""

from allauth.core import ratelimit

from .access import Asked

WRONG = "That is not your password. Nothing was changed."


def is_password(request: Asked, password: str) -> bool:
    """Whether this is the password of who is signed in; guessed at too often, the answer is no whatever it is."""
    return ratelimit.consume(request, action="reauthenticate", user=request.user) and request.user.check_password(
        password
    )
