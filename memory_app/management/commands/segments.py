"""`manage.py segments`: compares what a search reads packed with the rows, and packs anew what differs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from memory_app.engine.retrieval.check_segments import check_segments, rebuild_segments


class Command(BaseCommand):
    help = "Compares segments, which a search reads, with the rows that they are made of."

    def add_arguments(self, parser: CommandParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--mend", action="store_true", help="pack anew what differs")
        how.add_argument("--rebuild", action="store_true", help="pack everything anew, as after a new major PostgreSQL")

    def handle(self, **options: Any) -> None:
        with tqdm(desc="segments", unit=" spaces") as bar:

            def report(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            if options["rebuild"]:
                check = rebuild_segments(report=report)
            else:
                check = check_segments(mend=options["mend"], report=report)
        self.stdout.write(str(check))
        if check.wrong and not (options["mend"] or options["rebuild"]):
            raise CommandError("What differs is packed anew with --mend, or by the job `segments` at night.")
