"""The notes that a request to forget describes, such as "forget my note about the boiler"."""

from datetime import datetime

from memory_app.embedding.encoder import Encoder
from memory_app.engine.enter import Entered
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import recall
from memory_app.models import Note
from memory_app.rules import linear_re as re
from memory_app.rules.meant import meant

LOOKED_AT = 50

_NOTES = re.compile(
    r"\b(?:my |the |that |a |our )?(?:daily )?notes?\b(?: (?:about|on|of|that|saying)\b)?", re.IGNORECASE
)


def names_notes(query: str) -> bool:
    """Whether the words speak of a note."""
    return _NOTES.search(query) is not None


def described_notes(entered: Entered, query: str, now: datetime, encoder: Encoder) -> list[Note]:
    """The person's notes that the words describe, best first; none outside of a private talk."""
    plain = " ".join(_NOTES.sub(" ", query).split())
    if not plain:
        return []
    asked = Asked(query=plain, limit=LOOKED_AT, kinds=("note",))
    recalled = recall(entered=entered, asked=asked, now=now, encoder=encoder)
    found = [(result.row, result.signals) for result in recalled.results if isinstance(result.row, Note)]
    return [found[at][0] for at in meant([signals for _, signals in found], recalled.statistics)]
