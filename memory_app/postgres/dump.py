"""Dump the database to a file, look into the file, and put it back: by PostgreSQL's own programs, as the wheel carries
them.

A dump is consistent, whatever is written meanwhile. Putting back is one transaction: all of it, or nothing changed.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_app.postgres.installation import Installation, PostgresError, packaged_installations

EXTENSION = "vector"
"""Made by an administrator, and no part of what is ours."""

SETTING_VARIABLES = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}
OPTION_VARIABLES = {
    "passfile": "PGPASSFILE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "service": "PGSERVICE",
}


def dump(database: Mapping[str, Any], file: Path) -> None:
    """Writes the database that Django's settings name to `file`, whole or not at all. Raises PostgresError."""
    if file.exists() and not file.is_file():  # what takes the place of /dev/null is not what anyone meant
        raise PostgresError(f"{file} is no ordinary file.")
    draft = file.with_name(f".{file.name}.part")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.close(descriptor)
        # An ordinary role is under row security here too; the setting is the one that maintenance is let through by.
        options = ["--format=custom", "--no-owner", "--no-privileges", "--no-comments", "--enable-row-security"]
        _run("pg_dump", [*options, f"--exclude-extension={EXTENSION}", f"--file={draft}"], database)
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)


def tables_in(file: Path) -> frozenset[str]:
    """Names of the tables that a dump makes. Raises PostgresError for a file that is none."""
    contents = _run("pg_restore", ["--list", str(file)], {})
    return frozenset(re.findall(r"^\d+; \d+ \d+ TABLE \S+ (\S+) ", contents, re.MULTILINE))


def rows_in(file: Path, table: str) -> list[list[str]]:
    """The rows of one table of a dump, as text, in the order of its columns. Raises PostgresError."""
    script = _run("pg_restore", ["--data-only", f"--table={table}", "--file=-", str(file)], {})
    copy_block = re.search(r"^COPY [^\n]*;\n(.*?)^\\\.$", script, re.MULTILINE | re.DOTALL)
    return [row.split("\t") for row in copy_block[1].splitlines()] if copy_block else []


def restore_dump(database: Mapping[str, Any], file: Path, tables: Sequence[str]) -> None:
    """Replaces `tables`, all that there are of ours, by what the dump holds. Raises PostgresError."""
    with tempfile.TemporaryDirectory(prefix="keepsake-restore-") as folder:
        script = Path(folder) / "dump.sql"
        _run("pg_restore", ["--no-owner", "--no-privileges", "--no-comments", f"--file={script}", str(file)], database)
        names_sql = ", ".join('"' + name.replace('"', '""') + '"' for name in tables)
        drop_tables = ["--command", f"DROP TABLE {names_sql} CASCADE"] if tables else []
        options = ["--single-transaction", "--set=ON_ERROR_STOP=1", "--quiet", "--no-psqlrc", "--output=/dev/null"]
        _run("psql", [*options, *drop_tables, "--file", str(script)], database)


def _run(program: str, arguments: Sequence[str], database: Mapping[str, Any]) -> str:
    """What it printed."""
    done = subprocess.run(
        [str(_newest_installation().program(program)), *arguments],
        env=_environment(database),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise PostgresError(f"{program} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout


def _newest_installation() -> Installation:
    installations = packaged_installations()
    return installations[max(installations)]


def _environment(database: Mapping[str, Any]) -> dict[str, str]:
    """How libpq finds the database that Django uses; passwords stay out of the arguments, which anyone may read."""
    variables = {variable: str(database[name]) for name, variable in SETTING_VARIABLES.items() if database.get(name)}
    options = database.get("OPTIONS") or {}
    variables |= {variable: str(options[name]) for name, variable in OPTION_VARIABLES.items() if options.get(name)}
    return {"PATH": os.defpath, "LC_ALL": "C", "PGOPTIONS": "-c app.every_space=on", **variables}
