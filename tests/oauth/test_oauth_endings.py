"""How what was allowed an assistant ends: on the page of keys, with its login, its person, and after a restore."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from allauth.idp.oidc.models import Token
from django.test import Client
from django.utils import timezone

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_person import erase_person
from memory_app.engine.erasure.replay_erasures import replay_erasures
from memory_app.engine.logins import (
    demote_login,
    disable_login,
    enable_login,
    link_login,
    reapply_login_changes,
    set_password,
)
from memory_app.engine.transfer.import_records import import_records
from memory_app.models import ApiKey, OAuthAuthorization, User
from memory_app.nlp.documents.records import Record
from tests.dashboard.factories import PASSWORD, create_login, create_memory, get_page, person_id
from tests.oauth.assistant import Assistant, error_of, opens

ROOT = Author("user", "root")


def test_a_person_sees_what_they_allowed_and_ends_it_at_once(alice: Client, bob: Client, assistant: Assistant) -> None:
    tokens = assistant.sign_in(alice)
    key = ApiKey.objects.get()
    html = get_page(alice, "/keys/")
    assert "Claude" in html
    assert "assistant.example" in html
    assert "A new key" not in html
    assert "Claude" not in get_page(bob, "/keys/")
    assert bob.post(f"/keys/assistants/{key.id}/end/").status_code == 404
    assert opens(tokens["access_token"])

    ended = alice.post(f"/keys/assistants/{key.id}/end/", follow=True).content.decode()
    assert "Ended. “Claude” reaches nothing any more" in ended
    assert not opens(tokens["access_token"])
    assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"
    again = alice.post(f"/keys/assistants/{key.id}/end/", follow=True).content.decode()
    assert "was ended already" in again
    assert alice.post(f"/keys/assistants/{uuid4()}/end/").status_code == 404


def test_a_super_user_sees_and_ends_everyones(alice: Client, root: Client, assistant: Assistant) -> None:
    token = assistant.sign_in(alice)["access_token"]
    key = ApiKey.objects.get()
    (shown,) = root.get("/keys/?format=json").json()["assistants"]
    assert (shown["name"], shown["login"], shown["people"]) == ("Claude", "alice", ["alice"])
    assert "hash" not in shown
    root.post(f"/keys/assistants/{key.id}/end/")
    assert not opens(token)


def test_what_a_super_user_allowed_for_a_person_that_person_ends(
    alice: Client, root: Client, assistant: Assistant
) -> None:
    token = assistant.sign_in(root, {"person": "alice"})["access_token"]
    assert "Claude" in get_page(alice, "/keys/")
    alice.post(f"/keys/assistants/{ApiKey.objects.get().id}/end/")
    assert not opens(token)


def test_an_assistants_key_is_no_key_to_hold(alice: Client, root: Client, assistant: Assistant) -> None:
    """It is not among the keys, has no secret that anyone saw, and none is made for it."""
    assistant.sign_in(alice)
    key = ApiKey.objects.get()
    assert root.get("/keys/?format=json").json()["items"] == []
    assert root.post(f"/keys/{key.id}/rotate/", {"password": PASSWORD}).status_code == 404
    assert ApiKey.objects.count() == 1


def test_what_nobody_came_for_is_not_listed(alice: Client, assistant: Assistant) -> None:
    assistant.allowed(alice)
    assert "Claude" not in get_page(alice, "/keys/")


def test_what_is_stored_opens_nothing(alice: Client, assistant: Assistant) -> None:
    code = assistant.allowed(alice)
    tokens = assistant.redeem(code).json()  # type: ignore[attr-defined]
    stored = str(list(Token.objects.values()) + list(OAuthAuthorization.objects.values()))
    for secret in (code, tokens["access_token"], tokens["refresh_token"]):
        assert secret not in stored
    for row in Token.objects.all():
        assert not opens(row.hash)


def test_a_login_that_is_switched_off_ends_its_assistants_for_good(alice: Client, assistant: Assistant) -> None:
    create_login("root", everyone=True)
    tokens = assistant.sign_in(alice)
    login = User.objects.get(username="alice")
    disable_login(login=login.id, author=ROOT, now=timezone.now())
    assert not opens(tokens["access_token"])
    enable_login(login=login.id, author=ROOT, now=timezone.now())
    assert not opens(tokens["access_token"])
    assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"


def test_a_login_that_is_off_opens_nothing_however_it_was_switched(alice: Client, assistant: Assistant) -> None:
    tokens, code = assistant.sign_in(alice), assistant.allowed(alice)
    User.objects.filter(username="alice").update(is_active=False)
    assert not opens(tokens["access_token"])
    assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"
    assert error_of(assistant.redeem(code)) == "invalid_grant"


@pytest.mark.parametrize("change", ["demoted", "linked to another"])
def test_what_a_login_may_allow_no_more_ends(alice: Client, root: Client, assistant: Assistant, change: str) -> None:
    create_login("second", everyone=True)
    create_memory("carol", "Carol skates")
    if change == "demoted":
        token = assistant.sign_in(root, {"person": "carol"})["access_token"]
        demote_login(login=User.objects.get(username="root").id, author=ROOT, now=timezone.now())
    else:
        token = assistant.sign_in(alice)["access_token"]
        link_login(login=User.objects.get(username="alice").id, person="carol", author=ROOT, now=timezone.now())
    assert not opens(token)


def test_a_password_set_anew_signs_assistants_out_too(alice: Client, assistant: Assistant) -> None:
    token = assistant.sign_in(alice)["access_token"]
    set_password(name="alice", password="another one entirely", second_step=True, author=ROOT, now=timezone.now())
    assert not opens(token)


def test_erasing_a_person_ends_what_reached_them(root: Client, assistant: Assistant) -> None:
    create_memory("carol", "Carol skates")
    tokens = assistant.sign_in(root, {"person": "carol"})
    erasure = erase_person(name="carol", author=ROOT, now=timezone.now())
    assert not opens(tokens["access_token"])
    assert error_of(assistant.refresh(tokens["refresh_token"])) == "invalid_grant"
    assert not Token.objects.exists()
    key = ApiKey.objects.get()
    assert key.people == [""]
    assert key.revoked_at
    assert erasure.removed["allauth_idp_oidc_token"] == 3
    html = get_page(root, "/keys/")
    assert "someone who was erased" in html
    assert "carol" not in html


def test_whoever_is_called_so_next_is_reached_by_nothing_of_before(root: Client, assistant: Assistant) -> None:
    create_memory("carol", "Carol skates")
    token = assistant.sign_in(root, {"person": "carol"})["access_token"]
    erase_person(name="carol", author=ROOT, now=timezone.now())
    create_memory("carol", "Carol the second swims")
    assert not opens(token)


def test_after_a_restore_every_assistant_signs_in_anew(alice: Client, assistant: Assistant) -> None:
    """A refresh token that was used since the backup would be good again."""
    tokens = assistant.sign_in(alice)
    replay_erasures(author=Author("command", "restore"), now=timezone.now())
    reapply_login_changes(author=Author("command", "restore"), now=timezone.now())
    assert not opens(tokens["access_token"])
    assert not Token.objects.exists()
    alice.force_login(User.objects.get(username="alice"))
    assert opens(assistant.sign_in(alice)["access_token"])


def test_an_export_tells_who_was_allowed_and_an_import_allows_nobody(
    alice: Client, root: Client, assistant: Assistant
) -> None:
    assistant.sign_in(alice, {"scopes": ["read"]})
    path = f"/people/{person_id('alice')}/export/"
    (line, *_) = [json.loads(line) for line in b"".join(alice.get(path)).splitlines()]
    (told,) = line["assistants"]
    assert line["kind"] == "person"
    assert (told["name"], told["host"], told["scopes"]) == ("Claude", "assistant.example", ["read"])
    OAuthAuthorization.objects.all().delete()
    given: dict[str, Any] = {"author": ROOT, "now": timezone.now(), "encoder": current_encoder()}
    (result,) = import_records(records=[Record(1, line)], person="alice", **given)
    assert result.outcome == "there"
    assert not OAuthAuthorization.objects.exists()


def test_an_assistant_in_use_does_not_end(alice: Client, assistant: Assistant) -> None:
    tokens = assistant.sign_in(alice)
    before = ApiKey.objects.get().expires_at
    assert before
    assert before - timezone.now() > timedelta(days=29)
    assistant.refresh(tokens["refresh_token"])
    after = ApiKey.objects.get().expires_at
    assert after
    assert after > before
