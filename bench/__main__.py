"""`make bench`: measures what is claimed of Keepsake, on a server of its own, and prints one table.

`python -m bench NAME …` runs some of the measurements only; they run in the order of `MEASUREMENTS`. Those of
`ASKED_FOR` take long, or packages of their own, and run only when they are named.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import django

from bench import noticing
from bench.server import Server, environment
from bench.table import Line, shown
from config.env import ROOT

MEASUREMENTS = ("standing", "turns", "adding", "searching")
UNDERSTANDING = "understanding"
"""What is noticed (bench/noticing.py): needs no server, and prints a table of its own."""

ASKED_FOR = ("peers", "growth", "erasing", "dropping", "passages", "logbook", "front", "backfill", "idle", "night")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="measures a Keepsake of its own")
    every = (*MEASUREMENTS, *ASKED_FOR, UNDERSTANDING)
    parser.add_argument("names", nargs="*", choices=[[], *every], metavar="NAME", help=", ".join(every))
    parser.add_argument("--small", action="store_true", help="fewer rows in those that take long, to see that they run")
    given = parser.parse_args(arguments)
    if UNDERSTANDING in given.names:
        noticing.main()
        if given.names == [UNDERSTANDING]:
            return
    names = [name for name in every[:-1] if name in (given.names or MEASUREMENTS)]
    folder = Path(tempfile.mkdtemp(prefix="keepsake-bench-"))
    try:
        print(shown(_measured(folder, names, given.small)))
    finally:
        shutil.rmtree(folder)


def _measured(folder: Path, names: Sequence[str], small: bool) -> list[Line]:
    _lend_model(folder)
    first = Server(folder)
    first.stop()
    server = Server(folder)
    try:
        return _lines(folder, server, first.key, names, small)
    finally:
        server.stop()


def _lines(folder: Path, server: Server, key: str, names: Sequence[str], small: bool) -> list[Line]:
    """What is measured is loaded by name and only here, for Django must know the data folder first."""
    ours = environment(folder)
    os.environ.clear()
    os.environ |= ours | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    django.setup()
    ground = import_module("bench.ground").prepared(server, key, small=small)
    lines: list[Line] = []
    for name in names:
        for line in import_module(f"bench.{name}").measure(ground):
            lines.append(line)
            print(shown([line]).splitlines()[-1], file=sys.stderr, flush=True)
    return lines


def _lend_model(folder: Path) -> None:
    """The model that `make run` exported before, so that it is not made again; without one the first start makes it."""
    folder.chmod(0o711)  # started as root, the database runs as a user who must pass through
    made = ROOT / "var" / "models"
    if made.exists():
        (folder / "models").symlink_to(made)


if __name__ == "__main__":
    main()
