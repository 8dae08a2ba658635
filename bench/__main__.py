"""`make bench`: measures what is claimed of Keepsake, on a server of its own, and prints one table.

`python -m bench NAME …` runs some of the measurements only; they run in the order of `MEASUREMENTS`. Those of
`ASKED_FOR` take long, or packages of their own, and run only when they are named.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import django

from bench.server import Server, environment
from bench.table import Line, markdown_table
from bench.understanding.cases import parse_arguments
from config.env import ROOT, data_folder

MEASUREMENTS = ("standing", "turns", "adding", "searching")
OPTIONAL_MEASUREMENTS = (
    "peers",
    "growth",
    "candidates",
    "erasing",
    "dropping",
    "passages",
    "logbook",
    "front",
    "backfill",
    "idle",
    "night",
    "mcp",
)
UNDERSTANDING = "understanding"
"""Comes alone, with options of its own (bench/understanding): it needs no server, and prints another table."""


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == [UNDERSTANDING]:
        _measure_understanding(parse_arguments(arguments[1:]))
        return
    parser = argparse.ArgumentParser(prog="python -m bench", description="measures a Keepsake of its own")
    every = (*MEASUREMENTS, *OPTIONAL_MEASUREMENTS)
    parser.add_argument("names", nargs="*", choices=[[], *every], metavar="NAME", help=", ".join(every))
    parser.add_argument("--small", action="store_true", help="fewer rows in those that take long, to see that they run")
    given = parser.parse_args(arguments)
    names = [name for name in every if name in (given.names or MEASUREMENTS)]
    with _new_folder() as folder:
        print(markdown_table(_run_measurements(folder, names, given.small)))


def _measure_understanding(options: argparse.Namespace) -> None:
    with _new_folder() as folder:
        _set_up(folder)
        import_module("bench.understanding.run").main(options)


def _run_measurements(folder: Path, names: Sequence[str], small: bool) -> list[Line]:
    first = Server(folder)
    first.stop()
    server = Server(folder)
    try:
        return _measured_lines(folder, server, first.key, names, small)
    finally:
        server.stop()


def _measured_lines(folder: Path, server: Server, key: str, names: Sequence[str], small: bool) -> list[Line]:
    _set_up(folder)
    bench_setup = import_module("bench.setup").make_setup(server, key, small=small)
    lines: list[Line] = []
    for name in names:
        for line in import_module(f"bench.{name}").measure(bench_setup):
            lines.append(line)
            print(markdown_table([line]).splitlines()[-1], file=sys.stderr, flush=True)
    return lines


def _set_up(folder: Path) -> None:
    """What is measured is loaded by name and only after this, for Django must know the data folder first."""
    ours = environment(folder)
    os.environ.clear()
    os.environ |= ours | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    django.setup()


@contextmanager
def _new_folder() -> Iterator[Path]:
    """A data folder for one run. The exported model in it is that of `make run`, so that it is made only once."""
    folder, models = Path(tempfile.mkdtemp(prefix="keepsake-bench-")), data_folder(ROOT / "var") / "models"
    folder.chmod(0o711)  # started as root, the database runs as a user who must pass through
    models.mkdir(exist_ok=True)
    (folder / "models").symlink_to(models)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
