"""Turns sent over HTTP beside the insert of one row into the same table, committed."""

from collections.abc import Iterator

from django.db import transaction

from bench.ground import Ground
from bench.raw import Raw, Statement, listening
from bench.table import Line
from bench.texts import texts
from bench.timing import interleaved, p50, p95
from memory_app.engine.enter import Entered, enter
from memory_app.engine.listening.listen import Said, converse, listen
from memory_app.models import Turn
from memory_app.models.ids import new_id
from memory_app.models.insert import insert
from memory_app.models.scope import within

ROUNDS = 100
SEVERAL = 10
INSERT = 'INSERT INTO "turn"'
LATER = 1_000_000
"""Positions past all that are taken while it is measured."""


def measure(ground: Ground) -> Iterator[Line]:
    client, said = ground.client(), texts(ROUNDS * (SEVERAL + 1), "turns")
    entered, raw = enter(person="raw insert"), Raw()
    raw.reach(entered)
    inserts = _inserts(ground, said[:ROUNDS], entered)

    def conversation(name: str) -> str:
        return str(client.post("/conversations", {"person": name})["id"])

    one, ten = conversation("talker"), conversation("reader")

    def several(n: int) -> list[dict[str, str]]:
        start = ROUNDS + n * SEVERAL
        return [_turn(start + i, text) for i, text in enumerate(said[start : start + SEVERAL])]

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


def _inserts(ground: Ground, said: list[str], entered: Entered) -> list[Statement]:
    """The statements that store these turns, one each, ready to be sent again: under new ids, at new positions."""
    conversation, _ = converse(entered=entered, external_id="", now=ground.now)
    found = []
    for text in said:
        [turn] = listen(conversation=conversation.id, said=[Said("user", text)], now=ground.now).turns
        assert turn is not None
        found.append(_another(turn))
    return found


def _another(turn: Turn) -> Statement:
    """The statement that would store one more turn like this one."""
    turn.id, turn.position = new_id(), turn.position + LATER
    with listening() as sent, transaction.atomic():
        with within([turn.space_id]):
            insert([turn])
        transaction.set_rollback(True)
    return next(statement for statement in sent.statements if statement.sql.startswith(INSERT))
