"""Notice in a conversation what is worth keeping, with no model: the best turns above a bar, each thing once, in their
own words.

A language model, where one is set, refines this later and elsewhere; whether any of it is kept, the person decides.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.nlp.extract.claims import Claim
from memory_app.nlp.extract.context import context_of
from memory_app.nlp.extract.others_words import mask_quotations
from memory_app.nlp.extract.personal import is_plain_statement
from memory_app.nlp.extract.turns import Finding, Quote, SpokenTurn
from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.extract.worth import USER, Turn, analyse_turns, signals, worth
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.summary import summary
from memory_app.nlp.understand import Understanding, understand

THRESHOLD_AT_FIVE, THRESHOLD_STEP, MIN_THRESHOLD = 0.65, 0.03, 0.4
"""Worth from which a turn is proposed. Who asks for more than five gets what is less sure. Set on the learning
conversations so that at five a conversation .85 of what is proposed was noted there too."""

ASSISTANT_DISCOUNT = 0.15
"""To an assistant one tells about oneself unasked and in passing: the signals that a friend's answer gives are missing.
From written chats, not from the learning conversations, which have no assistant."""

SAME_WORDS_SHARE = 0.6
"""Share of the shorter claim's content words from which two say the same."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn to be proposed, by its position among the turns."""

    worth: float
    position: int


def worth_threshold(limit: int, assisted: bool = False) -> float:
    """The worth that a turn needs when at most `limit` proposals are asked for; `assisted`: an assistant takes part."""
    lower = THRESHOLD_STEP * max(limit - 5, 0) + ASSISTANT_DISCOUNT * assisted
    return max(MIN_THRESHOLD, THRESHOLD_AT_FIVE - lower)


def choose_turns(
    turns: Sequence[Turn],
    worths: Sequence[float],
    limit: int,
) -> list[Choice]:
    """At most `limit` choices, best first."""
    needed = worth_threshold(limit, assisted=any(turn.spoken.role != USER for turn in turns))
    able = [n for n, turn in enumerate(turns) if turn.claims and worths[n] >= needed]
    chosen: list[Choice] = []
    for at in sorted(able, key=lambda n: (-worths[n], n)):
        if len(chosen) < limit and not any(_says_the_same(turns, at, one.position) for one in chosen):
            chosen.append(Choice(worths[at], at))
    return chosen


def _says_the_same(turns: Sequence[Turn], at: int, other: int) -> bool:
    words, other_words = _claim_words(turns[at]), _claim_words(turns[other])
    return bool(words and other_words) and len(words & other_words) >= SAME_WORDS_SHARE * min(
        len(words), len(other_words)
    )


def _claim_words(turn: Turn) -> set[str]:
    return {word for claim in turn.claims for word in content_words(claim.text)}


MIN_TURNS = 4
"""Turns under which a conversation yields nothing (design: propose)."""

MAX_CONTENT = 600
"""Characters of one memory; a turn that tells more is kept by its best claims."""

MAX_CLAIMS = 3
"""Sentences of one turn that a memory is made of: of more, nobody reads all."""

MIN_WORTH_STATED = 0.6
"""Worth that a preference, a decision or who someone is has at least when told to an assistant: above the bar there,
below what the learned signals find sure."""

MIN_WORTH_ANSWER = 0.5
"""Worth at least of what answers an assistant's question about the person: at the bar."""

MAX_GAP = 3
"""Characters at most between two claims that are one quotation: a mark and a space."""

UNNAMED_PERSON = "The person"

TYPES = ("fact", "preference", "decision", "event", "person", "project")
"""What a conversation yields. Meetings, journal entries and the rest are made by asking for them."""


def extract(
    turns: Sequence[SpokenTurn],
    *,
    person: str,
    timezone: ZoneInfo,
    limit: int = 5,
    unread: Collection[int] | None = None,
    language: str = "",
    min_turns: int = MIN_TURNS,
) -> list[Finding]:
    """At most `limit` findings of one conversation, the surest first; the same turns give the same findings.

    `person` names who the user is, for turns without a speaker. Of a conversation read in part before, all turns are
    given and `unread` holds the indexes that findings may quote; the others are what these are measured against.
    `language` is that of the person, by the name that the database has for it. `min_turns`: fewer yield nothing."""
    apart = analyse_turns(turns, language)
    if len(apart) < min_turns or limit < 1:
        return []
    measured = signals(apart)
    assisted = any(turn.spoken.role != USER for turn in apart)
    worths = [_worth(turn, of_turn, unread, assisted) for turn, of_turn in zip(apart, measured, strict=True)]
    apart = [
        _without_sensitive_claims(turn) if by >= worth_threshold(limit, assisted) else turn
        for turn, by in zip(apart, worths, strict=True)
    ]
    chosen = choose_turns(apart, worths, limit)
    found = [_finding(apart, measured, choice, run, person, timezone) for choice, run in _runs(apart, chosen, limit)]
    return [one for one in found if one is not None]


def _worth(turn: Turn, measured: Mapping[str, float], unread: Collection[int] | None, assisted: bool) -> float:
    if unread is not None and turn.spoken.index not in unread:
        return 0.0
    weighed = worth(measured)
    if not assisted or not turn.claims:
        return weighed
    # A friend's answer tells what matters; to an assistant "I prefer window seats" is said in passing, and meant. So is
    # what answers its question, and what corrects something told before.
    if any(is_plain_statement(claim, turn.spoken.spoken_at) for claim in turn.claims):
        return max(weighed, MIN_WORTH_STATED)
    return max(weighed, MIN_WORTH_ANSWER) if any(claim.context for claim in turn.claims) else weighed


def _without_sensitive_claims(turn: Turn) -> Turn:
    """A turn without the claims that are sensitive: these are kept only where the person asks for it."""
    return replace(turn, claims=tuple(claim for claim in turn.claims if not sensitive_kinds(claim.text)))


def _runs(turns: Sequence[Turn], chosen: Sequence[Choice], limit: int) -> list[tuple[Choice, list[Claim]]]:
    """What is quoted: of each choice the sentences that stand together and tell most, and then, as far as there is
    room, what else its turn tells."""
    first, further = list[tuple[Choice, list[Claim]]](), list[tuple[Choice, list[Claim]]]()
    for choice in chosen:
        turn = turns[choice.position]
        runs = _adjacent_runs(turn.spoken.content, best_claims(turn.claims))
        runs.sort(key=lambda run: -max(information_score(claim) for claim in run))
        first.append((choice, runs[0]))
        further += [(choice, run) for run in runs[1:] if any(claim.personal for claim in run)]
    return [*first, *further][:limit]


def information_score(claim: Claim) -> int:
    """How much a claim tells, to compare those of one turn: mostly how much about the speaker."""
    return MAX_CONTENT * claim.personal + len(set(content_words(claim.text)))


def best_claims(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that tell most and fit in one memory, at least one, in the order in which they were spoken."""
    best, room = list[Claim](), MAX_CONTENT
    for claim in sorted(claims, key=lambda claim: (-information_score(claim), claim.start)):
        if not best or (len(best) < MAX_CLAIMS and len(claim.text) <= room):
            best.append(claim)
            room -= len(claim.text)
    return sorted(best, key=lambda claim: claim.start)


def _adjacent_runs(content: str, claims: Sequence[Claim]) -> list[list[Claim]]:
    """The claims in runs of those that stand beside one another."""
    runs = list[list[Claim]]()
    for claim in claims:
        between = content[runs[-1][-1].end : claim.start] if runs else ""
        if runs and len(between) <= MAX_GAP and not any(letter.isalnum() for letter in between):
            runs[-1].append(claim)
        else:
            runs.append([claim])
    return runs


def _finding(
    turns: Sequence[Turn],
    measured: Sequence[Mapping[str, float]],
    choice: Choice,
    run: Sequence[Claim],
    person: str,
    timezone: ZoneInfo,
) -> Finding | None:
    spoken = turns[choice.position].spoken
    content = spoken.content[run[0].start : run[-1].end]
    context = context_of([turn.spoken for turn in turns], choice.position, run[0], run)
    # What is harmless in each sentence may not be in all of them.
    if context is None or sensitive_kinds(f"{context} {content}"):
        return None
    speaker, read = spoken.speaker or person or UNNAMED_PERSON, _understand_run(run, spoken, timezone)
    event = (read.event_time if spoken.spoken_at else None) or (None, None)
    return Finding(
        summary=summary(content),
        content=content,
        context=context,
        speaker=speaker,
        type=read.type if read.type in TYPES else "fact",
        category=read.category,
        # A key is a slot of the person's own: where someone else lives must not replace where they live.
        key=read.key if speaker in (person, UNNAMED_PERSON) and not context else "",
        keywords=_keywords(f"{context} {content}".strip(), speaker, spoken, timezone),
        confidence=round(choice.worth, 3),
        quotes=(Quote(spoken.index, content),),
        reason=_reason(measured[choice.position]),
        event_time=event[0],
        event_end=event[1],
    )


def _understand_run(run: Sequence[Claim], spoken: SpokenTurn, timezone: ZoneInfo) -> Understanding:
    """What others are quoted to have said is neither when it was, nor a slot of the person's own."""
    statements = mask_quotations(" ".join(claim.text for claim in run))[0]
    return understand(statements, at=spoken.spoken_at or datetime(1970, 1, 1, tzinfo=timezone), timezone=timezone)


def _keywords(text: str, speaker: str, spoken: SpokenTurn, timezone: ZoneInfo) -> tuple[str, ...]:
    """What it is about, without the name of who speaks."""
    known = (speaker.lower(), *speaker.lower().split())
    read = understand(text, at=spoken.spoken_at or datetime(1970, 1, 1, tzinfo=timezone), timezone=timezone)
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
