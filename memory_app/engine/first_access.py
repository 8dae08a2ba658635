"""What a first start hands out: a super user's password and an API key."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memory_app.engine.api_keys import create_key
from memory_app.engine.audit.log import Author, log_event
from memory_app.models import ApiKey, Scope, User

FIRST_START_AUTHOR = Author("command", "serve")
FIRST_USER_NAME = "admin"
FIRST_KEY_NAME = "first key"


@dataclass(frozen=True, slots=True)
class FirstAccess:
    """Shown once. The password is to be changed at first sign-in; the key may read, write and administer."""

    user: str
    password: str
    key: str


def create_first_access(now: datetime) -> FirstAccess | None:
    """Makes the first super user and the first key; None where anyone can sign in already."""
    with transaction.atomic():
        if User.objects.exists() or ApiKey.objects.exists():
            return None
        password = secrets.token_urlsafe(12)
        User.objects.create_superuser(FIRST_USER_NAME, password=password)
        log_event("create_user", {"name": FIRST_USER_NAME, "super": True}, author=FIRST_START_AUTHOR, now=now)
        token = create_key(
            name=FIRST_KEY_NAME, scopes=[scope.value for scope in Scope], author=FIRST_START_AUTHOR, now=now
        ).token
    return FirstAccess(FIRST_USER_NAME, password, token)
