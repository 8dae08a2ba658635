"""Notice in a conversation what is worth keeping, with no model: claims, their worth, a choice, and their words.

A language model, where one is set, refines this later and elsewhere; whether any of it is kept, the person decides.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from memory_app.nlp.extract.choose import Alike, Choice, bar, choose
from memory_app.nlp.extract.claims import Claim
from memory_app.nlp.extract.context import context_of
from memory_app.nlp.extract.personal import is_stated
from memory_app.nlp.extract.quotations import sheltered
from memory_app.nlp.extract.turns import Found, Quote, Said
from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.extract.worth import USER, Turn, signals, taken_apart, worth
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.summary import summary
from memory_app.nlp.understand import Understanding, understand

FEWEST_TURNS = 4
"""Turns under which a conversation yields nothing (design: propose)."""

LONGEST_CONTENT = 600
"""Characters of one memory; a turn that tells more is kept by its best claims."""

MOST_CLAIMS = 3
"""Sentences of one turn that a memory is made of: of more, nobody reads all."""

STATED_PLAINLY = 0.6
"""Worth that a preference, a decision or who someone is has at least when told to an assistant: above the bar there,
below what the learned signals find sure."""

ANSWERED = 0.5
"""Worth at least of what answers an assistant's question about the person: at the bar."""

BESIDE_IT = 3
"""Characters at most between two claims that are one quotation: a mark and a space."""

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
    `language` is that of the person, by the name that the database has for it."""
    apart = taken_apart(turns, language)
    if len(apart) < FEWEST_TURNS or limit < 1:
        return []
    measured = signals(apart)
    assisted = any(turn.said.role != USER for turn in apart)
    worths = [_worth(turn, of_turn, unread, assisted) for turn, of_turn in zip(apart, measured, strict=True)]
    apart = [_harmless(turn) if by >= bar(limit, assisted) else turn for turn, by in zip(apart, worths, strict=True)]
    chosen = choose(apart, worths, limit, _alike(apart, vectors))
    found = [_found(apart, measured, choice, run, person, timezone) for choice, run in _runs(apart, chosen, limit)]
    return [one for one in found if one is not None]


def _worth(turn: Turn, measured: Mapping[str, float], unread: Collection[int] | None, assisted: bool) -> float:
    if unread is not None and turn.said.index not in unread:
        return 0.0
    weighed = worth(measured)
    if not assisted or not turn.claims:
        return weighed
    # A friend's answer tells what matters; to an assistant "I prefer window seats" is said in passing, and meant. So is
    # what answers its question, and what corrects something told before.
    if any(is_stated(claim, turn.said.spoken_at) for claim in turn.claims):
        return max(weighed, STATED_PLAINLY)
    return max(weighed, ANSWERED) if any(claim.context for claim in turn.claims) else weighed


def _harmless(turn: Turn) -> Turn:
    """A turn without the claims that are sensitive: these are kept only where the person asks for it."""
    return replace(turn, claims=tuple(claim for claim in turn.claims if not sensitive_kinds(claim.text)))


def _runs(turns: Sequence[Turn], chosen: Sequence[Choice], limit: int) -> list[tuple[Choice, list[Claim]]]:
    """What is quoted: of each choice the sentences that stand together and tell most, and then, as far as there is
    room, what else its turn tells."""
    first, further = list[tuple[Choice, list[Claim]]](), list[tuple[Choice, list[Claim]]]()
    for choice in chosen:
        turn = turns[choice.position]
        runs = _together(turn.said.content, best(turn.claims))
        runs.sort(key=lambda run: -max(telling(claim) for claim in run))
        first.append((choice, runs[0]))
        further += [(choice, run) for run in runs[1:] if any(claim.personal for claim in run)]
    return [*first, *further][:limit]


def telling(claim: Claim) -> int:
    """How much a claim tells, to compare those of one turn: mostly how much about the speaker."""
    return LONGEST_CONTENT * claim.personal + len(set(content_words(claim.text)))


def best(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that tell most and fit in one memory, at least one, in the order in which they were said."""
    kept, room = list[Claim](), LONGEST_CONTENT
    for claim in sorted(claims, key=lambda claim: (-telling(claim), claim.start)):
        if not kept or (len(kept) < MOST_CLAIMS and len(claim.text) <= room):
            kept.append(claim)
            room -= len(claim.text)
    return sorted(kept, key=lambda claim: claim.start)


def _together(content: str, kept: Sequence[Claim]) -> list[list[Claim]]:
    """The claims in runs of those that stand beside one another."""
    runs = list[list[Claim]]()
    for claim in kept:
        between = content[runs[-1][-1].end : claim.start] if runs else ""
        if runs and len(between) <= BESIDE_IT and not any(letter.isalnum() for letter in between):
            runs[-1].append(claim)
        else:
            runs.append([claim])
    return runs


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
    run: Sequence[Claim],
    person: str,
    timezone: ZoneInfo,
) -> Found | None:
    said = turns[choice.position].said
    content = said.content[run[0].start : run[-1].end]
    context = context_of([turn.said for turn in turns], choice.position, run[0], run)
    # What is harmless in each sentence may not be in all of them.
    if context is None or sensitive_kinds(f"{context} {content}"):
        return None
    speaker, read = said.speaker or person or NAMELESS, _understood(run, said, timezone)
    event = (read.event_time if said.spoken_at else None) or (None, None)
    return Found(
        summary=summary(content),
        content=content,
        context=context,
        speaker=speaker,
        type=read.type if read.type in TYPES else "fact",
        category=read.category,
        # A key is a slot of the person's own: where someone else lives must not replace where they live.
        key=read.key if speaker in (person, NAMELESS) and not context else "",
        keywords=_keywords(f"{context} {content}".strip(), speaker, said, timezone),
        confidence=round(choice.worth, 3),
        quotes=(Quote(said.index, content),),
        reason=_reason(measured[choice.position]),
        event_time=event[0],
        event_end=event[1],
    )


def _understood(run: Sequence[Claim], said: Said, timezone: ZoneInfo) -> Understanding:
    """What others are quoted to have said is neither when it was, nor a slot of the person's own."""
    told = sheltered(" ".join(claim.text for claim in run))[0]
    return understand(told, at=said.spoken_at or datetime(1970, 1, 1, tzinfo=timezone), timezone=timezone)


def _keywords(text: str, speaker: str, said: Said, timezone: ZoneInfo) -> tuple[str, ...]:
    """What it is about, without the name of who speaks."""
    known = (speaker.lower(), *speaker.lower().split())
    read = understand(text, at=said.spoken_at or datetime(1970, 1, 1, tzinfo=timezone), timezone=timezone)
    return tuple(keyword for keyword in read.keywords if keyword.lower() not in known)


def _reason(measured: Mapping[str, float]) -> str:
    """What spoke for it, in plain words."""
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
        if measured.get(name, 0) >= least
    ]
    return ", ".join(grounds).capitalize() or "Says more than the rest of the conversation"
