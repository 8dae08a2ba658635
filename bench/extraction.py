"""What the local extractor finds, against what people noted and asked: precision and coverage, beside plain baselines.

Precision: of the turns that the proposals quote, the share that was noted as an observation. Coverage: the share of
the questions (with an answer, and with evidence) all of whose evidence is quoted. Each session is one conversation;
at most so many proposals a session. Needs data that is not shipped: `--data FOLDER` or KEEPSAKE_BENCH_DATA, with
`locomo_dev.json` in it. Run as `python -m bench.extraction`.

The weights of the extractor were learned on all five conversations; `python -m bench.extraction_weights` learns them
again with each conversation left out in turn, and prints what they are worth on those left out.
"""

import argparse
import os
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from bench.annotated import Annotated, Session, annotated
from memory_app.language.extract import extract

DATA = Path(os.environ.get("KEEPSAKE_BENCH_DATA", "../shared/data"))
LIMITS = (5, 8)
SPLITS = {"all five": slice(None), "1-3": slice(3), "4-5": slice(3, 5)}
SEED = 0

Pick = Callable[[Session, int], Iterable[int]]


@dataclass(frozen=True)
class Figures:
    """Shares from 0 to 1, and how many turns were quoted."""

    precision: float
    coverage: float
    quoted: int


def longest(session: Session, limit: int) -> list[int]:
    """The longest turns, by what was said."""
    lengths = [len(turn.content.partition(" [shared image: ")[0]) for turn in session.turns]
    return sorted(range(len(lengths)), key=lambda n: (-lengths[n], n))[:limit]


def chance(session: Session, limit: int) -> list[int]:
    """Any turns, the same each time."""
    turns = range(len(session.turns))
    return random.Random(f"{SEED} {session.ids[0]} {limit}").sample(turns, min(limit, len(turns)))


def extractor(session: Session, limit: int) -> list[int]:
    """The turns quoted by the local extractor."""
    found = extract(session.turns, person="", timezone=ZoneInfo("UTC"), limit=limit)
    return [turn for one in found for turn in one.turns]


METHODS: dict[str, Pick] = {"chance": chance, "longest turns": longest, "extractor": extractor}


def figures(conversations: Sequence[Annotated], pick: Pick, limit: int) -> Figures:
    """Precision and coverage of the picked turns over all sessions and questions of the conversations."""
    noted = quoted = covered = asked = 0
    for conversation in conversations:
        picked = {s.ids[turn] for s in conversation.sessions for turn in pick(s, limit)}
        quoted += len(picked)
        noted += len(picked & conversation.noted)
        asked += len(conversation.questions)
        covered += sum(evidence <= picked for evidence in conversation.questions)
    return Figures(noted / quoted, covered / asked, quoted)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints one table."""
    parser = argparse.ArgumentParser(description="precision and coverage of the local extractor")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with locomo_dev.json (not shipped)")
    path = parser.parse_args(arguments).data / "locomo_dev.json"
    if not path.exists():
        parser.exit(2, f"{path} is not there. It is not shipped: see the head of bench/extraction.py.\n")
    conversations = annotated(path)
    print(f"{'method':<14} {'a session':>9} {'conversations':>14} {'precision':>10} {'coverage':>9} {'turns':>6}")
    for limit in LIMITS:
        for name, pick in METHODS.items():
            for split, part in SPLITS.items():
                got = figures(conversations[part], pick, limit)
                print(f"{name:<14} {limit:>9} {split:>14} {got.precision:>10.3f} {got.coverage:>9.3f} {got.quoted:>6}")


if __name__ == "__main__":
    main()
