"""Signing in: limits on guessing, and the second step, with django-allauth's views behind our pages."""

import re
from collections.abc import Iterator

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import cache
from django.test import Client

from .people import PASSWORD, login


@pytest.fixture(autouse=True)
def _limits_start_anew() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def sign_in(client: Client, password: str = PASSWORD, name: str = "alice") -> str:
    """Where signing in led to."""
    answer = client.post("/login/", {"login": name, "password": password})
    return answer["Location"] if answer.status_code == 302 else f"{answer.status_code}"


def code_for(secret: str) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return str(format_hotp_value(hotp_value(secret, counter)))


@pytest.mark.django_db
def test_guessing_passwords_is_stopped() -> None:
    login("alice", person="alice")
    client = Client()
    for _ in range(5):
        assert sign_in(client, "a wrong password") == "200"
    answer = client.post("/login/", {"login": "alice", "password": PASSWORD})
    assert "Too many failed login attempts" in answer.content.decode()


@pytest.mark.django_db
def test_no_one_signs_up_by_themselves() -> None:
    client = Client()
    assert client.get("/account/signup/").status_code == 404
    assert "sign up" not in client.get("/login/").content.decode().lower()


@pytest.mark.django_db
def test_a_second_step_is_set_up_and_then_asked_for() -> None:
    login("alice", person="alice")
    client = Client()
    assert sign_in(client) == "/"
    asked = client.get("/account/2fa/totp/activate/", follow=True)
    assert "Please reauthenticate" in asked.content.decode()
    again = client.post(asked.redirect_chain[0][0], {"password": PASSWORD}, follow=True)
    page = again.content.decode()
    found = re.search(r'id="authenticator_secret"[^>]* value="([A-Z2-7]+)"', page)
    assert found, page
    assert client.post("/account/2fa/totp/activate/", {"code": code_for(found.group(1))}).status_code == 302
    assert "recovery codes" in client.get("/account/2fa/").content.decode().lower()
    client.post("/logout/")
    cache.clear()
    assert sign_in(client) == "/account/2fa/authenticate/"
    assert client.get("/").status_code == 302
    assert "authenticator code" in client.get("/account/2fa/authenticate/").content.decode()
    assert client.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert client.post("/account/2fa/authenticate/", {"code": code_for(found.group(1))})["Location"] == "/"
    assert client.get("/").status_code == 200


@pytest.mark.django_db
def test_a_password_is_changed_with_the_old_one() -> None:
    login("alice", person="alice")
    client = Client()
    sign_in(client)
    typed = {"oldpassword": PASSWORD, "password1": "a longer horse battery", "password2": "a longer horse battery"}
    assert client.get("/account/password/").status_code == 200
    assert client.post("/account/password/", typed).status_code == 302
    client.post("/logout/")
    assert sign_in(client, "a longer horse battery") == "/"
