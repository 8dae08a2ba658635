"""What narrows a list or a deletion in an address narrows it, or is refused: it is never passed over."""

from urllib.parse import urlencode

import pytest

from tests.compat.conftest import Compat
from tests.compat.mem0.test_mem0_other_calls import keep

pytestmark = pytest.mark.django_db

HAL = {"user_id": "hal"}
PATHS = ("/v1/memories/", "/memories")


def _left(mem0: Compat) -> set[str]:
    return {one["memory"] for one in mem0.call("POST", "/v3/memories/", {"filters": HAL})["results"]}


def _keep_two(mem0: Compat) -> None:
    keep(mem0, "The barn door is green", **HAL, metadata={"project": "one"}, timestamp=1_700_000_000)
    keep(mem0, "My violin needs new strings", **HAL, metadata={"project": "two"})


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("narrowed", "left"),
    [
        ({"metadata": '{"project": "one"}'}, {"My violin needs new strings"}),
        ({"metadata": "{'project': 'two'}"}, {"The barn door is green"}),
        ({"categories": "no-such-category"}, {"The barn door is green", "My violin needs new strings"}),
        ({"end_date": "2020-01-01"}, {"The barn door is green", "My violin needs new strings"}),
        ({"start_date": "4000000000"}, {"The barn door is green", "My violin needs new strings"}),
        ({"org_id": "keepsake", "project_id": "default", "version": "v2"}, set()),
    ],
)
def test_an_address_narrows_a_list_and_a_deletion(
    mem0: Compat, path: str, narrowed: dict[str, str], left: set[str]
) -> None:
    _keep_two(mem0)
    query = urlencode({**HAL, **narrowed})
    listed = mem0.call("GET", f"{path}?{query}")
    listed = listed["results"] if isinstance(listed, dict) else listed
    assert {one["memory"] for one in listed} == _left(mem0) - left
    mem0.call("DELETE", f"{path}?{query}")
    assert _left(mem0) == left


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "unread", [{"limit": 1}, {"page_size": 1}, {"kind": "note"}, {"metadata": ""}, {"metadata": "x"}, {"filters": ""}]
)
def test_a_deletion_refuses_what_it_would_not_read(mem0: Compat, path: str, unread: dict[str, object]) -> None:
    _keep_two(mem0)
    assert next(iter(unread)) in mem0.refused(422, "DELETE", f"{path}?{urlencode({**HAL, **unread})}")
    assert len(_left(mem0)) == 2


@pytest.mark.parametrize("kind", ["agent", "app", "run"])
def test_the_person_of_an_agent_is_no_user(mem0: Compat, kind: str) -> None:
    kept, name = keep(mem0, "The desk faces north", **{f"{kind}_id": "desk"}), f"{kind}:desk"
    body = {"messages": "I like tea", "infer": False, "user_id": name}
    for method, path, sent in (
        ("POST", "/v3/memories/add/", body),
        ("POST", "/v3/memories/add/", {**body, "infer": True}),
        ("POST", "/v3/memories/", {"filters": {"user_id": name}}),
        ("POST", "/v3/memories/search/", {"query": "tea", "user_id": name}),
        ("GET", f"/v1/memories/?user_id={name}", None),
        ("DELETE", f"/v1/memories/?user_id={name}", None),
        ("DELETE", f"/v2/entities/user/{name}/", None),
    ):
        assert f"{kind}_id" in mem0.refused(422, method, path, sent)
    assert mem0.call("GET", f"/v1/memories/{kept}/")[f"{kind}_id"] == "desk"
