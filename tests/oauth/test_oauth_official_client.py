"""The official client signs in by itself, over a real port: it finds where, registers, proves who began, and is let in
once the person allows it in a browser of theirs."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl
from pytest_django.live_server_helper import LiveServer

from memory_app.models import ApiKey
from tests.dashboard.factories import PASSWORD, create_login
from tests.database import wait_for_threads

CALLBACK = "http://127.0.0.1:51234/callback"
FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Storage:
    """What an assistant keeps between its starts."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Person:
    """Signs in with a password where they are asked to, and answers the page. asked: how often they were."""

    site: str
    answer: str = "allow"
    asked: int = 0
    told: str = ""

    async def open(self, address: str) -> None:
        self.asked += 1
        async with httpx2.AsyncClient(base_url=self.site) as browser:
            page = await browser.get(address)
            assert page.status_code == 302
            assert page.headers["Location"].startswith("/login/")
            login = await browser.get(page.headers["Location"])
            form = {"login": "alice", "password": PASSWORD, "next": address.removeprefix(self.site)}
            entered = await browser.post("/login/", data={**form, "csrfmiddlewaretoken": _form_token(login.text)})
            assert entered.headers["Location"] == address.removeprefix(self.site)
            page = await browser.get(address)
            assert "Kitchen assistant" in page.text
            allowed = {
                "action": self.answer,
                "scopes": ["read", "write"],
                "csrfmiddlewaretoken": _form_token(page.text),
            }
            answered = await browser.post(address, data=allowed)
            assert answered.status_code == 303
            self.told = answered.headers["Location"]

    async def come_back(self) -> AuthorizationCodeResult:
        assert self.told.startswith(f"{CALLBACK}?")
        told = {name: value for name, (value,) in parse_qs(urlsplit(self.told).query).items()}
        if "error" in told:
            raise OAuthFlowError(told["error"])
        return AuthorizationCodeResult(**told)


def _form_token(page: str) -> str:
    found = FORM_TOKEN.search(page)
    assert found
    return found.group(1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/alice"])
def test_the_official_client_signs_in_calls_refreshes_and_leaves(live_server: LiveServer, path: str) -> None:
    create_login("alice", person="alice")
    _run(_whole_way(live_server.url, path))
    key = ApiKey.objects.get()
    assert (key.name, key.people, key.scopes) == ("Kitchen assistant", ["alice"], ["read", "write"])
    assert key.revoked_at


@pytest.mark.django_db(transaction=True)
def test_the_official_client_is_told_that_it_is_not_allowed(live_server: LiveServer) -> None:
    create_login("alice", person="alice")
    _run(_denied(live_server.url))
    assert not ApiKey.objects.exists()


async def _whole_way(site: str, path: str) -> None:
    storage, person = Storage(), Person(site)
    provider = _provider(site, path, storage, person)
    await _call(site, path, provider)
    assert person.asked == 1
    assert storage.tokens
    first = storage.tokens.model_copy()
    assert first.scope == "read write"

    # Its token is over: it refreshes, and nobody is asked.
    provider.context.token_expiry_time = 1.0
    await _call(site, path, provider)
    assert person.asked == 1
    assert storage.tokens.access_token != first.access_token
    assert storage.tokens.refresh_token != first.refresh_token

    assert storage.client
    async with httpx2.AsyncClient(base_url=site) as http:
        metadata = (await http.get("/.well-known/oauth-authorization-server")).json()
        given_back = {"token": storage.tokens.refresh_token, "client_id": storage.client.client_id}
        assert (await http.post(metadata["revocation_endpoint"], data=given_back)).status_code == 200
        headers = {"Authorization": f"Bearer {storage.tokens.access_token}"}
        assert (await http.post(path, json={}, headers=headers)).status_code == 401


async def _denied(site: str) -> None:
    with pytest.raises(BaseException) as refused:  # noqa: PT011 a group, of what the client's tasks raise
        await _call(site, "/mcp", _provider(site, "/mcp", Storage(), Person(site, answer="deny")))
    assert "access_denied" in _all_of(refused.value)


def _all_of(error: BaseException) -> str:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return " ".join([str(error), *map(_all_of, inner)])


def _provider(site: str, path: str, storage: Storage, person: Person) -> OAuthClientProvider:
    return OAuthClientProvider(
        server_url=f"{site}{path}",
        client_metadata=OAuthClientMetadata(client_name="Kitchen assistant", redirect_uris=[AnyUrl(CALLBACK)]),
        storage=storage,
        redirect_handler=person.open,
        callback_handler=person.come_back,
    )


async def _call(site: str, path: str, provider: OAuthClientProvider) -> None:
    """One start of an assistant."""
    async with (
        httpx2.AsyncClient(auth=provider) as http,
        Client(streamable_http_client(f"{site}{path}", http_client=http)) as client,
    ):
        assert not (await client.call_tool("add_memory", {"content": "Alice likes green tea"})).is_error
        found = await client.call_tool("search_memories", {"query": "green tea"})
        assert "green tea" in str(found.structured_content)


def _run(coroutine: Any) -> None:
    """In a thread of its own: after tests in a browser, this one has an event loop that runs."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, coroutine).result()
    wait_for_threads()
