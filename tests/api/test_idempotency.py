"""Idempotency-Key: the same request again gives the same answer; another, or one in flight, is refused."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import Any

import pytest
import time_machine
from django.db import connection

from memory_app.embedding.encoder import use_encoder
from memory_app.embedding.vectors import Vectors
from memory_app.models import ApiKey
from tests.api.conftest import remember_dentist
from tests.api.problems import a_memory, problem_of
from tests.conftest import Api
from tests.encoder import HashingEncoder

pytestmark = pytest.mark.django_db

Refused = Callable[..., dict[str, Any]]


@pytest.fixture
def kept(api: Api) -> dict[str, Any]:
    """For each test, and not for the module: one of them commits."""
    return remember_dentist(api)


@pytest.mark.parametrize("given", ["", "k" * 256])
def test_an_idempotency_key_has_1_to_255_characters(given: str, refused: Refused) -> None:
    document = refused(422, "POST", "/memories", a_memory(), Idempotency_Key=given)
    assert document["errors"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/memories", a_memory(content="Alice sings")),
        ("/remember", a_memory()),
        ("/memories", {**a_memory(), "tags": []}),
    ],
)
def test_an_idempotency_key_is_for_one_request(path: str, body: object, api: Api, refused: Refused) -> None:
    assert api.post("/memories", a_memory(), Idempotency_Key="once").status_code == 201
    refused(422, "POST", path, body, Idempotency_Key="once")


def test_an_idempotency_key_is_free_again_after_an_error(api: Api, refused: Refused) -> None:
    refused(422, "POST", "/memories", a_memory(visibility="space"), Idempotency_Key="once")
    answers = [api.post("/memories", a_memory(), Idempotency_Key="once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()


def test_an_idempotency_key_is_of_one_api_key(api: Api) -> None:
    other = Api(ApiKey.issue("other", scopes=["write"])[1])
    first = api.post("/memories", a_memory(), Idempotency_Key="once")
    second = other.post("/memories", a_memory(), Idempotency_Key="once")
    assert (first.json()["source_count"], second.json()["source_count"]) == (1, 2)


def test_an_idempotency_key_is_kept_for_a_day(api: Api) -> None:
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False) as clock:
        api.post("/memories", a_memory(), Idempotency_Key="once")
        clock.shift(timedelta(hours=24))
        assert api.post("/memories", a_memory(), Idempotency_Key="once").json()["source_count"] == 1
        clock.shift(timedelta(seconds=1))
        assert api.post("/memories", a_memory(), Idempotency_Key="once").json()["source_count"] == 2


class _Held(HashingEncoder):
    """Holds a request up while it encodes."""

    def __init__(self) -> None:
        self.reached, self.go_on = Event(), Event()

    def documents(self, texts: Any) -> Vectors:
        self.reached.set()
        assert self.go_on.wait(20)
        return super().documents(texts)


@pytest.mark.django_db(transaction=True)
def test_an_idempotency_key_in_flight_is_in_conflict(api: Api) -> None:
    answers = []

    def first() -> None:
        answers.append(api.post("/memories", a_memory(), Idempotency_Key="once"))
        connection.close()

    with use_encoder(_Held()) as encoder:
        thread = Thread(target=first)
        thread.start()
        try:
            assert encoder.reached.wait(20)  # type: ignore[attr-defined]
            refused = api.post("/memories", a_memory(), Idempotency_Key="once")
            problem_of(refused, 409)
            assert int(refused["Retry-After"]) > 0
        finally:
            encoder.go_on.set()  # type: ignore[attr-defined]
            thread.join()
    again = api.post("/memories", a_memory(), Idempotency_Key="once")
    assert [answer.status_code for answer in answers] == [201]
    assert again.json() == answers[0].json()
