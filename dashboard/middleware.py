"""Pages hold nothing that is not seen, whoever wrote it and wherever it stands on one: `nlp/text.py`."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from memory_app.nlp.text import without_invisible


class VisiblePagesMiddleware(MiddlewareMixin):
    """Takes it out of every page, and every part of one, on its way out; what is stored stays as it was written."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
            page = response.content.decode(response.charset)
            response.content = without_invisible(page).encode(response.charset)
        return response
