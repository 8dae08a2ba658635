"""Notice in a conversation what is worth keeping, with no model: claims, their worth, a choice, words that stand alone.

A language model, where one is set, refines this later and elsewhere; whether any of it is kept, the person decides.
"""

from collections.abc import Collection, Mapping, Sequence
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from memory_app.language.extract.apart import taken_up_apart
from memory_app.language.extract.choose import BAR_AT_FIVE, Alike, Choice, choose
from memory_app.language.extract.claims import Claim, is_question, located, spoken
from memory_app.language.extract.concern import is_stated
from memory_app.language.extract.said import Found, Quote, Said
from memory_app.language.extract.signals import USER, Turn, signals, taken_apart
from memory_app.language.extract.telling import best, telling
from memory_app.language.extract.tongues import GRAMMARS, Grammar
from memory_app.language.extract.vocabulary import content_words
from memory_app.language.extract.wording import Wording
from memory_app.language.extract.worth import worth
from memory_app.rules.sensitive import sensitive_kinds
from memory_app.rules.text import shortened

FEWEST_TURNS = 4
"""Turns under which a conversation yields nothing (design: propose)."""

LONGEST_SUMMARY = 100
LONGEST_CONTENT = 600
"""Characters of one memory; a turn that tells more is kept by its best claims."""

SHORT_ANSWER = 6
"""Content words up to which an answer about nothing of one's own needs its question to be understood."""

STATED_PLAINLY = 0.6
"""Worth that a preference, a decision or who someone is has at least when told to an assistant: above the bar there,
below what the learned signals find sure."""

NAMELESS = "The person"

TYPES = ("fact", "preference", "decision", "event", "person", "project")
"""What a conversation yields. Meetings, journal entries and the rest are made by asking for them."""

Vectors = NDArray[np.float32]


def extract(
    turns: Sequence[Said],
    *,
    person: str,
    timezone: ZoneInfo,
    limit: int = 5,
    unread: Collection[int] | None = None,
    vectors: Mapping[int, Vectors] | None = None,
    language: str = "",
) -> list[Found]:
    """At most `limit` findings of one conversation, the surest first; the same turns give the same findings.

    `person` names who the user is, for turns without a speaker. Of a conversation read in part before, all turns are
    given and `unread` holds the indexes that findings may quote; the others are what these are measured against.
    `vectors` by turn index, normalised, are optional: they only tell that two turns say the same in other words.
    `language` is that of the person, by the name that the database has for it; of those that have a grammar in
    `tongues` plain statements are noticed, and told in that language.
    """
    grammar = GRAMMARS.get(language)
    apart = taken_apart(turns, person, grammar)
    if len(apart) < FEWEST_TURNS or limit < 1:
        return []
    measured = signals(apart)
    assisted = any(turn.said.role != USER for turn in apart)
    worths = [_worth(turn, of_turn, unread, assisted) for turn, of_turn in zip(apart, measured, strict=True)]
    chosen = choose(apart, worths, limit, _alike(apart, vectors))
    parts = taken_up_apart(apart, chosen, limit)
    found = [_found(apart, measured, choice, told, person, timezone, grammar) for choice, told in parts]
    return [one for one in found if one is not None]


def _worth(turn: Turn, measured: Mapping[str, float], unread: Collection[int] | None, assisted: bool) -> float:
    said_in = {turn.said.index, *(quote.index for claim in turn.claims for quote in claim.amended)}
    if unread is not None and said_in.isdisjoint(unread):
        return 0.0
    weighed = worth(measured, asked=any(claim.asked for claim in turn.claims))
    if any(claim.plain for claim in turn.claims):
        return max(weighed, STATED_PLAINLY if assisted else BAR_AT_FIVE)
    # A friend's answer tells what matters; to an assistant "I prefer window seats" is said in passing, and meant. So is
    # what became of something told before.
    stated = assisted and any(is_stated(claim, turn.said.spoken_at) or claim.amended for claim in turn.claims)
    return max(weighed, STATED_PLAINLY) if stated else weighed


def _alike(turns: Sequence[Turn], vectors: Mapping[int, Vectors] | None) -> Alike | None:
    if vectors is None:
        return None

    def cosine(a: int, b: int) -> float:
        mine, theirs = vectors.get(turns[a].said.index), vectors.get(turns[b].said.index)
        return 0.0 if mine is None or theirs is None else float(mine @ theirs)

    return cosine


def _found(
    turns: Sequence[Turn],
    measured: Sequence[Mapping[str, float]],
    choice: Choice,
    told: Sequence[Claim],
    person: str,
    timezone: ZoneInfo,
    grammar: Grammar | None,
) -> Found | None:
    quoted = [turns[n] for n in choice.positions]
    speaker, at = quoted[0].said.speaker or person or NAMELESS, quoted[0].said.spoken_at
    wording = Wording(_called(speaker), timezone, grammar)
    claimed = {n: best(told or turns[n].claims, LONGEST_CONTENT // len(choice.positions)) for n in choice.positions}
    kept = [(n, claim) for n, claims in claimed.items() for claim in claims]
    said = [wording.told(claim, turns[n].said.spoken_at) for n, claim in kept]
    # What one asks to be kept says by itself whom it is about.
    named = " ".join(said) if all(claim.asked for _, claim in kept) else _naming(wording.who, said)
    content = _with_question(turns, choice.positions[0], named, claimed)
    # What is harmless in each sentence may not be in all of them.
    if sensitive_kinds(content):
        return None
    own = [claim for _, claim in kept]
    read = wording.understood(own, at)
    event = read.event_time or (None, None)
    return Found(
        summary=_summary(content, said[max(range(len(kept)), key=lambda n: telling(kept[n][1]))]),
        content=content,
        speaker=speaker,
        type=read.type if read.type in TYPES else "fact",
        category=read.category,
        # A key is a slot of the person's own: where someone else lives must not replace where they live.
        key=read.key if speaker in (person, NAMELESS) else "",
        keywords=wording.keywords(content, own, at),
        confidence=round(choice.worth, 3),
        quotes=tuple(quote for n, claims in claimed.items() for quote in _quotes(turns[n], claims)),
        reason=_reason(measured, choice),
        event_time=event[0],
        event_end=event[1],
    )


def _called(name: str) -> str:
    """A name as one writes it: callers know people by names such as "alice" too."""
    return name.capitalize() if name.isalpha() and name.islower() else name


def _quotes(turn: Turn, kept: Sequence[Claim]) -> list[Quote]:
    """Each claim as it stands in the turn, those with nothing between them as one; with what corrected it or
    it corrects."""
    content, spans = turn.said.content, list[tuple[int, int]]()
    for claim in kept:
        # What is left out between two claims, a secret it may be, is left out of the quote too.
        if spans and not content[spans[-1][1] : claim.start].strip():
            spans[-1] = (spans[-1][0], claim.end)
        else:
            spans.append((claim.start, claim.end))
    told = [Quote(turn.said.index, content[start:end]) for start, end in spans]
    quotes = [*told, *(quote for claim in kept for quote in claim.amended)]
    own = turn.said.index
    return sorted(quotes, key=lambda quote: (quote.index, content.find(quote.text) if quote.index == own else 0))


def _naming(who: str, said: Sequence[str]) -> str:
    content = " ".join(said)
    return content if who.lower() in content.lower() else f"{who}: {content}"


def _with_question(turns: Sequence[Turn], at: int, content: str, claimed: Mapping[int, Sequence[Claim]]) -> str:
    """The question before, where the answer alone says too little: "asked “Any pets?”: Two cats."."""
    kept = claimed[at]
    if any(claim.personal for claim in kept) or sum(len(content_words(claim.text)) for claim in kept) > SHORT_ANSWER:
        return content
    question = _question_before(turns, at)
    who, _, rest = content.partition(": ")
    return f"{who}, asked “{question}”: {rest}" if question and rest else content


def _question_before(turns: Sequence[Turn], at: int) -> str:
    # An assistant asks what it can do; what one then tells without a word of oneself is a sentence of its own.
    if at == 0 or turns[at - 1].said.role != USER or turns[at - 1].speaker == turns[at].speaker:
        return ""
    asked = [sentence for _, sentence in located(spoken(turns[at - 1].said.content))]
    return asked[-1] if asked and is_question(asked[-1]) else ""


def _summary(content: str, fullest: str) -> str:
    """All of it if short, else the sentence that tells most, cut to fit."""
    return content if len(content) <= LONGEST_SUMMARY else shortened(fullest, LONGEST_SUMMARY)


def _reason(measured: Sequence[Mapping[str, float]], choice: Choice) -> str:
    """What spoke for it, in plain words."""
    best = measured[max(choice.positions, key=lambda n: worth(measured[n]))]
    grounds = [
        words
        for name, least, words in (
            ("speaks_of_self", 1, "tells something about themselves"),
            ("answers", 1, "answers a question"),
            ("times", 1, "says when"),
            ("names", 1, "names someone or something"),
            ("fresh", 1.5, "not said before in this conversation"),
            ("taken_up", 2, "taken up by the answer"),
        )
        if best.get(name, 0) >= least
    ]
    return ", ".join(grounds).capitalize() or "Says more than the rest of the conversation"
