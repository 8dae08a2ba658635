"""`manage.py receipt FILE`: a receipt that was kept is held against its signature, without the database."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory_app.models import Erasure
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("encoder")]

Receipt = dict[str, Any]


def _checked(receipt: object, file: Path) -> str:
    file.write_text(receipt if isinstance(receipt, str) else json.dumps(receipt))
    out = StringIO()
    call_command("receipt", str(file), stdout=out)
    return out.getvalue()


def _receipt(api: Api) -> Receipt:
    memory = api.remember("alice", "The tile is blue")
    told: Receipt = api.post(f"/admin/memories/{memory['id']}/erase", {}).json()
    return told


def test_a_receipt_is_genuine_though_the_database_knows_it_no_more(api: Api, tmp_path: Path) -> None:
    receipt = _receipt(api)
    Erasure.objects.all().delete()
    told = _checked(receipt, tmp_path / "receipt.json")
    assert told.startswith(f"Genuine: memory {receipt['subject']} was erased 20")


def test_that_of_a_person_is_too(api: Api, tmp_path: Path) -> None:
    api.remember("alice", "The tile is blue")
    receipt = api.call("DELETE", "/people/alice").json()
    assert _checked(receipt, tmp_path / "receipt.json").startswith("Genuine: person")


@pytest.mark.parametrize(
    "change",
    [
        lambda receipt: receipt.update(at="2020-01-01T00:00:00Z"),
        lambda receipt: receipt.update(by="user:mallory"),
        lambda receipt: receipt["removed"].update(memory=2),
        lambda receipt: receipt["check"].update(left={"memory.content": 1}),
        lambda receipt: receipt.update(subject=receipt["id"]),
        lambda receipt: receipt.update(erased="person"),
        lambda receipt: receipt.update(purged_at="2026-11-20T12:00:00Z"),
        lambda receipt: receipt.update(signature="0" * 64),
        lambda receipt: receipt.update(signature="é"),
    ],
)
def test_one_that_was_changed_is_not(api: Api, tmp_path: Path, change: Callable[[Receipt], None]) -> None:
    receipt = _receipt(api)
    change(receipt)
    with pytest.raises(CommandError, match="Not genuine"):
        _checked(receipt, tmp_path / "receipt.json")


@pytest.mark.parametrize("said", ["", "no receipt", "[]", "{}", '{"check": {}}', '{"check": []}'])
def test_what_is_no_receipt_is_told_so(said: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no receipt|cannot be read"):
        _checked(said, tmp_path / "receipt.json")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("receipt", str(tmp_path / "missing.json"))
