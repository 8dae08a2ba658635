"""A text taken apart so that two can be compared: who it is about, what is said, names, quantities, and "not".

English, by rules and closed word lists; what it cannot read it leaves among the plain words.
"""

import re
from dataclasses import dataclass

from memory_app.rules.inflection import base
from memory_app.rules.opposites import NEGATED, NEGATIONS, NEGATIVE_PHRASES, PHRASES, SAME
from memory_app.rules.quantities import Quantities, quantities
from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import FUNCTION_WORDS, clauses, plain_tokens

_VERBS = frozenset(
    base(word)
    for word in vocabulary(
        "adopt adore allergic also always am are arrive ask attend avoid bake be bear become begin believe belong born "
        "bought buy can cannot celebrate close closes collect come contain cook cost could currently detest dislike "
        "distrust do drink drive earn eat employ employed end enjoy feel finish fired follow gave get give go graduate "
        "grow had happen hardly has hate have hired hopes include is join just keep know lead learn leave like listen "
        "live loathe lost love make manage marry may meet met might move moved must name need never no not now often "
        "open opens own pay plan plans play prefer quit rarely read really remain retire return run say seldom sell "
        "should sleep sold speak spend stand start stay still stop study support take takes teach tell think travel "
        "trust turn turned use used usually visit wake want wants was watch wear weigh went were will won work works "
        "would write"
    )
)
_FIRST_PERSON = vocabulary("i my me mine we our us user")
# What turns on which of two things comes first.
_COMPARISONS = vocabulary("than over rather instead prefer prefers preferred")
_PARTICIPLE_ENDINGS = ("ed", "en", "wn", "ilt", "ght", "aid")
_PRONOUNS = vocabulary("he she they it his her their its this that")


@dataclass(frozen=True)
class Statement:
    """One claim. `content` holds base forms in order, without subject, names, quantities and function words."""

    subject: tuple[str, ...]
    content: tuple[str, ...]
    names: tuple[str, ...]
    quantities: Quantities
    negative: bool
    copula: bool
    possessive: bool
    listed: bool
    compares: bool
    passive: bool


def statements(text: str, known_names: frozenset[str]) -> list[Statement]:
    """The claims of a text, in order. A claim without a subject of its own has that of the one before."""
    found: list[Statement] = []
    for clause in clauses(text):
        if read := _read(clause, known_names, found[-1].subject if found else ()):
            found.append(read)
    return found


def _read(clause: str, known_names: frozenset[str], inherited: tuple[str, ...]) -> Statement | None:
    tokens = [token.lower() for token in plain_tokens(clause)]
    if not tokens:
        return None
    line, negative = _without_negation(tokens)
    counted, line = quantities(line)
    subject, rest = _subject(line, known_names)
    content, denied = _content(rest, known_names)
    return Statement(
        subject=subject or inherited,
        content=content,
        names=_names(rest, known_names),
        quantities=counted,
        negative=negative ^ denied,
        copula=any(base(token) == "be" for token in rest[:2]),
        possessive=bool(re.search(r"['’]s\b|\b(?:my|our|his|her|their|the)\b", clause, re.I)),
        listed=bool(re.search(r",|\band\b|\bor\b", clause)),
        compares=not _COMPARISONS.isdisjoint(tokens),
        passive=len(rest) > 1 and base(rest[0]) == "be" and rest[1].endswith(_PARTICIPLE_ENDINGS),
    )


def _without_negation(tokens: list[str]) -> tuple[list[str], bool]:
    """The tokens without their words for "not", and whether these leave a denial: two cancel out."""
    line = f" {' '.join(tokens)} "
    for phrase, meaning in PHRASES.items():
        line = line.replace(f" {phrase} ", f" {meaning} ")
    count = 0
    for phrase in NEGATIVE_PHRASES:
        count += line.count(f" {phrase} ")
        line = line.replace(f" {phrase} ", " ")
    kept = [token for token in line.split() if token not in NEGATIONS]
    return kept, (count + len(line.split()) - len(kept)) % 2 == 1


def _subject(line: list[str], known_names: frozenset[str]) -> tuple[tuple[str, ...], list[str]]:
    """The words before the first verb, and the rest; no subject when none of them could be one."""
    for at, token in enumerate(line):
        if base(token) in _VERBS or (at and _looks_like_a_verb(token, line[at - 1], known_names)):
            return _about(line[:at]), line[at:]
    return (), line


def _looks_like_a_verb(token: str, before: str, known_names: frozenset[str]) -> bool:
    return token.endswith(("ed", "es", "s")) and before in known_names and token not in known_names


def _about(words: list[str]) -> tuple[str, ...]:
    if any(word in _FIRST_PERSON for word in words):
        words = ["i", *(word for word in words if word not in _FIRST_PERSON)]
    elif words and words[0] in _PRONOUNS:
        words = words[1:]
    return tuple(same(word) for word in words if word == "i" or word not in FUNCTION_WORDS)


def same(word: str) -> str:
    """The base form that stands for a word and its synonyms."""
    return SAME.get(base(word), base(word))


def _content(words: list[str], known_names: frozenset[str]) -> tuple[tuple[str, ...], bool]:
    kept, denied = [], False
    for word in words:
        if word in known_names or (word in FUNCTION_WORDS and base(word) not in NEGATED):
            continue
        meant = same(word)
        if meant in NEGATED:
            meant, denied = NEGATED[meant], not denied
        kept.append(meant)
    return tuple(kept), denied


def _names(words: list[str], known_names: frozenset[str]) -> tuple[str, ...]:
    """Names in order, those side by side as one; those joined by "and" sorted, for their order says nothing."""
    groups: list[list[str]] = [[]]
    joined = False
    listed: list[str] = []
    for word in [*words, ""]:
        if word in known_names:
            groups[-1].append(word)
            continue
        if groups[-1]:
            name = " ".join(groups[-1])
            listed = [*listed[:-1], *sorted((listed[-1], name))] if joined and listed else [*listed, name]
            groups.append([])
        joined = word in ("and", "or") and bool(listed)
    return tuple(listed)
