"""Every error is a problem document with the right status, says what to do, and changes no row."""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from memory_app.embedding.encoder import using
from memory_app.embedding.vectors import Vectors
from memory_app.models import ApiKey, Memory
from memory_app.models.scope import every_space
from tests.conftest import Api
from tests.encoder import HashingEncoder

pytestmark = pytest.mark.django_db

PROBLEM = "application/problem+json"
TIMELESS = base64.urlsafe_b64encode(b'["2026-01-01T00:00:00", "00000000-0000-7000-8000-000000000000"]').decode()
SOMEONE = "00000000-0000-7000-8000-00000000abcd"
KIB = 1024


def _memory(**fields: Any) -> dict[str, Any]:
    return {"person": "alice", "content": "Alice plays the cello", **fields}


def _raw(**fields: str) -> bytes:
    """A memory whose fields are written as they are: JSON that no encoder would make."""
    written = {"person": '"alice"', "content": '"Alice sings"', **fields}
    return ("{" + ", ".join(f'"{name}": {value}' for name, value in written.items()) + "}").encode()


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


BAD_JSON: dict[str, bytes] = {
    "nothing": b"",
    "white space": b"  \n",
    "broken": b'{"person": "alice", "content"',
    "two values": b'{"person": "alice"} {}',
    "single quotes": b"{'person': 'alice', 'content': 'x'}",
    "a trailing comma": b'{"person": "alice", "content": "x",}',
    "no UTF-8": b'{"person": "alice", "content": "\xff\xfe"}',
    "an array": b'[{"person": "alice", "content": "x"}]',
    "a string": b'"alice"',
    "a number": b"5",
    "null": b"null",
    "NaN": _raw(confidence="NaN"),
    "Infinity": _raw(confidence="Infinity"),
    "minus Infinity": _raw(confidence="-Infinity"),
    "a raw control character": b'{"person": "alice", "content": "a\x01b"}',
    "an integer of 5,000 digits": _raw(confidence="9" * 5000),
    "30,000 levels": _raw(attributes=_deep(30_000)),
}

BAD_MEMORIES: dict[str, tuple[str, bytes | dict[str, Any]]] = {
    "no person": ("person", {"content": "x"}),
    "no content": ("content", {"person": "alice"}),
    "an empty person": ("person", _memory(person="")),
    "an empty content": ("content", _memory(content="")),
    "a blank content": ("content", _memory(content=" \n\t ")),
    "a person that is a number": ("person", _memory(person=5)),
    "a person that is null": ("person", _memory(person=None)),
    "a content that is a list": ("content", _memory(content=["x"])),
    "a person of 201 characters": ("person", _memory(person="p" * 201)),
    "a content of 50,001 characters": ("content", _memory(content="c" * 50_001)),
    "an unknown field": ("contents", _memory(contents="x")),
    "an unknown type": ("type", _memory(type="opinion")),
    "an unknown category": ("category", _memory(category="other")),
    "an unknown visibility": ("visibility", _memory(visibility="public")),
    "NUL in the content": ("content", _raw(content='"a\\u0000b"')),
    "NUL in the person": ("person", _raw(person='"a\\u0000b"')),
    "NUL in a tag": ("tags.0", _raw(tags='["a\\u0000b"]')),
    "NUL in attributes": ("attributes", _raw(attributes='{"a": {"b": "\\u0000"}}')),
    "NUL in a name of attributes": ("attributes", _raw(attributes='{"\\u0000": 1}')),
    "half a surrogate pair": ("content", _raw(content='"a\\ud83d"')),
    "the other half": ("content", _raw(content='"\\ude00a"')),
    "half a surrogate pair in attributes": ("attributes", _raw(attributes='{"a": ["\\ud800"]}')),
    "attributes of 9 levels": ("attributes", _raw(attributes='{"a":' * 9 + "1" + "}" * 9)),
    "a number too large in attributes": ("attributes", _raw(attributes='{"a": [1e999]}')),
    "attributes that are a list": ("attributes", _memory(attributes=[1])),
    "a confidence of 1.5": ("confidence", _memory(confidence=1.5)),
    "a negative confidence": ("confidence", _memory(confidence=-0.1)),
    "a confidence of 1e999": ("confidence", _raw(confidence="1e999")),
    "a confidence of NaN as a word": ("confidence", _memory(confidence="NaN")),
    "a confidence that is a huge integer": ("confidence", _raw(confidence="9" * 400)),
    "a time that is none": ("event_time", _memory(event_time="yesterday")),
    "a 30th of February": ("event_time", _memory(event_time="2026-02-30T10:00:00Z")),
    "a time before the calendar": ("event_time", _memory(event_time="0001-01-01T00:00:00+14:00")),
    "a time after the calendar": ("expires_at", _memory(expires_at="9999-12-31T23:59:59-14:00")),
    "a time that is a huge number": ("event_time", _memory(event_time=10**30)),
    "a time that is a list": ("event_time", _memory(event_time=[2026])),
    "51 tags": ("tags", _memory(tags=["t"] * 51)),
    "an empty tag": ("tags.0", _memory(tags=[""])),
    "a tag of 101 characters": ("tags.0", _memory(tags=["t" * 101])),
    "tags that are a word": ("tags", _memory(tags="kitchen")),
    "a key of 101 characters": ("key", _memory(key="k" * 101)),
    "protected that is a word": ("protected", _memory(protected="perhaps")),
    "a venue that is a word": ("venue", _memory(venue="kitchen")),
    "a venue with an unknown field": ("venue.room", _memory(venue={"room": "kitchen"})),
    "an empty space": ("venue.space", _memory(venue={"space": ""})),
    "a space of 201 characters": ("venue.space", _memory(venue={"space": "s" * 201})),
    "a channel without its space": ("venue.channel", _memory(venue={"channel": "cooks"})),
    "restricted without a channel": ("venue.restricted", _memory(venue={"space": "kitchen", "restricted": True})),
    "visibility space in private": ("visibility", _memory(visibility="space")),
    "visibility channel in the open": ("visibility", _memory(visibility="channel", venue={"space": "kitchen"})),
    "a bad id of a conversation": ("source.conversation", _memory(source={"conversation": "x"})),
    "an unknown source": ("source.type", _memory(source={"type": "gossip"})),
}

UNPROCESSABLE: dict[str, tuple[str, str, str, Any]] = {
    "search without a query": ("query", "POST", "/search", {"person": "alice"}),
    "search of NUL": ("query", "POST", "/search", {"person": "alice", "query": "a\x00"}),
    "search with limit 0": ("limit", "POST", "/search", {"person": "alice", "query": "x", "limit": 0}),
    "search with limit 201": ("limit", "POST", "/search", {"person": "alice", "query": "x", "limit": 201}),
    "search of an unknown kind": ("kinds.0", "POST", "/search", {"person": "alice", "query": "x", "kinds": ["rumour"]}),
    "search by an unknown method": ("method", "POST", "/search", {"person": "alice", "query": "x", "method": "luck"}),
    "search of a query too long": ("query", "POST", "/search", {"person": "alice", "query": "q" * 20_001}),
    "context with a negative budget": (
        "token_budget", "POST", "/context", {"person": "alice", "query": "x", "token_budget": -1},
    ),
    "an utterance that asks for nothing": ("utterance", "POST", "/remember", {"person": "alice", "utterance": "Hello"}),
    "an utterance with nothing in it": (
        "utterance", "POST", "/remember", {"person": "alice", "utterance": "remember that"},
    ),
    "a batch that is no list": ("items", "POST", "/memories/batch", {"items": {"person": "alice"}}),
    "a batch of 1,001": ("items", "POST", "/memories/batch", {"items": [{}] * 1001}),
    "a list of nobody's": ("person", "GET", "/memories", None),
    "limit 0": ("limit", "GET", "/memories?person=alice&limit=0", None),
    "limit 201": ("limit", "GET", "/memories?person=alice&limit=201", None),
    "limit -1": ("limit", "GET", "/memories?person=alice&limit=-1", None),
    "limit x": ("limit", "GET", "/memories?person=alice&limit=x", None),
    "a limit of 30 digits": ("limit", "GET", f"/memories?person=alice&limit={'9' * 30}", None),
    "a limit of 5,000 digits": ("limit", "GET", f"/memories?person=alice&limit={'9' * 5000}", None),
    "an unknown order": ("order", "GET", "/memories?person=alice&order=random", None),
    "an unknown status": ("status", "GET", "/memories?person=alice&status=lost", None),
    "since that is no time": ("since", "GET", "/memories?person=alice&since=soon", None),
    "until beyond the calendar": ("until", "GET", "/memories?person=alice&until=9999-12-31T23:59:59-14:00", None),
    "NUL in a query": ("person", "GET", "/memories?person=a%00", None),
    "NUL in a tag asked for": ("tag", "GET", "/memories?person=alice&tag=a%00", None),
    "a cursor that is none": ("cursor", "GET", "/memories?person=alice&cursor=%F0%9F%98%80", None),
    "a cursor of 20,000 levels": ("cursor", "GET", f"/memories?person=alice&cursor={'W1tb' * 20_000}", None),
    "a cursor without an offset": ("cursor", "GET", f"/memories?person=alice&cursor={TIMELESS}", None),
    "a person asked for by NUL": ("person", "GET", "/people/a%00", None),
    "a person asked for by 201 characters": ("person", "GET", f"/people/{'p' * 201}", None),
    "a person changed by NUL": ("person", "PATCH", "/people/a%00", {"memory_enabled": False}),
    "stats of NUL": ("person", "GET", "/people/a%00/stats", None),
    "a time zone that is none": ("timezone", "PATCH", "/people/alice", {"timezone": "Mars/Olympus"}),
    "a policy that is none": ("extraction_policy", "PATCH", "/people/alice", {"extraction_policy": "maybe"}),
    "an edit of nothing": ("", "PATCH", "/memories/{id}", {}),
    "an edit of what is not edited": ("visibility", "PATCH", "/memories/{id}", {"visibility": "everyone"}),
    "an edit to nothing": ("content", "PATCH", "/memories/{id}", {"content": "  "}),
    "a correction to nothing": ("content", "POST", "/memories/{id}/correct", {"content": " "}),
    "a person too long beside an id": ("person", "GET", f"/memories/{{id}}?person={'p' * 201}", None),
}  # fmt: skip

MISSING: dict[str, tuple[str, str, Any]] = {
    "an unknown path": ("GET", "/nothing/here", None),
    "a path with an emoji": ("GET", "/%F0%9F%98%80", None),
    "a path that is no UTF-8": ("GET", "/%FF%FE", None),
    "a slash too many": ("GET", "/memories/", None),
    "an id that is none": ("GET", "/memories/5", None),
    "an id too long": ("GET", f"/memories/{SOMEONE}0", None),
    "an id of nothing": ("GET", f"/memories/{SOMEONE}", None),
    "the history of nothing": ("GET", f"/memories/{SOMEONE}/history", None),
    "an edit of a missing one": ("PATCH", f"/memories/{SOMEONE}", {"content": "x"}),
    "a correction of a missing one": ("POST", f"/memories/{SOMEONE}/correct", {"content": "x"}),
    "a confirmation of a missing one": ("POST", f"/memories/{SOMEONE}/confirm", {}),
    "a missing one forgotten": ("DELETE", f"/memories/{SOMEONE}", None),
    "a receipt of nothing": ("GET", f"/receipts/{SOMEONE}", None),
    "another's private memory": ("GET", "/memories/{id}?person=bob", None),
    "another's, edited": ("PATCH", "/memories/{id}?person=bob", {"content": "x"}),
    "another's, forgotten": ("DELETE", "/memories/{id}?person=bob", None),
    "a memory for somebody unknown": ("GET", "/memories/{id}?person=nobody", None),
    "somebody unknown": ("GET", "/people/nobody", None),
    "stats of somebody unknown": ("GET", "/people/nobody/stats", None),
}

NOT_ALLOWED: dict[str, tuple[str, str, set[str]]] = {
    "a list deleted": ("DELETE", "/memories", {"GET", "POST"}),
    "a search read": ("GET", "/search", {"POST"}),
    "a memory put": ("PUT", f"/memories/{SOMEONE}", {"GET", "PATCH", "DELETE"}),
    "a receipt posted": ("POST", f"/receipts/{SOMEONE}", {"GET"}),
    "an unheard-of method": ("BREW", "/memories", {"GET", "POST"}),
}


@pytest.fixture
def kept(api: Api) -> dict[str, Any]:
    """A memory of Alice's; Bob is known, and so is the kitchen."""
    api.remember("bob", "Bob cooks", venue={"space": "kitchen"})
    kept: dict[str, Any] = api.remember("alice", "The dentist is on Monday", venue=None)
    return kept


@pytest.fixture
def refused(api: Api, kept: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """Makes a request that must be refused with a status, and must change no row; answers the problem document."""

    def refuse(status: int, method: str, path: str, body: object = None, **headers: str) -> dict[str, Any]:
        before = _rows()
        response = _send(api, method, path.format(id=kept["id"]), body, headers)
        assert _rows() == before
        return _problem(response, status)

    return refuse


Refused = Callable[..., dict[str, Any]]


def _send(api: Api, method: str, path: str, body: object, headers: dict[str, str]) -> HttpResponse:
    if not isinstance(body, bytes):
        return api.call(method, path, body, **headers)  # type: ignore[no-any-return]
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.client.generic(method, f"/api/v1{path}", body, "application/json", headers=sent)  # type: ignore[return-value]


def _problem(response: HttpResponse, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.content[:300]
    assert response["Content-Type"] == PROBLEM
    document: dict[str, Any] = json.loads(response.content)
    assert set(document) in ({"type", "title", "status", "detail"}, {"type", "title", "status", "detail", "errors"})
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    assert ("errors" in document) == (status == 422)
    return document


def _rows() -> dict[str, str]:
    """A fingerprint of every table, but for when a key was last used."""
    with every_space(), connection.cursor() as cursor:
        tables = [name for name in connection.introspection.table_names(cursor) if name != "django_session"]
        columns = {name: f"(to_jsonb({name}) - 'last_used_at')::text" for name in tables}
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT '{name}', md5(coalesce(string_agg({text}, '' ORDER BY {text}), '')) FROM {name}"
                for name, text in columns.items()
            )
        )
        return dict(cursor.fetchall())


@pytest.mark.parametrize("body", BAD_JSON.values(), ids=BAD_JSON)
def test_a_body_that_is_no_json_object_is_bad_input(body: bytes, refused: Refused) -> None:
    document = refused(422, "POST", "/memories", body)
    assert document["errors"][0]["message"]


@pytest.mark.parametrize("case", BAD_MEMORIES)
def test_a_memory_that_is_none_is_bad_input(case: str, refused: Refused) -> None:
    field, body = BAD_MEMORIES[case]
    document = refused(422, "POST", "/memories", body)
    assert [error["field"] for error in document["errors"]] == [field]


@pytest.mark.parametrize("case", UNPROCESSABLE)
def test_bad_input_names_its_field(case: str, refused: Refused) -> None:
    field, method, path, body = UNPROCESSABLE[case]
    document = refused(422, method, path, body)
    assert [error["field"] for error in document["errors"]] == [field]


@pytest.mark.parametrize("case", MISSING)
def test_what_is_not_there_is_not_found(case: str, refused: Refused) -> None:
    refused(404, *MISSING[case])


@pytest.mark.parametrize("path", ["/api/v1/memories/x/y", "/api/v2/memories", "/api/", "/api/v1/"])
def test_paths_around_the_api_are_not_found_in_its_words(path: str, api: Api) -> None:
    _problem(api.client.get(path), 404)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", NOT_ALLOWED)
def test_a_method_that_is_not_possible_tells_those_that_are(case: str, api: Api) -> None:
    method, path, allowed = NOT_ALLOWED[case]
    response = api.call(method, path)
    assert {name.strip() for name in response["Allow"].split(",")} == allowed
    _problem(response, 405)


@pytest.mark.parametrize(
    ("path", "size"),
    [("/memories", 64 * KIB + 1), ("/search", 64 * KIB + 1), ("/memories/batch", 8 * KIB * KIB + 1)],
)
def test_a_body_too_large_is_refused_unread(path: str, size: int, refused: Refused) -> None:
    refused(413, "POST", path, b"[" * size)


def test_a_body_just_small_enough_is_read(api: Api) -> None:
    body = json.dumps(_memory()).encode()
    assert _send(api, "POST", "/memories", body + b" " * (64 * KIB - len(body)), {}).status_code == 201
    batch = b'{"items": []}'
    answer = _send(api, "POST", "/memories/batch", batch + b" " * (8 * KIB * KIB - len(batch)), {})
    assert (answer.status_code, json.loads(answer.content)) == (201, {"items": []})


def test_json_of_100_000_levels_is_bad_input_where_it_fits(refused: Refused) -> None:
    refused(422, "POST", "/memories/batch", ('{"items": ' + _deep(100_000) + "}").encode())


def test_items_of_a_batch_are_refused_one_by_one(api: Api) -> None:
    bad = [body for _, body in BAD_MEMORIES.values() if isinstance(body, dict)]
    answer = api.post("/memories/batch", {"items": [*bad, _memory(), None, 5, []]})
    items = answer.json()["items"]
    assert [item["error"] and item["error"]["status"] for item in items] == [422] * len(bad) + [None, 422, 422, 422]
    with every_space():
        assert Memory.objects.count() == 1


@pytest.mark.parametrize(
    "text",
    ["😀 👩‍👩‍👧‍👦", "東京タワーは高い", "مرحبا بالعالم \u202e", "naïve ‘quotes’ – “dashes”", "a\tb\r\nc",
     "'; DROP TABLE memory; --",
     "%s %(x)s {0} \\u0041 \\", "<script>alert(1)</script>", "\u2028\ufeff\U0010ffff"],
)  # fmt: skip
def test_any_text_comes_back_as_it_was(text: str, api: Api) -> None:
    kept = api.remember(text, text, tags=[text], key=text, attributes={text: [text]}, venue={"space": text})
    shown = api.get(f"/memories/{kept['id']}").json()
    assert (shown["person"], shown["content"], shown["space"]) == (text, text.strip(), text)
    assert (shown["tags"], shown["key"], shown["attributes"]) == ([text], text, {text: [text]})
    found = api.post("/search", {"person": text, "venue": {"space": text}, "query": text}).json()["results"]
    assert [result["memory"]["id"] for result in found] == [kept["id"]]


@pytest.mark.parametrize("given", ["", "three", '"three"', '"-1"', '"1.0"', '"1", "2"', "{}", '"²"', "9" * 5000])
def test_an_if_match_that_is_no_version_is_bad_input(given: str, refused: Refused) -> None:
    document = refused(422, "PATCH", "/memories/{id}", {"tags": ["x"]}, If_Match=given)
    assert document["errors"][0]["field"] == "If-Match"


@pytest.mark.parametrize("given", ['"2"', '"0"', 'W/"7"', '"999999999999999999"'])
def test_an_if_match_of_another_version_fails(given: str, refused: Refused) -> None:
    refused(412, "PATCH", "/memories/{id}", {"tags": ["x"]}, If_Match=given)


def test_a_replaced_memory_is_in_conflict_with_a_correction(api: Api, refused: Refused, kept: dict[str, Any]) -> None:
    assert api.post(f"/memories/{kept['id']}/correct", {"content": "The dentist is on Friday"}).status_code == 201
    refused(409, "POST", "/memories/{id}/correct", {"content": "The dentist is on Sunday"})


@pytest.mark.parametrize("given", ["", "k" * 256])
def test_an_idempotency_key_has_1_to_255_characters(given: str, refused: Refused) -> None:
    document = refused(422, "POST", "/memories", _memory(), Idempotency_Key=given)
    assert document["errors"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize(
    ("path", "body"),
    [("/memories", _memory(content="Alice sings")), ("/remember", _memory()), ("/memories", {**_memory(), "tags": []})],
)
def test_an_idempotency_key_is_for_one_request(path: str, body: object, api: Api, refused: Refused) -> None:
    assert api.post("/memories", _memory(), Idempotency_Key="once").status_code == 201
    refused(422, "POST", path, body, Idempotency_Key="once")


def test_an_idempotency_key_is_free_again_after_an_error(api: Api, refused: Refused) -> None:
    refused(422, "POST", "/memories", _memory(visibility="space"), Idempotency_Key="once")
    answers = [api.post("/memories", _memory(), Idempotency_Key="once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()


def test_an_idempotency_key_is_of_one_api_key(api: Api) -> None:
    other = Api(ApiKey.issue("other", scopes=["write"])[1])
    first = api.post("/memories", _memory(), Idempotency_Key="once")
    second = other.post("/memories", _memory(), Idempotency_Key="once")
    assert (first.json()["source_count"], second.json()["source_count"]) == (1, 2)


def test_an_idempotency_key_is_kept_for_a_day(api: Api) -> None:
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False) as clock:
        api.post("/memories", _memory(), Idempotency_Key="once")
        clock.shift(timedelta(hours=24))
        assert api.post("/memories", _memory(), Idempotency_Key="once").json()["source_count"] == 1
        clock.shift(timedelta(seconds=1))
        assert api.post("/memories", _memory(), Idempotency_Key="once").json()["source_count"] == 2


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
        answers.append(api.post("/memories", _memory(), Idempotency_Key="once"))
        connection.close()

    with using(_Held()) as encoder:
        thread = Thread(target=first)
        thread.start()
        try:
            assert encoder.reached.wait(20)  # type: ignore[attr-defined]
            _problem(api.post("/memories", _memory(), Idempotency_Key="once"), 409)
        finally:
            encoder.go_on.set()  # type: ignore[attr-defined]
            thread.join()
    again = api.post("/memories", _memory(), Idempotency_Key="once")
    assert [answer.status_code for answer in answers] == [201]
    assert again.json() == answers[0].json()


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer ks_00000000_wrong", "Basic YWxpY2U6eA==", "ks_00000000_wrong",
               "Bearer \u00e9\u00df", "Bearer " + "x" * 10_000],
)  # fmt: skip
def test_without_a_key_nothing_is_told(header: str | None, kept: dict[str, Any]) -> None:
    cache.clear()
    client = Client(headers={} if header is None else {"Authorization": header})
    for path in ("/memories?person=alice", f"/memories/{kept['id']}", "/people/alice"):
        response = client.get(f"/api/v1{path}")
        _problem(response, 401)  # type: ignore[arg-type]
        assert "Bearer" in response["WWW-Authenticate"]


def test_a_key_that_expired_or_was_revoked_is_no_key() -> None:
    now = datetime.now(UTC)
    expired = ApiKey.issue("expired", scopes=["read"], expires_at=now - timedelta(seconds=1))[1]
    later = ApiKey.issue("later", scopes=["read"], expires_at=now + timedelta(hours=1))[1]
    key, revoked = ApiKey.issue("revoked", scopes=["read"])
    assert Api(revoked).get("/people/nobody").status_code == 404
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=now)
    _problem(Api(expired).get("/people/nobody"), 401)
    _problem(Api(revoked).get("/people/nobody"), 401)
    _problem(Api(later).get("/people/nobody"), 404)


def test_a_key_in_the_query_string_is_no_key(key: str) -> None:
    for name in ("key", "token", "api_key", "access_token", "Authorization"):
        _problem(Client().get(f"/api/v1/people/alice?{name}={key}"), 401)  # type: ignore[arg-type]


WRITES = {
    "keep": ("POST", "/memories", _memory()),
    "keep many": ("POST", "/memories/batch", {"items": []}),
    "remember": ("POST", "/remember", {"person": "alice", "utterance": "remember that x is y"}),
    "edit": ("PATCH", "/memories/{id}", {"tags": []}),
    "correct": ("POST", "/memories/{id}/correct", {"content": "x"}),
    "confirm": ("POST", "/memories/{id}/confirm", {}),
    "forget": ("DELETE", "/memories/{id}", None),
    "settle": ("PATCH", "/people/alice", {"memory_enabled": False}),
}


@pytest.mark.parametrize("act", WRITES)
def test_a_key_that_reads_may_not_write(act: str, kept: dict[str, Any]) -> None:
    method, path, body = WRITES[act]
    before = _rows_without_keys()
    reader = Api(ApiKey.issue("reader", scopes=["read"])[1])
    _problem(reader.call(method, path.format(id=kept["id"]), body), 403)
    assert _rows_without_keys() == before


def test_a_key_that_writes_may_not_read(kept: dict[str, Any]) -> None:
    writer = Api(ApiKey.issue("writer", scopes=["write"])[1])
    for path in ("/memories?person=alice", f"/memories/{kept['id']}", "/people/alice", "/people/alice/stats"):
        _problem(writer.get(path), 403)
    _problem(writer.post("/search", {"person": "alice", "query": "dentist"}), 403)


def _rows_without_keys() -> dict[str, str]:
    return {name: found for name, found in _rows().items() if name != "api_key"}


GRANTS: dict[str, tuple[dict[str, list[str]], str, str, Any]] = {
    "another person's list": ({"people": ["bob"]}, "GET", "/memories?person=alice", None),
    "another person's search": ({"people": ["bob"]}, "POST", "/search", {"person": "alice", "query": "dentist"}),
    "another person": ({"people": ["bob"]}, "GET", "/people/alice", None),
    "another person's settings": ({"people": ["bob"]}, "PATCH", "/people/alice", {"memory_enabled": False}),
    "somebody new": ({"people": ["bob"]}, "POST", "/memories", _memory(person="charlie")),
    "in private by a key of spaces": ({"spaces": ["kitchen"]}, "POST", "/memories", _memory()),
    "another space": ({"spaces": ["kitchen"]}, "POST", "/memories", _memory(venue={"space": "garage"})),
    "another space's list": ({"spaces": ["kitchen"]}, "GET", "/memories?space=garage", None),
    "another space's brief": (
        {"spaces": ["kitchen"]}, "POST", "/context", {"person": "bob", "query": "x", "venue": {"space": "garage"}},
    ),
    "for everyone by a key of one person": (
        {"people": ["bob"]}, "POST", "/memories", _memory(person="bob", visibility="everyone"),
    ),
    "for everyone by a key of one space": (
        {"spaces": ["kitchen"]}, "POST", "/memories",
        _memory(person="bob", venue={"space": "kitchen"}, visibility="everyone"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", GRANTS)
def test_a_key_may_do_what_it_was_granted_and_no_more(case: str, kept: dict[str, Any]) -> None:
    granted, method, path, body = GRANTS[case]
    limited = Api(ApiKey.issue("limited", scopes=["read", "write"], **granted)[1])  # type: ignore[arg-type]
    before = _rows()
    _problem(limited.call(method, path, body), 403)
    assert _rows() == before


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("PATCH", {"tags": []}), ("DELETE", None)])
def test_a_memory_beyond_the_grant_is_not_there(method: str, body: object, kept: dict[str, Any]) -> None:
    for granted in ({"people": ["bob"]}, {"spaces": ["kitchen"]}):
        limited = Api(ApiKey.issue("limited", scopes=["read", "write"], **granted)[1])  # type: ignore[arg-type]
        there, missing = (limited.call(method, f"/memories/{memory}", body) for memory in (kept["id"], SOMEONE))
        _problem(there, 404)
        assert there.content == missing.content


def test_wrong_keys_are_slowed_down_and_right_ones_are_not(api: Api) -> None:
    cache.clear()
    wrong = Api("ks_00000000_wrong")
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False):
        statuses = [wrong.get("/people/alice").status_code for _ in range(120)]
        limited = wrong.get("/people/alice")
        assert statuses == [401] * 120
        _problem(limited, 429)
        assert 1 <= int(limited["Retry-After"]) <= 60
        assert api.get("/people/nobody").status_code == 404
    cache.clear()


def test_one_key_cannot_take_everything(api: Api) -> None:
    cache.clear()
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False):
        statuses = {api.get("/people/nobody").status_code for _ in range(1000)}
        limited = api.get("/people/nobody")
    assert statuses == {404}
    _problem(limited, 429)
    assert limited["Retry-After"] == "1"
    cache.clear()


def test_a_host_that_is_not_ours_is_refused_in_the_same_words(key: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {key}", "Host": "evil.example"})
    _problem(client.get("/api/v1/people/alice"), 400)  # type: ignore[arg-type]


def test_a_crash_is_told_in_the_same_words_and_nothing_more(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("memory_app.api.people.count", crash)
    api.remember("alice", "Alice plays the cello")
    api.client.raise_request_exception = False
    response = api.get("/people/alice/stats")
    _problem(response, 500)
    assert b"secret" not in response.content
