"""Welcome: what the first start of an empty installation hands out: a super user and a key."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memory_app.engine.author import Author
from memory_app.engine.keys import create_key
from memory_app.engine.logbook.event import event
from memory_app.models import ApiKey, Scope, User

AUTHOR = Author("command", "serve")
FIRST_USER = "admin"
FIRST_KEY = "first key"


@dataclass(frozen=True, slots=True)
class Welcome:
    """Shown once. The password is to be changed at first sign-in; the key may read, write and administer."""

    user: str
    password: str
    key: str


def welcome(now: datetime) -> Welcome | None:
    """Makes the first super user and the first key; None where anyone can sign in already."""
    with transaction.atomic():
        if User.objects.exists() or ApiKey.objects.exists():
            return None
        password = secrets.token_urlsafe(12)
        User.objects.create_superuser(FIRST_USER, password=password)
        event("create_user", {"name": FIRST_USER, "super": True}, author=AUTHOR, now=now)
        token = create_key(name=FIRST_KEY, scopes=[scope.value for scope in Scope], author=AUTHOR, now=now).token
    return Welcome(FIRST_USER, password, token)
