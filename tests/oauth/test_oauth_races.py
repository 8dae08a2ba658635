"""Two who present the same code or token at once, each in a process of their own: never both are let in."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from memory_app.models import ApiKey
from tests.dashboard.factories import create_login
from tests.oauth.assistant import Assistant, body, opens

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 4


def at_once(ask: Callable[[], int]) -> list[int]:
    def asked(_: int) -> int:
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return sorted(threads.map(asked, range(AT_ONCE)))


@pytest.fixture
def browser() -> Client:
    client = Client()
    client.force_login(create_login("alice", person="alice"))
    return client


def test_of_those_who_present_one_code_at_once_one_is_let_in_and_then_none(browser: Client) -> None:
    assistant = Assistant()
    code = assistant.allowed(browser)
    assert at_once(lambda: assistant.redeem(code).status_code) == [200, 400, 400, 400]
    assert ApiKey.objects.get().revoked_at


def test_of_those_who_present_one_refresh_token_at_once_one_is_let_in_and_then_none(browser: Client) -> None:
    assistant = Assistant()
    tokens = assistant.sign_in(browser)
    answers = at_once(lambda: assistant.refresh(tokens["refresh_token"]).status_code)
    assert answers == [200, 400, 400, 400]
    assert not opens(tokens["access_token"])


def test_ended_while_it_refreshes_nothing_opens_afterwards(browser: Client) -> None:
    assistant = Assistant()
    tokens = assistant.sign_in(browser)
    path = f"/keys/assistants/{ApiKey.objects.get().id}/end/"
    given: list[str] = []

    def end_and_refresh(number: int) -> None:
        try:
            if number:
                browser.post(path)
            elif (answer := assistant.refresh(tokens["refresh_token"])).status_code == 200:
                given.append(body(answer)["access_token"])
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(end_and_refresh, range(2)))
    assert [opens(token) for token in (*given, tokens["access_token"])] == [False] * (len(given) + 1)
