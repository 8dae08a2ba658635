"""`manage.py serve`: the database, the web server and the job worker together, until Ctrl-C."""

import os
import subprocess
import sys

from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils import timezone

from config.env import ROOT, Env
from memory_app.engine.welcome import welcome
from memory_app.postgres import Database, PostgresError, running
from memory_app.serving.greeting import first_start, later_start
from memory_app.serving.program import Program, ends_with
from memory_app.serving.supervise import Care, supervise
from memory_app.serving.web import PortInUse, answers, refuse_busy_port, web_server

MANAGE = [sys.executable, str(ROOT / "manage.py")]


class Command(BaseCommand):
    """Prints only what a person needs: the address, how to sign in, and what went wrong."""

    help = "Starts the database, the web server and the job worker, and stops them together."
    requires_system_checks: list[str] = []
    trouble = ""

    def handle(self, *args: object, **options: object) -> None:
        env = Env.read()
        _end_with_make()
        try:
            refuse_busy_port(env)
            self.say("Starting the database …")
            with running(env) as database:
                code = self.serve(env, database)
        except (PortInUse, PostgresError) as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:  # before the supervisor was there to take it
            code = 0
        if code:
            raise CommandError("Keepsake could not start; the lines above say why.", returncode=code)
        self.say("Stopped.")

    def serve(self, env: Env, database: Database) -> int:
        """Makes ready what the programs need, then runs them."""
        if code := subprocess.run([*MANAGE, "prepare"], check=False).returncode:
            return code
        # Checks would load every page into a process that serves none.
        worker = Program("job worker", [*MANAGE, "worker", "--skip-checks"], beats=True)
        care = Care(
            ready=lambda: answers(env),
            announce=lambda: self.announce(env),
            heal=lambda: self.heal(database),
            say=self.say,
        )
        for_model = Program(
            "worker for the language model", ["env", "Q_CLUSTER_NAME=models", *worker.command], beats=True
        )
        return supervise([web_server(env), worker, *([for_model] if env.llm else [])], care)

    def announce(self, env: Env) -> None:
        """Only now is the first login made: were it made before, a start that fails would take it along unseen."""
        made = welcome(timezone.now())
        connections.close_all()
        self.say(first_start(env.address, made) if made else later_start(env.address))

    def heal(self, database: Database) -> None:
        try:
            if database.heal():
                self.say("The database had been killed; it runs again.")
            self.trouble = ""
        except PostgresError as error:
            if str(error) != self.trouble:  # it is tried again each second, and said once
                self.trouble = str(error)
                self.say(f"{error}\nTrying again …")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _end_with_make() -> None:
    """Under `make run`, a make that is killed must not leave its server behind, holding the port."""
    if "MAKELEVEL" in os.environ and (die := ends_with(os.getppid())):
        die()
