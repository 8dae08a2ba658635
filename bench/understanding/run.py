"""Measures the sets of cases through the real engine, on a database of its own and with the real encoder."""

import argparse
import sys
from collections.abc import Sequence

from django.utils import timezone

from bench.understanding import changes, conversations, pairs, questions, replies, requests, sensitive
from bench.understanding.cases import SHOWN_HALF, cases
from bench.understanding.figures import CaseSet, Outcome, table, table_rows
from bench.understanding.simulated_person import SimulatedPerson
from config.env import Env
from memory_app.embedding.encoder import Encoder, current_encoder
from memory_app.models.operation import ensure_partitions
from memory_app.postgres import running_database
from memory_app.serving.migrate_and_collect import migrate_if_needed

SETS = {
    module.SET.name: module.SET for module in (conversations, requests, questions, changes, pairs, replies, sensitive)
}


def main(arguments: argparse.Namespace) -> None:
    """On the data folder that Django was set up with, a new one. arguments: from `parse_arguments`."""
    with running_database(Env.read()):
        migrate_if_needed()
        ensure_partitions(timezone.now())
        _measure(arguments)


def _measure(arguments: argparse.Namespace) -> None:
    lines: list[tuple[str, ...]] = []
    for name in arguments.sets or SETS:
        measured = {half: _outcomes(SETS[name], half, current_encoder()) for half in arguments.halves}
        lines += table_rows(SETS[name], measured)
        if arguments.show:
            _show(name, measured.get(SHOWN_HALF, ()))
    print(table(lines))


def _outcomes(of: CaseSet, half: str, encoder: Encoder) -> list[Outcome]:
    found = []
    for case in cases(of.name, half):
        name = f"{of.name} {case.get('id') or case['person']}"
        found.append(of.measure(case, SimulatedPerson(name, encoder)))
    print(f"{of.name}, {half}: {len(found)} cases", file=sys.stderr, flush=True)
    return found


def _show(name: str, outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        for fault in outcome.faults:
            print(f"{name}: {fault}")
