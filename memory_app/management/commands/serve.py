"""`manage.py serve`: the database, the web server and the job worker together, until Ctrl-C.

What `serve` prints once everything runs: where it is, how to sign in and, the first time, a key to try at once.
"""

import os
import subprocess
import sys

from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils import timezone

from config.env import ROOT, Env
from memory_app.engine.first_access import FirstAccess, create_first_access
from memory_app.postgres import Database, PostgresError, running_database
from memory_app.serving.child_process import Program, end_with_parent
from memory_app.serving.supervisor import SupervisorHooks, supervise
from memory_app.serving.web import PortInUse, check_port, is_answering, web_server_program

MANAGE = [sys.executable, str(ROOT / "manage.py")]


class Command(BaseCommand):
    """Prints only what a person needs: the address, how to sign in, and what went wrong."""

    help = "Starts the database, the web server and the job worker, and stops them together."
    requires_system_checks: list[str] = []
    last_error = ""

    def handle(self, *args: object, **options: object) -> None:
        env = Env.read()
        _end_with_parent_make()
        try:
            check_port(env)
            self.report("Starting the database …")
            with running_database(env) as database:
                code = self.serve(env, database)
        except (PortInUse, PostgresError) as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:  # before the supervisor was there to take it
            code = 0
        if code:
            raise CommandError("Keepsake could not start; the lines above say why.", returncode=code)
        self.report("Stopped.")

    def serve(self, env: Env, database: Database) -> int:
        """Makes ready what the programs need, then runs them."""
        if code := subprocess.run([*MANAGE, "prepare"], check=False).returncode:
            return code
        # Checks would load every page into a process that serves none.
        worker = Program("job worker", [*MANAGE, "worker", "--skip-checks"], sends_heartbeats=True)
        hooks = SupervisorHooks(
            ready=lambda: is_answering(env),
            announce=lambda: self.announce(env),
            restart_if_dead=lambda: self.restart_if_dead(database),
            report=self.report,
        )
        for_model = Program(
            "worker for the language model", ["env", "Q_CLUSTER_NAME=models", *worker.command], sends_heartbeats=True
        )
        return supervise([web_server_program(env), worker, *([for_model] if env.llm else [])], hooks)

    def announce(self, env: Env) -> None:
        """Only now is the first login made: were it made before, a start that fails would take it along unseen."""
        made = create_first_access(timezone.now())
        connections.close_all()
        self.report(first_start_message(env.address, made) if made else later_start_message(env.address))

    def restart_if_dead(self, database: Database) -> None:
        try:
            if database.restart_if_dead():
                self.report("The database had been killed; it runs again.")
            self.last_error = ""
        except PostgresError as error:
            if str(error) != self.last_error:  # it is tried again each second, and said once
                self.last_error = str(error)
                self.report(f"{error}\nTrying again …")

    def report(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _end_with_parent_make() -> None:
    """Under `make run`, a make that is killed must not leave its server behind, holding the port."""
    if "MAKELEVEL" in os.environ and (die := end_with_parent(os.getppid())):
        die()


EXAMPLE_REQUEST = '{"person": "alice", "utterance": "Remember that we decided to go with the blue tile"}'


def first_start_message(address: str, made: FirstAccess) -> str:
    """The address, and the login and key that are shown this once."""
    headers = f"-H 'Authorization: Bearer {made.key}' -H 'Content-Type: application/json'"
    curl = f"curl -s {address}/api/v1/remember {headers} -d '{EXAMPLE_REQUEST}'"
    return f"""
Keepsake is ready at {address}/ (Ctrl-C stops it)

This is the first start, and the only time that these are shown:

    sign in as  {made.user}
    password    {made.password}
    API key     {made.key}

Try it:

    {curl}
"""


def later_start_message(address: str) -> str:
    """The address, and how to make more logins and keys."""
    return f"""
Keepsake is ready at {address}/ (Ctrl-C stops it)

Sign in at {address}/login/
Another login: .venv/bin/python manage.py user create NAME --super
Another key:   .venv/bin/python manage.py key create NAME
"""
