"""What came later on the same subject, beside a comparison of all that is visible with all."""

import random
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest

from bench.texts import texts
from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval import later_statements
from memory_app.engine.retrieval.later_statements import MAX_LATER, MIN_SAME_SUBJECT, find_later_statements
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery, memory_results
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, Status
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.classify.change_by_example import change_direction
from tests.engine.packed import pack_all
from tests.worlds import NOON, Row, World, store

pytestmark = pytest.mark.django_db

ROWS = 400
KEPT_AT = [("alice", "private", "private"), ("alice", "kitchen", "space"), ("bob", "kitchen", "space"),
           ("bob", "private", "private"), ("alice", "cooks", "channel")]  # fmt: skip
QUESTIONS = ("Who decided against the telescope?", "What did Marta promise about the puppy?", "who paid for the canoe")


def add_random_rows(world: World, chance: random.Random) -> None:
    """Told in another order than they are kept in; some are superseded, deleted, expired or without a vector."""
    pairs = []
    for text in texts(ROWS, str(chance.random())):
        person, place, level = chance.choice(KEPT_AT)
        vector = chance.choice(["current"] * 20 + ["none"])
        row = Row(person, place, level, text, vector=vector, deleted=chance.random() < 0.05)
        memory = world.memory(row)
        memory.valid_from = NOON - timedelta(minutes=chance.randrange(1, 200))
        memory.expires_at = NOON if chance.random() < 0.05 else None
        if chance.random() < 0.05 and not row.deleted:
            memory.status = Status.SUPERSEDED
        pairs.append((row, memory))
    store(pairs[: ROWS // 2])
    pack_all()
    store(pairs[ROWS // 2 :])  # which a search reads from the rows


def compare_all(
    venue_context: VenueContext, question: str, results: Sequence[MemoryResult], encoder: Encoder
) -> dict[tuple[UUID, UUID], float]:
    """How close each pair is that is to be found."""
    [asked] = encoder.queries([question])
    wanted = 0.5 * asked + 2.0 * change_direction(encoder)
    seen = Memory.objects.undeleted().visible_from(venue_context.venue).current(NOON)
    rows = [(row, np.asarray(row.embedding, np.float32)) for row in seen.exclude(embedding=None)]
    vectors = {row.id: vector for row, vector in rows}
    briefed = {result.row.id for result in results}
    found: dict[tuple[UUID, UUID], float] = {}
    for earlier in (result.row for result in results if result.row.id in vectors):
        close = {
            row.id: float(vector @ (vectors[earlier.id] + wanted))
            for row, vector in rows
            if row.person_id == earlier.person_id and row.valid_from > earlier.valid_from
        }
        nearest = sorted(close, key=lambda id: -close[id])[:MAX_LATER]
        found |= {
            (earlier.id, id): value
            for id, value in close.items()
            if value >= MIN_SAME_SUBJECT and id in briefed.union(nearest)
        }
    return found


@pytest.mark.parametrize("seed", range(3))
def test_later_statements_are_those_of_comparing_all_with_all(
    seed: int, real_encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(later_statements, "COMPARED_WITH_EACH", 30)  # of these few rows most are left out
    world, chance, found_any = World.build(), random.Random(seed), 0
    add_random_rows(world, chance)
    for person, place in (("alice", "private"), ("alice", "kitchen"), ("alice", "cooks"), ("bob", "kitchen")):
        venue_context = world.venue_context[person, place]
        for question in QUESTIONS:
            recall_query = RecallQuery(question, limit=12)
            found = recall(venue_context=venue_context, recall_query=recall_query, now=NOON, encoder=real_encoder)
            results = [one for one in memory_results(found.results) if one.row.status == Status.ACTIVE]
            with allowed_spaces(venue_context.venue.spaces):
                expected = compare_all(venue_context, question, results, real_encoder)
                later = find_later_statements(venue_context, recall_query, found, results, real_encoder, NOON)
            assert {(one.earlier, one.id): one.close for one in later} == pytest.approx(expected, abs=0.002)
            found_any += len(later)
    assert found_any
