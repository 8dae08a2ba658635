"""Where one is signed in: on the account page, each to be ended, none but one's own."""

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.test import Client

from dashboard.account import describe_device
from tests.dashboard.factories import NOON, PASSWORD, create_login, get_page

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"


def signed_in(name: str, browser: str) -> Client:
    client = Client(headers={"User-Agent": browser})
    assert client.post("/login/", {"login": name, "password": PASSWORD}).status_code == 302
    return client


def number_of(client: Client) -> int:
    return UserSession.objects.get(session_key=client.session.session_key).pk  # type: ignore[no-any-return]


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


@pytest.fixture
def laptop(db: None) -> Client:
    create_login("alice", person="alice")
    return signed_in("alice", FIREFOX)


def test_every_session_is_listed(laptop: Client) -> None:
    signed_in("alice", PHONE)
    html = get_page(laptop, "/account/")
    assert html.index("Firefox on Linux") < html.index("this one") < html.index("Chrome on Android")
    assert "from 127.0.0.1, since" in html


def test_a_session_shows_when_and_where_it_was_last_seen(laptop: Client) -> None:
    with time_machine.travel(NOON, tick=False):
        phone = signed_in("alice", PHONE)
    with time_machine.travel(NOON + timedelta(hours=3), tick=False):
        assert phone.get("/", REMOTE_ADDR="192.0.2.9").status_code == 200
    with time_machine.travel(NOON + timedelta(hours=3, seconds=59), tick=False):
        phone.get("/", REMOTE_ADDR="192.0.2.10")  # too soon to be noted again
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        html = " ".join(get_page(signed_in("alice", FIREFOX), "/account/").split())
    shown = re.search(r"Chrome on Android</span> <span class=\"meta\">(.*?)</span>", html)
    assert shown
    since, seen = re.findall(r'title="([^"]+)"', shown.group(1))
    assert (since, seen) == ("20 November 2026, 12:00 (UTC)", "20 November 2026, 15:00 (UTC)")
    assert "from 192.0.2.9, since" in shown.group(1)


def test_the_json_list_of_sessions_has_no_session_keys(laptop: Client) -> None:
    phone = signed_in("alice", PHONE)
    answer = laptop.get("/account/?format=json")
    told = answer.json()
    assert (told["name"], told["person"], told["super"]) == ("alice", "alice", False)
    shown = [(one["id"], one["device"], one["address"], one["current"]) for one in told["sessions"]]
    assert shown == [
        (number_of(laptop), "Firefox on Linux", "127.0.0.1", True),
        (number_of(phone), "Chrome on Android", "127.0.0.1", False),
    ]
    for client in (laptop, phone):
        assert str(client.session.session_key) not in answer.content.decode()


def test_another_session_is_ended(laptop: Client) -> None:
    phone = signed_in("alice", PHONE)
    html = laptop.post(f"/account/sessions/{number_of(phone)}/end/", follow=True).content.decode()
    assert "Ended. Whoever uses that browser has to sign in again." in html
    assert "Chrome on Android" not in html
    assert (is_in(laptop), is_in(phone)) == (True, False)


def test_all_others_are_ended_at_once(laptop: Client) -> None:
    others = [signed_in("alice", PHONE), signed_in("alice", FIREFOX)]
    html = laptop.post("/account/sessions/end/", follow=True).content.decode()
    assert "Ended 2 sessions. You are signed in here alone." in html
    assert [is_in(client) for client in (laptop, *others)] == [True, False, False]


def test_a_foreign_session_cannot_be_ended(laptop: Client) -> None:
    create_login("bob", person="bob")
    create_login("root", everyone=True)
    for name in ("bob", "root"):
        stranger = signed_in(name, FIREFOX)
        assert stranger.post(f"/account/sessions/{number_of(laptop)}/end/").status_code == 404
        stranger.post("/account/sessions/end/")
        assert "Firefox" in get_page(stranger, "/account/")
    assert is_in(laptop)


def test_the_current_session_is_ended_by_signing_out(laptop: Client) -> None:
    assert laptop.post(f"/account/sessions/{number_of(laptop)}/end/").status_code == 404
    assert is_in(laptop)


def test_ended_sessions_are_not_listed(laptop: Client) -> None:
    signed_in("alice", PHONE).post("/logout/")
    assert "Chrome on Android" not in get_page(laptop, "/account/")


def test_a_changed_password_ends_every_other_session(laptop: Client) -> None:
    phone = signed_in("alice", PHONE)
    typed = {"oldpassword": PASSWORD, "password1": "a longer horse battery", "password2": "a longer horse battery"}
    assert phone.post("/account/password/", typed).status_code == 302
    assert not is_in(laptop)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (FIREFOX, "Firefox on Linux"),
        (PHONE, "Chrome on Android"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1",
            "Safari on an iPhone",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Version/19.0 Safari/605.1", "Safari on a Mac"),
        ("curl/8.0", "A browser"),
        ("", "A browser"),
    ],
)
def test_a_browser_is_named_by_its_user_agent(told: str, shown: str) -> None:
    assert describe_device(told) == shown
