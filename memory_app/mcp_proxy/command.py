"""What `manage.py mcp` takes, and its main function."""

import argparse
import os
import sys

from memory_app.mcp_proxy.forward import Proxy
from memory_app.mcp_proxy.server import EXAMPLE_URL as DEFAULT_URL
from memory_app.mcp_proxy.server import Server

HELP = "Speaks MCP on standard input and output for an assistant, and passes all of it to a running server."


def add_options(parser: argparse.ArgumentParser) -> None:
    """An option goes before its variable. A variable is better for a key: others on the machine see options."""
    set_by = os.environ.get
    parser.add_argument(
        "--url", default=set_by("KEEPSAKE_URL") or DEFAULT_URL, help=f"of the server; KEEPSAKE_URL, else {DEFAULT_URL}"
    )
    parser.add_argument("--key", default=set_by("KEEPSAKE_KEY", ""), help="better put into KEEPSAKE_KEY")
    parser.add_argument(
        "--person", default=set_by("KEEPSAKE_PERSON", ""), help="whose memory it is, where the key is for several"
    )
    parser.add_argument(
        "--tools", default=set_by("KEEPSAKE_TOOLS", ""), help="a set of tools, such as readonly; left out, all of ours"
    )


def serve(options: argparse.Namespace) -> None:
    """Until the input ends."""
    server = Server(options.url.rstrip("/"), options.key.strip(), options.person, options.tools)
    Proxy(server, sys.stdout.buffer).run(sys.stdin.buffer)


def main(arguments: list[str]) -> None:
    """arguments: as the process has them, `mcp` the second."""
    parser = argparse.ArgumentParser(prog=f"{os.path.basename(arguments[0])} mcp", description=HELP)
    add_options(parser)
    try:
        serve(parser.parse_args(arguments[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
