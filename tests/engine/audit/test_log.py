"""What was done to no memory is in the log too: logins, keys, settings, decisions and jobs; and nothing secret is."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from dashboard.wording import OPERATION_PHRASES
from memory_app.engine.audit.log import Author
from memory_app.engine.first_access import create_first_access
from memory_app.engine.people.settings import change_settings
from memory_app.jobs import run_job_here
from memory_app.models import ApiKey, Operation, Person
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import create_memory, create_proposal
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

NAMED = re.compile(
    r"""(?:operation=|event\(|_log\w*\(|operation_entry\([\w.]+, |record\w*\([\w.]+, )["']([a-z][a-z_ ]+)["']"""
)
OTHERWISE = {"erase", "erase_person", "fade", "admin_search", "request", "accept", "merge", "reject"}
"""Named in other ways than the pattern finds."""


def _logged(name: str) -> list[dict[str, Any]]:
    with every_space():
        rows = Operation.objects.filter(name=name).order_by("id")
        return [{"author": row.author, **row.detail} for row in rows]


def test_the_first_login_and_key_are_logged_without_password_or_key() -> None:
    made = create_first_access(NOON)
    assert made
    key = ApiKey.objects.get()
    assert _logged("create_user") == [{"author": "command:serve", "name": "admin", "super": True}]
    assert [(entry["prefix"], entry["name"]) for entry in _logged("create_key")] == [(key.prefix, "first key")]
    with every_space():
        said = str(list(Operation.objects.values()))
    assert made.password not in said
    assert made.key not in said


def test_settings_are_logged_by_what_changed(api: Api) -> None:
    api.remember("alice", "Tea is at five.")
    sent = {"display_name": "Alice Secretname", "extraction_policy": "auto", "memory_enabled": True}
    api.call("PATCH", "/people/alice", sent)
    [entry] = _logged("settle")
    assert entry["author"].startswith("key:")
    assert (entry["changed"], entry["extraction_policy"]) == (["display_name", "extraction_policy"], "auto")
    assert "Secretname" not in str(entry)
    api.call("PATCH", "/people/alice", sent)
    assert len(_logged("settle")) == 1


def test_a_time_zone_that_is_none_changes_and_logs_nothing(api: Api) -> None:
    api.remember("alice", "Tea is at five.")
    assert api.call("PATCH", "/people/alice", {"timezone": "Mars/Crater"}).status_code == 422
    assert _logged("settle") == []


def test_decisions_of_the_inbox_are_logged_with_what_they_were_about(api: Api) -> None:
    first, second = create_proposal("alice", "Alice plays the cello"), create_proposal("alice", "Alice has a boat")
    api.post(f"/proposals/{first.id}/reject", {"reason": "Too private"})
    api.post(f"/proposals/{second.id}/accept", {})
    api.post(f"/proposals/{first.id}/reopen", {})
    [rejected], [accepted], [reopened] = (_logged(name) for name in ("reject", "accept", "reopen"))
    assert (rejected["proposal"], rejected["relation"], rejected["confidence"]) == (str(first.id), "new", 0.8)
    assert (accepted["proposal"], reopened["proposal"]) == (str(second.id), str(first.id))
    assert "cello" not in str(rejected)


def test_a_job_that_did_something_is_logged_and_one_that_found_nothing_is_not() -> None:
    create_memory("alice", "Tea was at four.", now=NOON - timedelta(days=900))
    for _ in range(2):
        run_job_here("fade", "", lambda done, total: None)
    [entry] = _logged("job")
    assert (entry["author"], entry["job"], entry["state"], entry["done"]) == ("job:fade", "fade", "done", 1)


def test_the_log_names_who_changed_settings_and_imports() -> None:
    create_memory("alice", "Tea is at five.")
    person = Person.objects.get(name="alice")
    change_settings(person=person, changes={"memory_enabled": False})
    assert _logged("settle") == []
    change_settings(person=person, changes={"memory_enabled": True}, author=Author("user", "root"), now=NOON)
    assert _logged("settle") == [{"author": "user:root", "changed": ["memory_enabled"], "memory_enabled": True}]


def test_every_operation_has_words() -> None:
    files = [file for file in Path("memory_app").rglob("*.py") if "migrations" not in file.parts]
    named = {name for file in files for name in NAMED.findall(file.read_text())}
    assert {"remember", "forget", "create_key", "settle", "job", "backup"} <= named
    assert (named | OTHERWISE) - {*OPERATION_PHRASES} == set()
