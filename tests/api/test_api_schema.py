"""The API keeps to its own OpenAPI document: whatever is sent, answers are as documented, and nothing crashes."""

import json
import os
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from ninja.responses import NinjaJSONEncoder
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from memory_app.api import api as served
from tests.conftest import Api
from tests.worlds import undone

pytestmark = pytest.mark.django_db

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = int(os.environ.get("EXAMPLES", "3"))
"""Requests to each operation: `EXAMPLES=100 python -m pytest tests/api/test_api_schema.py` makes as many as that."""


DOCUMENT = json.loads(json.dumps(served.get_openapi_schema(), cls=NinjaJSONEncoder))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
SCHEMA.app = application
OPERATIONS = [(method, path) for path, methods in DOCUMENT["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def there(module_api: Api) -> dict[str, str]:
    """What is there to be asked for, by the name of the parameter."""
    api = module_api
    memory = api.remember("alice", "Alice plays the cello", venue={"space": "kitchen"}, key="music")
    search = api.post("/searches", {"person": "alice", "query": "cello"}).json()
    conversation = api.post("/conversations", {"person": "alice"}).json()
    receipt = api.post("/context", {"person": "alice", "query": "the cello"}).json()["receipt"]
    note = api.post("/people/alice/notes/2026-11-20", {"text": "It rained"}).json()
    document = api.post("/people/alice/documents", {"path": "a.md", "content": "x"}).json()
    return {
        "memory_id": memory["id"],
        "search_id": search["id"],
        "conversation_id": conversation["id"],
        "receipt_id": receipt,
        "entry": note["id"],
        "note_id": note["id"],
        "document_id": document["id"],
        "person": "alice",
        "name": "partition",
    }


@pytest.fixture
def one_connection(there: dict[str, str]) -> Iterator[dict[str, str]]:
    """What is there; and the connection is kept between requests, as Django's test client does: it holds the test's
    transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield there
    for signal in signals:
        signal.connect(close_old_connections)


bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_answers_are_as_documented(method: str, path: str, key: str, one_connection: dict[str, str]) -> None:
    operation = SCHEMA[path][method]

    @bounded
    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def good(case: Case[Any]) -> None:
        _ask(case, key, one_connection)

    @bounded
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def bad(case: Case[Any]) -> None:
        _ask(case, key, one_connection)

    good()
    if DOCUMENT["paths"][path][method].get("parameters") or "requestBody" in DOCUMENT["paths"][path][method]:
        bad()


def _ask(case: Case[Any], key: str, there: dict[str, str]) -> None:
    cache.clear()  # or the limit of requests a second would be met
    _aim(case, there)
    with undone():
        case.call_and_validate(headers={"Authorization": f"Bearer {key}"}, checks=CHECKS)


def _aim(case: Case[Any], there: dict[str, str]) -> None:
    """Makes the parameters of a path that would be good ones name what is there."""
    for name, value in (case.path_parameters or {}).items():
        if name in there and (not name.endswith("_id") or _is_id(value)):
            case.path_parameters[name] = there[name]


def _is_id(value: Any) -> bool:
    try:
        return bool(UUID(str(value)))
    except ValueError:
        return False


def test_every_operation_tells_its_errors() -> None:
    for path, methods in served.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            told = {int(status) for status in operation["responses"]}
            assert {400, 401, 403, 429} <= told, (method, path)
            assert ("requestBody" in operation) == (413 in told), (method, path)
            assert ("{" in path) <= ({404, 422} <= told), (method, path)
