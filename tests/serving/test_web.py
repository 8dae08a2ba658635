"""The web server's port: taken, free, answering."""

import socket

import pytest

from config.env import Env
from memory_app.serving.web import PortInUse, check_port, is_answering


def test_a_port_that_is_taken_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        monkeypatch.setenv("PORT", str(port))
        with pytest.raises(PortInUse, match=rf"127\.0\.0\.1 port {port}: Address already in use\. .* PORT={port + 1}"):
            check_port(Env.read())


def test_a_free_port_is_accepted_and_nobody_answers_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PORT", str(other.getsockname()[1]))
    check_port(Env.read())
    assert not is_answering(Env.read())
