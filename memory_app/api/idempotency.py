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
from memory_app.errors import Invalid, StillInFlight
from memory_app.models import ApiKey, Idempotency
from memory_app.models.idempotency import ANSWER_RETENTION

MAX_KEY_LENGTH = 255
View = Callable[..., Any]


def idempotent(view: View) -> View:
    """For a view that creates and answers with a Status. Its work and its answer are stored in one transaction, so
    that a process killed in between leaves neither."""

    @wraps(view)
    def idempotent_view(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        key_header = request.headers.get("Idempotency-Key")
        if key_header is None:
            with transaction.atomic():  # whoever first came into being in a request that fails is not kept either
                return view(request, *args, **kwargs)
        if not 0 < len(key_header) <= MAX_KEY_LENGTH:
            raise Invalid("Idempotency-Key", f"An Idempotency-Key has 1 to {MAX_KEY_LENGTH} characters.")
        with transaction.atomic():
            _claim(key_of(request), key_header)
            earlier = _earlier_answer(request, key_header, timezone.now())
            if earlier:
                return JsonResponse(earlier.response, status=earlier.status)
            answer = view(request, *args, **kwargs)
            _store(request, key_header, answer)
            return answer

    return idempotent_view


def has_earlier_answer(request: HttpRequest) -> bool:
    """Whether the request was answered before, by its Idempotency-Key: what takes long need not be done once more."""
    key_header = request.headers.get("Idempotency-Key")
    return key_header is not None and Idempotency.objects.filter(api_key=key_of(request), key=key_header).exists()


def _claim(key: ApiKey, key_header: str) -> None:
    """Raises StillInFlight while another request with this Idempotency-Key is in flight."""
    number = hashlib.sha256(f"{key.id} {key_header}".encode()).digest()[:8]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [int.from_bytes(number, signed=True)])
        if not cursor.fetchone()[0]:
            raise StillInFlight("A request with this Idempotency-Key is still in flight; wait for its answer.")


def _earlier_answer(request: HttpRequest, key_header: str, now: datetime) -> Idempotency | None:
    """The earlier answer. Raises Invalid where it was to another request."""
    Idempotency.objects.filter(api_key=key_of(request), key=key_header, created_at__lt=now - ANSWER_RETENTION).delete()
    earlier = Idempotency.objects.filter(api_key=key_of(request), key=key_header).first()
    if earlier and bytes(earlier.request_hash) != _request_hash(request):
        raise Invalid("Idempotency-Key", "This Idempotency-Key was used for another request; use a new one.")
    return earlier


def _store(request: HttpRequest, key_header: str, answer: Status[BaseModel]) -> None:
    response = answer.value.model_dump(mode="json")
    Idempotency.objects.create(
        api_key=key_of(request),
        key=key_header,
        request_hash=_request_hash(request),
        status=answer.status_code,
        response=response,
        memory_ids=sorted(_memory_ids_in(response)),
    )


def _request_hash(request: HttpRequest) -> bytes:
    """Of the method, the path and what the body says, whatever its white space or order of fields."""
    body = json.dumps(json.loads(request.body or b"null"), sort_keys=True)
    return hashlib.sha256(f"{request.method} {request.get_full_path()} {body}".encode()).digest()


def _memory_ids_in(answer: Any) -> set[UUID]:
    """Ids of all memories that an answer shows, wherever they are in it."""
    if isinstance(answer, list):
        return {found for item in answer for found in _memory_ids_in(item)}
    if not isinstance(answer, dict):
        return set()
    own = {UUID(answer["id"])} if {"id", "content", "visibility"} <= answer.keys() else set()
    return own | {found for item in answer.values() for found in _memory_ids_in(item)}
