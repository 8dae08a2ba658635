"""`manage.py job run NAME`: one job, now, with its progress."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from memory_app.jobs import JOBS


class Command(BaseCommand):
    help = "Runs the jobs that the worker runs by itself."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        run = verbs.add_parser("run", help="runs one job now")
        run.add_argument("name", choices=sorted(JOBS), help="; ".join(f"{n}: {job.about}" for n, job in JOBS.items()))

    def handle(self, **options: Any) -> None:
        with tqdm(desc=options["name"], unit=" rows") as bar:

            def report(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            told = JOBS[options["name"]].run(report)
        self.stdout.write(told)
