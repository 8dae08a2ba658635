"""How one language words requests and times, small talk and replies: expressions, each with its English frame."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import vocabulary

LONGEST_REQUEST = 4_000
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
        if len(utterance) > LONGEST_REQUEST:
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


Replies = Sequence[tuple[str, str]]

LONGEST_TALK = 200
"""Characters: whoever says more says something."""

_ACCENTS = re.by_python("[\u0300-\u036f]+", because="characters of one set, and nothing around it")
_APART = re.compile(r"[\s,;:!?…\"«»“”„()]+|\.(?!\d)|-(?!\d)")

_NUMBER = r"-?\d[\d.,]*%?"
# "2024-03-12" is a day and "555-0123" a telephone.
NOT_A_SUM = r"(?!\d{4}-\d\d?-\d\d?\b|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}\b|[\d-]*(?<![\d.,])0\d|\d{3,}-\d{3,}\b)"
_SIGN = r"[-+*/x×÷^]"


@dataclass(frozen=True, slots=True)
class Talk:
    """chatter: words of which small talk may consist entirely. fixed: utterances without need of memory. polite: what
    may stand around either. replies: those to what was shown that point at none of it, each with the English one."""

    chatter: frozenset[str]
    fixed: re.Pattern
    polite: re.Pattern
    replies: Sequence[tuple[re.Pattern, str]]

    def is_empty(self, utterance: str) -> bool:
        """Whether nothing remembered could help to answer."""
        if len(utterance) > LONGEST_TALK:
            return False
        said = fold_text(utterance)
        bare = " ".join(self.polite.sub(" ", said).split())
        return any(self.fixed.fullmatch(one) for one in (said, bare)) or all(
            word in self.chatter for word in bare.split()
        )

    def reply(self, text: str) -> str:
        """The reply in English; what is none of them, and any question, as it is."""
        if len(text) > LONGEST_TALK:
            return text
        said = fold_text(text)
        for one in (said, " ".join(self.polite.sub(" ", said).split())):
            for pattern, english in self.replies:
                if pattern.fullmatch(one):
                    return english
        return text


def fold_text(text: str) -> str:
    """In small letters, without accents and marks, words a space apart."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text.casefold().replace("’", "'")))
    return " ".join(_APART.sub(" ", bare).split())


def make_talk(*, chatter: str, fixed: Sequence[str], sums: Sequence[str], polite: str, replies: Replies) -> Talk:
    """Made of words and expressions with their accents. sums: how a sum is asked for, and its operators in words."""
    asked, signs = sums
    each = rf"{NOT_A_SUM}{_NUMBER}(?: ?(?:{_SIGN}|{signs}) ?{_NUMBER})+(?: ?=)?"
    empty = [*map(_bare, fixed), rf"(?:(?:{_bare(asked)}) )?{_bare(each)}"]
    return Talk(
        chatter=vocabulary(_bare(chatter)),
        fixed=re.compile("|".join(empty)),
        polite=re.compile(rf"(?<![\w'])(?:{_bare(polite)})(?![\w'])"),
        replies=[(re.compile(_bare(said)), english) for said, english in replies],
    )


def _bare(expression: str) -> str:
    """Written as the utterances are read: "raconte-moi" is two words."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", expression)).replace("ß", "ss")
    return re.compile("-(?=[a-z])").sub(" ", plain)
