"""All that an utterance asks to be remembered: one request may follow another, and one may name several things."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_app.rules.address import ASSISTANT_NAMES
from memory_app.rules.triggers.misspelt import spelt
from memory_app.rules.triggers.pattern import pattern
from memory_app.rules.triggers.remember import RememberRequest, remember_request

# Before a head that asks again: the end of a sentence, or "and"; with "also", "please", "can you" between.
_AGAIN = pattern(
    r"(?:(?<=[.!?;])\s+|,?\s+(?=(?:and|also|plus)\b))(?=(?:(?:and|also|plus|oh|then|please|pls|just|(?:can|could) you)"
    r"[\s,]+)*(?:remember\b|(?:don't|dont|do not) forget\b|(?:keep|bear) in mind\b|make a note\b|note (?:down )?that\b|"
    r"save (?:that|this)\b))"
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "couple": 2, "2": 2, "3": 3, "4": 4}
_COUNTED = pattern(r"\b(?P<count>two|three|four|couple|[234])(?: of)?(?: more| quick)? things\b[^:]{0,40}:")
_LISTED = pattern(
    r"\s*(?:;|,\s*and\b|,|\band\b|(?<=[.!?])\s)\s*(?:(?:first|second|one|two|[1-4])[).:]?\s+)?(?:that\s+)?"
)
_TASKS = pattern(r",?\s+and\s+(?:also\s+)?to\s+")


# Of the words that any request is made with: most turns have none, and are read no further.
_MAY_ASK = pattern(
    r"\br\w{4,9}r\b|/remember|f\w{2,4}t\b|mind|not(?:e|ing)\b|notes|memo|remember|sav(?:e|ing)|stor(?:e|ing)|keep|log\b|"
    r"record|file|fyi|information|reference|important|aware|later|next time|know|down\b|profile"
)


def remember_requests(utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> list[RememberRequest]:
    """Each thing that an utterance asks to be remembered, in order; none where it asks for nothing of the kind."""
    if not _MAY_ASK.search(utterance):
        return []
    parts = _AGAIN.split(spelt(utterance.replace("’", "'")))
    requests = [remember_request(part, assistant_names) for part in parts]
    found = [request for request in requests if request is not None and not request.refers_back]
    if len(found) < 2 or any(request is None for request in requests[1:]):
        whole = remember_request(utterance, assistant_names)
        found = [whole] if whole else []
    return [one for request in found for one in _things(request, utterance)]


def _things(request: RememberRequest, utterance: str) -> Iterator[RememberRequest]:
    """What one request names: "two things: Anna called, and Bob is ill", "to buy milk and to call Bob"."""
    if request.task:
        contents = _TASKS.split(request.content)
    else:
        contents = _counted(request.content, utterance) or [request.content]
    for content in contents:
        yield replace(request, content=content.strip())


def _counted(content: str, utterance: str) -> list[str]:
    """The parts of a list of as many things as were announced, or nothing."""
    announced = _COUNTED.search(utterance)
    parts = [part for part in _LISTED.split(content) if part.strip(" .!")] if announced else []
    return parts if announced and len(parts) == _COUNTS[announced["count"].lower()] else []
