"""The web server as a program, whether its port is free, and whether it answers."""

import http.client
import socket
import sys
from urllib.parse import urlsplit

from config.env import Env
from memory_app.serving.child_process import Program

# One process, for it holds the encoder (hundreds of megabytes). `front` has its threads.
BACKLOG = 1024
# Connections at once, of those that wait for more to be sent too. Each takes a file and some kilobytes.
CONNECTIONS = 8192
HEADER_MILLISECONDS = 10_000
KILL_SECONDS = 5
ANSWER_SECONDS = 2.0


class PortInUse(Exception):
    """Another program listens where the web server should."""


def web_server_program(env: Env) -> Program:
    options = {
        "--interface": "rsgi",
        "--host": env.host,
        "--port": env.port,
        "--workers": 1,
        "--http": "1",  # there, unlike where it must first find out which, time for the headers is limited
        "--http1-header-read-timeout": HEADER_MILLISECONDS,
        "--backpressure": CONNECTIONS,
        "--backlog": BACKLOG,
        "--workers-kill-timeout": KILL_SECONDS,
        "--log-level": "error",
    }
    options_given = [str(word) for option in options.items() for word in option]
    command = [
        sys.executable,
        "-m",
        "granian",
        *options_given,
        "--no-ws",
        "config.rsgi:application",
    ]
    return Program("web server", command, sends_heartbeats=True)


def check_port(env: Env) -> None:
    """PortInUse when somebody listens there already; asked before anything is started."""
    family = socket.AF_INET6 if ":" in env.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((env.host, env.port))
        except OSError as error:
            raise PortInUse(
                f"The web server cannot listen on {env.host} port {env.port}: {error.strerror}. "
                f"Stop what uses it, or choose another, such as PORT={env.port + 1}."
            ) from None


def is_answering(env: Env) -> bool:
    """Whether the web server says that it is alive."""
    parts = urlsplit(env.address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
