"""The web server as a program, whether its port is free, and whether it answers."""

import http.client
import socket
import sys
from urllib.parse import urlsplit

from config.env import Env

from .program import Program

# One process, for it holds the encoder (hundreds of megabytes). The encoder and the database work outside Python's
# lock, so that threads use all cores; more of them only make each other wait for it: on two cores 50 clients were
# answered 10 to 20 % faster by four than by eight, and by three no faster than by four.
THREADS = 4
# Each thread keeps a connection to the database; letting an idle one go would make the next request pay for another.
THREAD_IDLE_SECONDS = 600
BACKLOG = 1024
KILL_SECONDS = 5
ANSWER_SECONDS = 2.0


class PortInUse(Exception):
    """Another program listens where the web server should."""


def web_server(env: Env) -> Program:
    options = {
        "--interface": "wsgi",
        "--host": env.host,
        "--port": env.port,
        "--workers": 1,
        "--blocking-threads": THREADS,
        "--blocking-threads-idle-timeout": THREAD_IDLE_SECONDS,
        "--backlog": BACKLOG,
        "--workers-kill-timeout": KILL_SECONDS,
        "--log-level": "error",
    }
    given = [str(word) for option in options.items() for word in option]
    command = [
        sys.executable,
        "-m",
        "granian",
        *given,
        "--no-ws",
        "config.wsgi:application",
    ]
    return Program("web server", command)


def refuse_busy_port(env: Env) -> None:
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


def answers(env: Env) -> bool:
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
