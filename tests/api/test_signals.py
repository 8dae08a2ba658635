"""Reactions, saved items and commands: kept as signals, of which the daily batch makes interests and a reading list."""

from typing import Any

import pytest

from memory_app.jobs import run_job_for
from memory_app.models import ApiKey, Signal
from memory_app.models.row_security import every_space
from tests.api.test_people_export import lines, of_kind
from tests.conftest import Api

pytestmark = pytest.mark.django_db

URL = "https://example.org/crdts"


def give(api: Api, subject: str, kind: str = "reaction", status: int = 201, **fields: Any) -> Any:
    body = {"person": "alice", "kind": kind, "subject": subject, "at": "2026-02-12T10:00:00Z", **fields}
    answer = api.post("/signals", body)
    assert answer.status_code == status, answer.content
    return answer.json()


def profile(api: Api) -> str:
    text: str = api.get("/people/alice/profile.md").content.decode()
    return text


def batch() -> None:
    run_job_for("daily", "alice", "command:job run")


@pytest.fixture
def reader(api: Api) -> Api:
    for title in ("PostgreSQL 18 Released", "Why PostgreSQL is fast", "Async vacuum in PostgreSQL"):
        give(api, title)
    for _ in range(3):
        give(api, "distributed systems")
    for _ in range(4):
        give(api, "Web3", liked=False)
    give(api, "Understanding CRDTs", kind="save", url=URL)
    give(api, "/saved", kind="command")
    return api


def test_the_batch_makes_interests_and_a_reading_list(reader: Api) -> None:
    batch()
    text = profile(reader)
    assert "PostgreSQL (3 times, last on 12 February 2026)" in text
    assert "distributed systems (3 times, last on 12 February 2026)" in text
    assert "Web3" not in text
    assert f"- Reading list: Understanding CRDTs <{URL}>" in text


def test_a_batch_again_makes_them_anew_only_where_they_say_something_else(reader: Api) -> None:
    batch()
    first = {item["key"]: item["id"] for item in reader.get("/memories?person=alice").json()["items"]}
    give(reader, "A tour of Raft", kind="save", url="https://example.org/raft")
    batch()
    items = reader.get("/memories?person=alice&status=active").json()["items"]
    again = {item["key"]: item for item in items}
    assert again["interests"]["id"] == first["interests"]
    assert again["reading list"]["supersedes"] == first["reading list"]
    assert again["reading list"]["content"].startswith("Reading list: A tour of Raft <https://example.org/raft>, ")


def test_what_was_forgotten_of_them_does_not_come_back(reader: Api) -> None:
    batch()
    for item in reader.get("/memories?person=alice").json()["items"]:
        reader.call("DELETE", f"/memories/{item['id']}")
    batch()
    assert reader.get("/memories?person=alice").json()["items"] == []


def test_erasing_them_takes_the_signals_along(reader: Api) -> None:
    batch()
    for item in reader.get("/memories?person=alice").json()["items"]:
        assert reader.post(f"/admin/memories/{item['id']}/erase", {}).json()["check"]["left"] == {}
    with every_space():
        assert not Signal.objects.exists()


def test_signals_are_exported_and_sent_again_are_one(api: Api) -> None:
    body = {"person": "alice", "kind": "save", "subject": "Understanding CRDTs", "url": URL}
    first = api.post("/signals", body, Idempotency_Key="a").json()
    assert api.post("/signals", body, Idempotency_Key="a").json() == first
    [line] = of_kind(lines(api, "alice"), "signal")
    assert (line["id"], line["subject"], line["url"], line["kind"]) == (
        first["id"],
        "Understanding CRDTs",
        URL,
        "signal",
    )


@pytest.mark.parametrize(
    "fields",
    [{"kind": "wave"}, {"subject": " "}, {"url": "javascript:alert(1)"}, {"subject": "My card 4111 1111 1111 1111"}],
)
def test_what_is_no_signal_is_refused(api: Api, fields: dict[str, str]) -> None:
    body = {"person": "alice", "kind": "save", "subject": "CRDTs", **fields}
    assert api.post("/signals", body).status_code == 422


def test_while_memory_is_paused_nothing_is_stored(api: Api) -> None:
    api.post("/commands", {"person": "alice", "text": "/memory pause"})
    answer = give(api, "CRDTs")
    assert (answer["id"], answer["message"].startswith("Memory is paused")) == (None, True)


def test_a_key_of_a_space_writes_nothing_of_a_persons_own(api: Api) -> None:
    _, token = ApiKey.issue("kitchen", scopes=["read", "write"], spaces=["kitchen"])
    give(Api(token), "CRDTs", venue={"space": "kitchen"}, status=403)
