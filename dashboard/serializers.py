"""Rows as the JSON form of several pages has them."""

from datetime import datetime
from typing import Any

from dashboard.dialogue import DialogueLine
from dashboard.masking import MASK
from memory_app.models import Memory
from memory_app.serializers.memory import memory_out


def memory_json(memory: Memory, now: datetime, *, masked: bool) -> dict[str, Any]:
    values = memory_out(memory, now).model_dump(mode="json")
    if masked:
        values |= {"summary": MASK, "content": MASK, "context": None, "key": None, "keywords": [], "attributes": {}}
    return values


def line_json(line: DialogueLine) -> dict[str, Any]:
    return {
        "position": line.turn.position,
        "speaker": line.speaker,
        "spoken_at": line.turn.spoken_at,
        "text": "".join(part.text for part in line.parts),
        "quoted": line.quoted,
    }
