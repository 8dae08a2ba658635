"""Requests that must be refused: their status, and that they change no row."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.problems import problem_of, rows, send
from tests.conftest import Api


@pytest.fixture(scope="module")
def kept(module_api: Api) -> dict[str, Any]:
    """A memory of Alice's; Bob is known, and so is the kitchen."""
    return remember_dentist(module_api)


def remember_dentist(api: Api) -> dict[str, Any]:
    api.remember("bob", "Bob cooks", venue={"space": "kitchen"})
    kept: dict[str, Any] = api.remember("alice", "The dentist is on Monday", venue=None)
    return kept


@pytest.fixture
def refused(api: Api, kept: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """Makes a request that must be refused with a status, and must change no row; answers the problem document."""

    def refuse(status: int, method: str, path: str, body: object = None, **headers: str) -> dict[str, Any]:
        before = rows()
        response = send(api, method, path.format(id=kept["id"]), body, headers)
        assert rows() == before
        return problem_of(response, status)

    return refuse
