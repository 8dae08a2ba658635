"""Pages for operators: whether the server is alive, whether it is ready, and its metrics."""

from ipaddress import ip_address

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django_prometheus import exports

from memory_app.health import faults, readiness_answer
from memory_app.models import ApiKey, Scope

BEARER = "Bearer "


def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers."""
    return HttpResponse("ok", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when every part works, else 503 with which does not."""
    status, document = readiness_answer(faults())
    return JsonResponse(document, status=status)


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus metrics, for this machine or an admin key that is not limited, for they count what is everyone's."""
    key = _key_of_request(request)
    if not _is_local(request) and not (key and key.has(Scope.ADMIN) and not key.people and not key.spaces):
        why = "This needs an admin key that is not limited." if key else "Send an admin key, or ask from this machine."
        return HttpResponse(why, status=403 if key else 401, content_type="text/plain")
    answer: HttpResponse = exports.ExportToDjangoView(request)
    return answer


def _is_local(request: HttpRequest) -> bool:
    """A proxy on this machine would make everyone local, so a forwarded request never is."""
    if "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _key_of_request(request: HttpRequest) -> ApiKey | None:
    token = request.headers.get("Authorization", "")
    return ApiKey.objects.by_token(token.removeprefix(BEARER), timezone.now()) if token.startswith(BEARER) else None
