"""What the server answers by itself, without the application: to a body that does not come, or when too much waits."""

from django.http import HttpResponse

from memory_app.api.problems import PREFIX, problem
from memory_app.serving.rsgi import HTTPProtocol

CLOSE = ("connection", "close")
"""What is left of the body was not read, and would be taken for the next request."""


def refuse(protocol: HTTPProtocol, path: str, status: int, detail: str, *, retry_after: int | None = None) -> None:
    """A problem document below the API, else plain text. The connection is closed."""
    if path.startswith(PREFIX):
        response: HttpResponse = problem(status, detail)
    else:
        response = HttpResponse(detail, status=status, content_type="text/plain; charset=utf-8")
    if retry_after is not None:
        response["Retry-After"] = str(retry_after)
    response["Cache-Control"] = "no-store"
    headers = [(name.lower(), value) for name, value in response.items()]
    protocol.response_bytes(status, [*headers, CLOSE], response.content)
