"""Logins of the dashboard: make and change them, and whose memories each one shows."""

from collections.abc import Callable
from datetime import datetime

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.erasure.tombstone_file import LoginState, append_logins, login_id, read_tombstones
from memory_app.engine.oauth_authorizations import (
    end_all_authorizations,
    end_authorizations_beyond,
    end_authorizations_of,
)
from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.models import Person, User

LAST_SUPER_USER = "This is the last super user who can sign in. Make someone else one first."


def promote_login(*, login: int, author: Author, now: datetime) -> User:
    """Makes a login a super user's: it sees all tiers of everyone, and may erase. Raises NotFound, ConflictError."""

    def promote(user: User) -> None:
        _require(not user.is_superuser, "This is a super user already.")
        user.is_superuser = user.is_staff = True

    return _change_login("promote_login", login, promote, author, now)


def demote_login(*, login: int, author: Author, now: datetime) -> User:
    """Takes that away again; it still shows its person. Raises NotFound, and ConflictError for the last super user."""

    def demote(user: User) -> None:
        _require(user.is_superuser, "This is no super user.")
        user.is_superuser = user.is_staff = False

    return _change_login("demote_login", login, demote, author, now)


def link_login(*, login: int, person: str, author: Author, now: datetime) -> User:
    """Has a login show the memories of a person, or of nobody where no name is given.

    Nobody comes into being here: a name that is mistyped would show nothing. Raises NotFound for the login, Invalid for
    the person.
    """
    found = Person.objects.filter(name=person).first() if person else None
    if person and found is None:
        raise Invalid("person", f"Nothing is known of a person {person!r}. Write the name as assistants do.")

    def link(user: User) -> None:
        user.person = found

    return _change_login("link_login", login, link, author, now)


def disable_login(*, login: int, author: Author, now: datetime) -> User:
    """Has a login open nothing, at once. Raises NotFound, and ConflictError for the last super user."""

    def switch_off(user: User) -> None:
        _require(user.is_active, "This login is switched off already.")
        user.is_active = False

    return _change_login("switch_login_off", login, switch_off, author, now)


def enable_login(*, login: int, author: Author, now: datetime) -> User:
    """Has it open again what it opened. Raises NotFound, ConflictError."""

    def switch_on(user: User) -> None:
        _require(not user.is_active, "This login is not switched off.")
        user.is_active = True

    return _change_login("switch_login_on", login, switch_on, author, now)


def set_password(*, name: str, password: str, second_step: bool, author: Author, now: datetime) -> User:
    """Gives a login a new password, and ends where it is signed in. second_step: whether what it confirms a sign-in by
    stays. Raises NotFound."""
    with transaction.atomic():
        user = User.objects.select_for_update().filter(username=name).first()
        if user is None:
            raise NotFound(f"There is no login named {name!r}.")
        user.set_password(password)
        user.save(update_fields=["password"])
        Session.objects.filter(session_key__in=UserSession.objects.filter(user=user).values("session_key")).delete()
        if not second_step:
            Authenticator.objects.filter(user=user).delete()
        end_authorizations_of(user, author=author, now=now)
        transaction.on_commit(lambda: append_logins([user]), robust=True)
        log_event("set_password", _login_detail(user), author=author, now=now)
    return user


def reapply_login_changes(*, author: Author, now: datetime) -> list[User]:
    """After a restore: what was taken from logins since the backup stays taken, and nobody is signed in any more, no
    assistant either.

    Who was switched off stays so, who was a super user no longer is none; and a password that was changed since does
    not open anything again: whoever's it was is asked for a new one. Returns these.
    """
    states = read_tombstones().logins
    without_password: list[User] = []
    with transaction.atomic():
        Session.objects.all().delete()
        UserSession.objects.all().delete()
        end_all_authorizations(author=author, now=now)
        for user in User.objects.select_for_update().order_by("username"):
            last = states.get(login_id(user))
            if last is None or last == LoginState.of(user):
                continue
            if last.password != LoginState.of(user).password:
                user.set_unusable_password()
                without_password.append(user)
            user.is_active &= last.active
            user.is_superuser &= last.is_super
            user.is_staff = user.is_superuser
            user.save(update_fields=["password", "is_active", "is_superuser", "is_staff"])
            log_event("login_as_before", _login_detail(user), author=author, now=now)
    return without_password


def _change_login(name: str, login: int, change: Callable[[User], None], author: Author, now: datetime) -> User:
    """Super users are locked first, in one order: of two who take it from each other, the second is the last one."""
    with transaction.atomic():
        super_users = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("id")
        super_user_ids = {user.id for user in super_users}
        user = User.objects.select_for_update().filter(id=login).first()
        if user is None:
            raise NotFound
        change(user)
        if super_user_ids == {user.id} and not (user.is_superuser and user.is_active):
            raise ConflictError(LAST_SUPER_USER)
        user.save(update_fields=["is_superuser", "is_staff", "is_active", "person"])
        end_authorizations_beyond(user, author=author, now=now)
        transaction.on_commit(lambda: append_logins([user]), robust=True)
        log_event(name, _login_detail(user), author=author, now=now)
        return user


def _login_detail(user: User) -> dict[str, object]:
    person = str(user.person_id) if user.person_id else None
    return {
        "login": user.id,
        "name": user.username,
        "super": user.is_superuser,
        "active": user.is_active,
        "person": person,
    }


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ConflictError(message)
