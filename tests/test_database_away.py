"""While the database is away every door says so, in one line of the log, and works again as soon as it is back."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import close_old_connections, connection, connections
from django.test import Client

from memory_app.api.request_log import request_log
from memory_app.models import ApiKey
from tests.addresses import addresses
from tests.conftest import Api
from tests.dashboard.factories import create_login

pytestmark = pytest.mark.django_db(transaction=True)

ROOTS = {"api/v1/", "compat/hindsight/", "compat/mem0/"}
WITHOUT = {"healthz", "readyz", "metrics", "api/v1/docs", "api/v1/openapi.json", *ROOTS}
"""What needs no database, or says for itself what is wrong with it."""

PAGES = ("/", "/memories/", "/inbox/", "/search/?q=cello", "/jobs/")


@contextmanager
def away() -> Iterator[None]:
    """Nobody listens where the database was, and the connections to it are broken."""
    settings = connection.settings_dict
    before = settings["HOST"], settings["PORT"]
    connection.close()
    settings["HOST"], settings["PORT"] = "127.0.0.1", "1"
    try:
        yield
    finally:
        connection.close()
        settings["HOST"], settings["PORT"] = before


class Anything(dict[str, str]):
    """A value for each parameter of an address."""

    def __missing__(self, name: str) -> str:
        return {"day": "2026-11-20", "name": "expire"}.get(name, "00000000-0000-7000-8000-00000000abcd")


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What was logged since it was last asked, as the server writes it."""
    handler: Any = next(item for item in logging.getLogger().handlers if item.formatter is not None)

    def told() -> list[str]:
        written = [handler.format(record) for record in caplog.records if record.levelno >= logging.WARNING]
        caplog.clear()
        return [line for one in written for line in one.splitlines()]

    return told


def test_every_door_says_when_to_come_back(said: Callable[[], list[str]]) -> None:
    _, token = ApiKey.issue("tests", scopes=["read", "write", "admin"])
    key = Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)
    page = Client(raise_request_exception=False)
    page.force_login(create_login("root", everyone=True))
    wrong = {}
    with away():
        for address in addresses():
            if address.route in WITHOUT:
                continue
            client = key if address.takes_keys else page
            answers = set()
            for method in ("GET", "POST", "DELETE"):
                answer = client.generic(method, address.path(Anything()), b"{}", "application/json")
                logged = said()
                if answer.status_code != 405:
                    answers.add((answer.status_code, answer.get("Retry-After"), len(logged)))
            if answers != {(503, "5", 1)}:
                wrong[address.route] = answers
    assert wrong == {}


def test_a_broken_connection_is_replaced_before_the_next_request(api: Api) -> None:
    api.remember("alice", "Alice plays the cello")
    _end_backend(connection)
    close_old_connections()  # as the server does before a request, and Django's test client does not
    assert api.get("/people/alice").status_code == 200


def test_cut_off_at_any_statement_a_write_is_done_wholly_or_not_at_all(api: Api) -> None:
    """And sent again it is done once."""
    api.client.raise_request_exception = False
    api.remember("alice", "Alice plays the cello")
    statuses, at = set[int](), 0
    while 201 not in statuses:
        with connection.execute_wrapper(CutOff(at)):
            answer = api.post("/memories", {"person": "alice", "content": f"Alice counts {at} sheep"})
        statuses.add(answer.status_code)
        close_old_connections()
        again = api.post("/search", {"person": "alice", "query": f"Alice counts {at} sheep"})
        assert again.status_code == 200
        found = [result["memory"]["content"] for result in again.json()["results"]]
        assert (f"Alice counts {at} sheep" in found) == (answer.status_code == 201)
        at += 1
    assert statuses == {201, 503}
    assert at > 5


class CutOff:
    """Ends the connection's backend before one of the statements."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, execute: Any, *statement: Any) -> Any:
        if self.left == 0:
            _end_backend(connection)
        self.left -= 1
        return execute(*statement)


def _end_backend(ended: Any) -> None:
    """By another connection, as an administrator does, and as a server does that stops."""
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [ended.connection.info.backend_pid])
    finally:
        other.close()


def test_where_nothing_can_be_written_reads_go_on(api: Api) -> None:
    api.client.raise_request_exception = False
    kept = api.remember("alice", "Alice plays the cello")
    page = Client(raise_request_exception=False)
    page.force_login(create_login("root", everyone=True))
    ApiKey.objects.update(last_used_at=None)
    asked = {"person": "alice", "query": "What does Alice play?"}
    read = ["/memories?person=alice", "/people/alice", f"/memories/{kept['id']}", "/people/alice/profile.md"]
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    try:
        answers = [api.post("/search", asked), api.post("/context", asked), *map(api.get, read), *map(page.get, PAGES)]
        assert {answer.status_code for answer in answers} == {200}
        assert answers[1].json()["receipt"] is None
        assert api.post("/memories", {"person": "alice", "content": "Alice sings"}).status_code == 503
    finally:
        connection.close()


def test_a_log_that_cannot_be_written_says_so_once_and_keeps_what_waits(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    api.get("/people/alice")
    with away():
        assert [request_log.flush() for _ in range(3)] == [0, 0, 0]
    assert [record.getMessage() for record in caplog.records if record.name == "memory_app.api.request_log"] == [
        "1 requests wait to be logged (OperationalError)"
    ]
    assert request_log.flush() == 1
