"""Logins that most tests of the pages need, and clients signed in with them."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from tests.dashboard.factories import create_login


@pytest.fixture(autouse=True)
def _forget_wrong_passwords() -> Iterator[None]:
    """Wrong passwords of one test lock out nobody in the next."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def alice(db: None) -> Client:
    """Signed in as Alice, who sees her own memories."""
    return _signed_in("alice", person="alice")


@pytest.fixture
def bob(db: None) -> Client:
    return _signed_in("bob", person="bob")


@pytest.fixture
def root(db: None) -> Client:
    """Signed in as a super user who is nobody's person."""
    return _signed_in("root", everyone=True)


def _signed_in(name: str, *, person: str | None = None, everyone: bool = False) -> Client:
    client = Client()
    client.force_login(create_login(name, person=person, everyone=everyone))
    return client
