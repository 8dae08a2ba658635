"""The pages of entities: who is listed for whom, one with all that is known, merged and parted by buttons."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client

from dashboard.charts import entity_graph
from memory_app.engine.entities.visible_entities import ListedEntity
from memory_app.engine.venue_context import VenueNames
from tests.dashboard.factories import create_conversation, create_memory, one_line


def names(client: Client, query: str = "") -> dict[str, int]:
    items = client.get(f"/entities/?format=json&{query}").json()["items"]
    return {item["name"]: item["mention_count"] for item in items}


def id_of(client: Client, name: str) -> str:
    items = client.get("/entities/?format=json").json()["items"]
    found: str = next(item["id"] for item in items if item["name"] == name)
    return found


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return one_line(answer.content.decode())


def test_entities_are_listed_by_mentions_and_filtered(alice: Client) -> None:
    create_memory("alice", "I met my friend Anna in Lisbon.")
    create_memory("alice", "My friend Anna bakes.")
    create_memory("bob", "My boss Zorblax is loud.")
    assert list(names(alice).items()) == [("Anna", 2), ("Lisbon", 1)]
    assert names(alice, "type=location") == {"Lisbon": 1}
    assert names(alice, "q=ann") == {"Anna": 2}
    html = page(alice, "/entities/")
    assert "Anna" in html
    assert "Zorblax" not in html


def test_the_list_says_that_no_model_of_names_is_installed(alice: Client) -> None:
    html = page(alice, "/entities/")
    assert "No spaCy model is installed" in html
    assert "python -m spacy download en_core_web_sm" in html


def test_the_list_has_pages(alice: Client) -> None:
    for number in range(45):
        create_memory("alice", f"My friend Anna{chr(97 + number // 9)}{chr(97 + number % 9)} called {number}.", key="")
    assert len(names(alice)) == 40
    assert "Page 1" in page(alice, "/entities/")
    assert len(names(alice, "page=2")) == 5


def test_its_memories_form_a_timeline(alice: Client) -> None:
    create_memory("alice", "My friend Anna bakes.", now=datetime(2026, 11, 20, 12, tzinfo=UTC))
    create_memory("alice", "My friend Anna was in Lisbon.", event_time=datetime(2025, 3, 2, 9, tzinfo=UTC))
    html = page(alice, f"/entities/{id_of(alice, 'Anna')}/")
    assert re.findall(r"<h3>(\w+ \d{4})</h3>", html)[-2:] == ["November 2026", "March 2025"]
    assert "/search/?q=Tell+me+everything+about+Anna" in html


@pytest.mark.parametrize("query", ["page=0", "page=x", "type=queen", "q=%00", "q=%25_\\"])
def test_invalid_query_parameters_are_ignored(alice: Client, query: str) -> None:
    assert alice.get(f"/entities/?{query}").status_code == 200


def test_an_entity_is_shown_with_its_memories_and_related_entities(alice: Client) -> None:
    create_memory("alice", "I met my friend José in Lisbon.")
    create_memory("alice", "My friend JOSE bakes.")
    html = page(alice, f"/entities/{id_of(alice, 'José')}/")
    assert "In 2 memories of" in html
    assert "I met my friend José in Lisbon." in html
    assert '<span class="tag-chip">JOSE</span>' in html
    assert re.search(r"<text[^>]*>Lisbon</text>", html)
    twin = alice.get(f"/entities/{id_of(alice, 'José')}/?format=json").json()
    assert [other["name"] for other in twin["related"]] == ["Lisbon"]
    assert len(twin["memories"]) == 2


def test_a_foreign_entity_answers_as_missing(alice: Client, bob: Client) -> None:
    create_memory("bob", "My boss Zorblax is loud.")
    theirs = id_of(bob, "Zorblax")
    for path in ("", "merge/", "take-out/", "part/", "put-together/"):
        ask = alice.post if path else alice.get
        real, missing = ask(f"/entities/{theirs}/{path}"), ask(f"/entities/{uuid4()}/{path}")
        assert (real.status_code, missing.status_code) == (404, 404)


def test_merging_and_unmerging(alice: Client) -> None:
    create_memory("alice", "My friend Robert Smith called.")
    create_memory("alice", "My friend Bobby is loud.")
    before = names(alice)
    bobby, robert = id_of(alice, "Bobby"), id_of(alice, "Robert Smith")
    html = alice.post(f"/entities/{bobby}/merge/", {"into": robert}, follow=True).content.decode()
    assert "Take “Bobby” out again" in html
    assert names(alice) == {"Robert Smith": 2}
    alice.post(f"/entities/{bobby}/take-out/")
    assert names(alice) == before


def test_unmerging_an_entity_without_memories_reports_success(alice: Client) -> None:
    create_memory("alice", "My friend Robert Smith called.")
    memory = create_memory("alice", "My friend Bobby is loud.")
    bobby, robert = id_of(alice, "Bobby"), id_of(alice, "Robert Smith")
    alice.post(f"/entities/{bobby}/merge/", {"into": robert})
    alice.post(f"/entities/{robert}/part/", {"memory": [str(memory.id)], "name": "Bob Hall"})
    answer = alice.post(f"/entities/{bobby}/take-out/", follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, "/entities/")
    assert "It stands for itself again." in answer.content.decode()


def test_merging_with_a_missing_entity_says_what_to_do(alice: Client) -> None:
    create_memory("alice", "My friend Bobby is loud.")
    html = alice.post(f"/entities/{id_of(alice, 'Bobby')}/merge/", {"into": ""}, follow=True).content.decode()
    assert "Choose whom or what this is." in html


def test_splitting_two_of_one_name_and_joining_them_again(alice: Client) -> None:
    create_memory("alice", "My sister Anna bakes.")
    boss = create_memory("alice", "My boss Anna is loud.")
    anna = id_of(alice, "Anna")
    answer = alice.post(f"/entities/{anna}/part/", {"memory": str(boss.id), "name": "Anna Kowalski"}, follow=True)
    html = answer.content.decode()
    assert "Anna Kowalski" in html
    assert "My sister Anna bakes." not in html
    assert names(alice) == {"Anna": 1, "Anna Kowalski": 1}
    alice.post(f"/entities/{id_of(alice, 'Anna Kowalski')}/put-together/")
    assert names(alice) == {"Anna": 2}


def test_splitting_nothing_says_what_to_do(alice: Client) -> None:
    create_memory("alice", "My sister Anna bakes.")
    html = alice.post(f"/entities/{id_of(alice, 'Anna')}/part/", follow=True).content.decode()
    assert "Tick the memories that speak of someone else first." in html


def test_memories_of_others_about_an_entity_cannot_be_changed(alice: Client, bob: Client) -> None:
    create_memory("alice", "Everyone knows my friend Anna.", place=VenueNames("kitchen"))
    create_memory("bob", "My friend Anna cooks.", visibility="everyone")
    html = page(alice, f"/entities/{id_of(alice, 'Anna')}/")
    assert "My friend Anna cooks." in html
    assert "Are these two of one name?" in html


def test_a_super_user_sees_the_names_of_each_person_apart(root: Client) -> None:
    create_memory("alice", "My sister Anna bakes.")
    create_memory("bob", "My boss Anna is loud.")
    items = root.get("/entities/?format=json").json()["items"]
    assert [(item["name"], item["mention_count"]) for item in items] == [("Anna", 1), ("Anna", 1)]
    html = page(root, "/entities/")
    assert "of alice" in html
    assert "of bob" in html
    assert "in memories of" in page(root, f"/entities/{items[0]['id']}/")


def test_mentions_link_to_their_conversation(alice: Client, root: Client) -> None:
    create_memory("alice", "My friend Anna bakes.")
    talk = create_conversation(
        "alice", [("user", "I called Anna."), ("assistant", "How is Anna, and her card 4111 1111 1111 1111?")]
    )
    create_conversation("bob", [("user", "My Anna sings.")])
    for client, who in ((alice, "You"), (root, "alice")):
        html = page(client, f"/entities/{id_of(client, 'Anna')}/")
        assert f"<strong>{who}:</strong> I called Anna. " in html
        assert f'href="/conversations/{talk.id}/?turn=0#turn-0"' in html
        assert "How is Anna" in html
        assert "4111" not in html
        assert "My Anna sings." not in html
    twin = alice.get(f"/entities/{id_of(alice, 'Anna')}/?format=json").json()
    assert [turn["position"] for turn in twin["turns"]] == [1, 0]


def test_a_super_user_lists_the_names_of_one_person(root: Client, alice: Client) -> None:
    create_memory("alice", "My friend Anna bakes.")
    create_memory("bob", "My friend Anna sings, and my boss Zorblax is loud.")
    assert names(root, "person=alice") == {"Anna": 1}
    assert set(names(root, "person=bob")) == {"Anna", "Zorblax"}
    assert names(root, "person=nobody") == {}
    assert 'name="person" value="bob"' in page(root, "/entities/?person=bob")
    assert "type=person&amp;person=bob" in page(root, "/entities/?person=bob")
    assert names(alice, "person=bob") == {"Anna": 1}


def test_the_graph_has_an_edge_per_entity_up_to_a_limit() -> None:
    told = datetime(2026, 11, 20, tzinfo=UTC)
    others = [ListedEntity(uuid4(), "person", f"anna {n}", 0, f"Anna {n} of the house by the river", 9 - n % 9,
                     told, told, None)
              for n in range(20)]  # fmt: skip
    drawn = entity_graph(others)
    assert len(drawn.edges) == 12
    assert (drawn.edges[0].x, drawn.edges[0].y, drawn.edges[0].thickness) == (320.0, 44.8, 5.0)
    assert drawn.edges[0].label == "Anna 0 of the house b…"
    assert all(0 < edge.x < 640 and 0 < edge.y < 320 for edge in drawn.edges)
    assert entity_graph([]).edges == []
