"""The tombstone file: what was erased, which keys were revoked, and how logins stand, outside of the database.

A database that is lost takes its own record along; this file stays. Each line is synced to disk and holds ids, never a
word. Lines are only added, and of one erasure, key or login the last one counts. Each machine has a file of its own.
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

FILE_NAME = "erased.jsonl"
IDS_PER_LINE = 1_000

ERASURE_FIELDS = {field.name: field for field in Erasure._meta.concrete_fields if field.name != "sought"}
DATE_FIELD = DateTimeField()
JSON_ENCODER = DjangoJSONEncoder(separators=(",", ":"))

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeyEnd:
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
class TombstoneRecords:
    """What the file tells: erasures by id, the memories that went with each, the ends of keys, and how logins stood
    last, by `login_id`."""

    erasures: dict[UUID, Erasure] = field(default_factory=dict)
    memories: dict[UUID, UUID] = field(default_factory=dict)
    keys: dict[UUID, KeyEnd] = field(default_factory=dict)
    logins: dict[str, LoginState] = field(default_factory=dict)


def tombstone_path() -> Path:
    return Path(settings.KEEPSAKE_DATA) / FILE_NAME


def append_erasures(erasures: Iterable[Erasure]) -> None:
    """Adds them to the file, and returns once they are on the disk."""
    _append([line for erasure in erasures for line in _lines_of_erasure(erasure)])


def append_key_ends(keys: Iterable[ApiKey]) -> None:
    """Adds when these keys end, or ended, in the same way."""
    recorded = [{"key": key.id, "revoked_at": key.revoked_at, "expires_at": key.expires_at} for key in keys]
    _append([JSON_ENCODER.encode(line) + "\n" for line in recorded])


def append_logins(users: Iterable[User]) -> None:
    """Adds how these logins stand now, where the file does not tell it so."""
    recorded = read_tombstones().logins
    states = {login_id(user): LoginState.of(user) for user in users}
    news = [{"login": one, **asdict(state)} for one, state in states.items() if recorded.get(one) != state]
    _append([JSON_ENCODER.encode(line) + "\n" for line in news])


def login_id(user: User) -> str:
    """Which login: also of two databases that number theirs alike."""
    return f"{user.pk} {user.date_joined.isoformat()}"


def _append(lines: Sequence[str]) -> None:
    if not lines:
        return
    with _open_for_append() as out:
        out.writelines(lines)


def read_tombstones() -> TombstoneRecords:
    """All that the file tells. A line that a crash tore is passed over: the database has what it was to tell."""
    recorded = TombstoneRecords()
    try:
        lines = tombstone_path().read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return recorded
    for number, line in enumerate(lines, 1):
        try:
            _read_line(json.loads(line), recorded)
        except (ValueError, KeyError, TypeError, AttributeError):
            logger.warning("line %s of %s cannot be read", number, FILE_NAME)
    return recorded


def complete_tombstone_file() -> int:
    """Adds to the file what it does not tell yet, or tells as it no longer is; returns how many erasures."""
    recorded = read_tombstones()
    news = [
        erasure
        for erasure in Erasure.objects.order_by("at").iterator()
        if erasure.id not in recorded.erasures or recorded.erasures[erasure.id].signature != erasure.signature
    ]
    append_erasures(news)
    ending = ApiKey.objects.filter(Q(revoked_at__isnull=False) | Q(expires_at__isnull=False)).order_by("id")
    append_key_ends(key for key in ending if recorded.keys.get(key.id) != _key_end_as_written(key))
    return len(news)


def _lines_of_erasure(erasure: Erasure) -> Iterator[str]:
    values = {name: getattr(erasure, name) for name in ERASURE_FIELDS}
    yield JSON_ENCODER.encode({"erasure": values}) + "\n"
    recorded = {erasure.subject, *map(UUID, erasure.derived)}
    buried = Tombstone.objects.filter(erasure_id=erasure.id).values_list("memory_id", flat=True)
    if gone := [one for one in buried if one not in recorded]:
        for start in range(0, len(gone), IDS_PER_LINE):
            yield JSON_ENCODER.encode({"of": erasure.id, "memories": gone[start : start + IDS_PER_LINE]}) + "\n"


def _key_end_as_written(key: ApiKey) -> KeyEnd:
    """Its end as a line tells it."""
    return _parse_key_end(json.loads(JSON_ENCODER.encode({"revoked_at": key.revoked_at, "expires_at": key.expires_at})))


def _parse_key_end(line: dict[str, Any]) -> KeyEnd:
    return KeyEnd(DATE_FIELD.to_python(line["revoked_at"]), DATE_FIELD.to_python(line["expires_at"]))


def _read_line(line: dict[str, Any], recorded: TombstoneRecords) -> None:
    if "key" in line:
        recorded.keys[UUID(line["key"])] = _parse_key_end(line)
        return
    if "login" in line:
        recorded.logins[line["login"]] = LoginState(line["active"], line["is_super"], line["password"])
        return
    if "erasure" not in line:
        of = UUID(line["of"])
        recorded.memories |= {UUID(memory): of for memory in line["memories"]}
        return
    values = {
        name: ERASURE_FIELDS[name].to_python(value) for name, value in line["erasure"].items() if name in ERASURE_FIELDS
    }
    erasure = Erasure(**values)
    recorded.erasures[erasure.id] = erasure
    if erasure.kind == Erased.MEMORY:
        recorded.memories |= {erasure.subject: erasure.id} | {UUID(memory): erasure.id for memory in erasure.derived}


@contextmanager
def _open_for_append() -> Iterator[TextIO]:
    """The file, for one writer at a time, at the beginning of a line; on the disk when this is over."""
    path = tombstone_path()
    new = not path.exists()
    with open(path, "a", opener=_owner_only) as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        if _is_torn(path):
            out.write("\n")
        yield out
        out.flush()
        os.fsync(out.fileno())
    if new:
        _sync_folder(path.parent)


def _owner_only(path: str, flags: int) -> int:
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
