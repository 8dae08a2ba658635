"""What an addition says became of it: of what is stored, whatever the policy of its person is by now."""

from collections.abc import Iterable

from memory_app.engine.proposals.reading import Reading
from memory_app.models import Conversation, ExtractionPolicy
from memory_app.models.person import with_pause_notice

STANDS = "Kept: this is how it stands now."
NOTHING_STORED = "Nothing of it is stored, and nothing kept."

EVENT_MESSAGES = {
    "ADD": "Kept as it was said.",
    "UPDATE": "Kept as it was said, in place of what was remembered before.",
    "NONE": "Remembered already: the older memory stays as it is, with the metadata, ids and dates that it has.",
}
"""With `infer: false`, by what was done."""

READ, NOT_READ = "Listened to.", "Not read for what is worth keeping."
WANTS_NOTHING = "Not read: this person wants nothing noticed."
SAVED = "What was sure, asked for or accepted is kept."
SAVED_ON_REQUEST = "What they asked to remember is kept."
KNOWN = "Of what was asked for, some was remembered already, and stays as it was."
WAITS = "What was noticed waits for the person to decide on it, in their inbox."
DECIDED = "What was noticed is decided on, or has expired."
NOTED = "What was not sure is in the note of the day."
NOTHING_SAVED = "Nothing new is kept of it."


def event_message(events: Iterable[str]) -> str:
    """Of what was kept as it stands."""
    done = set(events)
    return " ".join(message for event, message in EVENT_MESSAGES.items() if event in done)


def reading_message(conversation: Conversation, reading: Reading, *, known: bool = False) -> str:
    """Of what was listened to. known: whether something that it asked for was remembered before."""
    if not conversation.turn_count:
        return with_pause_notice(conversation.person, NOTHING_STORED)
    off = conversation.person.extraction_policy == ExtractionPolicy.OFF
    sentences = {
        READ: reading.read,
        WANTS_NOTHING: not reading.read and off,
        NOT_READ: not reading.read and not off,
        SAVED: reading.read and bool(reading.memories),
        SAVED_ON_REQUEST: not reading.read and bool(reading.memories),
        KNOWN: known,
        WAITS: bool(reading.waiting),
        DECIDED: bool(reading.decided and not reading.waiting),
        NOTED: bool(reading.noted),
        NOTHING_SAVED: not (reading.memories or reading.waiting or reading.noted),
    }
    return with_pause_notice(conversation.person, " ".join(said for said, holds in sentences.items() if holds))
