"""Long texts are found by their passages: by the meaning of one and by its words, wherever in the text it stands."""

from collections.abc import Sequence

import pytest
from django.db import connection

from memory_app.embedding.encoder import Encoder, current_encoder, current_model_name
from memory_app.embedding.vectors import Vectors
from memory_app.engine.memories.reflection_lines import rewrite_reflection
from memory_app.engine.retrieval.query import ResultOf
from memory_app.jobs import embed_rows as backfill
from memory_app.models import Memory, Turn
from memory_app.models.row_security import every_space
from memory_app.rules.candidate_signals import Signals
from tests.conftest import Api
from tests.encoder import HashingEncoder

pytestmark = pytest.mark.django_db

SUBJECTS = (
    ("the garden", "roses", "a hedge", "the shed", "compost"),
    ("the car", "tyres", "an oil change", "the brakes", "a new mirror"),
    ("the office", "a printer", "meetings", "the canteen", "old files"),
    ("the trip", "a tent", "the ferry", "good boots", "a map of the coast"),
    ("the bakery", "rye bread", "an oven", "the queue", "cinnamon rolls"),
    ("the school", "exams", "a new teacher", "the library", "a play in spring"),
    ("the flat", "damp walls", "the landlord", "a boiler", "thin windows"),
    ("the dog", "long walks", "the vet", "a basket", "dry food"),
)
FACT = "Your aunt Berta keeps her violin in a bank vault in Zurich."


def _about(number: int) -> str:
    of, *things = SUBJECTS[number]
    return " ".join(f"As to {of}, there is much to say about {thing}, and people differ on it." for thing in things)


LONG_ANSWER = " ".join([_about(0), _about(1), _about(2), FACT, _about(3), _about(4)])
"""1,500 characters about five things, and one fact in the middle."""


def _embed() -> int:
    return backfill.embed_rows(encoder=current_encoder(), report=lambda done, total: None)


def _answered(api: Api) -> None:
    held = api.post("/conversations", {"person": "alice", "external_id": "c"}).json()["id"]
    said = [("user", "What did we talk about last week?"), ("assistant", LONG_ANSWER)]
    said += [("user", _about(number)) for number in (5, 6, 7)]
    said += [("user", f"We bought {things[0]} and {things[1]}.") for _, *things in SUBJECTS]
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{held}/turns", {"turns": turns}).status_code == 201


def _first(api: Api, query: str, kind: str, method: str = "hybrid") -> str:
    recall_query = {"person": "alice", "query": query, "kinds": [kind], "method": method}
    found: str = api.post("/search", recall_query).json()["results"][0][kind]["content"]
    return found


def _in_passages(table: str) -> list[int | None]:
    with every_space(), connection.cursor() as cursor:
        cursor.execute(f"SELECT cardinality(passages) FROM {table} ORDER BY id")
        return [number for (number,) in cursor.fetchall()]


@pytest.mark.parametrize("method", ["hybrid", "vector", "text"])
def test_a_fact_inside_a_long_answer_is_found_first(api: Api, real_encoder: Encoder, method: str) -> None:
    _answered(api)
    _embed()
    assert _first(api, "Where is the violin kept?", "turn", method) == LONG_ANSWER


@pytest.mark.parametrize("method", ["hybrid", "vector", "text"])
def test_a_fact_inside_a_long_memory_is_found_first(api: Api, real_encoder: Encoder, method: str) -> None:
    api.remember("alice", LONG_ANSWER)
    for number in (5, 6, 7):
        api.remember("alice", _about(number))
    _embed()
    assert _first(api, "Which relative plays an instrument?", "memory", "vector") == LONG_ANSWER
    assert _first(api, "Where is the violin kept?", "memory", method) == LONG_ANSWER


def test_the_matching_passage_is_briefed(api: Api, real_encoder: Encoder) -> None:
    api.remember("alice", LONG_ANSWER)
    api.remember("alice", "Alice likes rye bread")
    _embed()
    recall_query = {"person": "alice", "query": "Where does aunt Berta keep her violin?"}
    first = api.post("/search", recall_query).json()["results"][0]
    assert FACT in first["passage"]
    assert len(first["passage"]) <= 300
    assert FACT in api.post("/context", recall_query).json()["text"]


def test_a_short_memory_is_briefed_whole(api: Api) -> None:
    api.remember("alice", FACT)
    _embed()
    recall_query = {"person": "alice", "query": "Where does aunt Berta keep her violin?"}
    assert api.post("/search", recall_query).json()["results"][0]["passage"] is None
    assert api.post("/context", recall_query).json()["text"].startswith(f"Relevant background:\n- “{FACT}” (")


def test_only_long_texts_have_passages_and_each_once(api: Api) -> None:
    _answered(api)
    assert _embed() == 13
    parts = _in_passages("turn")
    assert [number for number, of in enumerate(parts) if of] == [1]
    assert _embed() == 0


def test_a_row_is_one_result_and_counts_once(api: Api) -> None:
    _answered(api)
    before = api.post(
        "/search", {"person": "alice", "query": "violin garden", "kinds": ["turn"], "explain": True}
    ).json()
    _embed()
    after = api.post(
        "/search", {"person": "alice", "query": "violin garden", "kinds": ["turn"], "explain": True}
    ).json()
    ids = [result["turn"]["id"] for result in after["results"]]
    assert len(ids) == len(set(ids)) == 13
    assert before["total_found"] == after["total_found"] == 1


def test_a_memory_that_changes_waits_for_its_new_passages(api: Api) -> None:
    kept = api.remember("alice", LONG_ANSWER)
    assert api.get("/people/alice/stats").json()["embeddings_pending"] == 1
    _embed()
    assert api.get("/people/alice/stats").json()["embeddings_pending"] == 0
    api.call("PATCH", f"/memories/{kept['id']}", {"content": LONG_ANSWER.replace("Zurich", "Basel")})
    assert _in_passages("memory") == [None]
    assert api.get("/people/alice/stats").json()["embeddings_pending"] == 1
    _embed()
    assert _in_passages("memory")[0]
    api.call("PATCH", f"/memories/{kept['id']}", {"content": "Berta sold her violin."})
    assert _in_passages("memory") == [None]
    assert api.get("/people/alice/stats").json()["embeddings_pending"] == 0


def test_another_language_has_passages_of_its_own_words(api: Api) -> None:
    api.remember("alice", LONG_ANSWER)
    _embed()
    api.call("PATCH", "/people/alice", {"language": "simple"})
    assert _in_passages("memory") == [None]
    _embed()
    with every_space(), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM memory, unnest(passage_words) part WHERE part @@ 'keeps'::tsquery")
        assert cursor.fetchone() == (1,)


def test_shortening_a_text_removes_its_old_passages(api: Api) -> None:
    kept = api.remember("alice", LONG_ANSWER)
    _embed()
    with every_space():
        rewrite_reflection(Memory.objects.select_related("person").get(id=kept["id"]), FACT, {})
    assert _in_passages("memory") == [None]


def test_no_trigger_writes_passages() -> None:
    """Citus refuses triggers; who changes a text drops its passages."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        assert cursor.fetchall() == []


def test_edits_of_other_fields_keep_the_passages(api: Api) -> None:
    kept = api.remember("alice", LONG_ANSWER)
    _embed()
    api.call("PATCH", f"/memories/{kept['id']}", {"protected": True})
    assert _in_passages("memory")[0]


def test_passages_are_rebuilt_for_another_model(api: Api) -> None:
    _answered(api)
    _embed()
    with every_space():
        Turn.objects.update(embedding_model="another")
        assert Turn.objects.awaiting_vector(current_model_name()).count() == 13
        assert Memory.objects.awaiting_vector(current_model_name()).count() == 0
    assert _embed() == 13


class Reading(HashingEncoder):
    """Remembers what it was given to read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.read += texts
        return super().documents(texts)


def test_a_turn_is_read_with_what_was_said_before_it(api: Api) -> None:
    held = api.post("/conversations", {"person": "alice", "external_id": "c"}).json()["id"]
    said = [
        ("user", "Shall we paint?"),
        ("assistant", "Which room?"),
        ("user", "The hall."),
        ("assistant", LONG_ANSWER),
    ]
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{held}/turns", {"turns": turns}).status_code == 201
    encoder = Reading()
    backfill.embed_rows(encoder=encoder, report=lambda done, total: None)
    assert encoder.read[:4] == [
        "user: Shall we paint?",
        "assistant: Which room?\nuser: Shall we paint?",
        "user: The hall.\nassistant: Which room?\nuser: Shall we paint?",
        f"assistant: {LONG_ANSWER}",
    ]
    passages = encoder.read[4:]
    assert all(text.startswith("assistant: ") and text.endswith("\nuser: The hall.") for text in passages)
    assert len(passages) == 7


def test_many_long_texts_are_embedded_in_portions(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill, "MAX_PASSAGES", 8)
    for number in range(3):
        api.remember("alice", f"{LONG_ANSWER} It was said {number} times.")
    told: list[tuple[int, int]] = []
    backfill.embed_rows(encoder=current_encoder(), report=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert all(_in_passages("memory"))


def test_a_long_text_of_nothing_waits_for_its_passages_once(api: Api) -> None:
    held = api.post("/conversations", {"person": "alice", "external_id": "c"}).json()["id"]
    blank = {"role": "user", "content": "\n" * 700}
    assert api.post(f"/conversations/{held}/turns", blank).status_code == 201
    assert (_embed(), _embed()) == (1, 0)


def test_a_removed_passage_is_not_briefed() -> None:
    found = Signals("a", 0.9, None, 0, 5, "s", 0, False, False, None, part=2)
    memory = Memory(content="The violin is at home.", summary="The violin is at home.")
    assert ResultOf(memory, 0.9, (), found).short_text == "The violin is at home."
