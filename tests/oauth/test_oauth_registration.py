"""Where to sign in, as assistants find it; and who may register."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.idp.oidc.models import Client as OAuthClient
from django.test import Client
from django.utils import timezone

from memory_app.engine.erasure.purge_oauth import purge_oauth
from tests.oauth.assistant import REDIRECT, SITE, Assistant, body, error_of, opens, register


@pytest.mark.parametrize("person", ["", "/alice", "/nobody at all", "/ä/b"])
def test_each_resource_says_who_gives_tokens_for_it(client: Client, db: None, person: str) -> None:
    found = client.get(f"/.well-known/oauth-protected-resource/mcp{person}").json()
    assert found["resource"].startswith(f"{SITE}/mcp")
    assert found["authorization_servers"] == [SITE]
    assert found["scopes_supported"] == ["read", "write"]


def test_the_metadata_says_what_is_taken(client: Client, db: None) -> None:
    found = client.get("/.well-known/oauth-authorization-server").json()
    assert found["issuer"] == SITE
    assert found["token_endpoint"] == f"{SITE}/oauth/token"
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert found["token_endpoint_auth_methods_supported"] == ["none"]
    assert found["authorization_response_iss_parameter_supported"] is True


def test_behind_a_proxy_the_issuer_is_the_public_address(client: Client, db: None, settings: Any) -> None:
    settings.KEEPSAKE_PUBLIC_URL = "https://memory.example.org"
    assert client.get("/.well-known/oauth-authorization-server").json()["issuer"] == "https://memory.example.org"
    found = client.get("/.well-known/oauth-protected-resource/mcp").json()
    assert found["resource"] == "https://memory.example.org/mcp"


def test_whoever_registers_is_a_public_client_whatever_it_asks_for(db: None) -> None:
    answer = register(
        {
            "client_name": "Claude",
            "redirect_uris": [REDIRECT],
            "grant_types": ["authorization_code", "client_credentials"],
            "response_types": ["token"],
            "token_endpoint_auth_method": "client_secret_post",
            "scope": "openid admin",
            "logo_uri": "https://assistant.example/logo.png",
        }
    )
    assert answer.status_code == 201
    given = body(answer)
    assert given["token_endpoint_auth_method"] == "none"
    assert given["grant_types"] == ["authorization_code", "refresh_token"]
    assert given["response_types"] == ["code"]
    assert given["scope"] == "read write"
    assert "client_secret" not in given
    assert OAuthClient.objects.get().data == {"dcr": True}


@pytest.mark.parametrize(
    "redirect",
    [
        "http://assistant.example/callback",
        "javascript:alert(1)",
        "com.example.app:/callback",
        "data:text/html,x",
        "https://user@assistant.example/",
        "https://assistant.example/#part",
        "https://assistant.example/\nhttps://evil.example/",
        "https://*.example/callback",
        "https://assistant.example/a b",
        "https://ässistant.example/",
        "https://assistant.example:port/",
        "https:///callback",
        "//assistant.example/",
        f"https://assistant.example/{'x' * 500}",
        "",
    ],
)
def test_a_browser_is_to_be_sent_to_https_or_this_machine_alone(db: None, redirect: str) -> None:
    answer = register({"client_name": "Claude", "redirect_uris": [redirect]})
    if redirect.count("\n"):
        assert answer.status_code == 201  # two addresses, each of them fit
        return
    assert answer.status_code == 400
    assert error_of(answer) == "invalid_redirect_uri"
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize(
    "metadata",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"\xff",
        b"[" * 60_000,
        {},
        {"client_name": "x"},
        {"redirect_uris": REDIRECT},
        {"redirect_uris": []},
        {"redirect_uris": [1]},
        {"redirect_uris": [REDIRECT] * 11},
        {"client_name": "<script>", "redirect_uris": [REDIRECT]},
        {"client_name": "x" * 101, "redirect_uris": [REDIRECT]},
        {"client_name": "\x00", "redirect_uris": [REDIRECT]},
        {"client_name": "\ud800", "redirect_uris": [REDIRECT]},
        {"redirect_uris": [REDIRECT], "grant_types": ["magic"]},
    ],
)
def test_what_is_no_registration_is_refused_and_leaves_nothing(db: None, metadata: object) -> None:
    answer = register(metadata)
    assert answer.status_code == 400
    assert error_of(answer) in ("invalid_client_metadata", "invalid_redirect_uri")
    assert not OAuthClient.objects.exists()


def test_one_address_registers_so_many_and_no_more(db: None) -> None:
    answers = [register({"redirect_uris": [REDIRECT]}).status_code for _ in range(12)]
    assert answers == [201] * 10 + [429] * 2


def test_so_many_wait_unused_and_no_more(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_app.engine.erasure.purge_oauth.MAX_UNUSED_CLIENTS", 1)
    assert register({"redirect_uris": [REDIRECT]}).status_code == 201
    assert register({"redirect_uris": [REDIRECT]}).status_code == 429
    with time_machine.travel(timezone.now() + timedelta(minutes=61), tick=False):
        assert register({"redirect_uris": [REDIRECT]}).status_code == 201  # in the place of the first
    assert OAuthClient.objects.count() == 1


def test_a_registration_is_small(db: None) -> None:
    assert register({"redirect_uris": [REDIRECT], "software_id": "x" * 65_536}).status_code == 413


def test_clients_that_nobody_uses_are_dropped(alice: Client) -> None:
    used, _ = Assistant("Used"), Assistant("Unused")
    denied = Assistant("Denied")
    tokens = used.sign_in(alice)
    denied.answered(alice, {"action": "deny"})
    never_came = Assistant("Never came")
    never_came.allowed(alice)
    with time_machine.travel(timezone.now() + timedelta(days=8), tick=False):
        purge_oauth(timezone.now())
        assert [client.name for client in OAuthClient.objects.all()] == ["Used"]
        tokens = body(used.refresh(tokens["refresh_token"]))
        assert opens(tokens["access_token"])
    with time_machine.travel(timezone.now() + timedelta(days=80), tick=False):
        purge_oauth(timezone.now())
        assert OAuthClient.objects.exists()  # unused for long, but it may come again
    with time_machine.travel(timezone.now() + timedelta(days=200), tick=False):
        purge_oauth(timezone.now())
        assert not OAuthClient.objects.exists()


def test_switched_off_nothing_of_it_is_there(alice: Client, assistant: Assistant, settings: Any) -> None:
    tokens = assistant.sign_in(alice)
    settings.KEEPSAKE_OAUTH = False
    assert not opens(tokens["access_token"])
    assert "resource_metadata" not in Client().post("/mcp", {}, "application/json")["WWW-Authenticate"]
    assert alice.get(assistant.address()).status_code == 404
    assert assistant.refresh(tokens["refresh_token"]).status_code == 404
    assert register({"redirect_uris": [REDIRECT]}).status_code == 404
    for path in ("oauth-authorization-server", "oauth-protected-resource/mcp", "oauth-protected-resource/mcp/alice"):
        assert alice.get(f"/.well-known/{path}").status_code == 404
