"""Django's command line, with the database there for as long as a command needs it."""

import os
import sys

import django
from django.core.management import CommandError, execute_from_command_line
from django.db import connections

from config.env import Env
from memory_app.postgres import PostgresError, running_database
from memory_app.serving.data_folder import folder_message, is_data_folder
from memory_app.serving.migrate_and_collect import migrate_if_needed, refuse_old_tables

# These read no table. `serve` looks after the database by itself.
WITHOUT_DATABASE = {
    "check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages", "mcp", "serve",
    "startapp", "startproject", "version",
}  # fmt: skip
# Django's own commands take the tables as they find them, and the worker is started by `serve`, which has seen to them.
# Every other command of ours may be the first thing that is ever run, and finds them up to date.
TABLES_AS_THEY_ARE = {
    "createcachetable", "dbshell", "dumpdata", "flush", "inspectdb", "loaddata", "makemigrations", "migrate",
    "optimizemigration", "prepare", "qcluster", "showmigrations", "sqlflush", "sqlmigrate", "sqlsequencereset",
    "squashmigrations", "test", "testserver", "worker",
}  # fmt: skip
# For NumPy, here and in what `serve` starts. Products are small, and after one a second thread of OpenBLAS keeps its
# core busy waiting for the next: 20 x 384 by 384 x 900 took 45 ms of processor with two threads and .7 with one.
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "1")


def main(arguments: list[str]) -> None:
    """Runs one command. What is said about the database goes to standard error: the output is the command's own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault(*BLAS_THREADS)  # NumPy reads it as it is imported
    command = arguments[1] if len(arguments) > 1 else "help"
    helped = command.startswith("-") or bool({"-h", "--help"} & set(arguments))
    _tell_folder(command, [] if helped else arguments[1:])
    if command in WITHOUT_DATABASE or helped:
        execute_from_command_line(arguments)
        return
    try:
        with running_database(Env.read()):
            if command not in TABLES_AS_THEY_ARE:
                django.setup()
                migrate_if_needed()
            elif command == "migrate":
                django.setup()
                refuse_old_tables()
            try:
                execute_from_command_line(arguments)
            finally:
                connections.close_all()
    except (PostgresError, CommandError) as error:
        sys.exit(f"keepsake: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _tell_folder(command: str, words: list[str]) -> None:
    """Of an existing folder our own commands tell; the making of a new one is never passed over."""
    env = Env.read()
    line = folder_message(env, words)
    if command not in WITHOUT_DATABASE | TABLES_AS_THEY_ARE or not is_data_folder(env):
        sys.stderr.write(f"{line}\n")
