"""Idempotency-Key: the same request again gives the same answer, and no second row."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from ninja import Status
from pydantic import BaseModel

from memory_app.api.auth import key_of
from memory_app.errors import InConflict, Invalid
from memory_app.models import ApiKey, Idempotency
from memory_app.models.idempotency import KEPT_FOR

LONGEST = 255
View = Callable[..., Any]


def idempotent(view: View) -> View:
    """For a view that creates and answers with a Status. Its work and its answer are stored in one transaction, so
    that a process killed in between leaves neither."""

    @wraps(view)
    def answered_once(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        given = request.headers.get("Idempotency-Key")
        if given is None:
            with transaction.atomic():  # whoever first came into being in a request that fails is not kept either
                return view(request, *args, **kwargs)
        if not 0 < len(given) <= LONGEST:
            raise Invalid("Idempotency-Key", f"An Idempotency-Key has 1 to {LONGEST} characters.")
        with transaction.atomic():
            _claim(key_of(request), given)
            earlier = _answered(request, given, timezone.now())
            if earlier:
                return JsonResponse(earlier.response, status=earlier.status)
            answer = view(request, *args, **kwargs)
            _store(request, given, answer)
            return answer

    return answered_once


def is_answered(request: HttpRequest) -> bool:
    """Whether the request was answered before, by its Idempotency-Key: what takes long need not be done once more."""
    given = request.headers.get("Idempotency-Key")
    return given is not None and Idempotency.objects.filter(api_key=key_of(request), key=given).exists()


def _claim(key: ApiKey, given: str) -> None:
    """Raises InConflict while another request with this Idempotency-Key is in flight."""
    number = hashlib.sha256(f"{key.id} {given}".encode()).digest()[:8]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [int.from_bytes(number, signed=True)])
        if not cursor.fetchone()[0]:
            raise InConflict("A request with this Idempotency-Key is still in flight; wait for its answer.")


def _answered(request: HttpRequest, given: str, now: datetime) -> Idempotency | None:
    """The earlier answer. Raises Invalid where it was to another request."""
    Idempotency.objects.filter(api_key=key_of(request), key=given, created_at__lt=now - KEPT_FOR).delete()
    earlier = Idempotency.objects.filter(api_key=key_of(request), key=given).first()
    if earlier and bytes(earlier.request_hash) != _request_hash(request):
        raise Invalid("Idempotency-Key", "This Idempotency-Key was used for another request; use a new one.")
    return earlier


def _store(request: HttpRequest, given: str, answer: Status[BaseModel]) -> None:
    response = answer.value.model_dump(mode="json")
    Idempotency.objects.create(
        api_key=key_of(request),
        key=given,
        request_hash=_request_hash(request),
        status=answer.status_code,
        response=response,
        memory_ids=sorted(_memories_in(response)),
    )


def _request_hash(request: HttpRequest) -> bytes:
    """Of the method, the path and what the body says, whatever its white space or order of fields."""
    body = json.dumps(json.loads(request.body or b"null"), sort_keys=True)
    return hashlib.sha256(f"{request.method} {request.get_full_path()} {body}".encode()).digest()


def _memories_in(shown: Any) -> set[UUID]:
    """Ids of all memories that an answer shows, wherever they are in it."""
    if isinstance(shown, list):
        return {found for item in shown for found in _memories_in(item)}
    if not isinstance(shown, dict):
        return set()
    own = {UUID(shown["id"])} if {"id", "content", "visibility"} <= shown.keys() else set()
    return own | {found for item in shown.values() for found in _memories_in(item)}
