"""How one language words requests and times: expressions, each with the English frame that it is put in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from memory_app.rules import linear_re as re

LONGEST = 4_000
"""Characters: a longer text is none of a request."""

MARKS = " .!?…"

Frames = Sequence[tuple[str, str]]

WAS, WILL = "was", "will"
"""English words put before a phrase of time, by which the English grammar knows the past, and what is to come."""


@dataclass(frozen=True, slots=True)
class Tenses:
    """How a clause tells the past, and what is to come, where it tells no past; since: how a phrase begins that began
    in the past, whatever its verb. joins: what stands between two clauses."""

    past: re.Pattern
    coming: re.Pattern
    since: re.Pattern
    joins: re.Pattern

    def of(self, text: str, start: int, end: int) -> str:
        """The word for the tense of the clause around a phrase; empty where it cannot be told."""
        if self.since.match(text, start, end):
            return WAS
        begins = max((found.end() for found in self.joins.finditer(text, 0, start)), default=0)
        ends = self.joins.search(text, end)
        clause = text[begins : ends.start() if ends else len(text)]
        return WAS if self.past.search(clause) else WILL if self.coming.search(clause) else ""


@dataclass(frozen=True, slots=True)
class Wording:
    """requests: expressions of a whole utterance; in its frame, {told} is what is to be kept, as it was
    said, {about} what is spoken of. times: expressions of a phrase. words: what their groups are in English, in small
    letters. around: what may stand before and after a request. tenses: what a month without a year is placed by."""

    requests: Sequence[tuple[re.Pattern, str]]
    times: Sequence[tuple[re.Pattern, str]]
    words: Mapping[str, str]
    around: tuple[re.Pattern, re.Pattern]
    tenses: Tenses

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
        tense = self.tenses.of(found.string, *found.span())
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
