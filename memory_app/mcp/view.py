"""`POST /mcp` and `/mcp/{person}`: one message, one JSON answer. Keys, their limits and the log are the API's."""

import math
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from mcp_types.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND
from ninja.errors import Throttled

from memory_app.api.auth import KeyAuth, key_throttle
from memory_app.api.problems import no_key, problem, too_many_requests
from memory_app.engine.oauth_authorizations import OFFERED_SCOPES
from memory_app.errors import KeepsakeError
from memory_app.mcp.connection import connection_of
from memory_app.mcp.methods import answer_message
from memory_app.mcp.protocol import Message, RpcError, read_message
from memory_app.models import ApiKey, OAuthAuthorization
from memory_app.models.api_key import KEY_MARK
from memory_app.oauth.resources import metadata_address, resource_of


class KeyOrTokenAuth(KeyAuth):
    """`Authorization: Bearer`, with a key or an access token."""

    def find_key(self, request: HttpRequest, token: str, now: datetime) -> ApiKey | None:
        if not settings.KEEPSAKE_OAUTH or token.startswith(f"{KEY_MARK}_"):
            return super().find_key(request, token, now)
        match = request.resolver_match
        resource = resource_of(request, match.kwargs.get("person") if match else None)
        return OAuthAuthorization.objects.key_by_access_token(token, resource, now)


key_or_token = KeyOrTokenAuth(None)


def challenge(request: HttpRequest, person: str | None) -> HttpResponse:
    """401, with where to sign in; an error is named only to whoever showed something."""
    if not settings.KEEPSAKE_OAUTH:
        return no_key()
    parameters = {
        "resource_metadata": metadata_address(request, person),
        "scope": " ".join(scope.value for scope in OFFERED_SCOPES),
    }
    if request.headers.get("Authorization"):
        parameters["error"] = "invalid_token"
        parameters["error_description"] = "The key or token is unknown, has ended, or is for another address."
    return no_key(*(f'{name}="{value}"' for name, value in parameters.items()))


@csrf_exempt
def mcp(request: HttpRequest, person: str | None = None) -> HttpResponse:
    """A key is needed whatever is asked. No session, so nothing to GET or DELETE."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not _is_own_origin(request):
        return problem(403, "A page of another site may not call this.")
    try:
        key = key_or_token(request)
    except Throttled as error:
        return too_many_requests(error.wait)
    if key is None:
        return challenge(request, person)
    request.auth = key  # type: ignore[attr-defined]
    if not key_throttle.allow_request(request):
        return too_many_requests(math.ceil(key_throttle.wait() or 1))
    return _answer(request, person)


def _is_own_origin(request: HttpRequest) -> bool:
    """Browsers say which page calls: one of another site might have had its name moved to this address. The host is
    checked for every request, by Django."""
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        return urlsplit(origin).netloc == request.get_host()
    except ValueError:  # such as http://[
        return False


def _answer(request: HttpRequest, person: str | None) -> HttpResponse:
    try:
        message = read_message(request.body, request.headers)
    except RpcError as error:
        return _error(error, error.id, 400)
    if message.id is None:
        return HttpResponse(status=202)
    try:
        result = answer_message(connection_of(request, person, message), message)
    except RpcError as error:
        return _error(error, message.id, _status(error, message))
    except KeepsakeError as error:
        refused = RpcError(INVALID_PARAMS, str(error))
        return _error(refused, message.id, _status(refused, message))
    return JsonResponse({"jsonrpc": "2.0", "id": message.id, "result": result})


def _status(error: RpcError, message: Message) -> int:
    """Clients of the legacy protocol expect an error of a request that was understood with status 200."""
    if not message.is_modern:
        return 200
    return 404 if error.code == METHOD_NOT_FOUND else 400


def _error(error: RpcError, identifier: int | str | None, status: int) -> JsonResponse:
    problem_json: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        problem_json["data"] = error.data
    return JsonResponse({"jsonrpc": "2.0", "id": identifier, "error": problem_json}, status=status)
