"""Every address from outside: without credentials nothing opens, and no other site acts in anyone's name.

Every address is asked by the verbs that it is there for, and by one of the others, drawn at random; some are asked by
every verb. What one middleware decides for all alike is asked of some.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from config.env import ROOT
from memory_app.models import ApiKey
from tests.addresses import SIGN_IN, Address, addresses
from tests.api.problems import PROBLEM, rows
from tests.dashboard.factories import PASSWORD, create_login
from tests.documented import documented

pytestmark = pytest.mark.django_db

VERBS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ABROAD = "192.0.2.7"
"""An address of documentation (RFC 5737): who asks from this machine may see metrics."""

ELSEWHERE = "evil.example"

ANY = {
    "person": "alice",
    "day": "2026-11-20",
    "name": "fade",
    "kind": "user",
    "project": "default",
    "session_id": 1,
    "pk": 1,
    "login_id": 1,
}
ID = "01890000-0000-7000-8000-000000000000"

OPEN = {
    "api/v1/openapi.json": "what the API is, which is no secret",
    "api/v1/docs": "the same, to read",
    "healthz": "asked by whoever keeps the server alive, who has no key",
    "readyz": "the same; it names parts, never what they hold",
    "login/": "the door itself",
    "account/look/": "light or dark, in a cookie of this browser; it stands on the sign-in page",
    ".well-known/oauth-authorization-server": "how an assistant signs in",
    ".well-known/oauth-protected-resource/mcp": "where it does so",
    ".well-known/oauth-protected-resource/mcp/<text:person>": "the same for every name, known or not",
    "oauth/register": "an assistant that wants to sign in has nothing yet",
    "oauth/token": "the same; a code or a refresh token lets it in",
    "oauth/revoke": "the same",
    "account/inactive/": "what one is told whose login was switched off",
}
"""What opens without credentials, and why."""

NOWHERE = dict.fromkeys(
    ("api/v1/", "compat/mem0/", "compat/hindsight/"), "the name of the root, which answers that nothing is there"
)


@pytest.fixture(autouse=True)
def _no_limit_is_reached() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def path_of(address: Address) -> str:
    return address.path({name: ANY.get(name, ID) for name in address.parameters})


def ask(client: Client, verb: str, address: Address, **headers: str) -> HttpResponse:
    path, sent = path_of(address), {name.replace("_", "-"): value for name, value in headers.items()}
    kind, body = ("application/json", b"{}") if address.takes_keys else ("application/x-www-form-urlencoded", b"")
    answer: Any = client.generic(verb, path, body, kind, headers=sent, REMOTE_ADDR=ABROAD)
    return answer  # type: ignore[no-any-return]


def _closed(address: Address, verb: str, answer: HttpResponse) -> bool:
    """Whether this is a refusal that tells nothing: 401, the way to the sign-in page, or which verbs there are."""
    if answer.status_code == 405 or (verb == "OPTIONS" and answer.status_code == 200 and not answer.content):
        return True
    if address.takes_keys or address.route == "metrics":
        return answer.status_code == 401
    return answer.status_code == 302 and answer["Location"].startswith("/login/")


def _verbs(address: Address) -> tuple[str, ...]:
    """Those that the address is there for, and one of the others."""
    template = address.path({name: f"{{{name}}}" for name in address.parameters})
    meant = documented(template) or {"GET", "POST"}
    return (*sorted(meant), random.choice([verb for verb in VERBS if verb not in meant]))


def _some(known: list[Address]) -> list[Address]:
    """One of each kind, drawn at random: of the API, of other servers' clients, of the pages."""
    kinds = {(address.is_api, address.is_compat, address.takes_no_form): address for address in _shuffled(known)}
    return [*kinds.values()]


def _shuffled(known: Iterable[Address]) -> list[Address]:
    return random.sample([*known], len([*known]))


def _entries() -> list[Address]:
    return [address for address in addresses() if address.route not in OPEN and address.route not in NOWHERE]


def test_without_credentials_every_address_is_closed() -> None:
    every_verb = _some(_entries())
    for address in _entries():
        cache.clear()
        answers = {verb: ask(Client(), verb, address) for verb in (VERBS if address in every_verb else _verbs(address))}
        opened = {verb: at.status_code for verb, at in answers.items() if not _closed(address, verb, at)}
        assert opened == {}, address.route
        assert {answer.status_code for answer in answers.values()} != {405}, address.route


def test_metrics_open_to_this_machine_and_to_admin_keys_limited_to_nobody() -> None:
    everything = ["read", "write", "admin"]
    grants: list[tuple[int, dict[str, Any]]] = [
        (200, {"scopes": everything}),
        (403, {"scopes": ["read", "write"]}),
        (403, {"scopes": everything, "people": ["bob"]}),
        (403, {"scopes": everything, "spaces": ["garage"]}),
    ]
    for status, grant in grants:
        sent = {"Authorization": f"Bearer {ApiKey.issue('key', **grant)[1]}"}
        answer = Client().get("/metrics", headers=sent, REMOTE_ADDR=ABROAD)
        assert (answer.status_code, b"django_" in answer.content) == (status, status == 200)
    assert Client().get("/metrics", headers={"Authorization": "Bearer ks_x"}, REMOTE_ADDR=ABROAD).status_code == 401
    assert Client().get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 200


def test_a_wrong_key_opens_as_little_as_none() -> None:
    for address in [entry for entry in _entries() if entry.takes_keys]:
        for verb in _verbs(address):
            cache.clear()
            without, wrong = (ask(Client(), verb, address, **sent) for sent in ({}, {"Authorization": "Bearer ks_x"}))
            assert (without.status_code, without.content) == (wrong.status_code, wrong.content)
            if without.status_code == 401:
                assert without["Content-Type"] == ("application/json" if address.is_compat else PROBLEM)
                assert without["WWW-Authenticate"].startswith('Bearer realm="keepsake"')


def test_what_is_listed_as_open_is_there_and_opens() -> None:
    known = {address.route: address for address in addresses()}
    assert {*OPEN, *NOWHERE} <= set(known)
    told = {route: ask(Client(), "GET", known[route]).status_code for route in OPEN}
    assert {route for route in OPEN if told[route] == 405} == {"account/look/", *SIGN_IN}
    assert set(told.values()) <= {200, 405, 503}  # not ready: no worker runs here
    assert {ask(Client(), "GET", known[route]).status_code for route in NOWHERE} == {404}


def test_an_address_that_is_not_there_opens_nothing() -> None:
    for path in (
        "/nothing/",
        "/admin/",
        "/api/v1/nothing",
        "/static/../config/settings.py",
        "/.env",
        "/var/secret_key",
    ):
        assert Client().get(path).status_code == 404


@pytest.fixture
def root() -> Client:
    """Signed in as a super user, for whom forms are checked as for anyone."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_login("root", everyone=True))
    return client


def test_a_form_without_its_token_does_nothing(root: Client) -> None:
    before = rows()
    for address in addresses():
        for verb in ("POST", random.choice(("PUT", "PATCH", "DELETE"))):
            assert address.takes_no_form or ask(root, verb, address).status_code == 403, (verb, address.route)
    assert rows() == before


def test_a_form_from_another_origin_does_nothing(root: Client) -> None:
    token = _token(root)
    elsewhere = {"X-CSRFToken": token, "Origin": "https://evil.example"}
    before = rows()
    for address in addresses():
        if not address.takes_no_form:
            path = path_of(address)
            assert root.post(path, headers=elsewhere).status_code == 403, path
    assert rows() == before
    ours = {**elsewhere, "Origin": "http://testserver"}
    assert root.post("/account/look/", {"theme": "dark"}, headers=ours).status_code == 302


def _token(client: Client) -> str:
    client.get("/login/")
    client.get("/account/")
    return client.cookies["csrftoken"].value


def test_a_session_is_no_key(root: Client) -> None:
    for address in [entry for entry in _entries() if entry.takes_keys]:
        assert {ask(root, verb, address).status_code for verb in _verbs(address)} <= {401, 405}, address.route


@pytest.mark.parametrize("name", [ELSEWHERE, "localhost.evil.example", "127.0.0.1.evil.example", "testserver:x"])
def test_another_host_name_is_not_served(name: str) -> None:
    """A page of another site whose name is made to lead here (DNS rebinding) is answered nothing."""
    for address in addresses() if name == ELSEWHERE else _some([*addresses()]):
        assert ask(Client(), "GET", address, Host=name).status_code == 400, address.route


def test_the_name_that_a_proxy_forwards_is_not_believed() -> None:
    answer = Client().get("/", headers={"X-Forwarded-Host": "evil.example"}, follow=False)
    assert answer["Location"] == "/login/?next=%2F"


def test_no_other_site_may_read_or_frame_an_answer_and_its_type_is_not_guessed(root: Client) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization"}  # fmt: skip
    for address in addresses():
        answer = ask(root, "GET", address, **asked)
        assert _told_to_other_sites(answer) == [], address.route
        assert answer["X-Content-Type-Options"] == "nosniff", address.route
        assert answer["X-Frame-Options"] == "DENY", address.route
        assert answer["Referrer-Policy"] == "same-origin", address.route
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin", address.route
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address.route
        if address.takes_no_form:
            assert _told_to_other_sites(ask(root, "OPTIONS", address, **asked)) == [], address.route
    for address in _some([*addresses()]):
        assert _told_to_other_sites(ask(root, "OPTIONS", address, **asked)) == [], address.route


def _told_to_other_sites(answer: HttpResponse) -> list[str]:
    return [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_cookies_are_for_this_site_alone_and_for_no_script() -> None:
    create_login("alice", person="alice")
    client = Client()
    client.get("/login/")
    client.post("/login/", {"login": "alice", "password": PASSWORD})
    client.post("/account/look/", {"theme": "dark", "shortcuts": "off"})
    assert {"sessionid", "csrftoken", "theme", "shortcuts"} <= set(client.cookies)
    for name, cookie in client.cookies.items():
        assert (name, cookie["samesite"], cookie["httponly"]) == (name, "Strict", True)


def test_cookies_go_over_https_alone_where_the_public_address_is_https() -> None:
    program = (
        "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE,"
        " s.SESSION_COOKIE_HTTPONLY, s.CSRF_COOKIE_HTTPONLY, s.SESSION_COOKIE_SAMESITE, s.CSRF_COOKIE_SAMESITE)"
    )
    told = {}
    for public in ("https://memory.example.org", "http://memory.example.org"):
        env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "KEEPSAKE_PUBLIC_URL": public}
        run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True)
        told[public] = run.stdout.strip()
    assert told == {
        "https://memory.example.org": "True True True True Strict Strict",
        "http://memory.example.org": "False False True True Strict Strict",
    }


def test_sign_in_leads_to_no_other_site() -> None:
    create_login("alice", person="alice")
    for next_ in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        cache.clear()
        answer = Client().post("/login/", {"login": "alice", "password": PASSWORD, "next": next_})
        assert answer["Location"] == "/"
