"""`manage.py status`: what is told of a Keepsake, and what is not."""

from io import StringIO

import pytest
from django.core.management import call_command

from tests.conftest import Api

pytestmark = pytest.mark.django_db


def _status() -> dict[str, str]:
    out = StringIO()
    call_command("status", stdout=out)
    rows = [line.strip().split("  ", 1) for line in out.getvalue().splitlines() if line.startswith("  ")]
    return {name: value.strip() for name, value in rows}


def test_it_tells_where_it_is_and_what_it_holds(api: Api, settings: object) -> None:
    api.remember("alice", "The tile is blue")
    api.remember("bob", "The door is red")
    told = _status()
    assert told["data folder"] == str(settings.KEEPSAKE_DATA)  # type: ignore[attr-defined]
    assert told["database"].startswith("embedded, PostgreSQL ")
    assert (told["people"], told["memories"], told["deleted memories"]) == ("2", "2", "0")
    assert told["worker"] == "no job worker has said anything for half a minute"
    assert (told["embedding model"], told["language model"]) == ("test-hashing-64", "none")


def test_each_setting_is_told_with_where_it_is_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPSAKE_FADE_BELOW", "0.1")
    monkeypatch.setenv("KEEPSAKE_MEMORY", "off")
    told = _status()
    assert told["KEEPSAKE_FADE_BELOW"] == "0.1 (environment)"
    assert told["KEEPSAKE_MEMORY"] == "off (environment)"
    assert told["KEEPSAKE_LOG_DAYS"] == "90 (default)"
    assert told["KEEPSAKE_LLM"] == "none (default)"


def test_secrets_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPSAKE_LLM_API_KEY", "heliotrope")
    assert _status()["KEEPSAKE_LLM_API_KEY"] == "•••••• (environment)"
