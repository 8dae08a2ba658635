"""Django's settings of the database: worked out from the environment, with nothing started and no password in them."""

import sys
from pathlib import Path

import pytest

from config.env import Env
from memory_app.postgres import django_database


def test_the_embedded_server_is_reached_with_the_password_left_in_its_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("KEEPSAKE_DATA", "/srv/keepsake")
    assert django_database(Env.read()) == {
        "ENGINE": "memory_app.postgres.fast",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "NAME": "keepsake",
        "USER": "keepsake",
        "HOST": "/srv/keepsake/postgres/socket",
        "PORT": "5432",
        "OPTIONS": {
            "passfile": "/srv/keepsake/postgres/pgpass",
            "connect_timeout": 5,
            "prepare_threshold": sys.maxsize,
            "options": "-c plan_cache_mode=force_generic_plan",
        },
    }


def test_all_that_a_url_says_goes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://alice:p%40ss@db.example.org:6432/memory?sslmode=require")
    assert django_database(Env.read()) == {
        "ENGINE": "memory_app.postgres.fast",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "NAME": "memory",
        "USER": "alice",
        "PASSWORD": "p@ss",
        "HOST": "db.example.org",
        "PORT": "6432",
        "OPTIONS": {"connect_timeout": 5, "sslmode": "require"},
        "DISABLE_SERVER_SIDE_CURSORS": True,
    }
