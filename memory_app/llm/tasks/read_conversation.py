"""What a conversation holds, as a language model reads it.

Leaves to the engine what becomes of the items. They can be about this conversation only: an answer has no way to name
a person, a space, a visibility or a setting.
"""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from memory_app.language.extract.said import Found, Said
from memory_app.llm.checks.items import Check
from memory_app.llm.failures import Withheld
from memory_app.llm.prompts import extract
from memory_app.llm.protocol import Model
from memory_app.llm.tasks import shown_turns
from memory_app.llm.tasks.conversation_reading import ConversationReading, KnownMemory

MOST_ITEMS = 8
MOST_KNOWN = 40


def read_conversation(
    model: Model,
    turns: Sequence[Said],
    local: Sequence[Found],
    known: Sequence[KnownMemory],
    *,
    person: str,
    timezone: ZoneInfo,
    limit: int = MOST_ITEMS,
) -> ConversationReading:
    """Asks once. `person` is who the user is, for turns without a speaker. Raises ModelError: then `local` stands."""
    shown = shown_turns.shown(turns)
    if not any(said.role == "user" for said in shown):
        raise Withheld("There is nothing in these turns to ask about.")
    prompt = extract.prompt(
        turns=[shown_turns.turn(number, said, person, timezone) for number, said in enumerate(shown, 1)],
        candidates=[shown_turns.candidate(number, found, shown) for number, found in enumerate(local, 1)],
        known=[shown_turns.known(number, memory) for number, memory in enumerate(known[:MOST_KNOWN], 1)],
        limit=limit,
    )
    answer = model.ask(prompt, extract.Noticed)
    check = Check(shown, local, known[:MOST_KNOWN], person, timezone, limit)
    for item in answer.value.items:
        check.take(item)
    return ConversationReading(check.items, check.dismissed(answer.value.dismissed), check.dropped, answer.made)
