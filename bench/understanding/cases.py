"""The cases of a set, and how their words are compared: without case, punctuation and spacing.

`python -m bench understanding [SET …]`: one table of how well what people say is understood, on both halves.

`--show` also prints what went wrong, of the half that may be looked at; of the other one nothing but figures is told.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

HALVES = ("seen", "unseen")
FOLDER = Path(__file__).parent

Case = Mapping[str, Any]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def cases(name: str, half: str) -> list[Case]:
    """The cases of one half of a set, in the order of its file."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["half"] == half]


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def normalised(text: str) -> str:
    return " ".join(words(text))


def has_all_words(text: str, wanted: str) -> bool:
    """Whether a text has all words of another one, as often."""
    return not Counter(words(wanted)) - Counter(words(text))


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


SHOWN_HALF = "seen"


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """sets: those to measure, all if none is named. halves: as well. show: whether to print what went wrong."""
    sets = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
    parser = argparse.ArgumentParser(prog="python -m bench understanding", description="measures what is understood")
    parser.add_argument("sets", nargs="*", choices=[[], *sets], metavar="SET", help=", ".join(sets))
    parser.add_argument("--half", choices=HALVES, dest="half", help="only this one")
    parser.add_argument("--show", action="store_true", help=f"what went wrong, of the half {SHOWN_HALF!r}")
    given = parser.parse_args(arguments)
    given.halves = [given.half] if given.half else list(HALVES)
    if given.show and SHOWN_HALF not in given.halves:
        parser.error(f"the half {given.half!r} is measured, and never shown")
    return given
