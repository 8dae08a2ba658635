"""What all tests share: a real PostgreSQL for the session, and an encoder that is quick where recall is not judged."""

import json
from collections.abc import Iterator
from functools import cache

import httpcore2
import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client, override_settings
from pytest_django import DjangoDbBlocker

from config.env import Env
from memory_app.api.request_log import request_log
from memory_app.embedding.encoder import Encoder, load_encoder, use_encoder
from memory_app.engine.erasure.tombstone_file import tombstone_path
from memory_app.models import ApiKey
from memory_app.postgres import running_database
from memory_app.postgres.cluster import open_cluster
from tests import database
from tests.encoder import HashingEncoder
from tests.workers import Workers, workers

NOT_DURABLE = "fsync = off\nfull_page_writes = off\n"
"""A test database is made anew after a power failure."""


TAKE_LONG = ("tests/dashboard/browser/", "tests/serving/", "tests/embedding/", "tests/postgres/", "tests/test_")
"""Tests of seconds rather than milliseconds each."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that at the end no process waits for another's last test."""
    items.sort(key=lambda item: not item.nodeid.startswith(TAKE_LONG))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The order of the tests and what some of them drew are those of a run again that is given the seed."""
    terminalreporter.write_line(f"Drawn by --randomly-seed={config.getoption('randomly_seed')}")


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """pytest-django asks for this before it makes the test database."""
    env = Env.read()
    (open_cluster(env.data).home / "custom.conf").write_text(NOT_DURABLE)
    with running_database(env):
        yield


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """The database goes with the folder it lies in. To drop it before would fail where a thread is still connected."""
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    database.install()


@pytest.fixture(scope="session", autouse=True)
def _quick() -> Iterator[None]:
    """Passwords are hashed as rarely as Django allows, static files served without a manifest, and the certificates
    that clients of models may trust are read once."""
    with (
        override_settings(
            PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
            STORAGES={"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}},
        ),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(autouse=True)
def _log_waits() -> Iterator[None]:
    """Requests are logged when a test says so: a thread of its own would write outside of the test's transaction."""
    request_log.has_writer_thread = False
    yield
    request_log.waiting.clear()


@pytest.fixture(autouse=True)
def _nothing_erased_outside() -> Iterator[None]:
    """What one test erased is told to no other: the file that outlives a database would."""
    yield
    tombstone_path().unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def encoder() -> Iterator[Encoder]:
    """A small encoder that knows words only; tests that judge recall ask for `real_encoder`."""
    with use_encoder(HashingEncoder()) as encoder:
        yield encoder


@pytest.fixture(scope="session")
def loaded_encoder() -> Encoder:
    """Loaded anew: what is in use when it is first asked for may be the small one."""
    assert settings.KEEPSAKE_EMBEDDING_MODEL == ""
    int8_queries = settings.KEEPSAKE_QUERY_INT8
    return load_encoder(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA, int8_queries=int8_queries)


@pytest.fixture
def real_encoder(loaded_encoder: Encoder) -> Iterator[Encoder]:
    """The packaged model, loaded once a session."""
    with use_encoder(loaded_encoder):
        yield loaded_encoder


@pytest.fixture(scope="session")
def worker(django_db_setup: None) -> Iterator[Workers]:
    """The program that forks worker processes, for tests that commit what these are to see."""
    with workers() as worker:
        yield worker


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around all tests of a file: rows that are made within it are there for each, as they were made.

    For fixtures of a module whose rows take longer to make than to use; no test of the module may commit.
    """
    request_log.has_writer_thread = False
    with django_db_blocker.unblock(), use_encoder(HashingEncoder()), transaction.atomic():
        yield
        transaction.set_rollback(True)
        request_log.waiting.clear()


@pytest.fixture(scope="module")
def module_api(module_rows: None) -> "Api":
    """Calls the API with a key that may do everything, to make such rows."""
    return Api(ApiKey.issue("tests", scopes=["read", "write", "admin"])[1])


@pytest.fixture
def key(db: None) -> str:
    """A key that may do everything."""
    _, token = ApiKey.issue("tests", scopes=["read", "write", "admin"])
    return token


@pytest.fixture
def api(key: str) -> "Api":
    return Api(key)


class Api:
    """Calls the API as an assistant does, in process: JSON in and out."""

    def __init__(self, key: str) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {key}"})

    def call(self, method: str, path: str, body: object = None, **headers: str):  # type: ignore[no-untyped-def]
        """The response. Header names are written with underscores: `If_Match='"1"'`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method, f"/api/v1{path}", b"" if body is None else _json(body), "application/json", headers=sent
        )

    def get(self, path: str, **headers: str):  # type: ignore[no-untyped-def]
        return self.call("GET", path, **headers)

    def post(self, path: str, body: object, **headers: str):  # type: ignore[no-untyped-def]
        return self.call("POST", path, body, **headers)

    def remember(self, person: str, content: str, **fields: object) -> dict:  # type: ignore[type-arg]
        """A memory, kept through POST /memories."""
        answer = self.post("/memories", {"person": person, "content": content, **fields})
        assert answer.status_code == 201, answer.content
        kept: dict = answer.json()  # type: ignore[type-arg]
        return kept


def _json(body: object) -> bytes:
    return json.dumps(body).encode()
