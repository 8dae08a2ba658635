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

PAST_TENSE_MARK = "was"
"""English word put before a phrase of time, by which the English grammar knows the past."""


@dataclass(frozen=True, slots=True)
class Wording:
    """requests: expressions of a whole utterance; in its frame, {content} is what is to be kept, as it was
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
        text = utterance.strip().replace("’", "'")
        for part in self.around:
            text = part.sub("", text)
        for pattern, frame in self.requests:
            if found := pattern.fullmatch(text):
                groups = found.groupdict("")
                about = groups.get("about", "").strip(MARKS)
                # "Can you remember that …?" asks for nothing else.
                content = groups.get("content", "").rstrip(" ?").strip()
                return frame.format(content=content, about=self.words.get(about.lower(), about))
        return utterance

    def times_of(self, text: str) -> str:
        for pattern, frame in self.times:
            text = pattern.sub(partial(self._framed, frame), text)
        return text

    def _framed(self, frame: str, found: re.Match) -> str:
        groups = {name: self.words.get(text.lower(), text) for name, text in found.groupdict("").items()}
        tense = PAST_TENSE_MARK if self.past.search(found.string) else ""
        return " ".join(f"{tense} {frame.format(**groups)}".split())


def whole(frames: Frames) -> Sequence[tuple[re.Pattern, str]]:
    """Expressions of whole utterances, whatever mark ends them."""
    return [(re.compile(rf"{expression}\s*[.!?…]*", re.IGNORECASE | re.DOTALL), frame) for expression, frame in frames]


def phrases(frames: Frames) -> Sequence[tuple[re.Pattern, str]]:
    """Expressions of phrases, from word to word."""
    return [(re.compile(rf"(?<!\w){expression}(?!\w)", re.IGNORECASE), frame) for expression, frame in frames]


def one_of(words: Mapping[str, str]) -> str:
    """Any of the words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


Replies = Sequence[tuple[str, str]]

LONGEST_CHAT = 200
"""Characters: whoever says more says something."""

_ACCENTS = re.by_python("[\u0300-\u036f]+", because="characters of one set, and nothing around it")
_SEPARATORS = re.compile(r"[\s,;:!?…\"«»“”„()]+|\.(?!\d)|-(?!\d)")

_NUMBER = r"-?\d[\d.,]*%?"
# "2024-03-12" is a day and "555-0123" a telephone.
NOT_A_SUM = r"(?!\d{4}-\d\d?-\d\d?\b|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}\b|[\d-]*(?<![\d.,])0\d|\d{3,}-\d{3,}\b)"
_SIGN = r"[-+*/x×÷^]"


@dataclass(frozen=True, slots=True)
class ChatWording:
    """chatter: words of which small talk may consist entirely. fixed: utterances without need of memory. polite: what
    may stand around either. replies: those to what was shown that point at none of it, each with the English one."""

    chatter: frozenset[str]
    fixed: re.Pattern
    polite: re.Pattern
    replies: Sequence[tuple[re.Pattern, str]]

    def is_empty(self, utterance: str) -> bool:
        """Whether nothing remembered could help to answer."""
        if len(utterance) > LONGEST_CHAT:
            return False
        text = fold_text(utterance)
        bare = " ".join(self.polite.sub(" ", text).split())
        return any(self.fixed.fullmatch(one) for one in (text, bare)) or all(
            word in self.chatter for word in bare.split()
        )

    def reply(self, text: str) -> str:
        """The reply in English; what is none of them, and any question, as it is."""
        if len(text) > LONGEST_CHAT:
            return text
        folded = fold_text(text)
        for one in (folded, " ".join(self.polite.sub(" ", folded).split())):
            for pattern, english in self.replies:
                if pattern.fullmatch(one):
                    return english
        return text


def fold_text(text: str) -> str:
    """In small letters, without accents and marks, words a space apart."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text.casefold().replace("’", "'")))
    return " ".join(_SEPARATORS.sub(" ", bare).split())


def chat_wording(
    *, chatter: str, fixed: Sequence[str], sums: Sequence[str], polite: str, replies: Replies
) -> ChatWording:
    """Made of words and expressions with their accents. sums: how a sum is asked for, and its operators in words."""
    request, signs = sums
    each = rf"{NOT_A_SUM}{_NUMBER}(?: ?(?:{_SIGN}|{signs}) ?{_NUMBER})+(?: ?=)?"
    empty = [*map(_bare, fixed), rf"(?:(?:{_bare(request)}) )?{_bare(each)}"]
    return ChatWording(
        chatter=vocabulary(_bare(chatter)),
        fixed=re.compile("|".join(empty)),
        polite=re.compile(rf"(?<![\w'])(?:{_bare(polite)})(?![\w'])"),
        replies=[(re.compile(_bare(reply)), english) for reply, english in replies],
    )


def _bare(expression: str) -> str:
    """Written as the utterances are read: "raconte-moi" is two words."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", expression)).replace("ß", "ss")
    return re.compile("-(?=[a-z])").sub(" ", plain)
