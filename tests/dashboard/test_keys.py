"""The page of keys: for super users alone, who give their password for each thing they do to one."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from memory_app.models import ApiKey, Operation, User
from memory_app.models.row_security import every_space
from tests.dashboard.factories import PASSWORD, get_page

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


def made(client: Client, **given: Any) -> Any:
    return client.post("/keys/create/", {"name": "kitchen", "scopes": ["read"], "password": PASSWORD, **given})


def token_on(html: str) -> str:
    found = re.search(r'id="token">([^<]+)</pre>', html)
    assert found, html
    return found.group(1)


def opens(token: str) -> bool:
    """Whether a call with this key is let in, to whatever is there."""
    return Client().get("/api/v1/people/alice", headers={"Authorization": f"Bearer {token}"}).status_code != 401


def test_keys_are_for_super_users_only(alice: Client, root: Client) -> None:
    key, _ = ApiKey.issue("kitchen", scopes=["read"])
    assert "kitchen" in get_page(root, "/keys/")
    assert "kitchen" not in get_page(alice, "/keys/")
    assert alice.get("/keys/?format=json").json() == {"items": [], "assistants": []}
    for path in ("/keys/create/", f"/keys/{key.id}/rotate/", f"/keys/{key.id}/revoke/"):
        answer = alice.post(path, {"name": "mine", "scopes": ["admin"], "password": PASSWORD})
        assert answer.status_code == 404
    assert ApiKey.objects.get().revoked_at is None


def test_a_new_key_is_shown_once_and_has_its_grant(root: Client) -> None:
    answer = made(root, people="alice, bob", spaces="family", lasts="30")
    assert answer.status_code == 200
    html = answer.content.decode()
    token = token_on(html)
    assert f"Authorization: Bearer {token}" in html
    assert token not in get_page(root, "/keys/")
    key = ApiKey.objects.get()
    assert (key.name, key.scopes, key.people, key.spaces) == ("kitchen", ["read"], ["alice", "bob"], ["family"])
    assert key.expires_at == datetime(2026, 12, 20, 12, 0, tzinfo=UTC)
    assert opens(token)
    assert token not in root.get("/keys/?format=json").content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"password": "a guess"}, "not your password"),
        ({"password": ""}, "required"),
        ({"name": " "}, "required"),
        ({"scopes": []}, "required"),
        ({"scopes": ["everything"]}, "not one of the available choices"),
    ],
)
def test_invalid_input_creates_no_key(root: Client, wrong: dict[str, Any], said: str) -> None:
    answer = made(root, **wrong)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ApiKey.objects.exists()


def test_a_rotated_key_stays_valid_during_the_overlap(root: Client) -> None:
    old, before = ApiKey.issue("kitchen", scopes=["read"], people=["alice"])
    answer = root.post(f"/keys/{old.id}/rotate/", {"password": PASSWORD, "overlap": "24"})
    after = token_on(answer.content.decode())
    new = ApiKey.objects.exclude(id=old.id).get()
    assert (new.name, new.scopes, new.people, new.expires_at) == ("kitchen", ["read"], ["alice"], None)
    with time_machine.travel(NOW + timedelta(hours=23), tick=False):
        assert (opens(before), opens(after)) == (True, True)
    with time_machine.travel(NOW + timedelta(hours=25), tick=False):
        assert (opens(before), opens(after)) == (False, True)


def test_a_rotated_key_passes_on_its_lifetime(root: Client) -> None:
    old, _ = ApiKey.issue("kitchen", scopes=["read"], expires_at=NOW + timedelta(days=5))
    with time_machine.travel(NOW + timedelta(days=4, hours=20), tick=False):
        root.post(f"/keys/{old.id}/rotate/", {"password": PASSWORD, "overlap": "168"})
    old.refresh_from_db()
    new = ApiKey.objects.exclude(id=old.id).get()
    assert old.expires_at == NOW + timedelta(days=5)
    assert new.expires_at == NOW + timedelta(days=9, hours=20)


def test_a_revoked_key_is_refused(root: Client) -> None:
    key, token = ApiKey.issue("kitchen", scopes=["read"])
    assert opens(token)
    html = root.post(f"/keys/{key.id}/revoke/", {"password": PASSWORD}, follow=True).content.decode()
    assert "Revoked. “kitchen” opens nothing any more." in html
    assert not opens(token)
    again = root.post(f"/keys/{key.id}/rotate/", {"password": PASSWORD}, follow=True).content.decode()
    assert "This key opens nothing any more." in again
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize("act", ["rotate", "revoke"])
def test_without_the_password_a_key_stays_as_it_is(root: Client, act: str) -> None:
    key, token = ApiKey.issue("kitchen", scopes=["read"])
    html = root.post(f"/keys/{key.id}/{act}/", {"password": "a guess"}, follow=True).content.decode()
    assert "This is not your password. Nothing was changed." in html
    assert opens(token)
    assert ApiKey.objects.count() == 1


def test_a_correct_password_does_not_count_as_a_guess(root: Client) -> None:
    for _ in range(12):
        assert "Too many tries" not in made(root).content.decode()
    assert ApiKey.objects.count() == 12


def test_password_guesses_are_limited(root: Client) -> None:
    for _ in range(10):
        made(root, password="a guess")
    assert "Too many tries. Wait five minutes, then try again." in made(root).content.decode()
    assert not ApiKey.objects.exists()


def test_guesses_of_strangers_do_not_lock_out_a_signed_in_user(root: Client) -> None:
    """Also from the same address, as behind one proxy; and wrong ones in another session of theirs count there."""
    key, token = ApiKey.issue("kitchen", scopes=["read"])
    stranger = Client()
    for _ in range(12):
        stranger.post("/login/", {"login": "root", "password": "a guess"})
    other = Client()
    other.force_login(User.objects.get(username="root"))
    for _ in range(6):
        made(other, password="a guess")
    assert "Too many tries" in made(other).content.decode()
    html = root.post(f"/keys/{key.id}/revoke/", {"password": PASSWORD}, follow=True).content.decode()
    assert "Revoked. “kitchen” opens nothing any more." in html
    assert not opens(token)


@pytest.mark.parametrize("act", ["rotate", "revoke"])
def test_a_missing_key_is_not_found(root: Client, act: str) -> None:
    assert root.post(f"/keys/{uuid4()}/{act}/", {"password": PASSWORD}).status_code == 404


def test_key_changes_are_logged_without_the_secret(root: Client) -> None:
    token = token_on(made(root).content.decode())
    key = ApiKey.objects.get()
    root.post(f"/keys/{key.id}/rotate/", {"password": PASSWORD})
    root.post(f"/keys/{key.id}/revoke/", {"password": PASSWORD})
    with every_space():
        rows = list(Operation.objects.filter(detail__key=str(key.id)).order_by("id"))
    assert [(row.name, row.author) for row in rows] == [
        ("create_key", "user:root"),
        ("rotate_key", "user:root"),
        ("revoke_key", "user:root"),
    ]
    assert rows[0].detail["prefix"] == key.prefix
    assert token.removeprefix(key.prefix) not in str([row.detail for row in rows])


def test_the_log_of_a_key_lists_its_uses_and_changes(root: Client) -> None:
    token = token_on(made(root, scopes=["read", "write"]).content.decode())
    other = token_on(made(root, name="garage", scopes=["read", "write"]).content.decode())
    for key, text in ((token, "Alice sings"), (other, "Alice dances")):
        caller = Client(headers={"Authorization": f"Bearer {key}"})
        body = {"person": "alice", "content": text}
        assert caller.post("/api/v1/memories", body, "application/json").status_code == 201
    address = re.search(r'href="(/logs/\?q=ks_[^"]+)">Its log', get_page(root, "/keys/"))
    assert address
    shown = root.get(f"{address.group(1)}&format=json").json()["items"]
    prefixes = {ApiKey.objects.get(name=name).prefix: name for name in ("kitchen", "garage")}
    mine = address.group(1).removeprefix("/logs/?q=")
    theirs = next(prefix for prefix in prefixes if prefix != mine)
    assert {item["operation"] for item in shown} == {"create_key", "remember"}
    assert theirs not in str(shown)
