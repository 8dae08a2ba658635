"""The password that is asked for again before what opens doors is changed. Wrong ones count as at signing in, under a
limit of the session, for one could guess for long; a right one counts nothing."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm
from django.core.exceptions import ValidationError

from memory_app.models import User

WRONG = "This is not your password. Nothing was changed."
TOO_MANY = "Too many tries. Wait five minutes, then try again. Nothing was changed."


def refusal(user: User, password: str) -> str:
    """Why this does not prove who is signed in; nothing where it does."""
    try:
        return "" if get_adapter().reauthenticate(user, password) else WRONG
    except ValidationError:  # by its adapter: too many wrong ones of late
        return TOO_MANY


class PasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """A new password, for who knows the old one."""

    def clean_oldpassword(self) -> str:
        password: str = self.cleaned_data["oldpassword"]
        if refused := refusal(self.user, password):
            raise ValidationError(refused)
        return password
