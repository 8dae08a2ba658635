"""Purge what assistants leave that sign in: tokens, clients, and what was allowed them."""

from datetime import datetime, timedelta

from allauth.idp.oidc.models import Client, Token
from django.conf import settings
from django.db.models import Q, QuerySet

from memory_app.models import ApiKey, OAuthAuthorization

UNUSED_CLIENT_LIFETIME = timedelta(days=1)
MAX_UNUSED_CLIENTS = 2_000
"""Clients that registered and were allowed nothing: a bound on what strangers can fill the database with."""


def unused_clients(now: datetime) -> QuerySet[Client]:
    """Clients that nobody allows anything now."""
    in_use = OAuthAuthorization.objects.usable(now).exclude(client=None)
    unused: QuerySet[Client] = Client.objects.exclude(pk__in=in_use.values("client"))
    return unused


def purge_oauth(now: datetime) -> int:
    """Drops tokens that expired, what was allowed and never fetched, what ended as long ago as the log reaches, and
    clients that nobody uses; returns how many rows."""
    ended_before = now - timedelta(days=settings.KEEPSAKE_LOG_DAYS)
    never_fetched = Q(signed_in_at=None, key__expires_at__lt=now)
    long_ended = Q(key__revoked_at__lt=ended_before) | Q(key__expires_at__lt=ended_before)
    gone = OAuthAuthorization.objects.filter(never_fetched | long_ended).values_list("pk", flat=True)
    rows: int = Token.objects.filter(expires_at__lt=now).delete()[0]
    rows += ApiKey.objects.filter(pk__in=list(gone)).delete()[0]
    rows += unused_clients(now).filter(created_at__lt=now - UNUSED_CLIENT_LIFETIME).delete()[0]
    return rows
