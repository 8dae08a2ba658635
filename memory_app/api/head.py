"""HEAD on every path of the API that takes GET: the same answer, without its body."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from memory_app.api.problems import PREFIX


class HeadMiddleware(MiddlewareMixin):
    """Has a HEAD request answered as a GET, for Ninja knows the methods it was told; then takes the body away."""

    def process_request(self, request: HttpRequest) -> None:
        if request.method == "HEAD" and request.path.startswith(PREFIX):
            request.method = "GET"
            request.asked_by_head = True  # type: ignore[attr-defined]

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not getattr(request, "asked_by_head", False):
            return response
        if response.streaming:
            response.streaming_content = iter(())  # type: ignore[attr-defined]
            return response
        length = len(response.content)  # type: ignore[attr-defined]
        response.content = b""  # type: ignore[attr-defined]
        response["Content-Length"] = str(length)
        return response
