"""What tests of refused requests share: the shape of a problem document, and a look at every row of the database."""

import json
from typing import Any

from django.db import connection
from django.http import HttpResponse

from memory_app.models.row_security import every_space
from tests.conftest import Api

PROBLEM = "application/problem+json"
SOMEONE = "00000000-0000-7000-8000-00000000abcd"
"""An id that nothing has."""


def a_memory(**fields: Any) -> dict[str, Any]:
    """A memory of Alice's as it is sent."""
    return {"person": "alice", "content": "Alice plays the cello", **fields}


def send(api: Api, method: str, path: str, body: object, headers: dict[str, str]) -> HttpResponse:
    """The response to a body, which is sent as it is if it is bytes."""
    if not isinstance(body, bytes):
        return api.call(method, path, body, **headers)  # type: ignore[no-any-return]
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.client.generic(method, f"/api/v1{path}", body, "application/json", headers=sent)  # type: ignore[return-value]


def problem_of(response: HttpResponse, status: int) -> dict[str, Any]:
    """The problem document of a response, which must be one of that status."""
    assert response.status_code == status, response.content[:300]
    assert response["Content-Type"] == PROBLEM
    document: dict[str, Any] = json.loads(response.content)
    assert set(document) in ({"type", "title", "status", "detail"}, {"type", "title", "status", "detail", "errors"})
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    assert ("errors" in document) == (status == 422)
    return document


def rows() -> dict[str, str]:
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
