"""`manage.py mcp`: a server of MCP on standard input and output, for assistants that start one.

`manage.py` runs it without Django; this is how `manage.py help` knows of it.
"""

from argparse import Namespace
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memory_app.mcp_proxy.command import HELP, add_options, serve


class Command(BaseCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        add_options(parser)

    def handle(self, **options: Any) -> None:
        serve(Namespace(**options))
