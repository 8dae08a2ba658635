"""What an assistant's own model proposes: one item, why it may not be put to its person, and the turns it rests on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.models import Role, Turn
from memory_app.models.proposal import Evidence
from memory_app.nlp import linear_re as re
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.privacy.sensitive import mask_sensitive, sensitive_kinds
from memory_app.nlp.text import shortened

LONGEST_CONTENT = 1_000
"""Characters of one item: a summary has 100, and more than ten such sentences are not one memory."""

LONGEST_QUOTE = 600
"""Characters of a quote: as many as of the quotes of a language model (llm/checks/quotes.py)."""

TYPES = frozenset({"fact", "preference", "decision", "event", "person", "project", "task"})
"""What may be proposed. Meetings, journal entries and the rest are made by asking for them."""

EMPTY = "It is empty."
TOO_LONG = f"It is too long: at most {LONGEST_CONTENT} characters, and {LONGEST_QUOTE} of a quote."
WRONG_TYPE = f"Nothing of this type is proposed: use one of {', '.join(sorted(TYPES))}."
HOLDS_INSTRUCTIONS = "It holds instructions to the memory system, or rests on a turn that does."
SENSITIVE = "It is sensitive: that is kept only when the person asks for it."
UNKNOWN_TURN = "It names a turn that is not in this person's conversation."
NOT_QUOTED = "The person did not say its quote in these turns: quote their words exactly."

_STRAIGHT_QUOTES = str.maketrans("’‘“”", "''\"\"")


@dataclass(frozen=True, slots=True)
class AssistantItem:
    """What a model noticed, in its words. quote, turns: what it rests on; None is "work it out"."""

    content: str
    type: str | None = None
    category: str | None = None
    key: str | None = None
    quote: str | None = None
    turns: tuple[UUID, ...] = ()
    event_time: datetime | None = None
    confidence: float | None = None


def item_fault(item: AssistantItem) -> str:
    """Why its words alone keep it from its person; "" if they do not."""
    words = "\n".join((item.content, item.quote or "", item.key or ""))
    if not item.content.strip():
        return EMPTY
    if len(item.content) > LONGEST_CONTENT or len(item.quote or "") > LONGEST_QUOTE:
        return TOO_LONG
    if item.type is not None and item.type not in TYPES:
        return WRONG_TYPE
    if is_hostile(words):
        return HOLDS_INSTRUCTIONS
    return SENSITIVE if sensitive_kinds(words) else ""


def find_evidence(
    item: AssistantItem, known: Mapping[UUID, Turn], conversation_turns: Sequence[Turn]
) -> Evidence | str:
    """The turns that an item rests on, each with the words that it quotes, or why it cannot rest on them.

    known: those of the named turns that are the person's. conversation_turns: all of them, for a quote that names no
    turn.
    """
    if any(turn not in known for turn in item.turns):
        return UNKNOWN_TURN
    named_turns = [known[turn] for turn in dict.fromkeys(item.turns)]
    quote_found = _find_quote(item.quote, named_turns or conversation_turns) if item.quote else None
    if item.quote and quote_found is None:
        return NOT_QUOTED
    evidence = ([quote_found] if quote_found else []) + [
        (turn, _turn_excerpt(turn.content))
        for turn in named_turns
        if quote_found is None or turn.id != quote_found[0].id
    ]
    return HOLDS_INSTRUCTIONS if any(is_hostile(turn.content) for turn, _ in evidence) else evidence


def _find_quote(quote: str, turns: Iterable[Turn]) -> tuple[Turn, str] | None:
    """The turn of the person in which the words stand, and the words as they stand there."""
    parts = [re.escape(part) for part in quote.translate(_STRAIGHT_QUOTES).split()]
    because = "words letter by letter, and white space only between them"
    words = re.by_python(r"(?<!\w)" + r"\s+".join(parts) + r"(?!\w)", re.IGNORECASE, because=because)
    for turn in turns:
        found = words.search(turn.content.translate(_STRAIGHT_QUOTES)) if parts and turn.role == Role.USER else None
        if found:
            return turn, turn.content[found.start() : found.end()]
    return None


def _turn_excerpt(content: str) -> str:
    """The words of a turn that is named and not quoted; nothing sensitive in them is shown."""
    return shortened(mask_sensitive(content), LONGEST_QUOTE)
