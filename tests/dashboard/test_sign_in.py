"""Signing in: limits on guessing, and the second step, with django-allauth's views behind our pages."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import cache
from django.test import Client

from tests.dashboard.factories import PASSWORD, create_login


def sign_in(client: Client, password: str = PASSWORD, name: str = "alice") -> str:
    """Where signing in led to."""
    answer = client.post("/login/", {"login": name, "password": password})
    return answer["Location"] if answer.status_code == 302 else f"{answer.status_code}"


def code_for(secret: str) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return str(format_hotp_value(hotp_value(secret, counter)))


@pytest.mark.django_db
def test_guessing_passwords_is_stopped() -> None:
    create_login("alice", person="alice")
    client = Client()
    for _ in range(5):
        assert sign_in(client, "a wrong password") == "200"
    answer = client.post("/login/", {"login": "alice", "password": PASSWORD})
    assert "Too many failed login attempts" in answer.content.decode()


@pytest.mark.django_db
def test_guesses_from_other_addresses_do_not_lock_a_user_out() -> None:
    create_login("alice", person="alice")
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    for _ in range(6):
        sign_in(stranger, "a wrong password")
    assert sign_in(stranger) == "200"
    assert sign_in(Client(REMOTE_ADDR="198.51.100.4")) == "/"


@pytest.mark.django_db
def test_one_address_guesses_at_no_more_logins_than_ten_in_a_minute() -> None:
    create_login("alice", person="alice")
    client = Client()
    for number in range(10):
        sign_in(client, "a wrong password", name=f"someone{number}")
    assert sign_in(client) == "200"


@pytest.mark.django_db
def test_the_correct_password_is_never_locked_out() -> None:
    create_login("alice", person="alice")
    for _ in range(4):
        assert sign_in(Client(), "a wrong password") == "200"
    for _ in range(40):
        assert sign_in(Client()) == "/"
    assert sign_in(Client(), "a wrong password") == "200"
    assert sign_in(Client()) == "200"


@pytest.mark.django_db
def test_the_old_password_cannot_be_guessed_where_a_new_one_is_set() -> None:
    create_login("alice", person="alice")
    client = Client()
    sign_in(client)
    new = {"password1": "a longer horse battery", "password2": "another horse battery"}
    for _ in range(12):
        answer = client.post("/account/password/", {"oldpassword": PASSWORD, **new})
        assert "Too many tries." not in answer.content.decode()
    for _ in range(5):
        answer = client.post("/account/password/", {"oldpassword": "a guess", **new})
        assert "This is not your password." in answer.content.decode()
    answer = client.post("/account/password/", {"oldpassword": PASSWORD, **new})
    assert "Too many tries. Wait five minutes" in answer.content.decode()


@pytest.mark.django_db
def test_a_correct_password_can_be_confirmed_any_number_of_times() -> None:
    client = Client()
    client.force_login(create_login("alice", person="alice"))
    for _ in range(12):
        assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302
    for _ in range(5):
        client.post("/account/reauthenticate/", {"password": "a guess"})
    answer = client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert "Too many failed login attempts" in answer.content.decode()


@pytest.mark.django_db
def test_sign_up_is_closed() -> None:
    client = Client()
    assert client.get("/account/signup/").status_code == 404
    assert "sign up" not in client.get("/login/").content.decode().lower()


@pytest.mark.django_db
def test_a_second_step_is_set_up_and_then_asked_for() -> None:
    create_login("alice", person="alice")
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
    held = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert found.group(1) not in held
    assert "gAAAA" in held
    client.post("/logout/")
    cache.clear()
    assert sign_in(client) == "/account/2fa/authenticate/"
    assert client.get("/").status_code == 302
    assert "authenticator code" in client.get("/account/2fa/authenticate/").content.decode()
    assert client.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert client.post("/account/2fa/authenticate/", {"code": code_for(found.group(1))})["Location"] == "/"
    assert client.get("/").status_code == 200


@pytest.mark.django_db
def test_codes_fail_under_another_secret_key(settings: Any) -> None:
    app = TOTP.activate(create_login("alice", person="alice"), "JBSWY3DPEHPK3PXP")
    settings.SECRET_KEY = "another one"
    assert not app.validate_code(code_for("JBSWY3DPEHPK3PXP"))


@pytest.mark.django_db
def test_a_password_is_changed_with_the_old_one() -> None:
    create_login("alice", person="alice")
    client = Client()
    sign_in(client)
    typed = {"oldpassword": PASSWORD, "password1": "a longer horse battery", "password2": "a longer horse battery"}
    assert client.get("/account/password/").status_code == 200
    assert client.post("/account/password/", typed).status_code == 302
    client.post("/logout/")
    assert sign_in(client, "a longer horse battery") == "/"
