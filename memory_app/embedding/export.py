"""Put a model's files in place, whole or not at all: `python -m memory_app.embedding.export SETTING DATA`.

Runs as a process of its own (see `prepare`), for it brings torch; no other module imports it. Leaves to `trace` what
the files are.
"""

import fcntl
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_app.embedding.recipe import Recipe, folder_of
from memory_app.embedding.source import source
from memory_app.embedding.trace import write


def export(setting: str, data: Path) -> Path:
    """The folder of the model, made if it is not there. Safe to run twice at once, and to be killed at any point."""
    model = source(setting)
    folder = folder_of(model.name, data)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_name(folder.name + ".lock")):
        if Recipe.read(folder) is None:
            partial = folder.with_name(folder.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)  # left by one that was killed: we hold the lock
            shutil.rmtree(folder, ignore_errors=True)  # not whole, or it would have been read
            partial.mkdir()
            write(model, partial)
            _flush(partial)
            partial.rename(folder)
            _flush_folder(folder.parent)
    return folder


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Held by one process at a time; the kernel lets go of it when the holder dies."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _flush(folder: Path) -> None:
    """On disk before the rename is: after a power cut a folder under its final name is whole."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    _flush_folder(folder)


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def main(setting: str, data: str) -> int:
    warnings.simplefilter("ignore")  # torch's tracer warns of its own retirement and of each constant it folds
    try:
        export(setting, Path(data))
    except Exception as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
