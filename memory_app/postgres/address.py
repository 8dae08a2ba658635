"""Where the embedded server listens: a Unix socket in a closed folder, or 127.0.0.1 where there are none."""

import hashlib
import os
import socket
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from memory_app.postgres.account import Account
from memory_app.postgres.installation import PostgresError

SOCKET_PORT = 5432
# The shortest limit of a socket's path among the systems we run on (macOS 104, Linux 108), less its closing zero.
MAX_SOCKET_PATH = 103


@dataclass(frozen=True)
class Address:
    """What a client gives as host and port. A host that starts with a slash is the folder of the socket."""

    host: str
    port: int

    @property
    def folder(self) -> Path | None:
        return Path(self.host) if self.host.startswith("/") else None

    @property
    def socket(self) -> Path | None:
        return self.folder / f".s.PGSQL.{self.port}" if self.folder else None


def address_of(home: Path) -> Address:
    """Where the server of `home` listens, or would if it started now. Reads at most one small file."""
    try:
        host, port = (home / "address").read_text().split("\n")
        return Address(host, int(port))
    except (OSError, ValueError):
        return Address(str(_socket_folder(home)), SOCKET_PORT)


def choose_address(home: Path, account: Account) -> Address:
    """Makes the folder of the socket, decides between it and 127.0.0.1, and writes the choice down."""
    folder = _socket_folder(home)
    _make_private(folder, account)
    address = Address(str(folder), SOCKET_PORT) if _supports_sockets(folder) else Address("127.0.0.1", _free_port())
    address_file = home / "address"
    address_file.write_text(f"{address.host}\n{address.port}")
    account.take_ownership(address_file, 0o600)
    return address


def _socket_folder(home: Path) -> Path:
    """Beside the data; where that path is too long for a socket, a short one named after it."""
    name = f"keepsake-{hashlib.sha256(os.fsencode(home)).hexdigest()[:12]}"
    # Root's own runtime folder is closed to the account that root lends the server.
    runtime = os.environ.get("XDG_RUNTIME_DIR", "") if os.geteuid() != 0 else ""
    choices = [home / "socket", *(Path(base) / name for base in (runtime, tempfile.gettempdir(), "/tmp") if base)]
    return next(
        folder for folder in choices if _fits_limit(folder) and (folder.parent.is_dir() or folder.parent == home)
    )


def _fits_limit(folder: Path) -> bool:
    return len(os.fsencode(folder / f".s.PGSQL.{SOCKET_PORT}")) <= MAX_SOCKET_PATH


def _make_private(folder: Path, account: Account) -> None:
    """A folder in /tmp may have been put there by somebody else, to listen in our place: its owner is checked."""
    if not folder.is_symlink() and not folder.exists():
        folder.mkdir(mode=0o700)
        account.take_ownership(folder, 0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != account.uid or stat.S_IMODE(found.st_mode) & 0o077:
        raise PostgresError(f"{folder} is not a folder that the user {account.name} alone may enter: remove it.")


def _supports_sockets(folder: Path) -> bool:
    """Some file systems (network shares, mounts of a host in a container) refuse them."""
    probe = folder / "probe"
    probe.unlink(missing_ok=True)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(probe))
    except OSError:
        return False
    finally:
        probe.unlink(missing_ok=True)
    return True


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
