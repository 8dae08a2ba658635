"""Turns sent over HTTP beside the insert of one row into the same table, committed."""

from collections.abc import Iterator

from django.db import transaction

from bench.raw_sql import RawConnection, Statement, record_statements
from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import texts
from bench.timing import interleaved, p50, p95
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.models import Turn
from memory_app.models.ids import new_id
from memory_app.models.row_security import allowed_spaces
from memory_app.postgres.fast.insert_rows import insert_rows

ROUNDS = 100
TURNS_AT_ONCE = 10
INSERT = 'INSERT INTO "turn"'
POSITION_OFFSET = 1_000_000
"""Positions past all that are taken while it is measured."""


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    client, said = bench_setup.client(), texts(ROUNDS * (TURNS_AT_ONCE + 1), "turns")
    venue_context, raw = resolve_venue(person="raw insert"), RawConnection()
    raw.set_spaces(venue_context)
    inserts = _inserts(bench_setup, said[:ROUNDS], venue_context)

    def conversation(name: str) -> str:
        return str(client.post("/conversations", {"person": name})["id"])

    one, ten = conversation("talker"), conversation("reader")

    def several(n: int) -> list[dict[str, str]]:
        start = ROUNDS + n * TURNS_AT_ONCE
        return [_turn(start + i, text) for i, text in enumerate(said[start : start + TURNS_AT_ONCE])]

    taken = interleaved(
        {
            "one": lambda n: client.post(f"/conversations/{one}/turns", _turn(n, said[n])),
            "ten": lambda n: client.post(f"/conversations/{ten}/turns", {"turns": several(n)}),
            "raw": lambda n: raw.run(inserts[n]),
        },
        ROUNDS,
    )
    raw.close()
    insert = p95(taken["raw"]) * 1e3
    yield Line("one turn, p95", p95(taken["one"]) * 1e3, "ms", insert, "raw insert, p95", at_most=3)
    yield Line("ten turns, p95", p95(taken["ten"]) * 1e3, "ms", insert, "one raw insert, p95", at_most=3)
    yield Line("one turn, p50", p50(taken["one"]) * 1e3, "ms", p50(taken["raw"]) * 1e3, "raw insert, p50")


def _turn(number: int, text: str) -> dict[str, str]:
    return {"role": "assistant" if number % 2 else "user", "content": text}


def _inserts(bench_setup: BenchSetup, said: list[str], venue_context: VenueContext) -> list[Statement]:
    """The statements that store these turns, one each, ready to be sent again: under new ids, at new positions."""
    conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id="", now=bench_setup.now)
    found = []
    for text in said:
        [turn] = add_turns(conversation=conversation.id, turns=[TurnInput("user", text)], now=bench_setup.now).turns
        assert turn is not None
        found.append(_insert_statement(turn))
    return found


def _insert_statement(turn: Turn) -> Statement:
    """The statement that would store one more turn like this one."""
    turn.id, turn.position = new_id(), turn.position + POSITION_OFFSET
    with record_statements() as sent, transaction.atomic():
        with allowed_spaces([turn.space_id]):
            insert_rows([turn])
        transaction.set_rollback(True)
    return next(statement for statement in sent.statements if statement.sql.startswith(INSERT))
