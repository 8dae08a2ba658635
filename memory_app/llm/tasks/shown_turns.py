"""What of a conversation is shown to a language model: what was said in it, numbered, with secrets masked."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.notice import NAMELESS
from memory_app.language.extract.said import Found, Said
from memory_app.language.sensitive import masked
from memory_app.llm.tasks.conversation_reading import KnownMemory
from memory_app.rules.text import shortened

LONGEST_TURN = 4_000
LONGEST_DIALOGUE = 40_000
"""Characters shown, about 10,000 tokens: several sessions. Of more, the latest turns."""

LONGEST_KNOWN = 300


def shown(turns: Sequence[Said]) -> list[Said]:
    """What was said in conversation, without turns that speak to the machinery; of too much, the latest."""
    spoken = [
        said
        for said in turns
        if said.role in ("user", "assistant")
        and (said.mode, said.outcome) == ("conversation", "ok")
        and not is_hostile(said.content)
    ]
    room, first = LONGEST_DIALOGUE, len(spoken)
    while first and (room := room - min(len(spoken[first - 1].content), LONGEST_TURN)) >= 0:
        first -= 1
    return spoken[first:]


def turn(number: int, said: Said, person: str, timezone: ZoneInfo) -> dict[str, object]:
    by = "assistant" if said.role == "assistant" else speaker(said, person)
    at = f"{said.spoken_at.astimezone(timezone):%A %-d %B %Y %H:%M}" if said.spoken_at else None
    return {"turn": number, "by": by, "at": at, "text": masked(said.content[:LONGEST_TURN])}


def candidate(number: int, found: Found, shown: Sequence[Said]) -> dict[str, object]:
    numbers = {said.index: number for number, said in enumerate(shown, 1)}
    turns = [numbers[index] for index in found.turns if index in numbers]
    return {"candidate": number, "text": masked(found.content), "turns": turns}


def known(number: int, memory: KnownMemory) -> dict[str, object]:
    return {"known": number, "text": masked(shortened(memory.content, LONGEST_KNOWN))}


def speaker(said: Said, person: str) -> str:
    return said.speaker or person or NAMELESS
