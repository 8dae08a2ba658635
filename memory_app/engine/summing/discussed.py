"""What was talked about on a day: the topics of each conversation, and opinions in the person's own words."""

from collections.abc import Sequence
from itertools import groupby

from memory_app.language.keywords import keywords
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Role, Turn
from memory_app.rules import linear_re as re
from memory_app.rules.text import sentences, shortened

LONGEST_QUOTE = 300

OPINION = re.compile(
    r"(?:i (?:really |still |just )?(?:think|believe|prefer|love|like|hate|doubt)|in my (?:opinion|view))\b",
    re.IGNORECASE,
)
"""How a sentence begins that says what someone thinks of something."""


def topics(turns: Sequence[Turn]) -> list[str]:
    """A line a conversation: what the person's turns in it are about. What is sensitive in them is left out."""
    own = [turn for turn in turns if turn.role == Role.USER and not sensitive_kinds(turn.content)]
    talks = groupby(sorted(own, key=_place), key=lambda turn: turn.conversation_id)
    said = [" ".join(turn.content for turn in talk) for _, talk in talks]
    return [line for text in said if (line := ", ".join(keywords(text)))]


def opinions(turns: Sequence[Turn]) -> list[str]:
    """Sentences in which the person says what they think, as they said them."""
    own = [turn.content for turn in sorted(turns, key=_place) if turn.role == Role.USER]
    said = [" ".join(sentence.split()) for text in own for sentence in sentences(text)]
    held = [text for text in said if OPINION.match(text.replace("’", "'")) and not sensitive_kinds(text)]
    return [f"“{shortened(text, LONGEST_QUOTE)}”" for text in dict.fromkeys(held) if not text.endswith("?")]


def _place(turn: Turn) -> tuple[str, int]:
    return str(turn.conversation_id), turn.position
