"""How one language words requests and times: expressions, each with the English frame that it is put in."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

LONGEST = 4_000
"""Characters: a longer text is none of a request."""

MARKS = " .!?…"

Frames = Sequence[tuple[str, str]]


def _as_it_is(clause: str) -> str:
    return clause


@dataclass(frozen=True, slots=True)
class Wording:
    """requests: expressions of a whole utterance; in its frame, {told} is what is to be kept, as a sentence or a
    clause, {about} what is spoken of. times: expressions of a phrase. words: what their groups are in English, in small
    letters. around: what may stand before and after a request. clause: a clause of what is told, as a sentence."""

    requests: Sequence[tuple[re.Pattern[str], str]]
    times: Sequence[tuple[re.Pattern[str], str]]
    words: Mapping[str, str]
    around: tuple[re.Pattern[str], re.Pattern[str]]
    clause: Callable[[str], str] = _as_it_is

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
                kept = {part: given.get(part, "").rstrip(" ?") for part in ("told", "clause")}
                told = kept["told"].strip() or self.clause(kept["clause"].strip())
                return frame.format(told=told, about=self.words.get(about.lower(), about))
        return utterance

    def times_of(self, text: str) -> str:
        for pattern, frame in self.times:
            text = pattern.sub(partial(self._framed, frame), text)
        return text

    def _framed(self, frame: str, found: re.Match[str]) -> str:
        given = {name: self.words.get(text.lower(), text) for name, text in found.groupdict("").items()}
        return " ".join(frame.format(**given).split())


def whole(frames: Frames) -> Sequence[tuple[re.Pattern[str], str]]:
    """Expressions of whole utterances, whatever mark ends them."""
    return [(re.compile(rf"{said}\s*[.!?…]*", re.IGNORECASE | re.DOTALL), frame) for said, frame in frames]


def phrases(frames: Frames) -> Sequence[tuple[re.Pattern[str], str]]:
    """Expressions of phrases, from word to word."""
    return [(re.compile(rf"(?<!\w){said}(?!\w)", re.IGNORECASE), frame) for said, frame in frames]


def one_of(words: Mapping[str, str]) -> str:
    """Any of the words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))
