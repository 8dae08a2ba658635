"""A question taken apart: the words to look for, the names in it, the times it speaks of, and whose words it wants."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from zoneinfo import ZoneInfo

from memory_app.nlp import linear_re as re
from memory_app.nlp.entities.common_names import possible_names
from memory_app.nlp.entities.same_names import find_relations
from memory_app.nlp.locales import times_in_english
from memory_app.nlp.text import normalised, vocabulary
from memory_app.nlp.times.time_phrases import TimePhrase, time_phrases

MOST_WORDS = 24
"""Bits of the mask that the database returns for a row. Longer questions are texts, whose meaning the vector has."""

MAX_NAMES = 100
"""Names of a question that are looked for among the entities: a long question is a text, which has many."""

READ_CHARACTERS = 4_000

LONGEST_WORD = 100
"""Characters: of a longer one an encoder knows no more than that it is none of its words."""

ALL_NOUNS_IN_CAPITALS = frozenset({"german"})
"""Languages whose names are not told from other words by how they are written."""

YEARS_BACK = 10
"""A month without a year ("in May") is asked of each of so many last years."""

_WORD = re.compile(r"[^\W_](?:[\w.@'’-]*[^\W_])?")
_POSSESSIVE = re.compile(r"['’]s$")
_CJK = re.by_python(r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f])", because="one character of a set")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_ASKS_THE_ASSISTANT = re.compile(
    r"\b(?:did|have|had|do|would) you (?:\w+ )?"
    r"(?:say|tell|told|suggest\w*|recommend\w*|advi[sc]e\w*|mention\w*|give|list\w*)"
    r"|\byou (?:said|told|suggested|recommended|advised|mentioned|gave|listed)\b|\byour (?:advice|suggestion|answer)",
    re.IGNORECASE,
)

_OPENERS = vocabulary(
    "a an and any anything april are as at august be because can could december did do does february for"
    " friday from had has have he her him his how i if in is it its january july june just let list march"
    " may me might monday my name no not november october of on one or our please remember remind said"
    " saturday say september shall she should show since so some summarize sunday tell that the their them"
    " then there these they this those thursday to today tomorrow tuesday was we wednesday were what when"
    " where which while who whom whose why will with would yes yesterday you your"
)
"""Words that may be written with a capital and are no one's name."""


@dataclass(frozen=True, slots=True)
class Question:
    """words: distinct, in order, as the text search is asked for them. names: of those, the ones written as names.
    without_names: the question with these left out. periods: what its phrases of time mean."""

    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    without_names: str
    periods: tuple[tuple[datetime, datetime], ...] = ()
    wants_assistant: bool = False

    @property
    def means_something(self) -> bool:
        """Whether there is a word to be understood. To an encoder all else is alike ("🎂", "(((", ten thousand letters
        without a space), and near to what it cannot read: of such a text only what holds it is found."""
        return any(len(word) <= LONGEST_WORD for word in self.words)

    @property
    def is_figure(self) -> bool:
        """Whether it is a number and nothing else, of a telephone or an order: such a one is that one or another."""
        return bool(self.words) and all(any(map(str.isdigit, word)) for word in self.words) and not self.periods


def read_question(text: str, *, at: datetime, timezone: ZoneInfo, language: str = "english") -> Question:
    """A question as recall needs it; any text will do. language: as a person's setting has it."""
    text_read = text.replace("\x00", " ")[:READ_CHARACTERS]
    words = _words(space_out_cjk(text_read))
    names = _names(words, language)
    return Question(
        text=text_read,
        words=words,
        names=names,
        without_names=_without(text_read, names),
        periods=tuple(_periods(times_in_english(text_read, language), at, timezone)),
        wants_assistant=_ASKS_THE_ASSISTANT.search(text_read) is not None,
    )


def space_out_cjk(text: str) -> str:
    """The text with a space around each character of a script that is written without: the search knows only words."""
    return _CJK.sub(r" \1 ", text)


def _words(text: str) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match.group())
        found.setdefault(word.casefold(), word)
    return tuple(list(found.values())[:MOST_WORDS])


def _names(words: Sequence[str], language: str) -> tuple[str, ...]:
    """Those written as names; the words that open a question in capitals are known of English alone."""
    if language in ALL_NOUNS_IN_CAPITALS:
        return ()
    return tuple(word for n, word in enumerate(words) if (n or language == "english") and _is_name(word))


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not word.isupper() and word.casefold() not in _OPENERS


def _without(text: str, names: Sequence[str]) -> str:
    if not names:
        return text
    any_name = "|".join(re.escape(name) for name in names)
    bare = re.compile(rf"\b(?:{any_name})(?:['’]s)?\b").sub(" ", text)
    return " ".join(bare.split()) or text


def _periods(text: str, at: datetime, timezone: ZoneInfo) -> list[tuple[datetime, datetime]]:
    return [
        period for phrase in time_phrases(text, at=at, timezone=timezone) for period in _possible_periods(phrase, text)
    ]


def _possible_periods(phrase: TimePhrase, text: str) -> list[tuple[datetime, datetime]]:
    """A month or a day of one may be of any of the last years, where no year is said."""
    start, end = phrase.start, phrase.end
    words = text[slice(*phrase.span)]
    if _YEAR.search(words) or not _MONTH.search(words):
        return [(start, end)]
    return [(_years_ago(start, years), _years_ago(end, years)) for years in range(YEARS_BACK)]


def _years_ago(moment: datetime, years: int) -> datetime:
    try:
        return moment.replace(year=moment.year - years)
    except ValueError:  # 29 February
        return moment.replace(year=moment.year - years, day=28)


def names_in_question(question: Question) -> dict[str, int]:
    """The names that a question may use for someone or something, normalised as entities are: each with the bits of the
    question's words that it is made of."""
    bits: dict[str, int] = {}
    for place, word in enumerate(question.words):
        for part in normalised(word).split():
            bits[part] = bits.get(part, 0) | 1 << place
    names = {normalised(name) for name in question.names} | possible_names(question.text)
    masks = {name: reduce(or_, (bits.get(part, 0) for part in name.split()), 0) for name in sorted(names)}
    for relation in find_relations(question.text, ()):
        last = normalised(relation.mention.surface).split()[-1]
        masks[relation.mention.canonical] = bits.get(last, 0)
    return dict([(name, mask) for name, mask in masks.items() if mask][:MAX_NAMES])
