"""mem0's filters, on rows: AND, OR and NOT, operators and `*`, of several owners, in lists and searches alike."""

from typing import Any

import pytest

from tests.compat.conftest import Compat

pytestmark = pytest.mark.django_db

KEPT: dict[str, dict[str, Any]] = {
    "green": {"user_id": "alice", "agent_id": "bot", "run_id": "r1", "metadata": {"cups": 1, "tags": ["hot"]}},
    "black": {"user_id": "alice", "agent_id": "Aid", "metadata": {"cups": 3, "place": "The Garden"}},
    "white": {"user_id": "bob", "timestamp": 1_500_000_000},
    "red": {"agent_id": "bot"},
}
"""What is kept: for each sort of tea, of whom and with what."""

ALICE, BOB, BOT = {"user_id": "alice"}, {"user_id": "bob"}, {"agent_id": "bot"}


@pytest.fixture
def teas(mem0: Compat) -> Compat:
    for sort, fields in KEPT.items():
        said = [{"role": "user", "content": f"I like {sort} tea"}]
        mem0.call("POST", "/v3/memories/add/", {"messages": said, "infer": False, **fields})
    return mem0


CASES: list[tuple[dict[str, Any], set[str]]] = [
    (ALICE, {"green", "black"}),
    (BOT, {"red"}),
    ({**ALICE, **BOT}, {"green"}),
    ({"AND": [ALICE, {"agent_id": {"in": ["bot", "x"]}}]}, {"green"}),
    ({"AND": [ALICE, {"agent_id": {"icontains": "AI"}}]}, {"black"}),
    ({"AND": [ALICE, {"agent_id": {"contains": "ai"}}]}, set()),
    ({"AND": [ALICE, {"run_id": "*"}]}, {"green"}),
    ({"AND": [ALICE, {"NOT": [{"run_id": "*"}]}]}, {"black"}),
    ({"OR": [BOB, BOT]}, {"white", "red"}),
    ({"OR": [BOB, {"AND": [ALICE, {"metadata": {"cups": {"gte": 2}}}]}]}, {"white", "black"}),
    ({"user_id": {"in": ["alice", "bob"]}}, {"green", "black", "white"}),
    ({"user_id": "*"}, {"green", "black", "white"}),
    ({"agent_id": "*"}, {"red"}),
    ({"AND": [{"user_id": "*"}, {"NOT": [ALICE]}]}, {"white"}),
    ({"AND": [{"user_id": "*"}, {"user_id": {"ne": "alice"}}]}, {"white"}),
    ({**ALICE, "metadata": {"cups": {"gt": 1, "lt": 4}}}, {"black"}),
    ({**ALICE, "metadata": {"cups": {"ne": 1}}}, {"black"}),
    ({**ALICE, "metadata": {"tags": "hot"}}, {"green"}),
    ({**ALICE, "metadata": {"place": {"contains": "Garden"}}}, {"black"}),
    ({**ALICE, "place": {"icontains": "garden"}}, {"black"}),
    ({**ALICE, "cups": {"lte": 1}}, {"green"}),
    ({**ALICE, "categories": {"in": ["preference"]}}, {"green", "black"}),
    ({**ALICE, "categories": {"contains": "reading"}}, set()),
    ({**ALICE, "created_at": {"gte": "2020-01-01"}}, {"green", "black"}),
    ({**ALICE, "created_at": {"lt": "2020-01-01T00:00:00Z"}}, set()),
    ({"user_id": "nobody"}, set()),
]


def test_a_list_holds_what_passes(teas: Compat) -> None:
    for filters, sorts in CASES:
        told = teas.call("POST", "/v3/memories/", {"filters": filters})
        assert {one["memory"].split()[2] for one in told["results"]} == sorts, filters
        assert told["count"] == len(sorts), filters


def test_a_search_finds_what_passes(teas: Compat) -> None:
    for filters, sorts in CASES:
        told = teas.call("POST", "/v3/memories/search/", {"query": "tea", "filters": filters})
        assert {one["memory"].split()[2] for one in told["results"]} == sorts, filters


def test_ids_beside_a_user_are_told_again(teas: Compat) -> None:
    [told] = teas.call("POST", "/v3/memories/", {"filters": {**ALICE, **BOT}})["results"]
    assert (told["user_id"], told["agent_id"], told["run_id"], told["app_id"]) == ("alice", "bot", "r1", None)
    [told] = teas.call("POST", "/v3/memories/", {"filters": BOT})["results"]
    assert (told["user_id"], told["agent_id"]) == (None, "bot")


def test_deleting_all_of_an_agents_leaves_the_rest(teas: Compat) -> None:
    teas.call("DELETE", "/v1/memories/?user_id=alice&agent_id=bot")
    left = teas.call("POST", "/v3/memories/", {"filters": {"OR": [ALICE, BOT]}})["results"]
    assert {one["memory"].split()[2] for one in left} == {"black", "red"}


def test_pages_hold_each_memory_once(teas: Compat) -> None:
    filters = {"filters": {"user_id": {"in": ["alice", "bob"]}}}
    first = teas.call("POST", "/v3/memories/?page=1&page_size=2", filters)
    second = teas.call("POST", first["next"].split("/compat/mem0", 1)[1], filters)
    assert (first["count"], second["count"], first["previous"], second["next"]) == (3, 3, None, None)
    seen = [one["memory"].split()[2] for one in [*first["results"], *second["results"]]]
    assert seen == ["white", "black", "green"]


def test_a_threshold_asks_by_score_alone(teas: Compat) -> None:
    def found(query: str, **asked: object) -> list[dict[str, Any]]:
        sent = {"query": query, "filters": ALICE, **asked}
        results: list[dict[str, Any]] = teas.call("POST", "/v3/memories/search/", sent)["results"]
        return results

    counts = [len(found("green tea", **asked)) for asked in ({"threshold": 0}, {"threshold": 1}, {"top_k": 1})]
    assert counts == [2, 0, 1]
    [only] = found("green", fields=["memory"])
    assert set(only) == {"id", "memory"}
