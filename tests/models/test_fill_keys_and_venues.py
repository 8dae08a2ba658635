"""What was stored before keys compared without case and spacing, and before a venue told conversations apart."""

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
    MigrationExecutor(connection).migrate([BEFORE])
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory SET key = CASE content WHEN 'Ghent' THEN 'Home City'"
            " WHEN 'Lyon' THEN 'home  city' ELSE 'shoe size' END"
        )
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes("memory_app"))
    with every_space():
        keys = dict(Memory.objects.values_list("content", "key"))
        assert keys == {"Ghent": "", "Lyon": "home  city", "42": "shoe size"}
        assert Conversation.objects.get(id=talk.id).channel_name == "leads"
