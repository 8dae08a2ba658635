"""What is searched for after the answer is searched for in the end, whatever becomes of the process that was to."""

import signal
import subprocess
import sys
from uuid import UUID

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from config.env import ROOT
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erasure_receipt import is_genuine, is_search_pending, remaining_steps
from memory_app.engine.erasure.purge import purge_traces
from memory_app.engine.erasure.tombstone_file import read_tombstones
from memory_app.engine.erasure.traces import SearchTexts, seal_texts, search_sealed_texts
from memory_app.jobs import run_scheduled
from memory_app.models import COMMONS, Erased, Erasure
from tests.dashboard.factories import create_memory

PROGRAM = """
import sys, time
import django
from django.conf import settings
from uuid import UUID
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from django.utils import timezone
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.erasure import erase_memory, traces
erase_memory.MAX_ROWS_SEARCHED_AT_ONCE = -1
traces.search_lock.acquire()  # another search goes on, and this one waits for it
at = MemoryRef(UUID(sys.argv[2]), UUID(sys.argv[3]))
print(erase_memory.erase(at=at, author=Author("user", "root"), now=timezone.now()).id, flush=True)
time.sleep(600)
"""
CANARY = "The heliotrope behind the pantry is blue."


@pytest.fixture
def committed(transactional_db: None) -> None:
    """A database that other processes see."""


def _erased_by_one_that_is_killed(space: UUID, memory: UUID) -> Erasure:
    command = [sys.executable, "-c", PROGRAM, connection.settings_dict["NAME"], str(space), str(memory)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        erasure = process.stdout.readline().strip()
        process.send_signal(signal.SIGKILL)
    return Erasure.objects.get(id=UUID(erasure))


@pytest.mark.usefixtures("committed", "encoder")
def test_the_job_finishes_trace_searches_of_a_killed_process() -> None:
    memory = create_memory("alice", CANARY)
    create_memory("bob", CANARY)
    left = _erased_by_one_that_is_killed(memory.space_id, memory.id)
    assert (left.searched, is_search_pending(left), is_genuine(left)) == (0, True, True)
    assert "heliotrope" not in bytes(left.sought or b"").decode()
    assert purge_traces(now=timezone.now(), report=lambda done, total: None) == 0

    assert run_scheduled("erase") == "0 people erased, 1 receipt completed"
    read = Erasure.objects.get(id=left.id)
    assert (read.found["memory.content"], read.searched > 50, read.sought, is_genuine(read)) == (1, True, None, True)
    assert read_tombstones().erasures[read.id].searched == read.searched
    assert purge_traces(now=timezone.now(), report=lambda done, total: None) == 1
    assert "erasure" in Erasure.objects.get(id=left.id).purged["tables"]
    assert run_scheduled("erase") == "0 people erased"


@pytest.mark.django_db
def test_searches_sealed_under_another_secret_are_dropped_and_reported() -> None:
    words = seal_texts(SearchTexts.of([CANARY]))
    erasure = Erasure.objects.create(
        kind=Erased.MEMORY, subject=COMMONS, of_space=COMMONS, by="user:root", sought=words
    )
    erasure.finished_at = erasure.at
    erasure.save()
    with override_settings(SECRET_KEY="another one"):
        assert search_sealed_texts(erasure.id) is True
    read = Erasure.objects.get(id=erasure.id)
    assert (read.searched, read.sought) == (0, None)
    assert any("were not searched for" in told for told in remaining_steps(read))
    assert Author("user", "root").label == read.by


@pytest.mark.django_db
def test_finished_trace_searches_are_not_repeated() -> None:
    erasure = Erasure.objects.create(kind=Erased.MEMORY, subject=COMMONS, of_space=COMMONS, by="user:root", searched=9)
    assert search_sealed_texts(erasure.id) is False
    assert Erasure.objects.get(id=erasure.id).searched == 9
