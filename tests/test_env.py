"""The environment is read strictly, and the secret key is made once."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.env import ROOT, Env, data_folder, secret_key


def test_defaults_are_those_of_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in os.environ if name.startswith("KEEPSAKE_") or name in ("PORT", "HOST", "DATABASE_URL")
    ]:
        monkeypatch.delenv(name)
    env = Env.read()
    assert (env.port, env.host, env.data, env.debug) == (8000, "127.0.0.1", ROOT / "var", False)
    assert (env.embedded, env.llm, env.address) == (True, "", "http://127.0.0.1:8000")


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("PORT", "")
    env = Env.read()
    assert env.embedded
    assert env.port == 8000


def test_a_relative_data_folder_becomes_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEEPSAKE_DATA", "kept")
    assert Env.read().data == tmp_path / "kept"


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("PORT", "99999", "PORT: Input should be less than or equal to 65535"),
        (
            "DATABASE_URL",
            "mysql://a:hidden@h/d",
            "DATABASE_URL: should look like postgresql://user:password@host:5432/database",
        ),
        ("KEEPSAKE_LLM", "gpt-5", "KEEPSAKE_LLM: should look like openai:gpt-5-mini, that is provider:model"),
        (
            "KEEPSAKE_LLM",
            "oracle:delphi",
            "KEEPSAKE_LLM: names no provider that Keepsake knows; it knows openai, anthropic, ollama",
        ),
        ("KEEPSAKE_MEMORY", "perhaps", "KEEPSAKE_MEMORY: Input should be a valid boolean, unable to interpret input"),
        ("KEEPSAKE_FADE_BELOW", "1.5", "KEEPSAKE_FADE_BELOW: Input should be less than 1"),
        ("KEEPSAKE_LOG_DAYS", "0", "KEEPSAKE_LOG_DAYS: Input should be greater than or equal to 1"),
        ("KEEPSAKE_RERANKER", "llm", "KEEPSAKE_RERANKER: llm needs KEEPSAKE_LLM"),
    ],
)
def test_a_bad_value_ends_with_one_line_that_names_it(
    variable: str, value: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit) as stopped:
        Env.read()
    assert stopped.value.code == f"keepsake: bad environment: {line}"


def test_the_host_of_the_public_address_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.setenv("KEEPSAKE_PUBLIC_URL", "https://memory.example.org/")
    env = Env.read()
    assert env.allowed_hosts == ["localhost", "127.0.0.1", "[::1]", "memory.example.org"]
    assert env.public_url == "https://memory.example.org"
    assert env.address == "http://127.0.0.1:8000"


def test_a_password_in_the_url_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://alice:hidden@db/keepsake")
    assert "hidden" not in repr(Env.read())


def test_a_data_folder_that_cannot_be_made_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit) as stopped:
        data_folder(tmp_path / "file" / "var")
    assert stopped.value.code == f"keepsake: KEEPSAKE_DATA: {tmp_path}/file/var: Not a directory"


def test_many_at_once_agree_on_one_secret_key(tmp_path: Path) -> None:
    data = tmp_path / "var"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(secret_key, [data] * 32))
    assert len(keys) == 1
    assert len(keys.pop()) == 64
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in data.iterdir()] == ["secret_key"]
