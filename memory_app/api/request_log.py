"""Every request to the API, put in the log a little later than its answer: many at a time, by a thread of its own.

What a write changes is logged by its verb, in its own transaction; only that it was asked, and how fast it was
answered, waits here. A process that is killed loses the last second of that.
"""

import hashlib
import logging
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.util import Finalize
from uuid import UUID, uuid4

from django.conf import settings
from django.db import Error, close_old_connections
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from memory_app.api.auth import author_of
from memory_app.api.problems import API_PREFIXES
from memory_app.engine.audit import request_log as subjects
from memory_app.engine.audit.request_log import BodyDigest, RequestEntry, caller_label, log_requests
from memory_app.models import ApiKey
from memory_app.nlp.privacy.secrets import secrets

FLUSH_SECONDS = 1.0
BATCH_SIZE = 500
MAX_WAITING = 20_000
"""Entries kept while the database does not answer; the oldest are given up."""

VERSION = re.compile(r"^api/v\d+")
VARIABLE = re.compile(r"<(?:\w+:)?(\w+)>")
HASH_BYTES = 8
MAX_HASH_KEY = hashlib.blake2b.MAX_KEY_SIZE

MAX_ID_LENGTH = 64
"""Characters of a request's id that are taken from whoever sends one; what an entry of the log holds."""

IDENTIFIER = re.compile(r"[\w.:/+=@-]+", re.ASCII)

logger = logging.getLogger(__name__)


class RequestLog:
    """Entries on their way to the log. `has_writer_thread`: a thread does it; else whoever calls `flush`."""

    def __init__(self) -> None:
        self.has_writer_thread = True
        self.waiting: deque[RequestEntry] = deque(maxlen=MAX_WAITING)
        self.failing = False
        self.writer: threading.Thread | None = None
        self.lock = threading.Lock()

    def add(self, answered: RequestEntry) -> None:
        self.waiting.append(answered)
        if self.has_writer_thread and (self.writer is None or not self.writer.is_alive()):
            self.begin()

    def begin(self) -> None:
        """Only once a request came, and so after any fork."""
        with self.lock:
            if self.writer is None or not self.writer.is_alive():
                self.writer = threading.Thread(target=self.write_forever, name="request log", daemon=True)
                self.writer.start()
                # A web server's worker ends as a child of multiprocessing does, which runs no atexit but this.
                Finalize(None, self.flush, exitpriority=1)

    def write_forever(self) -> None:
        while True:
            time.sleep(FLUSH_SECONDS)
            close_old_connections()
            self.flush()

    def flush(self) -> int:
        """Writes what waits; returns how many. On an error what was taken waits again."""
        written = 0
        while batch := self.take():
            try:
                log_requests(batch)
            except Error as error:
                self.waiting.extendleft(reversed(batch))
                if not self.failing:  # said once, and not each second until the database is back
                    logger.warning("%d requests wait to be logged (%s)", len(self.waiting), type(error).__name__)
                self.failing = True
                break
            self.failing = False
            written += len(batch)
        return written

    def take(self) -> list[RequestEntry]:
        batch: list[RequestEntry] = []
        while self.waiting and len(batch) < BATCH_SIZE:
            batch.append(self.waiting.popleft())
        return batch


request_log = RequestLog()


class RequestLogMiddleware:
    """Notes each request to the API with its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        identifier = request.META["HTTP_X_REQUEST_ID"] = _identifier(request.META.get("HTTP_X_REQUEST_ID", ""))
        if not request.path.startswith(API_PREFIXES):
            return self.get_response(request)
        vars(request).pop("headers", None)  # read before by others, and kept: whoever asks next gets the same id
        started, at, token = time.perf_counter(), timezone.now(), subjects.begin_request()
        try:
            response = self.get_response(request)
        finally:
            request_subjects = subjects.end_request(token)
        response["X-Request-Id"] = identifier
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        path, path_ids = _path_and_ids(request)
        request_log.add(
            RequestEntry(
                at=at,
                author=caller_label(author_of(request) if isinstance(getattr(request, "auth", None), ApiKey) else None),
                request=identifier,
                method=request.method or "",
                path=path,
                status=response.status_code,
                milliseconds=milliseconds,
                subjects=request_subjects,
                memory=UUID(path_ids["memory_id"]) if "memory_id" in path_ids else None,
                ids=path_ids,
                sent=_body(getattr(request, "_body", b"")),
                answered=_body(b"" if response.streaming else response.content),
            )
        )
        return response


def _identifier(sent: str) -> str:
    """The caller's id for a request, where it is one; what reads like a secret, or like words, is none."""
    given = sent[:MAX_ID_LENGTH]
    return given if IDENTIFIER.fullmatch(given) and not any(secrets(given)) else str(uuid4())


def _body(content: bytes) -> BodyDigest | None:
    """What tells whether two bodies are the same, and nothing of what they say: the hash is keyed, so that no text can
    be tried against it."""
    if not content:
        return None
    key = settings.SECRET_KEY.encode()[:MAX_HASH_KEY]
    return BodyDigest(len(content), hashlib.blake2b(content, key=key, digest_size=HASH_BYTES).hexdigest())


def _path_and_ids(request: HttpRequest) -> tuple[str, dict[str, str]]:
    """The template of the path, and the ids in it. An unknown path may hold anything, and is not logged."""
    match = request.resolver_match
    if match is None:
        return "unknown", {}
    ids = {name: str(value) for name, value in match.kwargs.items() if name.endswith("_id")}
    if called := getattr(request, "logged_path", ""):  # all of them at one address
        return called, ids
    return "/" + VARIABLE.sub(r"{\1}", VERSION.sub("", match.route).lstrip("/")), ids
