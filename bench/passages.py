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

from bench.extraction import DATA, AnnotatedConversation, Session, load_conversations
from bench.setup import BenchSetup
from bench.table import Line
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models.row_security import every_space

FOUND_AMONG = 10
INSIDE_SHARE, ANSWERED_SHARE = 1 / 7, 0.6
"""Parts of the turns that stand inside a long answer, and of the others that one follows."""

SHORTEST, LONGEST = 300, 4_000
DROP_PASSAGES = "UPDATE turn SET passages = NULL, passage_words = NULL"

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass
class StoredConversation:
    """A conversation as it was told: to whom, which turn is which annotated one, and which stand inside an answer."""

    person: str
    conversation: AnnotatedConversation
    ids: dict[str, str] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    Schedule.objects.update(
        next_run=bench_setup.now + timedelta(days=1)
    )  # the worker is to make no passages from under us
    conversations = load_conversations(DATA / "locomo_dev.json")
    stored = [
        _store_conversation(bench_setup, one, conversations)
        for one in conversations[: 1 if bench_setup.small else None]
    ]
    embed_rows(encoder=bench_setup.model, report=lambda done, total: None)
    with_passages = _found(bench_setup, stored)
    with every_space(), connection.cursor() as cursor:
        cursor.execute(DROP_PASSAGES)
    without = _found(bench_setup, stored)
    for where, found in with_passages.items():
        yield Line(f"{where}: found among {FOUND_AMONG}", _mean(found), "", _mean(without[where]), "without passages")


def _store_conversation(
    bench_setup: BenchSetup, conversation: AnnotatedConversation, others: Sequence[AnnotatedConversation]
) -> StoredConversation:
    chosen = random.Random(conversation.name)
    said = [sentence for other in others if other is not conversation for sentence in _sentences(other)]
    stored, client = StoredConversation(f"told {conversation.name}", conversation), bench_setup.client()
    for number, session in enumerate(conversation.sessions):
        held = client.post("/conversations", {"person": stored.person, "external_id": f"{stored.person} {number}"})
        names, turns = zip(*_mixed_turns(session, stored, said, chosen), strict=True)
        kept = client.post(f"/conversations/{held['id']}/turns", {"turns": turns})["items"]
        stored.ids |= {turn["id"]: name for turn, name in zip(kept, names, strict=True) if name}
    return stored


def _sentences(conversation: AnnotatedConversation) -> Iterator[str]:
    for session in conversation.sessions:
        for turn in session.turns:
            yield from (sentence for sentence in _SENTENCE_END.split(turn.content) if len(sentence) > 20)


def _mixed_turns(
    session: Session, stored: StoredConversation, said: Sequence[str], chosen: random.Random
) -> Iterator[tuple[str, dict[str, str]]]:
    """The turns of a session, each with its annotated id, and between them answers, which have none."""
    for name, turn in zip(session.ids, session.turns, strict=True):
        at = turn.spoken_at.isoformat() if turn.spoken_at else ""
        if chosen.random() < INSIDE_SHARE:
            answer = _answer(said, chosen)
            answer.insert(chosen.randrange(len(answer) + 1), turn.content)
            stored.inside.add(name)
            yield name, {"role": "assistant", "content": " ".join(answer), "spoken_at": at}
            continue
        yield name, {"role": "user", "speaker": turn.speaker, "content": turn.content, "spoken_at": at}
        if chosen.random() < ANSWERED_SHARE:
            answer = [f"You mentioned {turn.content[:100]}", *_answer(said, chosen)]
            yield "", {"role": "assistant", "content": " ".join(answer), "spoken_at": at}


def _answer(said: Sequence[str], chosen: random.Random) -> list[str]:
    length, answer = chosen.randint(SHORTEST, LONGEST), list[str]()
    while sum(map(len, answer)) < length:
        answer.append(chosen.choice(said))
    return answer


def _found(bench_setup: BenchSetup, stored: Sequence[StoredConversation]) -> dict[str, list[bool]]:
    """Of each question whether a turn that answers it was found, by where these stand."""
    found: dict[str, list[bool]] = {"facts in short turns": [], "facts inside long answers": []}
    for one in stored:
        venue_context = resolve_venue(person=one.person)
        for recall_query, evidence in zip(one.conversation.recall_query, one.conversation.questions, strict=True):
            question = RecallQuery(recall_query, FOUND_AMONG, kinds=("turn",))
            shown = recall(
                venue_context=venue_context, recall_query=question, now=bench_setup.now, encoder=bench_setup.encoder
            ).results
            hit = any(one.ids.get(str(result.row.id)) in evidence for result in shown)
            if evidence <= one.inside:
                found["facts inside long answers"].append(hit)
            elif not evidence & one.inside:
                found["facts in short turns"].append(hit)
    return found


def _mean(found: Sequence[bool]) -> float:
    return sum(found) / max(1, len(found))
