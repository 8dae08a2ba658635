"""The files of an import: one file, a folder, or a zip as it was downloaded. Nothing is unpacked to disk.

A zip is judged by what it says of itself before a byte of it is unpacked, and never yields more than it says.
"""

import codecs
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from memory_app.imports.entries import Fault

MIB = 1024 * 1024
LARGEST_FILE = 2_048 * MIB
"""Bytes of one file, unpacked. Years of daily use of ChatGPT are about 500 MB."""

LARGEST_TOTAL = 4_096 * MIB
MOST_FILES = 100_000
LARGEST_RATIO = 200
"""How many times its packed size a file may have; JSON of conversations has 5 to 20. Asked of large files alone."""

JUDGED_FROM = 16 * MIB
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
READABLE = frozenset({".json", ".jsonl", ".md", ".markdown", ".af", ".txt"})


class Unreadable(ValueError):
    """Nothing of it can be imported; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file. name: its path within the zip or folder, with slashes."""

    name: str
    size: int
    open_bytes: Callable[[], IO[bytes]]

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()

    @property
    def base(self) -> str:
        """The name without folders."""
        return PurePosixPath(self.name).name

    @contextmanager
    def open_text(self) -> Iterator[IO[str]]:
        """Its text, decoded as its first bytes say, else as UTF-8. Reading raises UnicodeDecodeError for any other."""
        with self.open_bytes() as raw:
            buffered = io.BufferedReader(raw) if isinstance(raw, io.RawIOBase) else raw
            text = io.TextIOWrapper(buffered, encoding=self._encoding(), newline="")
            yield text

    def _encoding(self) -> str:
        with self.open_bytes() as raw:
            start = raw.read(4)
        utf_16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return "utf-16" if utf_16 else "utf-8-sig"


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """What there is to read, in order of name; `faults` tells of files that are left out."""

    files: Sequence[SourceFile]
    faults: Sequence[Fault]


@contextmanager
def open_source(path: Path, name: str = "") -> Iterator[SourceFiles]:
    """The files at a path. name: what it is called, where the path is only a copy. Raises Unreadable."""
    if path.is_dir():
        yield _files_of_folder(path)
    elif zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                yield _files_of_zip(archive)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
            raise Unreadable("This zip is damaged: download it again.") from None
    elif path.is_file():
        size = path.stat().st_size
        _check_size(name or path.name, size)
        yield SourceFiles([SourceFile(name or path.name, size, lambda: path.open("rb"))], [])
    else:
        raise Unreadable(f"There is no file {path}.")


def _files_of_folder(folder: Path) -> SourceFiles:
    """Hidden files and links are left out: a link may lead anywhere."""
    files: list[SourceFile] = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(root) / name
            if not name.startswith(".") and path.suffix.lower() in READABLE and not path.is_symlink():
                relative, size = path.relative_to(folder).as_posix(), path.stat().st_size
                _check_size(relative, size)
                files.append(SourceFile(relative, size, lambda path=path: path.open("rb")))  # type: ignore[misc]
    _check_number(len(files))
    return SourceFiles(files, [])


def _files_of_zip(archive: zipfile.ZipFile) -> SourceFiles:
    _check_number(len(archive.infolist()))
    files: list[SourceFile] = []
    faults: list[Fault] = []
    for info in sorted(archive.infolist(), key=lambda info: info.filename):
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        if info.is_dir() or PurePosixPath(info.filename).suffix.lower() not in READABLE:
            continue
        if any(part.startswith(".") and part not in ("..", ".") for part in parts) or "__MACOSX" in parts:
            continue
        if fault := _fault_of_member(info, parts):
            faults.append(Fault(info.filename[:200], fault))
            continue
        _check_member(info)
        files.append(SourceFile("/".join(parts), info.file_size, lambda info=info: archive.open(info)))  # type: ignore[misc]
    if sum(file.size for file in files) > LARGEST_TOTAL:
        raise Unreadable(f"This zip unpacks to more than {LARGEST_TOTAL // MIB:,} MiB: import it in parts.")
    return SourceFiles(files, faults)


def _fault_of_member(info: zipfile.ZipInfo, parts: Sequence[str]) -> str:
    if ".." in parts or (parts and parts[0].startswith("/")) or _DRIVE.match(info.filename):
        return "its path leads out of the zip"
    if info.flag_bits & 0x1:
        return "it is encrypted: unpack it with its password first"
    return "it is a link" if stat.S_ISLNK(info.external_attr >> 16) else ""


def _check_member(info: zipfile.ZipInfo) -> None:
    _check_size(info.filename, info.file_size)
    if info.file_size > JUDGED_FROM and info.file_size > LARGEST_RATIO * max(1, info.compress_size):
        raise Unreadable(
            f"{info.filename} unpacks to more than {LARGEST_RATIO} times its size, as nothing that people wrote does."
        )


def _check_size(name: str, size: int) -> None:
    if size > LARGEST_FILE:
        raise Unreadable(f"{name} has {size / MIB:,.0f} MiB; at most {LARGEST_FILE // MIB:,} MiB are read: split it.")


def _check_number(number: int) -> None:
    if number > MOST_FILES:
        raise Unreadable(f"There are more than {MOST_FILES:,} files in it: import them in parts.")
