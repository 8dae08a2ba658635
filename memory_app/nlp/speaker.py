"""Who speaks and when it was told, where a text says so at its start: "Anna: …", "[8 May 2023] Anna: …"."""

from dataclasses import dataclass

from memory_app.nlp import linear_re as re

_LED_BY_A_NAME = re.compile(
    r"(?:\[(?P<told>[^\]\n]{4,40})\]\s*)?(?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]{1,30}(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]{1,30})?):\s+(?=\S)"
)
_LED_BY_A_DATE = re.compile(r"\[(?P<told>[^\]\n]{0,40}\d[^\]\n]{0,40})\]\s*(?=\S)")
_NO_NAMES = frozenset(
    {"attendees", "decided", "fact", "fyi", "important", "note", "reminder", "summary", "todo", "task"}
)


@dataclass(frozen=True, slots=True)
class SpeakerPrefix:
    """A text and what leads it. `told` is the time of telling as written, `said` the words without what leads them."""

    said: str
    speaker: str = ""
    told: str = ""


def split_speaker(text: str) -> SpeakerPrefix:
    """Takes off what a text is led by; empty strings where it is led by nothing."""
    if found := _LED_BY_A_NAME.match(text):
        name = found["name"]
        if name.casefold() not in _NO_NAMES:
            return SpeakerPrefix(text[found.end() :], name, found["told"] or "")
    if found := _LED_BY_A_DATE.match(text):
        return SpeakerPrefix(text[found.end() :], told=found["told"])
    return SpeakerPrefix(text)


def speaker_in(text: str) -> str:
    """The name that a text is led by; empty when it is led by none."""
    return split_speaker(text).speaker
