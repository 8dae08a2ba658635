"""`python -m bench understanding [SET …]`: one table of how well what people say is understood, on both halves.

`--show` also prints what went wrong, of the half that may be looked at; of the other one nothing but figures is told.
"""

import argparse
from collections.abc import Sequence

from bench.understanding.cases import FOLDER, HALVES

MAY_BE_SHOWN = "seen"


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """sets: those to measure, all if none is named. halves: as well. show: whether to print what went wrong."""
    sets = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
    parser = argparse.ArgumentParser(prog="python -m bench understanding", description="measures what is understood")
    parser.add_argument("sets", nargs="*", choices=[[], *sets], metavar="SET", help=", ".join(sets))
    parser.add_argument("--half", choices=HALVES, dest="half", help="only this one")
    parser.add_argument("--show", action="store_true", help=f"what went wrong, of the half {MAY_BE_SHOWN!r}")
    given = parser.parse_args(arguments)
    given.halves = [given.half] if given.half else list(HALVES)
    if given.show and MAY_BE_SHOWN not in given.halves:
        parser.error(f"the half {given.half!r} is measured, and never shown")
    return given
