"""The page of questions: what is found and why, what an assistant would be told, and nobody else's memories."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory_app.embedding.encoder import current_encoder
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import Receipt
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_conversation, create_memory, reload_memory
from tests.embedding.cross_encoders import random_cross_encoder


def asked(client: Client, query: str, **url: str | list[str]) -> Any:
    answer = client.get("/search/", {"q": query, "format": "json", **url})
    assert answer.status_code == 200, answer.content
    return answer.json()


def found(client: Client, query: str, **url: str | list[str]) -> list[str]:
    return [item["memory"]["content"] for item in asked(client, query, **url)["results"]]


def page(client: Client, **url: str) -> str:
    answer = client.get("/search/", url)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_results_show_reasons_and_score_shares(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    html = page(alice, q="blue tile")
    assert "says “blue tile”" in html
    assert re.search(r'<dt>Words</dt>\s*<dd>\s*<svg .*?<span class="number">\d+ %</span>', html, re.S)
    [result] = asked(alice, "blue tile")["results"]
    assert sum(part["percent"] for part in result["why"]) == pytest.approx(100, abs=1)


def test_the_brief_is_previewed_without_being_recorded(alice: Client) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    html = page(alice, q="Which tile did we choose, the blue tile?")
    assert "Relevant background:\n- “We chose the blue tile.” (" in html
    brief = asked(alice, "Which tile did we choose, the blue tile?")["brief"]
    assert brief["token_budget"] == 300
    assert 0 < brief["tokens"] <= 300
    assert reload_memory(memory.id).access_count == 0
    with every_space():
        assert not Receipt.objects.exists()


def test_a_brief_that_would_be_empty_says_why(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    assert "Nothing: a command or small talk gains nothing from memory." in page(alice, q="thanks!")


def test_a_superseded_result_links_to_its_successor(alice: Client) -> None:
    create_memory("alice", "The tile is red.", key="tile")
    new = create_memory("alice", "The tile is blue.", key="tile")
    html = page(alice, q="tile")
    assert "replaced since" in html
    assert f'<a href="/memories/{new.id}/">by this</a>' in html


def test_search_is_narrowed_by_kind_time_and_method(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.", type="decision")
    create_memory("alice", "The tile is from Delft.", type="fact")
    assert found(alice, "tile", type=["decision"]) == ["We chose the blue tile."]
    assert found(alice, "tile", until="2001-01-01") == []
    assert len(found(alice, "tile", since="2001-01-01", method="text")) == 2
    assert found(alice, "tile", kind=["turn"]) == []


@pytest.mark.parametrize(
    "url",
    [{"since": "yesterday"}, {"until": "9999-12-31"}, {"since": "0001-01-01"}, {"method": "magic"}, {"rerank": "x"}],
)
def test_invalid_query_parameters_are_ignored(alice: Client, url: dict[str, str]) -> None:
    create_memory("alice", "We chose the blue tile.")
    assert found(alice, "tile\x00", **url) == ["We chose the blue tile."]


def test_a_person_searches_only_their_own(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    create_memory("bob", "Bob rides a red bicycle.")
    assert found(alice, "bicycle", person="bob") == ["We chose the blue tile."]
    assert "Whose</label>" not in page(alice, q="bicycle", person="bob")


def test_a_super_user_searches_as_the_named_person(root: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    create_memory("bob", "Bob rides a red bicycle.")
    assert found(root, "bicycle", person="bob") == ["Bob rides a red bicycle."]
    assert "Whose memories?" in page(root, q="bicycle")
    assert "Nobody of that name" in page(root, q="bicycle", person="carol")


PAGES = " ".join(f"Page {number} of the diary tells of day {number} in the house by the lake." for number in range(12))
"""Longer than a passage, and nothing that anyone asks for."""


def embed() -> None:
    embed_rows(encoder=current_encoder(), report=lambda done, total: None)


def test_the_matching_passage_of_a_long_memory_is_shown(alice: Client) -> None:
    create_memory("alice", f"{PAGES} We chose the blue tile. {PAGES}")
    embed()
    html = page(alice, q="blue tile")
    assert "We chose the <mark>blue</mark> <mark>tile</mark>." in html
    assert "We chose the blue tile." in re.search(r"Relevant background:\n(.*?)</pre>", html)[1]  # type: ignore[index]


def test_stop_words_are_not_highlighted(alice: Client) -> None:
    create_memory("alice", "The tile in the kitchen is blue.")
    assert "The <mark>tile</mark> in the kitchen is blue." in page(alice, q="Which is the tile?")


def test_passages_of_sensitive_memories_are_masked(alice: Client) -> None:
    create_memory("alice", f"{PAGES} My card number is 4111 1111 1111 1111. {PAGES}")
    embed()
    assert "4111 1111" not in page(alice, q="What is my card number?")
    assert "4111 1111" not in str(asked(alice, "What is my card number?"))


def test_passages_of_sensitive_turns_are_masked(alice: Client) -> None:
    create_conversation("alice", turns=[("user", f"{PAGES} My card number is 4111 1111 1111 1111. {PAGES}")])
    embed()
    assert "<mark>card</mark> <mark>number</mark> is" in page(alice, q="What is my card number?", kind="turn")
    assert "4111 1111" not in page(alice, q="What is my card number?", kind="turn")
    assert "4111 1111" not in str(asked(alice, "What is my card number?", kind="turn"))


def test_sensitive_memories_are_masked_in_results_and_brief(alice: Client) -> None:
    create_memory("alice", "My card number is 4111 1111 1111 1111.")
    assert "4111 1111" not in page(alice, q="What is my card number?")
    assert "4111 1111" not in str(asked(alice, "What is my card number?"))


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("hybrid", "All signals, not reranked"),
        ("text", "Words only, not reranked"),
        ("vector", "Meaning only, not reranked"),
        ("entity", "Names only, not reranked"),
    ],
)
def test_the_method_is_shown_and_in_the_copyable_request(alice: Client, method: str, words: str) -> None:
    create_memory("alice", "My friend Anna chose the blue tile.")
    html = page(alice, q="What did Anna choose?", method=method)
    assert f"{words} · " in html
    assert f'<option value="{method}" selected>' in html
    assert f"&quot;method&quot;: &quot;{method}&quot;" in html
    assert asked(alice, "What did Anna choose?", method=method)["search_method"] == method


def test_the_reranker_can_be_switched_on_and_off(alice: Client, settings: object, tmp_path: Path) -> None:
    settings.KEEPSAKE_RERANK_SECONDS = 60.0  # type: ignore[attr-defined]
    settings.KEEPSAKE_RERANKER = str(random_cross_encoder(tmp_path / "model", seed=3))  # type: ignore[attr-defined]
    create_memory("alice", "We chose the blue tile.")
    create_memory("alice", "The tile is from Delft.")
    assert "All signals, reranked · " in page(alice, q="tile")
    left_out = page(alice, q="tile", rerank="no")
    assert "All signals, not reranked · " in left_out
    assert "&quot;rerank&quot;: false" in left_out
    assert asked(alice, "tile", rerank="yes")["search_method"] == "hybrid+rerank"
    assert "&quot;rerank&quot;: true" in page(alice, q="tile", rerank="yes")


def test_the_copyable_request_escapes_quotes(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    html = page(alice, q="what's 'blue' tile")
    assert "what\\u0027s \\u0027blue\\u0027 tile" in html
