"""The page of logins: for super users alone, who give their password for each thing they do to one."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from memory_app.models import Operation, Person, User
from memory_app.models.row_security import every_space
from tests.dashboard.factories import PASSWORD, create_login, create_memory, get_page

ACTS = ("promote", "demote", "link", "switch-off", "switch-on")


def user(name: str) -> User:
    return User.objects.get(username=name)


def act(client: Client, name: str, act: str, **given: Any) -> str:
    """What the page says after something was done to a login."""
    path = f"/logins/{user(name).pk}/{act}/"
    return client.post(path, {"password": PASSWORD, **given}, follow=True).content.decode()


def test_logins_are_for_super_users_only(alice: Client, root: Client) -> None:
    assert "alice" in get_page(root, "/logins/")
    assert alice.get("/logins/").status_code == 404
    for each in ACTS:
        assert alice.post(f"/logins/{user('alice').pk}/{each}/", {"password": PASSWORD}).status_code == 404
        assert root.post("/logins/919999/" + each + "/", {"password": PASSWORD}).status_code == 404
    assert not user("alice").is_superuser
    assert ">Logins</a>" in get_page(root, "/")
    assert ">Logins</a>" not in get_page(alice, "/")


def test_each_login_shows_its_person_and_factors(alice: Client, root: Client) -> None:
    Authenticator.objects.create(user=user("alice"), type="totp", data={})
    Authenticator.objects.create(user=user("alice"), type="recovery_codes", data={})
    html = get_page(root, "/logins/")
    assert "password and code" in html
    assert "password alone" in html
    found = {item["name"]: item for item in root.get("/logins/?format=json").json()["items"]}
    told = ("person", "super", "active", "second_factor")
    assert [found["alice"][name] for name in told] == ["alice", False, True, ["code"]]
    assert [found["root"][name] for name in told] == [None, True, True, []]
    assert "password" not in found["alice"]
    assert [item["name"] for item in root.get("/logins/?q=ALI&format=json").json()["items"]] == ["alice"]


def test_super_user_rights_are_granted_and_revoked(alice: Client, root: Client) -> None:
    create_memory("bob", "Bob has a secret")
    assert "Bob has a secret" not in get_page(alice, "/memories/")
    assert "is a super user now" in act(root, "alice", "promote")
    assert "Bob has a secret" in get_page(alice, "/memories/")
    assert "is no super user any more, and sees the memories of alice." in act(root, "alice", "demote")
    assert "Bob has a secret" not in get_page(alice, "/memories/")
    assert alice.get("/logins/").status_code == 404


@pytest.mark.parametrize("how", ["demote", "switch-off"])
def test_the_last_super_user_cannot_be_demoted(root: Client, how: str) -> None:
    create_login("off", everyone=True)
    User.objects.filter(username="off").update(is_active=False)
    assert "This is the last super user who can sign in." in act(root, "root", how)
    assert (user("root").is_superuser, user("root").is_active) == (True, True)
    assert f"/{how}/" not in get_page(root, "/logins/?q=root")


def test_one_of_two_super_users_can_step_down(root: Client) -> None:
    create_login("second", everyone=True)
    assert root.post(f"/logins/{user('root').pk}/demote/", {"password": PASSWORD})["Location"] == "/"
    assert not user("root").is_superuser
    assert root.get("/logins/").status_code == 403  # nobody's login, and no super user's


def test_a_login_is_linked_and_unlinked(alice: Client, root: Client) -> None:
    create_memory("bob", "Bob has a secret")
    assert "belongs to bob now" in act(root, "alice", "link", person=" bob ")
    assert "Bob has a secret" in get_page(alice, "/memories/")
    assert "is nobody&#x27;s" in act(root, "alice", "link", person="")
    assert alice.get("/").status_code == 403


def test_linking_an_unknown_name_creates_nobody(alice: Client, root: Client) -> None:
    assert "Nothing is known of a person &#x27;bbo&#x27;." in act(root, "alice", "link", person="bbo")
    assert user("alice").person == Person.objects.get(name="alice")
    assert not Person.objects.filter(name="bbo").exists()


def test_a_disabled_login_cannot_sign_in_until_enabled(alice: Client, root: Client) -> None:
    assert "is switched off, and signed out everywhere" in act(root, "alice", "switch-off")
    assert alice.get("/")["Location"].startswith("/login/")
    anew = Client()
    anew.post("/login/", {"login": "alice", "password": PASSWORD})
    assert anew.get("/")["Location"].startswith("/login/")
    assert "switched off already" in act(root, "alice", "switch-off")
    assert "can sign in again" in act(root, "alice", "switch-on")
    anew.post("/login/", {"login": "alice", "password": PASSWORD})
    assert anew.get("/").status_code == 200


def test_old_sessions_stay_ended_when_a_login_is_enabled(root: Client) -> None:
    create_login("alice", person="alice")
    old = Client()
    old.post("/login/", {"login": "alice", "password": PASSWORD})
    assert old.get("/").status_code == 200
    act(root, "alice", "switch-off")
    act(root, "alice", "switch-on")
    assert old.get("/")["Location"].startswith("/login/")


@pytest.mark.parametrize("how", ACTS)
def test_without_the_password_nothing_is_changed(alice: Client, root: Client, how: str) -> None:
    User.objects.filter(username="alice").update(is_superuser=how == "demote", is_active=how != "switch-on")
    before = User.objects.filter(username="alice").values().get()
    html = act(root, "alice", how, password="a guess", person="root")
    assert "This is not your password. Nothing was changed." in html
    assert User.objects.filter(username="alice").values().get() == before


def test_password_guesses_are_limited(alice: Client, root: Client) -> None:
    for _ in range(10):
        act(root, "alice", "promote", password="a guess")
    assert "Too many tries. Wait five minutes, then try again." in act(root, "alice", "promote")
    assert not user("alice").is_superuser


def test_what_is_done_to_a_login_is_logged(alice: Client, root: Client) -> None:
    for how in ("promote", "demote", "link", "switch-off", "switch-on"):
        act(root, "alice", how, person="alice")
    with every_space():
        rows = list(Operation.objects.filter(detail__login=user("alice").pk).order_by("id"))
    assert [row.name for row in rows] == [
        "promote_login",
        "demote_login",
        "link_login",
        "switch_login_off",
        "switch_login_on",
    ]
    assert {row.author for row in rows} == {"user:root"}
    assert rows[0].detail["name"] == "alice"
    assert "made a login a super user" in get_page(root, "/logs/?period=all")
