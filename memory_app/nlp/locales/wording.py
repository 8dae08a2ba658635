"""How one language words requests and times: expressions, each with the English frame that it is put in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from memory_app.nlp import linear_re as re

LONGEST = 4_000
"""Characters: a longer text is none of a request."""

MARKS = " .!?…"

Frames = Sequence[tuple[str, str]]

WAS = "was"
"""English word put before a phrase of time, by which the English grammar knows the past."""


@dataclass(frozen=True, slots=True)
class Wording:
    """requests: expressions of a whole utterance; in its frame, {told} is what is to be kept, as it was
    said, {about} what is spoken of. times: expressions of a phrase. words: what their groups are in English, in small
    letters. around: what may stand before and after a request. past: what tells that a month without a year is past."""

    requests: Sequence[tuple[re.Pattern, str]]
    times: Sequence[tuple[re.Pattern, str]]
    words: Mapping[str, str]
    around: tuple[re.Pattern, re.Pattern]
    past: re.Pattern

    def request(self, utterance: str) -> str:
        """The utterance in the first frame that fits; as it is where none does."""
        if len(utterance) > LONGEST:
            return utterance
        said = utterance.strip().replace("’", "'")
        for part in self.around:
            said = part.sub("", said)
        for pattern, frame in self.requests:
            if found := pattern.fullmatch(said):
                given = found.groupdict("")
                about = given.get("about", "").strip(MARKS)
                # "Can you remember that …?" asks for nothing else.
                told = given.get("told", "").rstrip(" ?").strip()
                return frame.format(told=told, about=self.words.get(about.lower(), about))
        return utterance

    def times_of(self, text: str) -> str:
        for pattern, frame in self.times:
            text = pattern.sub(partial(self._framed, frame), text)
        return text

    def _framed(self, frame: str, found: re.Match) -> str:
        given = {name: self.words.get(text.lower(), text) for name, text in found.groupdict("").items()}
        tense = WAS if self.past.search(found.string) else ""
        return " ".join(f"{tense} {frame.format(**given)}".split())


def whole(frames: Frames) -> Sequence[tuple[re.Pattern, str]]:
    """Expressions of whole utterances, whatever mark ends them."""
    return [(re.compile(rf"{said}\s*[.!?…]*", re.IGNORECASE | re.DOTALL), frame) for said, frame in frames]


def phrases(frames: Frames) -> Sequence[tuple[re.Pattern, str]]:
    """Expressions of phrases, from word to word."""
    return [(re.compile(rf"(?<!\w){said}(?!\w)", re.IGNORECASE), frame) for said, frame in frames]


def one_of(words: Mapping[str, str]) -> str:
    """Any of the words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))
