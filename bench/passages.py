"""Facts inside long answers: how many are found, with the passages of long texts and without.

Answers of 300 to 4,000 characters are put after most turns of annotated conversations (see `annotated` for the data,
which is not shipped), made of what was said in the others; and a seventh of the turns stands inside such an answer.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import connection
from django_q.models import Schedule

from bench.annotated import Annotated, Session, annotated
from bench.extraction import DATA
from bench.ground import Ground
from bench.table import Line
from memory_app.engine.enter import enter
from memory_app.engine.recalling.asked import Asked
from memory_app.engine.recalling.recall import recall
from memory_app.engine.running.reembed import reembed
from memory_app.models.scope import every_space

FOUND_AMONG = 10
INSIDE, ANSWERED = 1 / 7, 0.6
"""Parts of the turns that stand inside a long answer, and of the others that one follows."""

SHORTEST, LONGEST = 300, 4_000
WITHOUT = "UPDATE turn SET passages = NULL, passage_words = NULL"

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass
class Told:
    """A conversation as it was told: to whom, which turn is which annotated one, and which stand inside an answer."""

    person: str
    conversation: Annotated
    ids: dict[str, str] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)


def measure(ground: Ground) -> Iterator[Line]:
    Schedule.objects.update(next_run=ground.now + timedelta(days=1))  # the worker is to make no passages from under us
    conversations = annotated(DATA / "locomo_dev.json")
    told = [_tell(ground, one, conversations) for one in conversations[: 1 if ground.small else None]]
    reembed(encoder=ground.model, report=lambda done, total: None)
    with_passages = _found(ground, told)
    with every_space(), connection.cursor() as cursor:
        cursor.execute(WITHOUT)
    without = _found(ground, told)
    for where, found in with_passages.items():
        yield Line(f"{where}: found among {FOUND_AMONG}", _mean(found), "", _mean(without[where]), "without passages")


def _tell(ground: Ground, conversation: Annotated, others: Sequence[Annotated]) -> Told:
    chosen = random.Random(conversation.name)
    said = [sentence for other in others if other is not conversation for sentence in _sentences(other)]
    told, client = Told(f"told {conversation.name}", conversation), ground.client()
    for number, session in enumerate(conversation.sessions):
        held = client.post("/conversations", {"person": told.person, "external_id": f"{told.person} {number}"})
        names, turns = zip(*_mixed(session, told, said, chosen), strict=True)
        kept = client.post(f"/conversations/{held['id']}/turns", {"turns": turns})["items"]
        told.ids |= {turn["id"]: name for turn, name in zip(kept, names, strict=True) if name}
    return told


def _sentences(conversation: Annotated) -> Iterator[str]:
    for session in conversation.sessions:
        for turn in session.turns:
            yield from (sentence for sentence in _SENTENCE_END.split(turn.content) if len(sentence) > 20)


def _mixed(
    session: Session, told: Told, said: Sequence[str], chosen: random.Random
) -> Iterator[tuple[str, dict[str, str]]]:
    """The turns of a session, each with its annotated id, and between them answers, which have none."""
    for name, turn in zip(session.ids, session.turns, strict=True):
        at = turn.spoken_at.isoformat() if turn.spoken_at else ""
        if chosen.random() < INSIDE:
            answer = _answer(said, chosen)
            answer.insert(chosen.randrange(len(answer) + 1), turn.content)
            told.inside.add(name)
            yield name, {"role": "assistant", "content": " ".join(answer), "spoken_at": at}
            continue
        yield name, {"role": "user", "speaker": turn.speaker, "content": turn.content, "spoken_at": at}
        if chosen.random() < ANSWERED:
            answer = [f"You mentioned {turn.content[:100]}", *_answer(said, chosen)]
            yield "", {"role": "assistant", "content": " ".join(answer), "spoken_at": at}


def _answer(said: Sequence[str], chosen: random.Random) -> list[str]:
    length, answer = chosen.randint(SHORTEST, LONGEST), list[str]()
    while sum(map(len, answer)) < length:
        answer.append(chosen.choice(said))
    return answer


def _found(ground: Ground, told: Sequence[Told]) -> dict[str, list[bool]]:
    """Of each question whether a turn that answers it was found, by where these stand."""
    found: dict[str, list[bool]] = {"facts in short turns": [], "facts inside long answers": []}
    for one in told:
        entered = enter(person=one.person)
        for asked, evidence in zip(one.conversation.asked, one.conversation.questions, strict=True):
            question = Asked(asked, FOUND_AMONG, kinds=("turn",))
            shown = recall(entered=entered, asked=question, now=ground.now, encoder=ground.encoder).results
            hit = any(one.ids.get(str(result.row.id)) in evidence for result in shown)
            if evidence <= one.inside:
                found["facts inside long answers"].append(hit)
            elif not evidence & one.inside:
                found["facts in short turns"].append(hit)
    return found


def _mean(found: Sequence[bool]) -> float:
    return sum(found) / max(1, len(found))
