"""What is sensitive is told to its owner alone: read with others', all of it is masked, whoever comes first or last."""

from typing import Any

import pytest

from memory_app.nlp.privacy.sensitive import MASK
from tests.compat.conftest import Compat

pytestmark = pytest.mark.django_db

ALICE, BOB = {"user_id": "alice"}, {"user_id": "bob"}
SECRETS = {"alice": "My PIN is 4711", "bob": "My PIN is 2580"}
SEVERAL: list[dict[str, Any]] = [{"OR": [ALICE, BOB]}, {"OR": [BOB, ALICE]}, {"user_id": "*"}]


@pytest.fixture
def secrets(mem0: Compat) -> Compat:
    for person, secret in SECRETS.items():
        said = [{"role": "user", "content": secret}]
        mem0.call("POST", "/v3/memories/add/", {"messages": said, "infer": False, "user_id": person, "agent_id": "bot"})
    return mem0


def _told(mem0: Compat, filters: dict[str, Any]) -> list[list[str]]:
    """The words of a list, a search and an export."""
    found = {"query": "my PIN", "filters": filters, "threshold": 0}
    answers = [
        mem0.call("POST", "/v3/memories/", {"filters": filters})["results"],
        mem0.call("POST", "/v3/memories/search/", found)["results"],
        mem0.call("POST", "/v1/exports/get/", {"filters": filters})["memories"],
    ]
    return [[one["memory"] for one in answer] for answer in answers]


def test_an_owner_is_told_their_own(secrets: Compat) -> None:
    assert _told(secrets, ALICE) == [[SECRETS["alice"]]] * 3
    assert _told(secrets, {**BOB, "agent_id": "bot"}) == [[SECRETS["bob"]]] * 3


@pytest.mark.parametrize("filters", SEVERAL)
def test_of_several_owners_all_is_masked(secrets: Compat, filters: dict[str, Any]) -> None:
    assert _told(secrets, filters) == [[MASK, MASK]] * 3
