"""Hindsight's client, unchanged, over a real port. Those of mem0 need environments of their own: `make clients`."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest_django.live_server_helper import LiveServer

from memory_app.models import ApiKey
from tests.clients.hindsight_python import called, run
from tests.database import wait_for_threads


@pytest.mark.django_db(transaction=True)
def test_the_client_of_hindsight_works_as_it_is(live_server: LiveServer) -> None:
    _, token = ApiKey.issue("client", scopes=["read", "write"])
    with ThreadPoolExecutor(
        1
    ) as another_thread:  # in this one a browser's event loop may run, as the client's own does
        another_thread.submit(run, f"{live_server.url}/compat/hindsight", token).result()
    assert len(called) == 21
    wait_for_threads()
