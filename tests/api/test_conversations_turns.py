"""What was said is read again in order, and the last turn is taken back."""

from typing import Any

import pytest

from memory_app.models import ApiKey, Conversation
from memory_app.models.row_security import every_space
from tests.api.test_conversations import TALK, talk
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def said(api: Api, conversation: str, query: str = "") -> list[str]:
    page: dict[str, Any] = api.get(f"/conversations/{conversation}/turns{query}").json()
    return [turn["content"] for turn in page["items"]]


def test_a_conversation_is_read_page_by_page_from_either_end(api: Api) -> None:
    conversation = talk(api, external_id="thread-1")
    shown = api.get(f"/conversations/{conversation}").json()
    assert (shown["external_id"], shown["turns"], shown["person"]) == ("thread-1", 8, "alice")
    words = [content for _, content in TALK]
    assert said(api, conversation) == words
    assert said(api, conversation, "?order=newest&limit=3") == words[:-4:-1]
    first = api.get(f"/conversations/{conversation}/turns?limit=5").json()
    assert said(api, conversation, f"?cursor={first['next_cursor']}") == words[5:]
    assert api.get(f"/conversations/{conversation}/turns?cursor=nonsense").status_code == 422


def test_what_is_said_after_the_end_is_read_with_the_rest(api: Api) -> None:
    conversation = talk(api)
    api.post(f"/conversations/{conversation}/end", {})
    api.post(f"/conversations/{conversation}/turns", {"role": "user", "content": "One more thing."})
    assert said(api, conversation, "?order=newest&limit=2") == ["One more thing.", TALK[-1][1]]
    assert api.call("DELETE", f"/conversations/{conversation}/turns/last").json()["content"] == "One more thing."
    assert said(api, conversation, "?order=newest&limit=1") == [TALK[-1][1]]


def test_the_last_turn_is_taken_back_and_another_takes_its_place(api: Api) -> None:
    conversation = talk(api)
    path = f"/conversations/{conversation}/turns"
    taken = api.call("DELETE", f"{path}/last").json()
    assert (taken["content"], taken["position"]) == ("Wonderful!", 7)
    found = api.post("/search", {"person": "alice", "query": "Wonderful", "kinds": ["turn"], "method": "text"}).json()
    assert found["results"] == []
    assert api.post(path, {"role": "assistant", "content": "Great!"}).json()["items"][0]["position"] == 7
    for _ in TALK:
        assert api.call("DELETE", f"{path}/last").status_code == 200
    assert api.call("DELETE", f"{path}/last").status_code == 404
    with every_space():
        row = Conversation.objects.get(id=conversation)
    assert (row.turn_count, row.user_turns_unread, row.extracted_to) == (0, 0, 0)


def test_what_was_cleared_is_not_read_again(api: Api) -> None:
    conversation = talk(api)
    token = api.post("/commands", {"person": "alice", "text": "/memory clear"}).json()["data"]["token"]
    api.post("/commands", {"person": "alice", "text": "yes", "token": token})
    assert said(api, conversation) == []
    assert api.call("DELETE", f"/conversations/{conversation}/turns/last").status_code == 404


def test_nobody_reads_the_conversation_of_another(api: Api) -> None:
    conversation = talk(api)
    bob = Api(ApiKey.issue("bob", scopes=["read", "write"], people=["bob"])[1])
    for path in ("", "/turns"):
        assert bob.get(f"/conversations/{conversation}{path}").status_code == 404
    assert bob.call("DELETE", f"/conversations/{conversation}/turns/last").status_code == 404
    writer = Api(ApiKey.issue("writer", scopes=["write"])[1])
    assert writer.get(f"/conversations/{conversation}/turns").status_code == 403
    assert writer.call("DELETE", f"/conversations/{conversation}/turns/last").json()["content"] == ""
