"""The pages of entities and of fading can be read by everyone, and nothing sticks out."""

from datetime import UTC, datetime, timedelta

import pytest

from ..people import kept, login
from .conftest import PHONE, WIDE, Visit
from .test_reading import violations


def furnished() -> None:
    old = datetime.now(UTC) - timedelta(days=290)
    for name in ("Anna", "Carla", "Diego", "Elena", "Farid"):
        kept("alice", f"I met my friend {name} in Lisbon with my friend Bob.", now=old, key="")
    kept("alice", "See https://example.org/" + "x" * 200 + " about #pottery.", now=old, key="")
    kept("alice", "My card number is 4111 1111 1111 1111.", now=old)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_sticks_out(visit: Visit, scheme: str) -> None:
    furnished()
    alice, found = login("alice", person="alice"), []
    for size in (WIDE, PHONE):
        window = visit(alice, size=size, scheme=scheme)
        window.go("/entities/")
        found += violations(window)
        window.page.get_by_role("link", name="Lisbon").click()
        window.page.get_by_role("heading", name="Lisbon").wait_for()
        for path in (window.path, "/fading/", "/entities/?type=date"):
            window.go(path)
            found += violations(window)
            assert not window.page.evaluate("document.documentElement.scrollWidth > innerWidth"), path
    assert found == []
