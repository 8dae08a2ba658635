"""Hindsight's client, unchanged, over a real port. Those of mem0 need environments of their own: `make clients`."""

import subprocess
import sys

import pytest
from pytest_django.live_server_helper import LiveServer

from config.env import ROOT
from memory_app.models import ApiKey
from tests.database import wait_for_threads


@pytest.mark.django_db(transaction=True)
def test_the_client_of_hindsight_works_as_it_is(live_server: LiveServer) -> None:
    """In a process of its own, for it leaves its event loop and its connections open."""
    _, token = ApiKey.issue("client", scopes=["read", "write"])
    program = [sys.executable, "-m", "tests.clients.hindsight_python", live_server.url, token]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "21 calls" in done.stdout
    wait_for_threads()
