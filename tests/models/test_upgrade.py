"""What was stored before keys compared without case and spacing, a venue told conversations apart, conflicts had a
table of their own, and notes were searched."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from memory_app.engine.enter import Place, enter
from memory_app.engine.listening.listen import converse
from memory_app.models import Conversation, Memory
from memory_app.models.scope import every_space
from tests.conftest import Api
from tests.worlds import NOON

BEFORE = ("memory_app", "0026_few_rows_have_passages")


@pytest.mark.django_db(transaction=True)
def test_what_is_stored_is_brought_in_step(api: Api) -> None:
    leads = enter(person="alice", place=Place("guild", "leads", restricted=True))
    talk, _ = converse(entered=leads, external_id="thread-1", now=NOON)
    for text in ("Ghent", "Lyon", "42"):
        api.remember("alice", text, key=f"key of {text}")
    older = api.remember("alice", "The blue tiles are for the kitchen")
    newer = api.remember("alice", "Green is what the bathroom gets")
    assert api.get("/conflicts?person=alice").json()["items"] == []
    api.post("/people/alice/notes/2026-11-20", {"text": "The plumber mended the boiler"})
    MigrationExecutor(connection).migrate([BEFORE])
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory SET key = CASE content WHEN 'Ghent' THEN 'Home City'"
            " WHEN 'Lyon' THEN 'home  city' WHEN '42' THEN 'shoe size' ELSE '' END"
        )
        cursor.execute(
            "UPDATE memory SET attributes = jsonb_build_object('conflicts_with', %s::text, 'colour', 'green')"
            " WHERE id = %s",
            [older["id"], newer["id"]],
        )
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes("memory_app"))
    with every_space():
        keys = dict(Memory.objects.values_list("content", "key"))
        assert {text: key for text, key in keys.items() if key} == {"Lyon": "home  city", "42": "shoe size"}
        assert Conversation.objects.get(id=talk.id).channel_name == "leads"
    noted = {"person": "alice", "query": "boiler", "kinds": ["note"], "method": "text"}
    assert [found["note"]["date"] for found in api.post("/search", noted).json()["results"]] == ["2026-11-20"]
    (conflict,) = api.get("/conflicts?person=alice").json()["items"]
    assert (conflict["older"]["id"], conflict["newer"]["id"]) == (older["id"], newer["id"])
    assert api.get(f"/memories/{newer['id']}").json()["attributes"] == {"colour": "green"}
