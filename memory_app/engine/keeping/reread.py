"""Reread: what follows from a text is worked out anew once the text is another. What someone stated stays.

A field changes only where the two texts read differently: a slip of the pen that is mended moves no date.
"""

from datetime import datetime
from typing import Any

from memory_app.engine.keeping.compose import DERIVED, slot
from memory_app.language.local import understand
from memory_app.models import Memory
from memory_app.rules.speaker import speaker_in


def reread(memory: Memory, content: str, *, now: datetime) -> dict[str, Any]:
    """The fields to set with a new content. Times named in it are of now."""
    speaker = memory.source_speaker
    if speaker == speaker_in(memory.content):
        speaker = speaker_in(content)
    before = _read(memory, memory.content, memory.source_speaker)
    after = _read(memory, content, speaker)
    stays = stated(memory, before)
    fields = {name: after[name] for name in DERIVED if name not in stays and after[name] != before[name]}
    if "event_time" in fields:
        told = understand(content, at=now, timezone=memory.person.zone).event_time
        fields["event_time"], fields["event_end"] = told or (None, None)
    if speaker != memory.source_speaker:
        fields["source_speaker"] = speaker
    return fields


def stated(memory: Memory, read: dict[str, Any]) -> set[str]:
    """The fields that someone set. Where nobody noted which, those that are not as they are read."""
    if memory.stated is not None:
        return set(memory.stated)
    return {name for name in DERIVED if getattr(memory, name) != read[name]}


def _read(memory: Memory, content: str, speaker: str) -> dict[str, Any]:
    read = understand(content, at=memory.created_at, timezone=memory.person.zone)
    return {
        "type": read.type,
        "category": read.category,
        "key": slot(memory.person, content, speaker, read),
        "keywords": list(read.keywords),
        "event_time": read.event_time[0] if read.event_time else None,
    }
