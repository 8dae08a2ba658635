"""An assistant on another site sends a real browser here, and gets it back with the answer."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from playwright.sync_api import expect

from memory_app.models import ApiKey, User
from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import Visit, Visitor
from tests.dashboard.factories import PASSWORD, create_login
from tests.oauth.assistant import Assistant


class Site(BaseHTTPRequestHandler):
    """An assistant's site: a link on its first page, and a callback that leads on, as many do."""

    link = ""

    def do_GET(self) -> None:
        if self.path.startswith("/callback"):
            self.send_response(302)
            self.send_header("Location", f"/done?{urlsplit(self.path).query}")
            self.end_headers()
            return
        page = f'<!doctype html><title>Assistant</title><a href="{self.link}">Connect Keepsake</a>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    """Of another host than the live server's: localhost and 127.0.0.1 are two sites."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def _asked(window: Visitor, site: str, name: str = "Claude") -> None:
    """Follows the link from the assistant's site."""
    assistant = Assistant(name, redirect=f"{site}/callback")
    Site.link = (window.address + assistant.address(resource=f"{window.address}/mcp")).replace("&", "&amp;")
    window.page.goto(site)
    window.page.get_by_role("link", name="Connect Keepsake").click()


@pytest.mark.parametrize("scripts", [True, False])
def test_who_is_signed_in_is_known_though_they_come_from_another_site(visit: Visit, site: str, scripts: bool) -> None:
    window = visit(create_login("alice", person="alice"), scripts=scripts)
    _asked(window, site)
    expect(window.page.get_by_role("heading", name="Allow “Claude” to use your memory?")).to_be_visible()
    window.page.get_by_label("Write", exact=False).uncheck()
    window.page.get_by_role("button", name="Allow", exact=True).click()
    window.page.wait_for_url(f"{site}/done?*")
    told = parse_qs(urlsplit(window.page.url).query)
    assert told["iss"] == [window.address]
    assert set(told) == {"code", "state", "iss"}
    key = ApiKey.objects.get()
    assert (key.people, key.scopes) == (["alice"], ["read"])


def test_who_is_not_signs_in_first_and_may_say_no(visit: Visit, site: str) -> None:
    create_login("alice", person="alice")
    window = visit(None)
    _asked(window, site)
    window.page.get_by_label("Username").fill("alice")
    window.page.get_by_label("Password").fill(PASSWORD)
    window.page.get_by_role("button", name="Sign in", exact=True).click()
    window.page.get_by_role("button", name="Do not allow").click()
    window.page.wait_for_url(f"{site}/done?*")
    assert parse_qs(urlsplit(window.page.url).query)["error"] == ["access_denied"]
    assert not ApiKey.objects.exists()


def test_everyone_can_read_what_is_asked(visit: Visit, site: str) -> None:
    found = []
    for user in (create_login("alice", person="alice"), create_login("root", everyone=True)):
        window = visit(user)
        _asked(window, site, name="An assistant with quite a long name that goes on " + "x" * 50)
        expect(window.page.get_by_role("button", name="Allow", exact=True)).to_be_visible()
        found += faults(window, on_phone=True)
    assistant = Assistant("Claude")
    assistant.sign_in(_client_of("alice"))
    window.go("/keys/")
    expect(window.page.get_by_role("heading", name="Claude")).to_be_visible()
    assert found + faults(window, on_phone=True) == []


def _client_of(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client
