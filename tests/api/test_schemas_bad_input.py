"""Bad input of every kind is 422 (413 where it is too large) and names its field; it changes no row."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.api.problems import a_memory, send
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept")]

KIB = 1024
TIMELESS = base64.urlsafe_b64encode(b'["2026-01-01T00:00:00", "00000000-0000-7000-8000-000000000000"]').decode()
Refused = Callable[..., dict[str, Any]]


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
    "an empty person": ("person", a_memory(person="")),
    "an empty content": ("content", a_memory(content="")),
    "a blank content": ("content", a_memory(content=" \n\t ")),
    "a person that is a number": ("person", a_memory(person=5)),
    "a person that is null": ("person", a_memory(person=None)),
    "a content that is a list": ("content", a_memory(content=["x"])),
    "a person of 201 characters": ("person", a_memory(person="p" * 201)),
    "a content of 50,001 characters": ("content", a_memory(content="c" * 50_001)),
    "an unknown field": ("contents", a_memory(contents="x")),
    "an unknown type": ("type", a_memory(type="opinion")),
    "an unknown category": ("category", a_memory(category="other")),
    "an unknown visibility": ("visibility", a_memory(visibility="public")),
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
    "attributes that are a list": ("attributes", a_memory(attributes=[1])),
    "a confidence of 1.5": ("confidence", a_memory(confidence=1.5)),
    "a negative confidence": ("confidence", a_memory(confidence=-0.1)),
    "a confidence of 1e999": ("confidence", _raw(confidence="1e999")),
    "a confidence of NaN as a word": ("confidence", a_memory(confidence="NaN")),
    "a confidence that is a huge integer": ("confidence", _raw(confidence="9" * 400)),
    "a time that is none": ("event_time", a_memory(event_time="yesterday")),
    "a 30th of February": ("event_time", a_memory(event_time="2026-02-30T10:00:00Z")),
    "a time before the calendar": ("event_time", a_memory(event_time="0001-01-01T00:00:00+14:00")),
    "a time after the calendar": ("expires_at", a_memory(expires_at="9999-12-31T23:59:59-14:00")),
    "a time that is a huge number": ("event_time", a_memory(event_time=10**30)),
    "a time that is a number": ("event_time", a_memory(event_time=0)),
    "a time that is a number in quotes": ("event_time", a_memory(event_time="20261122")),
    "a time that is a year": ("event_time", a_memory(event_time="2026")),
    "attributes of 50,001 characters": ("attributes", a_memory(attributes={"a": "x" * 50_000})),
    "a time that is a list": ("event_time", a_memory(event_time=[2026])),
    "51 tags": ("tags", a_memory(tags=["t"] * 51)),
    "an empty tag": ("tags.0", a_memory(tags=[""])),
    "a tag of 101 characters": ("tags.0", a_memory(tags=["t" * 101])),
    "tags that are a word": ("tags", a_memory(tags="kitchen")),
    "a key of 101 characters": ("key", a_memory(key="k" * 101)),
    "protected that is a word": ("protected", a_memory(protected="perhaps")),
    "a venue that is a word": ("venue", a_memory(venue="kitchen")),
    "a venue with an unknown field": ("venue.room", a_memory(venue={"room": "kitchen"})),
    "an empty space": ("venue.space", a_memory(venue={"space": ""})),
    "a space of 201 characters": ("venue.space", a_memory(venue={"space": "s" * 201})),
    "a channel without its space": ("venue.channel", a_memory(venue={"channel": "cooks"})),
    "restricted without a channel": ("venue.restricted", a_memory(venue={"space": "kitchen", "restricted": True})),
    "visibility space in private": ("visibility", a_memory(visibility="space")),
    "visibility channel in the open": ("visibility", a_memory(visibility="channel", venue={"space": "kitchen"})),
    "a bad id of a conversation": ("source.conversation", a_memory(source={"conversation": "x"})),
    "an unknown source": ("source.type", a_memory(source={"type": "gossip"})),
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


@pytest.mark.parametrize(
    ("path", "size"),
    [("/memories", 640 * KIB + 1), ("/search", 640 * KIB + 1), ("/memories/batch", 8 * KIB * KIB + 1)],
)
def test_a_body_too_large_is_refused_unread(path: str, size: int, refused: Refused) -> None:
    refused(413, "POST", path, b"[" * size)


def test_a_body_just_small_enough_is_read(api: Api) -> None:
    body = json.dumps(a_memory()).encode()
    assert send(api, "POST", "/memories", body + b" " * (640 * KIB - len(body)), {}).status_code == 201
    batch = b'{"items": []}'
    answer = send(api, "POST", "/memories/batch", batch + b" " * (8 * KIB * KIB - len(batch)), {})
    assert (answer.status_code, json.loads(answer.content)) == (201, {"items": []})


@pytest.mark.parametrize(("text", "escaped"), [("ש", False), ("東", False), ("😀", True)])
def test_the_longest_content_fits_in_any_script(text: str, escaped: bool, api: Api) -> None:
    body = json.dumps({"person": "alice", "content": text * 50_000}, ensure_ascii=escaped).encode()
    answer = send(api, "POST", "/memories", body, {})
    assert (answer.status_code, len(json.loads(answer.content)["content"])) == (201, 50_000)


def test_a_plus_that_was_not_encoded_in_an_address_is_one(api: Api) -> None:
    api.remember("carol", "Carol sings", event_time="2026-11-20T18:30:00+01:00")
    assert len(api.get("/memories?person=carol&since=2020-11-20T18:30:00+01:00").json()["items"]) == 1
    assert api.get("/memories?person=carol&since=2026").status_code == 422


def test_json_of_100_000_levels_is_bad_input_where_it_fits(refused: Refused) -> None:
    refused(422, "POST", "/memories/batch", ('{"items": ' + _deep(100_000) + "}").encode())


def test_items_of_a_batch_are_refused_one_by_one(api: Api) -> None:
    bad = [body for _, body in BAD_MEMORIES.values() if isinstance(body, dict)]
    answer = api.post("/memories/batch", {"items": [*bad, a_memory(), None, 5, []]})
    items = answer.json()["items"]
    assert [item["error"] and item["error"]["status"] for item in items] == [422] * len(bad) + [None, 422, 422, 422]
    with every_space():
        assert Memory.objects.filter(content=a_memory()["content"]).count() == 1


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
