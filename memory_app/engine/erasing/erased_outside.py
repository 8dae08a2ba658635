"""Erased outside: what was erased, which keys were taken away, and how logins stand, told in a file beside the database
as well, for a database that is lost takes its own record of it along. Each line is synced to disk; it holds ids, never
a word.

Lines are only ever added; of one erasure, key or login the last one holds. Where several machines share a database,
each has a file.
"""

import fcntl
import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TextIO
from uuid import UUID

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import DateTimeField, Q

from memory_app.models import ApiKey, Erased, Erasure, Tombstone, User

FILE = "erased.jsonl"
IDS_A_LINE = 1_000

FIELDS = {field.name: field for field in Erasure._meta.concrete_fields if field.name != "sought"}
MOMENT = DateTimeField()
ENCODER = DjangoJSONEncoder(separators=(",", ":"))

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class End:
    """When a key was revoked, and when it expires, where it does."""

    revoked_at: datetime | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class LoginState:
    """Whether a login opens anything, whether it is a super user's, and a hash of what its password is checked by."""

    active: bool
    is_super: bool
    password: str

    @classmethod
    def of(cls, user: User) -> Self:
        return cls(user.is_active, user.is_superuser, hashlib.sha256(user.password.encode()).hexdigest())


@dataclass
class Outside:
    """What the file tells: erasures by id, the memories that went with each, the ends of keys, and how logins stood
    last, by `login_id`."""

    erasures: dict[UUID, Erasure] = field(default_factory=dict)
    memories: dict[UUID, UUID] = field(default_factory=dict)
    keys: dict[UUID, End] = field(default_factory=dict)
    logins: dict[str, LoginState] = field(default_factory=dict)


def file() -> Path:
    return Path(settings.KEEPSAKE_DATA) / FILE


def write_outside(erasures: Iterable[Erasure]) -> None:
    """Adds them to the file, and returns once they are on the disk."""
    _add([line for erasure in erasures for line in _lines(erasure)])


def write_ends(keys: Iterable[ApiKey]) -> None:
    """Adds when these keys end, or ended, in the same way."""
    told = [{"key": key.id, "revoked_at": key.revoked_at, "expires_at": key.expires_at} for key in keys]
    _add([ENCODER.encode(line) + "\n" for line in told])


def write_logins(users: Iterable[User]) -> None:
    """Adds how these logins stand now, where the file does not tell it so."""
    told = read_outside().logins
    states = {login_id(user): LoginState.of(user) for user in users}
    news = [{"login": one, **asdict(state)} for one, state in states.items() if told.get(one) != state]
    _add([ENCODER.encode(line) + "\n" for line in news])


def login_id(user: User) -> str:
    """Which login: also of two databases that number theirs alike."""
    return f"{user.pk} {user.date_joined.isoformat()}"


def _add(lines: Sequence[str]) -> None:
    if not lines:
        return
    with _opened() as out:
        out.writelines(lines)


def read_outside() -> Outside:
    """All that the file tells. A line that a crash tore is passed over: the database has what it was to tell."""
    told = Outside()
    try:
        lines = file().read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return told
    for number, line in enumerate(lines, 1):
        try:
            _take(json.loads(line), told)
        except (ValueError, KeyError, TypeError, AttributeError):
            logger.warning("line %s of %s cannot be read", number, FILE)
    return told


def keep_outside() -> int:
    """Adds to the file what it does not tell yet, or tells as it no longer is; returns how many erasures."""
    told = read_outside()
    news = [
        erasure
        for erasure in Erasure.objects.order_by("at").iterator()
        if erasure.id not in told.erasures or told.erasures[erasure.id].signature != erasure.signature
    ]
    write_outside(news)
    ending = ApiKey.objects.filter(Q(revoked_at__isnull=False) | Q(expires_at__isnull=False)).order_by("id")
    write_ends(key for key in ending if told.keys.get(key.id) != _in_milliseconds(key))
    return len(news)


def _lines(erasure: Erasure) -> Iterator[str]:
    values = {name: getattr(erasure, name) for name in FIELDS}
    yield ENCODER.encode({"erasure": values}) + "\n"
    told = {erasure.subject, *map(UUID, erasure.derived)}
    buried = Tombstone.objects.filter(erasure_id=erasure.id).values_list("memory_id", flat=True)
    if gone := [one for one in buried if one not in told]:
        for start in range(0, len(gone), IDS_A_LINE):
            yield ENCODER.encode({"of": erasure.id, "memories": gone[start : start + IDS_A_LINE]}) + "\n"


def _in_milliseconds(key: ApiKey) -> End:
    """Its end as a line tells it."""
    return _end(json.loads(ENCODER.encode({"revoked_at": key.revoked_at, "expires_at": key.expires_at})))


def _end(line: dict[str, Any]) -> End:
    return End(MOMENT.to_python(line["revoked_at"]), MOMENT.to_python(line["expires_at"]))


def _take(line: dict[str, Any], told: Outside) -> None:
    if "key" in line:
        told.keys[UUID(line["key"])] = _end(line)
        return
    if "login" in line:
        told.logins[line["login"]] = LoginState(line["active"], line["is_super"], line["password"])
        return
    if "erasure" not in line:
        of = UUID(line["of"])
        told.memories |= {UUID(memory): of for memory in line["memories"]}
        return
    values = {name: FIELDS[name].to_python(value) for name, value in line["erasure"].items() if name in FIELDS}
    erasure = Erasure(**values)
    told.erasures[erasure.id] = erasure
    if erasure.kind == Erased.MEMORY:
        told.memories |= {erasure.subject: erasure.id} | {UUID(memory): erasure.id for memory in erasure.derived}


@contextmanager
def _opened() -> Iterator[TextIO]:
    """The file, for one writer at a time, at the beginning of a line; on the disk when this is over."""
    path = file()
    new = not path.exists()
    with open(path, "a", opener=_for_its_owner) as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        if _is_torn(path):
            out.write("\n")
        yield out
        out.flush()
        os.fsync(out.fileno())
    if new:
        _sync_folder(path.parent)


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _is_torn(path: Path) -> bool:
    """Whether the last line has no end: a crash tore it."""
    with path.open("rb") as written:
        size = written.seek(0, os.SEEK_END)
        written.seek(max(size - 1, 0))
        return written.read(1) not in (b"", b"\n")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
