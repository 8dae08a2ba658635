"""The page on which a person says what an assistant may do, and for whom."""

import re
from typing import Any

import pytest
from django.test import Client

from memory_app.models import ApiKey, OAuthAuthorization, Operation, User
from memory_app.models.row_security import every_space
from tests.dashboard.factories import create_login, create_memory, person_id
from tests.oauth.assistant import SITE, Assistant, call, opens


def page(browser: Client, assistant: Assistant, **changed: Any) -> str:
    answer = browser.get(assistant.address(**changed))
    assert answer.status_code == 200, answer.content
    return re.sub(r"\s+", " ", answer.content.decode())


def test_the_page_says_who_asks_where_it_goes_and_for_whom(alice: Client, assistant: Assistant) -> None:
    html = page(alice, assistant)
    assert "Allow “Claude” to use your memory?" in html
    assert "unverified" in html
    assert "<strong>assistant.example</strong>" in html
    assert "<strong>alice</strong>" in html
    assert html.count('type="checkbox"') == html.count('" checked') == 2
    assert "a program on the computer" in page(alice, Assistant(redirect="http://localhost:1/callback"))


def test_what_it_calls_itself_is_shown_as_text(alice: Client) -> None:
    html = page(alice, Assistant("\u202e& \"Claude\" 'x'"))
    assert "“&amp; &quot;Claude&quot; &#x27;x&#x27;”" in html
    assert "\u202e" not in html
    assert "an assistant without a name" in page(alice, Assistant(""))


def test_what_is_unticked_is_not_given(alice: Client, assistant: Assistant) -> None:
    create_memory("alice", "Alice likes green tea")
    tokens = assistant.sign_in(alice, {"scopes": ["read"]})
    assert tokens["scope"] == "read"
    names = {tool["name"] for tool in call(tokens["access_token"]).json()["result"]["tools"]}  # type: ignore[attr-defined]
    assert "search_memories" in names
    assert "add_memory" not in names


def test_no_more_is_offered_than_is_asked_for_and_nothing_unknown(alice: Client, assistant: Assistant) -> None:
    assert page(alice, assistant, scope="read").count('type="checkbox"') == 1
    assert page(alice, assistant, scope="openid admin whatever").count('type="checkbox"') == 2
    refused = alice.post(assistant.address(scope="read"), {"action": "allow", "scopes": ["read", "write"]})
    admin = alice.post(assistant.address(), {"action": "allow", "scopes": ["admin"]})
    nothing = alice.post(assistant.address(), {"action": "allow"})
    assert {refused.status_code, admin.status_code, nothing.status_code} == {422}
    assert "Leave at least one ticked" in nothing.content.decode()
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize("form", [{"action": "deny"}, {"action": "deny", "scopes": ["read"]}, {"scopes": ["read"]}])
def test_denied_it_is_told_so_and_nothing_is_left(alice: Client, assistant: Assistant, form: dict[str, Any]) -> None:
    told = assistant.answered(alice, form)
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", "of the assistant", SITE)
    assert not ApiKey.objects.exists()


def test_the_answer_names_who_answers(alice: Client, assistant: Assistant) -> None:
    told = assistant.answered(alice, {"action": "allow", "scopes": ["read"]})
    assert set(told) == {"code", "state", "iss"}
    assert (told["state"], told["iss"]) == ("of the assistant", SITE)


@pytest.mark.parametrize("person", ["bob", "nobody at all"])
def test_for_someone_else_nobody_allows_anything_whether_or_not_they_exist(
    alice: Client, assistant: Assistant, person: str
) -> None:
    person_id("bob")
    address = assistant.address(resource=f"{SITE}/mcp/{person}")
    answers = [alice.get(address), alice.post(address, {"action": "allow", "scopes": ["read"], "person": person})]
    for answer in answers:
        assert answer.status_code == 403
        assert "for someone else&#x27;s memory" in answer.content.decode()
    sneaked = assistant.allowed(alice, {"person": "bob"})
    assert sneaked
    assert [key.people for key in ApiKey.objects.all()] == [["alice"]]


def test_a_super_user_says_for_whom(root: Client, assistant: Assistant) -> None:
    create_memory("bob", "Bob likes oolong")
    assert 'name="person"' in page(root, assistant)
    for person in ("", "nobody at all"):
        answer = root.post(assistant.address(), {"action": "allow", "scopes": ["read"], "person": person})
        assert answer.status_code == 422
    token = assistant.sign_in(root, {"person": "bob"})["access_token"]
    assert ApiKey.objects.get().people == ["bob"]
    found = call(token, method="tools/call", name="search_memories", arguments={"query": "oolong"})
    assert "Bob likes oolong" in found.content.decode()
    other = call(token, method="tools/call", name="search_memories", arguments={"query": "tea", "person": "alice"})
    assert "for one person, and for no other" in other.content.decode()
    assert 'name="person"' not in page(root, assistant, resource=f"{SITE}/mcp/bob")


def test_a_login_of_nobody_allows_nothing(db: None, assistant: Assistant) -> None:
    browser = Client()
    browser.force_login(create_login("guest"))
    for answer in (browser.get(assistant.address()), browser.post(assistant.address(), {"action": "allow"})):
        assert answer.status_code == 403
    assert not ApiKey.objects.exists()


def test_a_session_that_a_strict_cookie_hides_is_asked_for_again(assistant: Assistant) -> None:
    """A browser that comes from the assistant's site shows no cookie; the page leads it on by itself."""
    address = assistant.address()
    again = Client().get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert again.status_code == 200
    assert f'content="0; url={address.replace("&", "&amp;")}"' in again.content.decode()
    came_on = Client().get(address, headers={"Sec-Fetch-Site": "same-origin"})
    assert came_on.status_code == 302
    assert came_on["Location"].startswith("/login/?next=%2Foauth%2Fauthorize")


def test_no_form_of_another_site_and_no_frame_allows_anything(db: None, assistant: Assistant) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(create_login("alice", person="alice"))
    shown = browser.get(assistant.address())
    assert "frame-ancestors 'none'" in shown["Content-Security-Policy"]
    assert shown["X-Frame-Options"] == "DENY"
    assert browser.post(assistant.address(), {"action": "allow", "scopes": ["read"]}).status_code == 403
    elsewhere = {"Origin": "https://evil.example", "X-CSRFToken": browser.cookies["csrftoken"].value}
    form = {"action": "allow", "scopes": ["read"]}
    assert browser.post(assistant.address(), form, headers=elsewhere).status_code == 403
    assert not OAuthAuthorization.objects.exists()


def test_asked_not_to_ask_it_asks(alice: Client, assistant: Assistant) -> None:
    """`prompt=none` would allow another assistant what was allowed one."""
    assistant.sign_in(alice)
    assert "Allow “Other”" in page(alice, Assistant("Other"), prompt="none", scope="openid read")


def test_what_an_assistant_does_is_logged_under_its_name(alice: Client, assistant: Assistant) -> None:
    token = assistant.sign_in(alice)["access_token"]
    saved = call(token, method="tools/call", name="add_memory", arguments={"content": "Alice sings"})
    assert saved.status_code == 200
    with every_space():
        logged = {row.name: row.author for row in Operation.objects.all()}
    key = ApiKey.objects.get()
    assert logged["allow_assistant"] == "user:alice"
    assert logged["remember"] == f"key:{key.prefix} Claude"
    assert opens(token)
    assert User.objects.get(username="alice").oauth_authorizations.get().key == key


@pytest.mark.parametrize(
    "poison", ["\x00", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "%", "a" * 4000, "[", "\r\nX: y"]
)
@pytest.mark.parametrize("name", ["client_id", "state", "scope", "resource", "code_challenge", "redirect_uri"])
def test_whatever_is_asked_has_an_answer(alice: Client, assistant: Assistant, name: str, poison: str) -> None:
    for answer in (
        alice.get(assistant.address(**{name: poison})),
        alice.post(assistant.address(**{name: poison}), {"action": "allow", "scopes": ["read"]}),
    ):
        assert answer.status_code in (200, 303, 400), answer.content
    form = {"grant_type": "authorization_code", "code": poison, "code_verifier": poison, name: poison}
    assert assistant.ask_for_token(**form).status_code in (400, 401)
    assert assistant.ask_for_token(grant_type="refresh_token", refresh_token=poison).status_code in (400, 401)
    assert assistant.revoke(poison or "x").status_code in (200, 400)
    assert Client().post("/mcp", {}, headers={"Authorization": f"Bearer {poison!a}"}).status_code == 401
