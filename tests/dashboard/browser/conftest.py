"""A real Chromium before a live server. Every page it opens must stay within the content security policy."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Response, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memory_app.models import User
from tests.database import wait_for_threads

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The first is the same without what windows have around a page, which costs four times what the pages do."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Debian's Chromium as root and without a network: it asks no one for updates."""

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
EXPECTED_COMPLAINT = "Failed to load resource: the server responded with a status of 4"
"""What Chromium says of any page answered 4xx, which some tests ask for."""


@dataclass
class Visitor:
    """A browser window of someone signed in."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> Response:
        answer = self.page.goto(f"{self.address}{path}")
        assert answer is not None
        return answer

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.address)

    def search(self, text: str) -> None:
        """Types into the search box at the top; without JavaScript it takes Enter as well."""
        self.page.get_by_role("searchbox", name="Search memories").fill(text)
        self.page.keyboard.press("Enter")

    def shown(self) -> list[str]:
        """The memories of the list on the page."""
        return self.page.locator(".memories .memory-text").all_inner_texts()


Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Playwright keeps an event loop in this thread, which Django would take for asynchronous code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether scripts run, drawn from the seed of the run for each test that works without them as well as with them.

    `both` tries some tests in both ways: one for each kind of page.
    """
    return Random(f"{request.config.getoption('randomly_seed')} {request.node.nodeid}").random() < 0.5


both = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])


@pytest.fixture
def visit(transactional_db: None, chromium: Browser, live_server: LiveServer) -> Iterator[Visit]:
    """Opens a window: `visit(user, scripts=False, size=PHONE, scheme="dark")`. None signs nobody in."""
    windows: list[tuple[BrowserContext, Visitor]] = []

    def open_window(
        user: User | None, *, scripts: bool = True, size: dict[str, int] = WIDE, scheme: str = "light"
    ) -> Visitor:
        context = chromium.new_context(
            java_script_enabled=scripts,
            viewport=size,  # type: ignore[arg-type]
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        context.set_default_timeout(10_000)
        if user is not None:
            context.add_cookies([_session(user, live_server.url)])  # type: ignore[list-item]
        visitor = Visitor(context.new_page(), live_server.url)
        visitor.page.on("console", lambda said: _note(visitor, said.type, said.text))
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        visitor.page.on("dialog", lambda dialog: visitor.complaints.append(f"dialog: {dialog.message}"))
        windows.append((context, visitor))
        return visitor

    yield open_window
    for context, _ in windows:
        context.close()
    _wait_for_requests(live_server.url)
    for _, visitor in windows:
        assert visitor.complaints == []


def _wait_for_requests(address: str) -> None:
    """Until what the pages asked for is answered. The server takes connections in their order, each in a thread: once
    a last one is answered, every earlier one has its thread, which ends with what the closed window left unread."""
    with urlopen(f"{address}/static/dashboard/base.css") as answer:
        answer.read()
    wait_for_threads()


def _note(visitor: Visitor, kind: str, text: str) -> None:
    if kind in ("error", "warning") and not text.startswith(EXPECTED_COMPLAINT):
        visitor.complaints.append(text)


def _session(user: User, address: str) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": address}
