"""`manage.py job run NAME`: one job, now, with its progress."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from memory_app.errors import KeepsakeError
from memory_app.jobs import JOBS, run_job_for, run_job_here


class Command(BaseCommand):
    help = "Runs the jobs that the worker runs by itself."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        run = verbs.add_parser("run", help="runs one job now")
        run.add_argument("name", choices=sorted(JOBS), help="; ".join(f"{n}: {job.about}" for n, job in JOBS.items()))

        run.add_argument("--person", help="for this person alone")
        run.add_argument("--dry-run", action="store_true", help="with --person: tell what it would do, and do nothing")

    def handle(self, **options: Any) -> None:
        if options["person"] or options["dry_run"]:
            self.stdout.write(self._for_one(options["name"], options["person"], options["dry_run"]))
            return
        with tqdm(desc=options["name"], unit=" rows") as bar:

            def report(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            try:
                message = run_job_here(options["name"], "command:job run", report)
            except KeepsakeError as error:
                raise CommandError(str(error)) from None
        self.stdout.write(message)

    def _for_one(self, name: str, person: str | None, dry_run: bool) -> str:
        if person is None:
            raise CommandError("Name the person to try it for: --person P.")
        try:
            return run_job_for(name, person, "command:job run", dry_run=dry_run)
        except KeepsakeError as error:
            raise CommandError(str(error)) from None
