"""`manage.py key create`, `list`, `revoke` and `user create`: what is printed, and what it opens."""

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from memory_app.models import ApiKey, User
from tests.conftest import Api

pytestmark = pytest.mark.django_db

PASSWORD = "a long way to Tipperary"


def _created(*arguments: str) -> str:
    out, error = StringIO(), StringIO()
    call_command("key", "create", *arguments, stdout=out, stderr=error)
    assert error.getvalue() == ""
    return out.getvalue()


def test_a_key_is_printed_alone_and_stored_as_a_hash_only() -> None:
    printed = _created("assistant")
    token = printed.strip()
    assert printed == f"{token}\n"
    key = ApiKey.objects.get()
    assert (key.name, key.scopes, key.spaces, key.people) == ("assistant", ["read", "write"], [], [])
    assert token.startswith(f"{key.prefix}_")
    secret = token.removeprefix(f"{key.prefix}_")
    assert len(secret) == 43  # 32 bytes in base 64
    assert secret not in str(ApiKey.objects.values())
    assert secret.encode() not in bytes(key.hash)
    assert Api(token).get("/people/nobody").status_code == 404


def test_a_key_does_what_it_was_made_for() -> None:
    reader = Api(_created("reader", "--scope", "read", "--person", "alice", "--person", "bob").strip())
    assert reader.get("/people/bob").status_code == 404
    assert reader.get("/people/charlie").status_code == 403
    assert reader.post("/memories", {"person": "bob", "content": "x"}).status_code == 403
    cook = Api(_created("cook", "--scope", "write", "--space", "kitchen").strip())
    kitchen = {"person": "bob", "content": "Soup is on Tuesdays", "venue": {"space": "kitchen"}}
    assert cook.post("/memories", kitchen).status_code == 201
    assert cook.post("/memories", {**kitchen, "venue": {"space": "garage"}}).status_code == 403


def test_two_keys_of_one_name_are_two() -> None:
    assert _created("assistant") != _created("assistant")
    assert ApiKey.objects.count() == 2


def test_a_key_is_taken_away_by_its_name_or_prefix() -> None:
    tokens = [_created(name).strip() for name in ("kitchen", "kitchen", "garage")]
    first, second, _ = (ApiKey.objects.get(prefix=token[:11]) for token in tokens)
    with pytest.raises(CommandError, match=f"by its prefix: {first.prefix}, {second.prefix}"):
        call_command("key", "revoke", "kitchen")
    with pytest.raises(CommandError, match="no key in use that is called 'cellar'"):
        call_command("key", "revoke", "cellar")
    for called in (first.prefix, "kitchen", "garage"):
        call_command("key", "revoke", called, stderr=StringIO())
    assert [Api(token).get("/people/nobody").status_code for token in tokens] == [401, 401, 401]


def test_the_keys_in_use_are_listed_without_what_opens() -> None:
    used = _created("cook", "--scope", "read", "--person", "alice", "--space", "kitchen").strip()
    _created("gone")
    call_command("key", "revoke", "gone", stderr=StringIO())
    out = StringIO()
    call_command("key", "list", stdout=out)
    assert out.getvalue().splitlines() == [
        f"{used[:11]}\tcook\tread\tpeople: alice\tspaces: kitchen\tuntil it is revoked"
    ]


def test_a_scope_that_is_none_is_refused() -> None:
    with pytest.raises(CommandError, match="everything"):
        call_command("key", "create", "assistant", "--scope", "everything")
    assert not ApiKey.objects.exists()


def _user(monkeypatch: pytest.MonkeyPatch, password: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", StringIO(f"{password}\n"))
    error = StringIO()
    call_command("user", "create", *arguments, "--password-stdin", stderr=error)
    return error.getvalue()


def test_a_login_can_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _user(monkeypatch, PASSWORD, "alice", "--person", "alice") == "alice can sign in now.\n"
    user = authenticate(username="alice", password=PASSWORD)
    assert isinstance(user, User)
    assert user.person is not None
    assert (user.person.name, user.is_superuser) == ("alice", False)
    assert authenticate(username="alice", password="wrong") is None


def test_a_super_user_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _user(monkeypatch, PASSWORD, "root", "--super")
    user = User.objects.get()
    assert (user.is_superuser, user.person) == (True, None)


@pytest.mark.parametrize("password", ["", "short", "password1234", "alice-alice-alice"])
def test_a_weak_password_is_refused(password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="will not do"):
        _user(monkeypatch, password, "alice-alice-alice")
    assert not User.objects.exists()


def test_a_name_that_is_taken_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _user(monkeypatch, PASSWORD, "alice")
    with pytest.raises(CommandError, match="already"):
        _user(monkeypatch, PASSWORD, "alice")
