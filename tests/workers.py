"""Real worker processes on the test database, to be killed like any other. One program forks them all, so that each
costs no start; each says every step it takes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import connection

from config.env import ROOT

PROGRAM = """
import os, signal, sys, traceback
import django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from memory_app import jobs
from memory_app.embedding.encoder import use_encoder
from memory_app.jobs import embed_rows, runs
from tests.encoder import HashingEncoder
embed_rows.BATCH_SIZE = 4
plain = runs.Progress.report
def say(*words):  # in one piece, for several say something at once
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())
def told(progress, done, total):
    say("step")
    plain(progress, done, total)
runs.Progress.report = told
class Deadly(HashingEncoder):
    def documents(self, texts):  # as a text does that exhausts the memory
        if any("deadly nightshade" in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().documents(texts)
def work(name):
    try:
        with use_encoder(Deadly()):
            say("told", jobs.run_scheduled(name))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
for line in sys.stdin:
    name, number = line.split()
    children = [os.fork() or work(name) for _ in range(int(number))]
    say("began", *children)
    for child in children:
        os.waitpid(child, 0)
    say("ended")
"""


class Workers:
    """The program, and what it and the workers it forked say."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, job: str, *, number: int = 1) -> list[str]:
        """Runs a job in so many workers at once; answers what each of them told when it was done."""
        self._ask(job, number)
        return [line.removeprefix("told ") for line in self._until("ended") if line.startswith("told")]

    def kill_after(self, job: str, steps: int) -> list[str]:
        """Runs a job, and kills its worker once it took so many steps; answers what was said until then."""
        self._ask(job, 1)
        said = self._until("began")
        worker = int(said[-1].split()[1])
        while sum(line == "step" for line in said) < steps and not any(line.startswith("told") for line in said):
            said.append(self._read())
        os.kill(worker, signal.SIGKILL)
        return [*said, *self._until("ended")]

    def kill_in(self, job: str, seconds: float) -> bool:
        """Runs a job, and kills its worker so much later, wherever it is by then; answers whether it was not done."""
        self._ask(job, 1)
        worker = int(self._until("began")[-1].split()[1])
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
        return not any(line.startswith("told") for line in self._until("ended"))

    def _ask(self, job: str, number: int) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{job} {number}\n")
        self.process.stdin.flush()

    def _until(self, start: str) -> list[str]:
        said = [self._read()]
        while not said[-1].startswith(start):
            said.append(self._read())
        return said

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the workers' program ended"
        return line.strip()


@contextmanager
def workers() -> Iterator[Workers]:
    """Ready to be asked, on the test database, in which must have been committed what they are to see."""
    name = connection.settings_dict["NAME"]
    command, pipe = [sys.executable, "-c", PROGRAM, name], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as process:
        yield Workers(process)
        assert process.stdin is not None
        process.stdin.close()
        process.wait(120)
