"""The settings of the embedded server. An administrator's own go into `custom.conf` beside the data, and win."""

from collections.abc import Mapping
from pathlib import Path

from memory_app.postgres.account import Account
from memory_app.postgres.address import Address

# For a machine of 2 cores and a few gigabytes that also runs the web server, the worker and an encoder:
# everything idle together stays under 1 GB.
MEMORY: Mapping[str, str] = {
    "shared_buffers": "128MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "max_connections": "60",
    "max_logical_replication_workers": "0",
    "io_method": "sync",  # the default keeps three more processes, for disks that are far away
}
# A write is acknowledged when it is on disk (fsync and synchronous_commit stay on).
DISK: Mapping[str, str] = {
    "wal_compression": "on",
    "wal_recycle": "off",  # a segment used again would keep, beyond its new records, what was erased meanwhile
    "max_wal_size": "512MB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
}
# Compiling costs more than our queries, which take milliseconds.
PLANNING: Mapping[str, str] = {"jit": "off"}
# The log must not hold what a person later erases: no failing row, no statement.
LOG: Mapping[str, str] = {
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_parameter_max_length_on_error": "0",
    "log_line_prefix": "'%m [%p] '",
}
PLACE: Mapping[str, str] = {
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "datestyle": "'iso, ymd'",
    "password_encryption": "scram-sha-256",
}


def write_configuration(data: Path, address: Address, account: Account, home: Path, major: int) -> None:
    """Writes the server's two configuration files anew, so that they always fit the engine that reads them."""
    settings = {**MEMORY, **DISK, **PLANNING, **LOG, **PLACE, **_listening(address)}
    if major < 18:
        del settings["io_method"]
    text = [f"{name} = {value}" for name, value in settings.items()]
    custom = _quoted(str(home / "custom.conf"))
    _write_file(data / "postgresql.conf", [*text, f"include_if_exists = {custom}"], account)
    where = "local all all" if address.folder else "host all all 127.0.0.1/32"
    _write_file(data / "pg_hba.conf", [f"{where} scram-sha-256"], account)


def _listening(address: Address) -> dict[str, str]:
    return {
        "listen_addresses": "''" if address.folder else _quoted(address.host),
        "unix_socket_directories": _quoted(str(address.folder or "")),
        "unix_socket_permissions": "0700",
        "port": str(address.port),
    }


def _quoted(value: str) -> str:
    """A string of postgresql.conf. Double quotes inside keep a folder with a comma from reading as two."""
    inner = f'"{value}"' if "," in value else value
    return "'" + inner.replace("\\", "\\\\").replace("'", "''") + "'"


def _write_file(path: Path, lines: list[str], account: Account) -> None:
    path.write_text("\n".join(["# Written by Keepsake at each start; see custom.conf.", *lines, ""]))
    account.take_ownership(path, 0o600)
