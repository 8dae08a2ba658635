"""How one language talks of nothing that memory helps with, and replies to what is shown: words and expressions.

Read without accents and marks, as people type: "s'il te plait", "est il".
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import vocabulary

Replies = Sequence[tuple[str, str]]

LONGEST = 200
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
        if len(utterance) > LONGEST:
            return False
        said = fold_text(utterance)
        bare = " ".join(self.polite.sub(" ", said).split())
        return any(self.fixed.fullmatch(one) for one in (said, bare)) or all(
            word in self.chatter for word in bare.split()
        )

    def reply(self, text: str) -> str:
        """The reply in English; what is none of them, and any question, as it is."""
        if len(text) > LONGEST:
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
    return re.sub("-(?=[a-z])", " ", _ACCENTS.sub("", unicodedata.normalize("NFD", expression)).replace("ß", "ss"))
