"""Saving: how often the database is asked for one memory."""

import re

import pytest
from django.db import connection, transaction

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.venue_context import resolve_venue
from tests.postgres.sent_statements import SentStatements
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

KIND = re.compile(r'WITH \w+|SELECT|SET|INSERT INTO "\w+"')


def test_a_new_memory_is_one_lock_two_reads_and_an_insert_into_each_table() -> None:
    venue_context = resolve_venue(person="alice")
    with transaction.atomic(), connection.execute_wrapper(sent := SentStatements()):
        remember(
            venue_context=venue_context,
            memory_input=MemoryInput("I met Anna in Lisbon."),
            author=Author("key", "tests"),
            now=NOON,
            encoder=current_encoder(),
        )
    kinds = [found[0] for one in sent.statements if (found := KIND.match(one.strip()))]
    assert kinds == [
        "SET",
        "WITH beside",
        "SELECT",
        'INSERT INTO "memory"',
        'INSERT INTO "entity"',
        'INSERT INTO "entity_link"',
        'INSERT INTO "operation"',
        "SET",
    ]
    assert len(sent.statements) == len(kinds)
    assert "pg_advisory_xact_lock" in sent.statements[0]
