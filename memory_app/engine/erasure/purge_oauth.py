"""Purge what assistants leave that sign in: tokens, clients, and what was allowed them."""

from datetime import datetime, timedelta

from allauth.idp.oidc.models import Client, Token
from django.conf import settings
from django.db.models import Q, QuerySet

from memory_app.models import ApiKey, OAuthAuthorization

UNUSED_CLIENT_LIFETIME, SHORTEST_CLIENT_LIFETIME = timedelta(days=7), timedelta(hours=1)
"""People connect an assistant at once, or after a few days; where too many wait, an hour has to do."""

MAX_UNUSED_CLIENTS = 2_000
"""Clients that registered and were allowed nothing: a bound on what strangers can fill the database with."""


def has_room_for_client(now: datetime) -> bool:
    """Whether one more may register. Makes room first, where there is none."""
    if _unused_clients().count() < MAX_UNUSED_CLIENTS:
        return True
    _drop_unused_clients(now - SHORTEST_CLIENT_LIFETIME)
    return _unused_clients().count() < MAX_UNUSED_CLIENTS


def _unused_clients() -> QuerySet[Client]:
    """Clients that were allowed nothing, or so long ago that nothing tells of it any more."""
    unused: QuerySet[Client] = Client.objects.filter(authorizations=None)
    return unused


def _drop_unused_clients(registered_before: datetime) -> int:
    dropped: int = _unused_clients().filter(created_at__lt=registered_before).delete()[0]
    return dropped


def purge_oauth(now: datetime) -> int:
    """Drops tokens that expired, what was allowed and never fetched, what ended as long ago as the log reaches, and
    clients that nobody uses; returns how many rows."""
    ended_before = now - timedelta(days=settings.KEEPSAKE_LOG_DAYS)
    never_fetched = Q(signed_in_at=None, key__expires_at__lt=now)
    long_ended = Q(key__revoked_at__lt=ended_before) | Q(key__expires_at__lt=ended_before)
    gone = OAuthAuthorization.objects.filter(never_fetched | long_ended).values_list("pk", flat=True)
    rows: int = Token.objects.filter(expires_at__lt=now).delete()[0]
    rows += ApiKey.objects.filter(pk__in=list(gone)).delete()[0]
    return rows + _drop_unused_clients(now - UNUSED_CLIENT_LIFETIME)
