"""Collects the static files for the web server, when one of them changed since the last time."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_if_changed() -> bool:
    """Answers whether there was something to collect. Cut short, it collects again at the next start."""
    stamp = Path(settings.STATIC_ROOT).with_suffix(".stamp")
    found = _fingerprint()
    if stamp.exists() and stamp.read_text() == found:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(found)
    return True


def _fingerprint() -> str:
    """Of the names, sizes and times of all files, not their content: milliseconds instead of seconds."""
    lines = sorted(f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in _files())
    return hashlib.sha256("\n".join([settings.STORAGES["staticfiles"]["BACKEND"], *lines]).encode()).hexdigest()


def _files() -> Iterator[tuple[str, os.stat_result]]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield name, os.stat(storage.path(name))
