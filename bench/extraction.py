"""What the local extractor finds, against what people noted and asked: precision and coverage, beside plain baselines.

Precision: of the turns that the proposals quote, the share that was noted as an observation. Coverage: the share of
the questions (with an answer, and with evidence) all of whose evidence is quoted. Each session is one conversation;
at most so many proposals a session. Needs data that is not shipped: `--data FOLDER` or KEEPSAKE_BENCH_DATA, with
`locomo_dev.json` in it. Run as `python -m bench.extraction`.

The weights of the extractor were learned on all five conversations; `python -m bench.extraction_weights` learns them
again with each conversation left out in turn, and prints what they are worth on those left out.

Reads annotated conversations between two friends (LoCoMo, Maharana et al., ACL 2024), for the extraction benchmark.

Each turn may have been noted as an observation, and each question names the turns that answer it. The data is not
shipped: its licence (CC BY-NC 4.0) allows measuring with it, not passing it on with this project.
"""

import argparse
import json
import os
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from memory_app.nlp.extract import SpokenTurn, extract

ADVERSARIAL = 5
"""The category of questions that have no answer in the conversation; the others are 1 to 4."""

_TURN_ID = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True)
class Session:
    """One talk of a conversation: its turns, and their ids in the same order."""

    turns: list[SpokenTurn]
    ids: list[str]


@dataclass(frozen=True)
class AnnotatedConversation:
    """A conversation of many sessions: which turns were noted, and per question which turns answer it. asked: the words
    of each question, in the same order."""

    name: str
    sessions: list[Session]
    noted: frozenset[str]
    questions: list[frozenset[str]]
    recall_query: list[str]


def load_conversations(path: Path) -> list[AnnotatedConversation]:
    """The conversations of a file in the form of LoCoMo. Raises FileNotFoundError where it is not there."""
    return [_conversation(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(row: dict[str, Any]) -> AnnotatedConversation:
    sessions = list(_sessions(row["conversation"]))
    known = {turn for session in sessions for turn in session.ids}
    noted = {
        turn for by_speaker in row["observation"].values() for notes in by_speaker.values() for turn in _turn_ids(notes)
    }
    answerable = [question for question in row["qa"] if question["category"] != ADVERSARIAL]
    answered = [(question["question"], frozenset(_turn_ids(question["evidence"])) & known) for question in answerable]
    found = [(recall_query, evidence) for recall_query, evidence in answered if evidence]
    questions, recall_query = [evidence for _, evidence in found], [recall_query for recall_query, _ in found]
    return AnnotatedConversation(row["sample_id"], sessions, frozenset(noted), questions, recall_query)


def _turn_ids(annotation: object) -> list[str]:
    """The turn ids in an annotation, which are written in several ways ("D8:6; D9:17", "D:11:26", "D30:05")."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(json.dumps(annotation))]


def _sessions(conversation: dict[str, Any]) -> Iterator[Session]:
    for number in range(1, len(conversation)):
        rows = conversation.get(f"session_{number}")
        if rows:
            at = datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
            yield Session(
                [_turn(n, row, at.replace(tzinfo=UTC)) for n, row in enumerate(rows)], [r["dia_id"] for r in rows]
            )


def _turn(index: int, row: dict[str, Any], at: datetime) -> SpokenTurn:
    picture = f" [shared image: {row['blip_caption']}]" if row.get("blip_caption") else ""
    return SpokenTurn(index=index, role="user", content=row["text"] + picture, speaker=row["speaker"], spoken_at=at)


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


def figures(conversations: Sequence[AnnotatedConversation], pick: Pick, limit: int) -> Figures:
    """Precision and coverage of the picked turns over all sessions and questions of the conversations."""
    noted = quoted = covered = recall_query = 0
    for conversation in conversations:
        picked = {s.ids[turn] for s in conversation.sessions for turn in pick(s, limit)}
        quoted += len(picked)
        noted += len(picked & conversation.noted)
        recall_query += len(conversation.questions)
        covered += sum(evidence <= picked for evidence in conversation.questions)
    return Figures(noted / quoted, covered / recall_query, quoted)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints one table."""
    parser = argparse.ArgumentParser(description="precision and coverage of the local extractor")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with locomo_dev.json (not shipped)")
    path = parser.parse_args(arguments).data / "locomo_dev.json"
    if not path.exists():
        parser.exit(2, f"{path} is not there. It is not shipped: see the head of bench/extraction.py.\n")
    conversations = load_conversations(path)
    print(f"{'method':<14} {'a session':>9} {'conversations':>14} {'precision':>10} {'coverage':>9} {'turns':>6}")
    for limit in LIMITS:
        for name, pick in METHODS.items():
            for split, part in SPLITS.items():
                got = figures(conversations[part], pick, limit)
                print(f"{name:<14} {limit:>9} {split:>14} {got.precision:>10.3f} {got.coverage:>9.3f} {got.quoted:>6}")


if __name__ == "__main__":
    main()
