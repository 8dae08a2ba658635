"""A disk that is nearly full: nothing more is written, and what is there can be read and taken back."""

import pytest

from memory_app.api import auth
from memory_app.postgres import DiskState
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def test_writes_are_refused_and_reads_go_on(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = api.remember("alice", "The kitchen gets blue tiles")
    monkeypatch.setattr(auth, "disk_state", lambda data: DiskState(free=1, total=1 << 40))
    refused = api.post("/memories", {"person": "alice", "content": "The bathroom gets white tiles"})
    assert refused.status_code == 503
    assert refused.json()["detail"].startswith("Nothing new can be kept")
    assert api.get(f"/memories/{kept['id']}").status_code == 200
    assert api.call("DELETE", f"/memories/{kept['id']}").status_code == 204
