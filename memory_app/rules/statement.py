"""A text taken apart so that two can be compared: who it is about, what is said, names, quantities, and "not".

English, by rules and closed word lists; what it cannot read it leaves among the plain words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory_app.rules.assertion import states
from memory_app.rules.bonds import bond
from memory_app.rules.inflection import base
from memory_app.rules.opposites import NEGATED, NEGATIONS, NEGATIVE_PHRASES, PHRASES, SAME
from memory_app.rules.quantities import QUANTITY_WORDS, Quantities, quantities
from memory_app.rules.restated import INSTEAD, NOW
from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import FUNCTION_WORDS, clauses, plain_tokens
from memory_app.rules.work import work


def same(word: str) -> str:
    """The base form that stands for a word and its synonyms."""
    return SAME.get(base(word), base(word))


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
_ADVERBS = vocabulary("also always currently just never now often really still usually actually recently finally even")
_FIRST_PERSON = vocabulary("i my me mine we our us user")
# After these alone begins what is said of them, whatever word it is.
_SUBJECT_PRONOUNS = vocabulary("i we he she they you it")
# Stand for someone named before; the next ones for anything at all.
_THIRD_PERSON = vocabulary("he she they")
_OWNERS = vocabulary("his her their")
_POINTING = vocabulary("it this that these those one ones something anything everything nothing what which all both")
# What turns on which of two things comes first.
_COMPARISONS = vocabulary("than over rather instead prefer prefers preferred")
_I_AM = re.compile(r"\b(?:i['’]m|we['’]re|they['’]re)\b", re.I)
_LISTING = frozenset({"and", "or"})
_PREPOSITIONS = vocabulary(
    "in on at to from with for by of near about into onto over under as through than against behind without around"
)
_ARTICLES = vocabulary("a an the my our his her their its your dr mr mrs ms")
_PASTS = vocabulary(
    "went got bought brought taught thought found made said saw took gave came became began left met sold told won "
    "lost ran ate drank drove spoke wrote wore grew knew flew broke chose built sent spent slept felt heard held paid "
    "stood sang sat swam fell rose woke did kept had"
)
_NO_PASTS = vocabulary("need feed speed bed red shed wed")
# What a note may open with when it goes without saying whom it is about: "Has two cats."
_VERBS_ALONE = vocabulary("is was has had does did are were")
_WEEKLY = vocabulary("mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays")
_WERE = vocabulary("was were wasn't weren't")
# With what a subject of its own begins, where a clause is joined to another one; or it is a name.
_BEGINS = _ARTICLES | vocabulary("i we he she they")
LONGEST_SUBJECT = 5
"""Words of a subject that a joined clause is known by: "the budget for the kitchen"."""
# Says no more than its verb: "continues working" is "works", and "stopped working" no more than "not".
_CONTINUE = same("continue")
_PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b")
_NEGATIVE_PHRASE = re.compile(rf"\b(?:{'|'.join(NEGATIVE_PHRASES)})\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim. `content` holds base forms in order, without subject, names, quantities and function words.

    `names` are in order, each after the preposition before it: ("in", "berlin"); `leads` has the prepositions before
    words of `content`. `clear` is False for what is about no one knows whom.
    `was`: it was so, and may not be any more. `past`: it happened, and something like it may have happened before and
    after. `of` are the numbers and dates by which the subject itself is told apart: "the meeting on Friday". `changed`
    and `replaces`: it says that it was otherwise, or that it takes the place of another. `bond` is what it says of how
    someone stands to a partner. `weekly`: it is so on a day of each week, "on Mondays". `hour`: its number may be one
    of a clock, "at 9". `work`: what it says that someone is by their work.
    """

    subject: tuple[str, ...]
    content: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    quantities: Quantities
    leads: Mapping[str, str]
    negative: bool
    copula: bool
    was: bool
    listed: bool
    compares: bool
    progressive: bool
    past: bool
    clear: bool
    of: frozenset[tuple[str, object]]
    changed: bool
    replaces: bool
    bond: str
    weekly: bool
    hour: bool
    work: str


def statements(
    sentence: str, known_names: frozenset[str], speaker: str = "", before: tuple[str, ...] = ()
) -> list[Statement]:
    """The claims of one sentence, in order; none if it states nothing. "I" is the speaker, where known; "he" is
    `before`, the subject of the claim before."""
    found: list[Statement] = []
    for at, clause in enumerate(clauses(states(sentence))):
        # A clause with no subject goes on about that of the clause before.
        if read := _read(clause, known_names, speaker, found[-1].subject if found else before, at > 0):
            found.append(read)
    return found


def begins_a_claim(clause: str) -> bool:
    """Whether a clause has a subject of its own and a verb right after it: "my budget is", not "my two cats"."""
    written = plain_tokens(clause)[: LONGEST_SUBJECT + 1]
    tokens = [token.lower() for token in written]
    if len(tokens) < 2 or not (tokens[0] in _BEGINS or written[0][:1].isupper()):
        return False
    if tokens[0] in _SUBJECT_PRONOUNS:
        return True
    return any(_is_a_verb(token, before) for before, token in pairwise(tokens))


def tells(clause: str) -> bool:
    """Whether there is a verb in a clause, which then needs no other one."""
    tokens = [token.lower() for token in plain_tokens(clause)]
    pairs = pairwise(["", *tokens])
    return any(_is_a_verb(token, before) or before in _SUBJECT_PRONOUNS for before, token in pairs)


def _read(
    clause: str, known_names: frozenset[str], speaker: str, before: tuple[str, ...], goes_on: bool
) -> Statement | None:
    tokens = [token.lower() for token in plain_tokens(clause)]
    if not tokens:
        return None
    line, negative = _without_negation(tokens)
    counted, line = quantities(line)
    words, rest = _parted(line, known_names)
    subject, clear = _subject(words, rest, speaker, before, goes_on)
    content, leads, denied = _content(rest, known_names)
    listed = "," in clause or not _LISTING.isdisjoint(tokens)
    copula = any(base(token) == "be" for token in rest[:2]) or bool(_I_AM.search(clause))
    return Statement(
        subject=subject,
        content=content,
        names=_names(rest, known_names),
        quantities=counted,
        leads=leads,
        negative=negative ^ denied,
        copula=copula,
        was=not _WERE.isdisjoint(rest[:2]),
        listed=listed,
        compares=not _COMPARISONS.isdisjoint(tokens),
        progressive=any(
            word.endswith("ing") and base(word) != word and word not in known_names
            for word in rest[: 1 + (rest[:1] == ["is"])]
        ),
        past=not copula and _is_past(rest),
        clear=clear,
        of=_told_by(tokens, known_names),
        changed=NOW in tokens or INSTEAD in tokens,
        replaces=INSTEAD in tokens,
        bond="" if negative else bond(rest, known_names, dated=bool(counted.dates)),
        weekly=not _WEEKLY.isdisjoint(tokens),
        work="" if negative else work(rest, known_names, listed=listed),
        hour=any(before == "at" and (at[0].isdigit() or at in QUANTITY_WORDS) for before, at in pairwise(tokens)),
    )


def _without_negation(tokens: list[str]) -> tuple[list[str], bool]:
    """The tokens without their words for "not", and whether these leave a denial: two cancel out."""
    line = _PHRASE.sub(lambda found: PHRASES[found[0]], " ".join(tokens))
    line, count = _NEGATIVE_PHRASE.subn("", line)
    kept = [token for token in line.split() if token not in NEGATIONS]
    return kept, (count + len(line.split()) - len(kept)) % 2 == 1


def _parted(line: list[str], known_names: frozenset[str]) -> tuple[list[str], list[str]]:
    """The words before the first verb, and the rest; nothing before it where there is no verb."""
    for at, token in enumerate(line):
        before = line[at - 1] if at else ""
        if token in _SUBJECT_PRONOUNS and line[at + 1 : at + 2] not in (["and"], ["or"]):
            return line[: at + 1], line[at + 1 :]
        # "The big meeting room".
        if token.endswith("ing") and line[0] in _ARTICLES and base(before) != "be":
            continue
        if _is_a_verb(token, before) or (before in known_names and token not in known_names and _inflected(token)):
            return line[:at], line[at:]
    # Any other word in the form of a verb, where none was known: "The warranty covers water damage".
    at = next((at for at in range(1, len(line)) if _inflected(line[at]) and line[at - 1] not in _ARTICLES), 0)
    return (line[:at], line[at:]) if at else ([], line)


def _is_a_verb(token: str, before: str) -> bool:
    """ "The work" and "the living room" are none, nor is "for working"."""
    return base(token) in _VERBS and before not in _ARTICLES and not (before in _PREPOSITIONS and token.endswith("ing"))


def _told_by(tokens: list[str], known_names: frozenset[str]) -> frozenset[tuple[str, object]]:
    """The numbers and dates in what is before the verb; those that open a sentence tell when, not which."""
    words, _ = _parted(tokens, known_names)
    if not words or words[0] in _PREPOSITIONS:
        return frozenset()
    held, _ = quantities(words)
    dated = ((part, value) for part, values in held.dates.items() for value in values)
    return frozenset({*held.numbers, *dated})


def _inflected(token: str) -> bool:
    return token.endswith(("ed", "s")) and base(token) != token


def _subject(
    words: list[str], rest: list[str], speaker: str, before: tuple[str, ...], goes_on: bool
) -> tuple[tuple[str, ...], bool]:
    """Whom or what a clause is about, and whether that is clear from the text."""
    if not words:
        if goes_on or not rest:
            return before, bool(before)
        # "Has two cats" is about whose memory it is; "keep going" about nobody.
        return _about(["i"] if speaker else [], speaker), rest[0] in _VERBS_ALONE or rest[0].endswith(("s", "ed"))
    if words == ["there"]:
        return ("there",), True
    if words[0] in _THIRD_PERSON or words[0] in _OWNERS:
        # After "I have a dog" it is the dog who is meant, after "Alice has a dog" hardly ever.
        someone = bool(before) and before != _about(["i"], speaker)
        return (*before, *_about(words[1:], speaker)), someone
    about = _about(words, speaker)
    return about, bool(about) and words[0] not in _POINTING


def _about(words: list[str], speaker: str) -> tuple[str, ...]:
    """The words that tell whom or what is meant. "I", "my sister" and "we" begin with the speaker."""
    # What follows a preposition only says which: "the budget for the kitchen" is "the kitchen budget".
    at = next((at for at, word in enumerate(words) if at and word in _PREPOSITIONS), len(words))
    others = [word for word in (*words[at:], *words[:at]) if word not in _FIRST_PERSON and word not in FUNCTION_WORDS]
    if any(word in _FIRST_PERSON for word in words):
        others = [*(speaker.lower().split() or ["i"]), *others]
    return tuple(map(same, others))


def happened(words: Sequence[str]) -> bool:
    """Whether what follows "I" tells of the past: "went to Rome", "just moved"."""
    return _is_past([word.lower() for word in words])


def _is_past(rest: list[str]) -> bool:
    # Who stopped smoking does not smoke: that is so, and did not only happen.
    verb = next((word for word in rest if word not in _ADVERBS and NEGATED.get(same(word)) != _CONTINUE), "")
    return verb in _PASTS or (verb.endswith("ed") and verb not in _NO_PASTS)


def _content(words: list[str], known_names: frozenset[str]) -> tuple[tuple[str, ...], Mapping[str, str], bool]:
    kept, leads, denied, lead = list[str](), dict[str, str](), False, ""
    for word in words:
        if word in known_names:
            lead = ""
        elif word not in FUNCTION_WORDS or base(word) in NEGATED:
            meant = same(word)
            if meant in NEGATED:
                meant, denied = NEGATED[meant], not denied
            if meant != _CONTINUE:
                kept.append(meant)
                leads[meant] = lead
            lead = ""
        if word in _PREPOSITIONS:
            lead = word
    return tuple(kept), leads, denied


def _names(words: list[str], known_names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Names in order, those side by side as one; those joined by "and" sorted, for their order says nothing."""
    listed: list[tuple[str, str]] = []
    group, lead, joined = list[str](), "", False
    for word in [*words, ""]:
        if word in known_names:
            group.append(word)
            continue
        if group:
            listed = _with_name(listed, (lead, " ".join(group)), joined)
            group, lead = [], lead if word in ("and", "or") else ""
        joined = word in ("and", "or") and bool(listed)
        if word in _PREPOSITIONS:
            lead = word
        elif word not in _ARTICLES and not joined:
            lead = ""
    return tuple(listed)


def _with_name(listed: list[tuple[str, str]], name: tuple[str, str], joined: bool) -> list[tuple[str, str]]:
    return [*listed[:-1], *sorted((listed[-1], name))] if joined and listed else [*listed, name]
