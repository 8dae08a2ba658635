"""`manage.py memory search`: what answers a question, on the command line, leaving nothing behind."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from memory_app.models import Person
from tests.conftest import Api
from tests.dashboard.factories import reload_memory

pytestmark = pytest.mark.django_db


def search(query: str, *options: str, person: str = "alice") -> list[str]:
    out = StringIO()
    call_command("memory", "search", query, "--person", person, *options, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def known(api: Api) -> str:
    """Two memories of Alice, one of Bob; the id of the first."""
    api.remember("alice", "The tile is from Delft")
    api.remember("bob", "Bob laid a red tile")
    return str(api.remember("alice", "We chose the blue tile", type="decision")["id"])


def test_the_best_comes_first_with_what_it_is_and_why(known: str) -> None:
    lines = search("which blue tile did we choose?")
    assert lines[0].startswith("1. We chose the blue tile (decision, ")
    assert lines[0].endswith(f", {known})")
    assert "blue" in lines[1]
    assert lines[2].startswith("2. The tile is from Delft (fact, ")
    assert lines[-1].startswith("2 results, 1 relevant in all, by hybrid, in ")
    assert reload_memory(known).access_count == 0


def test_it_is_narrowed_by_method_and_number(known: str) -> None:
    lines = search("blue tile", "--method", "text", "--limit", "1")
    assert len(lines) == 3
    assert lines[-1].startswith("1 results, 1 relevant in all, by text, in ")


def test_what_was_said_is_found_where_it_is_asked_for(api: Api, known: str) -> None:
    talk = api.post("/conversations", {"person": "alice"}).json()["id"]
    api.post(f"/conversations/{talk}/turns", {"role": "user", "content": "The grout is turquoise"})
    assert not any("turquoise" in line for line in search("turquoise grout"))
    assert any("user: The grout is turquoise (said, " in line for line in search("turquoise grout", "--turns"))


def test_what_is_sensitive_is_not_printed(api: Api) -> None:
    api.remember("alice", "My card number is 4111 1111 1111 1111")
    lines = search("what is my card number?")
    assert lines[0].startswith("1. (sensitive) (")
    assert "4111" not in "".join(lines)


def test_of_nobody_nothing_is_found_and_nobody_made() -> None:
    with pytest.raises(CommandError, match="Nothing is known of a person 'carol'"):
        search("tile", person="carol")
    assert not Person.objects.filter(name="carol").exists()
