"""What the tests of sign-in share: people who are signed in, and an assistant that is not."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from tests.dashboard.factories import create_login
from tests.oauth.assistant import Assistant


@pytest.fixture(autouse=True)
def _limits_begin_anew() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def alice(db: None) -> Client:
    return _signed_in("alice", person="alice")


@pytest.fixture
def bob(db: None) -> Client:
    return _signed_in("bob", person="bob")


@pytest.fixture
def root(db: None) -> Client:
    return _signed_in("root", everyone=True)


@pytest.fixture
def assistant(db: None) -> Assistant:
    return Assistant()


def _signed_in(name: str, *, person: str | None = None, everyone: bool = False) -> Client:
    client = Client()
    client.force_login(create_login(name, person=person, everyone=everyone))
    return client
