"""What to paste into each assistant: filled in for this server, and with a key that is shown once."""

import json
import re
import shlex
from html import unescape

import pytest
from django.test import Client, override_settings

from dashboard.connect import is_local, snippets
from memory_app.models import ApiKey
from tests.dashboard.factories import PASSWORD, create_memory, get_page
from tests.mcp.conftest import Mcp

FORM = {"name": "Claude", "person": "alice", "password": PASSWORD}


def _shown_key(html: str) -> str:
    found = re.search(r'id="token">([^<]+)</pre>', html)
    assert found, html
    return found.group(1)


def _text(html: str, snippet: str) -> str:
    found = re.search(rf'id="{snippet}-text">([^<]+)</pre>', html)
    assert found, html
    return unescape(found.group(1))


def test_a_key_is_made_there_shown_once_and_opens_one_persons_memory(root: Client) -> None:
    create_memory("alice", "Alice likes green tea")
    answer = root.post("/connect/key/", FORM)
    assert (answer.status_code, answer["Location"]) == (302, "/connect/")
    html = get_page(root, "/connect/")
    key = _shown_key(html)
    assert html.count(key) == 8
    assert key not in get_page(root, "/connect/")
    made = ApiKey.objects.get()
    assert (made.name, made.scopes, made.people, made.spaces) == ("Claude", ["read", "write"], ["alice"], [])
    assert Mcp(key).call("search_memories", query="green tea")["total_found"] == 1


def test_what_is_pasted_is_what_each_assistant_reads(root: Client) -> None:
    root.post("/connect/key/", {**FORM, "read_only": "on"})
    html = root.get("/connect/").content.decode()
    key = _shown_key(html)
    command = shlex.split(_text(html, "claude-code"))
    assert command[-3:] == ["http://testserver/mcp", "--header", f"Authorization: Bearer {key}"]
    desktop = json.loads(_text(html, "claude-desktop"))["mcpServers"]["keepsake"]
    assert desktop["args"][1:] == ["mcp"]
    assert desktop["env"] == {"KEEPSAKE_URL": "http://testserver", "KEEPSAKE_KEY": key}
    cursor = json.loads(_text(html, "cursor"))["mcpServers"]["keepsake"]
    assert cursor == {"url": "http://testserver/mcp", "headers": {"Authorization": f"Bearer {key}"}}
    for name in ("openai", "langgraph"):
        code = _text(html, name).replace("await ", "")
        compile(code, name, "exec")
        assert f'"Authorization": "Bearer {key}"' in code
    assert ApiKey.objects.get().scopes == ["read"]


def test_the_key_lies_open_nowhere_before_it_is_shown(root: Client) -> None:
    root.post("/connect/key/", FORM)
    waiting = dict(root.session.items())
    key = _shown_key(get_page(root, "/connect/"))
    assert key not in str(waiting)
    assert "connect_key" not in root.session


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"password": "a guess"}, "not your password"),
        ({"person": " "}, "required"),
        ({"name": ""}, "required"),
        ({"person": "a\x00b"}, "Null characters"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_made(root: Client, wrong: dict[str, str], said: str) -> None:
    answer = root.post("/connect/key/", FORM | wrong)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ApiKey.objects.exists()


def test_others_read_the_page_and_make_no_key(alice: Client) -> None:
    html = get_page(alice, "/connect/")
    assert "Make the key" not in html
    assert "/path/to/keepsake/manage.py" in html
    assert "Bearer YOUR-KEY" in unescape(html)
    assert alice.post("/connect/key/", FORM).status_code == 404
    assert Client().get("/connect/").status_code == 302


def test_the_page_of_keys_leads_there(root: Client, alice: Client) -> None:
    for client in (root, alice):
        assert 'href="/connect/"' in get_page(client, "/keys/")


def test_who_is_called_from_the_internet_needs_an_address_there(root: Client) -> None:
    assert get_page(root, "/connect/").count("called from the internet") == 2
    with override_settings(KEEPSAKE_PUBLIC_URL="https://memory.example.org"):
        html = get_page(root, "/connect/")
    assert "called from the internet" not in html
    assert "https://memory.example.org/mcp" in html
    assert [is_local(address) for address in ("https://[::1]:8000", "https://localhost", "http://x.org")] == [True] * 3


def test_an_address_with_anything_in_it_is_quoted() -> None:
    by_id = {snippet.id: snippet.text for snippet in snippets("http://[::1]:8000", "ks_1")}
    assert shlex.split(by_id["claude-code"])[-3] == "http://[::1]:8000/mcp"
