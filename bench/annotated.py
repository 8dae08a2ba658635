"""Reads annotated conversations between two friends (LoCoMo, Maharana et al., ACL 2024), for the extraction benchmark.

Each turn may have been noted as an observation, and each question names the turns that answer it. The data is not
shipped: its licence (CC BY-NC 4.0) allows measuring with it, not passing it on with this project.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_app.language.extract import Said

ADVERSARIAL = 5
"""The category of questions that have no answer in the conversation; the others are 1 to 4."""

_TURN_ID = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True)
class Session:
    """One talk of a conversation: its turns, and their ids in the same order."""

    turns: list[Said]
    ids: list[str]


@dataclass(frozen=True)
class Annotated:
    """A conversation of many sessions: which turns were noted, and per question which turns answer it. asked: the words
    of each question, in the same order."""

    name: str
    sessions: list[Session]
    noted: frozenset[str]
    questions: list[frozenset[str]]
    asked: list[str]


def annotated(path: Path) -> list[Annotated]:
    """The conversations of a file in the form of LoCoMo. Raises FileNotFoundError where it is not there."""
    return [_conversation(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(row: dict[str, Any]) -> Annotated:
    sessions = list(_sessions(row["conversation"]))
    known = {turn for session in sessions for turn in session.ids}
    noted = {
        turn for by_speaker in row["observation"].values() for notes in by_speaker.values() for turn in _ids(notes)
    }
    answerable = [question for question in row["qa"] if question["category"] != ADVERSARIAL]
    answered = [(question["question"], frozenset(_ids(question["evidence"])) & known) for question in answerable]
    found = [(asked, evidence) for asked, evidence in answered if evidence]
    questions, asked = [evidence for _, evidence in found], [asked for asked, _ in found]
    return Annotated(row["sample_id"], sessions, frozenset(noted), questions, asked)


def _ids(annotation: object) -> list[str]:
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


def _turn(index: int, row: dict[str, Any], at: datetime) -> Said:
    picture = f" [shared image: {row['blip_caption']}]" if row.get("blip_caption") else ""
    return Said(index=index, role="user", content=row["text"] + picture, speaker=row["speaker"], spoken_at=at)
