"""Commands say which data folder they work on, and none makes a new one in silence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.env import ROOT, Env
from memory_app.serving.data_folder import folder_message


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Env:
    monkeypatch.setenv("KEEPSAKE_DATA", str(tmp_path / "kept"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return Env.read()


@pytest.mark.parametrize("words", [["key", "create", "cook"], ["user", "create", "root"], ["restore", "f"], ["serve"]])
def test_who_may_be_first_says_that_a_new_folder_is_made(env: Env, words: list[str]) -> None:
    assert folder_message(env, words).startswith(f"keepsake: making a new data folder at {env.data}. Set KEEPSAKE_DATA")


@pytest.mark.parametrize(
    "words", [["key", "list"], ["key", "revoke", "cook"], ["backup", "file"], ["memory", "export"]]
)
def test_who_needs_what_is_kept_refuses_a_new_folder(env: Env, words: list[str]) -> None:
    with pytest.raises(SystemExit, match=f"nothing is kept in {env.data} yet. Set KEEPSAKE_DATA to the folder"):
        folder_message(env, words)
    assert not env.data.exists()
    env.data.mkdir()
    (env.data / "secret_key").touch()
    assert folder_message(env, words) == f"keepsake: working on {env.data}"


def test_a_refused_command_makes_nothing_and_says_why(tmp_path: Path) -> None:
    data = tmp_path / "kept"
    told = subprocess.run(
        [sys.executable, "manage.py", "key", "list"],
        cwd=ROOT,
        env={**os.environ, "KEEPSAKE_DATA": str(data), "DATABASE_URL": ""},
        text=True,
        capture_output=True,
        check=False,
    )
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith(f"keepsake: nothing is kept in {data} yet.")
    assert not data.exists()
