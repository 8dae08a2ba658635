"""A database made by the 37 migrations that `0001_initial` replaces comes along as it is, with all its rows."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from psycopg.sql import SQL, Identifier

from config.env import ROOT
from memory_app.embedding.model_files import prepare_model
from memory_app.postgres.dump import _newest_installation
from memory_app.serving.migrate_and_collect import migrate_if_needed

OLD_TABLES = Path(__file__).parent / "data" / "tables_before_0001.sql.gz"
"""What those migrations made, and a few rows of Alice and Bob, as pg_dump wrote it on 22 November 2026."""

NAME = "made_before"
LAST = "0066_filters_of_a_search"

ROWS = {"memory": 6, "memory_version": 2, "turn": 6, "proposal": 2, "note": 1, "entity": 3, "tombstone": 1, "person": 2}
CONTENTS = {
    "I live in Ghent", "I live in Lyon", "The blue tiles are for the kitchen", "My sister Ruth plays the cello",
    "The saw is blunt",
}  # fmt: skip

MAY_DIFFER = re.compile(r" CONSTRAINT note_text_not_null|::character varying|::text(\[\])?|[()]")
"""The name that PostgreSQL 18 gives to NOT NULL of a column that was renamed, and the casts that it
adds to a condition when it reads one that it wrote."""


def _url(name: str) -> str:
    """How libpq finds a database of the tests' server."""
    place = connection.settings_dict
    given = {"host": place["HOST"], "port": place["PORT"], "passfile": place["OPTIONS"]["passfile"]}
    return f"postgresql://{place['USER']}@/{name}?{urlencode(given)}"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with nothing in it but the prepared model, which takes long to make."""
    prepare_model(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA)
    (tmp_path / "models").symlink_to(settings.KEEPSAKE_DATA / "models")
    return tmp_path


@pytest.fixture
def empty(django_db_setup: None) -> Iterator[str]:
    """The URL of a database without tables."""
    drop = SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(NAME))
    with psycopg.connect(_url("keepsake"), autocommit=True) as server:
        server.execute(drop)
        server.execute(SQL("CREATE DATABASE {}").format(Identifier(NAME)))
        yield _url(NAME)
        server.execute(drop)


@pytest.fixture
def old(empty: str) -> str:
    """The URL of a database that holds `OLD_TABLES`."""
    with psycopg.connect(empty) as made:
        made.execute(gzip.decompress(OLD_TABLES.read_bytes()))
    return empty


def _manage(*words: str, url: str, data: Path) -> str:
    """What a command prints."""
    done = _python("manage.py", *words, url=url, data=data)
    done.check_returncode()
    return done.stdout


def _python(*words: str, url: str, data: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATABASE_URL": url, "KEEPSAKE_DATA": str(data), **variables}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, text=True, capture_output=True)


KILLED_WHILE_MIGRATING = f"""
import os
from django.db.migrations.recorder import MigrationRecorder
from memory_app.serving.migrate_and_collect import migrate_if_needed
import django

record = MigrationRecorder.record_applied

def record_or_die(self, app, name):
    if name == "{LAST}":
        os.kill(os.getpid(), 9)
    record(self, app, name)

MigrationRecorder.record_applied = record_or_die
django.setup()
migrate_if_needed()
"""
"""A first start that is killed after the tables are made, and before Django has noted that they are."""


def _schema(url: str) -> list[str]:
    """Every table but the log's months, as pg_dump writes it."""
    flags = ["--schema-only", "--no-owner", "--no-privileges", "--exclude-table=operation_2*"]
    text = subprocess.run(
        [_newest_installation().program("pg_dump"), *flags, url], text=True, capture_output=True, check=True
    ).stdout
    written = [line for line in text.splitlines() if line and not line.startswith(("--", "\\", "COMMENT ON EXTENSION"))]
    return [MAY_DIFFER.sub("", line) for line in written]


def test_a_database_of_before_has_the_tables_of_a_new_one_and_all_its_rows(old: str, data: Path) -> None:
    records = [
        json.loads(line) for line in _manage("memory", "export", "--person", "alice", url=old, data=data).splitlines()
    ]
    assert {record["content"] for record in records if record["kind"] == "memory"} == CONTENTS
    _manage("migrate", url=old, data=data)
    assert _schema(old) == _schema(_url(connection.settings_dict["NAME"]))
    with psycopg.connect(old) as made:
        made.execute("SET app.every_space = 'on'")
        counted = {
            table: made.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone() for table in ROWS
        }
    assert {table: found[0] for table, found in counted.items() if found} == ROWS


@pytest.mark.django_db
def test_tables_from_before_the_last_of_them_are_refused_in_one_line() -> None:
    recorder = MigrationRecorder(connection)
    for name in (LAST, "0001_initial"):
        recorder.record_unapplied("memory_app", name)
    with pytest.raises(
        CommandError, match=rf"before the migration {LAST}, .* Start the last version that has"
    ) as refused:
        migrate_if_needed()
    assert "\n" not in str(refused.value)
    recorder.record_applied("memory_app", LAST)
    migrate_if_needed()
    call_command("migrate", check_unapplied=True, verbosity=0)


def test_a_first_start_that_was_killed_while_it_made_the_tables_is_made_good_by_the_next(
    empty: str, data: Path
) -> None:
    named = "config.settings"
    killed = _python("-c", KILLED_WHILE_MIGRATING, url=empty, data=data, DJANGO_SETTINGS_MODULE=named)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    _manage("status", url=empty, data=data)
    assert _schema(empty) == _schema(_url(connection.settings_dict["NAME"]))
