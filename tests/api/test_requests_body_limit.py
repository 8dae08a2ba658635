"""How many bytes a request may send, by its path and by what it shows of itself."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from memory_app.api.requests import BodyLimitMiddleware

KIB = 1024
KEY = {"Authorization": "Bearer ks_anything"}
SESSION = {"Cookie": "csrftoken=a; sessionid=b"}


def answer(path: str, size: int, headers: dict[str, str]) -> HttpResponse:
    """What a client is told who announces a body of that size."""

    def taken(request: HttpRequest) -> HttpResponse:
        return HttpResponse("taken")

    request = RequestFactory().post(path, headers={**headers, "Content-Length": str(size)})
    told = BodyLimitMiddleware(taken)(request)
    assert isinstance(told, HttpResponse)
    return told


@pytest.mark.parametrize(
    ("path", "headers", "limit"),
    [
        ("/login/", {}, 64 * KIB),
        ("/login/", {"Cookie": "csrftoken=a"}, 64 * KIB),
        ("/api/v1/memories/batch", {}, 64 * KIB),
        ("/people/1/profile/", SESSION, 8 * KIB * KIB),
        ("/api/v1/memories", KEY, 640 * KIB),
        ("/api/v1/memories", SESSION, 640 * KIB),
        ("/api/v1/memories/batch", KEY, 8 * KIB * KIB),
    ],
)
def test_a_body_is_taken_up_to_its_limit(path: str, headers: dict[str, str], limit: int) -> None:
    assert answer(path, limit, headers).content == b"taken"
    refused = answer(path, limit + 1, headers)
    assert refused.status_code == 413
    assert f"{limit // KIB} KiB" in refused.content.decode()
    assert "UTF-8" in refused.content.decode()
    assert refused["Content-Type"] == ("application/problem+json" if path.startswith("/api/") else "text/plain")
