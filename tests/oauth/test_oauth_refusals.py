"""What is refused: another address, a code or token used twice or not one's own, and whoever did not begin."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from memory_app.models import ApiKey, OAuthAuthorization
from tests.oauth.assistant import SITE, Assistant, call, challenge_of, error_of, opens


def test_what_is_allowed_opens_the_address_it_was_asked_for_and_no_other(alice: Client, assistant: Assistant) -> None:
    token = assistant.sign_in(alice)["access_token"]
    assert opens(token)
    assert not opens(token, "/mcp/alice")
    api = Client(headers={"Authorization": f"Bearer {token}"})
    assert api.get("/api/v1/people/alice").status_code == 401
    assert api.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code in (401, 403)

    own = assistant.sign_in(alice, resource=f"{SITE}/mcp/alice")["access_token"]
    assert opens(own, "/mcp/alice")
    assert not opens(own, "/mcp")
    assert not opens(own, "/mcp/bob")


@pytest.mark.parametrize(
    "resource",
    [
        "http://elsewhere.example/mcp",
        f"{SITE}/api/v1",
        f"{SITE}/mcp#part",
        "mcp",
        f"{SITE}/mcp/",
        f"{SITE}/mcp/%ff",
        f"{SITE}/mcp/%00",
    ],
)
def test_a_resource_that_is_none_of_ours_is_refused(alice: Client, assistant: Assistant, resource: str) -> None:
    assert assistant.answered(alice, resource=resource)["error"] == "invalid_target"


def test_no_resource_means_the_address_of_everyone(alice: Client, assistant: Assistant) -> None:
    assert opens(assistant.sign_in(alice, resource=None)["access_token"], "/mcp")


def test_a_token_is_asked_for_the_resource_that_was_allowed(alice: Client, assistant: Assistant) -> None:
    code = assistant.allowed(alice)
    assert error_of(assistant.redeem(code, resource=f"{SITE}/mcp/alice")) == "invalid_target"
    assert error_of(assistant.redeem(code, resource="http://elsewhere.example/mcp")) == "invalid_target"
    assert assistant.redeem(code, resource=f"{SITE}/mcp").status_code == 200


def test_a_code_is_good_once_and_twice_ends_what_came_of_it(alice: Client, assistant: Assistant) -> None:
    code = assistant.allowed(alice)
    tokens = assistant.redeem(code).json()  # type: ignore[attr-defined]
    assert opens(tokens["access_token"])
    assert error_of(assistant.redeem(code)) == "invalid_grant"
    assert not opens(tokens["access_token"])
    assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"


def test_a_refresh_token_is_good_once_and_twice_ends_all(alice: Client, assistant: Assistant) -> None:
    first = assistant.sign_in(alice)
    second = assistant.refresh(first["refresh_token"]).json()  # type: ignore[attr-defined]
    assert second["scope"] == "read write"
    assert opens(second["access_token"])
    assert error_of(assistant.refresh(first["refresh_token"])) == "invalid_grant"
    assert not opens(second["access_token"])
    assert error_of(assistant.refresh(second["refresh_token"])) == "invalid_grant"


@pytest.mark.parametrize("verifier", ["w" * 43, "", challenge_of("v" * 43)])
def test_who_did_not_begin_gets_no_token(alice: Client, assistant: Assistant, verifier: str) -> None:
    code = assistant.allowed(alice)
    assert error_of(assistant.redeem(code, code_verifier=verifier)) == "invalid_grant"
    assert assistant.redeem(code).status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge": "short"},
        {"response_type": "token"},
        {"response_type": None},
    ],
)
def test_a_request_without_proof_of_who_begins_is_refused(
    alice: Client, assistant: Assistant, changed: dict[str, Any]
) -> None:
    told = assistant.answered(alice, **changed)
    assert told["error"] in ("invalid_request", "unsupported_response_type", "unauthorized_client")
    assert (told["state"], told["iss"]) == ("of the assistant", SITE)


@pytest.mark.parametrize(
    "redirect",
    [
        "https://assistant.example/other",
        "https://assistant.example/callback?more=1",
        "https://assistant.example/callback/",
        "https://assistant.example:8443/callback",
        "http://assistant.example/callback",
        "https://evil.example/callback",
        "https://assistant.example@evil.example/callback",
        None,
    ],
)
def test_the_browser_is_sent_nowhere_but_where_was_registered(
    alice: Client, assistant: Assistant, redirect: str | None
) -> None:
    for answer in (
        alice.get(assistant.address(redirect_uri=redirect)),
        alice.post(assistant.address(redirect_uri=redirect), {"action": "allow", "scopes": ["read"]}),
    ):
        assert answer.status_code == 400
        assert "Location" not in answer
    assert not OAuthAuthorization.objects.exists()


def test_on_this_machine_any_port_will_do_and_nothing_else_differs(alice: Client) -> None:
    assistant = Assistant(redirect="http://127.0.0.1:1234/callback")
    told = assistant.answered(alice, {"action": "deny"}, redirect_uri="http://127.0.0.1:5678/callback")
    assert told["error"] == "access_denied"
    for other in ("http://127.0.0.1:5678/other", "http://localhost:1234/callback", "http://127.0.0.1@evil.example/"):
        assert alice.get(assistant.address(redirect_uri=other)).status_code == 400


def test_a_code_is_redeemed_with_the_redirect_it_was_sent_to(alice: Client, assistant: Assistant) -> None:
    code = assistant.allowed(alice)
    assert assistant.redeem(code, redirect_uri="https://evil.example/").status_code == 400
    assert assistant.redeem(code).status_code == 200


def test_codes_and_tokens_are_for_the_client_that_they_were_given_to(alice: Client, assistant: Assistant) -> None:
    other = Assistant("Other")
    code = assistant.allowed(alice)
    assert error_of(other.redeem(code)) == "invalid_grant"
    tokens = assistant.redeem(code).json()  # type: ignore[attr-defined]
    assert error_of(other.refresh(tokens["refresh_token"])) == "invalid_grant"
    assert other.revoke(tokens["refresh_token"]).status_code == 200
    assert opens(tokens["access_token"])


def test_codes_and_tokens_end_by_themselves(alice: Client, assistant: Assistant) -> None:
    begun = timezone.now()
    code = assistant.allowed(alice)
    with time_machine.travel(begun + timedelta(seconds=61), tick=False):
        assert error_of(assistant.redeem(code)) == "invalid_grant"
    tokens = assistant.sign_in(alice)
    with time_machine.travel(begun + timedelta(minutes=59), tick=False):
        assert opens(tokens["access_token"])
    with time_machine.travel(begun + timedelta(minutes=61), tick=False):
        assert not opens(tokens["access_token"])
    with time_machine.travel(begun + timedelta(days=29), tick=False):
        tokens = assistant.refresh(tokens["refresh_token"]).json()  # type: ignore[attr-defined]
    with time_machine.travel(begun + timedelta(days=60), tick=False):
        assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_an_assistant_that_gives_a_token_back_is_signed_out(alice: Client, assistant: Assistant, which: str) -> None:
    tokens = assistant.sign_in(alice)
    assert assistant.revoke(tokens[which]).status_code == 200
    assert assistant.revoke(tokens[which]).status_code == 200
    assert not opens(tokens["access_token"])
    assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"


@pytest.mark.parametrize("grant", ["password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:x"])
def test_there_are_no_other_ways_to_a_token(assistant: Assistant, grant: str) -> None:
    answer = assistant.ask_for_token(grant_type=grant, username="alice", password="x")
    assert error_of(answer) in ("unsupported_grant_type", "unauthorized_client", "invalid_request")


def test_a_refresh_may_ask_for_less_and_never_for_more(alice: Client, assistant: Assistant) -> None:
    tokens = assistant.sign_in(alice, {"scopes": ["read"]})
    assert tokens["scope"] == "read"
    assert error_of(assistant.refresh(tokens["refresh_token"], scope="read write")) == "invalid_scope"
    assert ApiKey.objects.get().scopes == ["read"]


def test_guessing_tokens_is_stopped(assistant: Assistant) -> None:
    answers = [assistant.refresh("a guess") for _ in range(121)]
    assert {answer.status_code for answer in answers[:120]} == {400}
    assert answers[120].status_code == 429
    assert int(answers[120]["Retry-After"]) > 0


def test_the_challenge_names_an_error_only_to_whoever_showed_something(db: None) -> None:
    where = f'resource_metadata="{SITE}/.well-known/oauth-protected-resource/mcp/alice"'
    nothing = Client().post("/mcp/alice", {}, "application/json")
    assert nothing.status_code == 401
    assert nothing["WWW-Authenticate"] == f'Bearer realm="keepsake", {where}, scope="read write"'
    for shown in ("unknown", "ks_00000000_unknown"):
        wrong = call(shown, "/mcp/alice")
        assert wrong.status_code == 401
        assert wrong["WWW-Authenticate"].startswith(f'Bearer realm="keepsake", {where}, scope="read write", error="inv')
