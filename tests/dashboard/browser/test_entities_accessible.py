"""The pages of entities and of fading can be read by everyone, and nothing sticks out."""

from datetime import UTC, datetime, timedelta

from tests.dashboard.browser.accessibility import faults
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.factories import create_login, create_memory


def furnished() -> None:
    old = datetime.now(UTC) - timedelta(days=290)
    for name in ("Anna", "Carla", "Diego", "Elena", "Farid"):
        create_memory("alice", f"I met my friend {name} in Lisbon with my friend Bob.", now=old, key="")
    create_memory("alice", "See https://example.org/" + "x" * 200 + " about #pottery.", now=old, key="")
    create_memory("alice", "My card number is 4111 1111 1111 1111.", now=old)


def test_no_accessibility_faults_or_overflow(visit: Visit) -> None:
    furnished()
    window = visit(create_login("alice", person="alice"))
    window.go("/entities/")
    found = faults(window, on_phone=True)
    window.page.get_by_role("link", name="Lisbon").click()
    window.page.get_by_role("heading", name="Lisbon").wait_for()
    for path in (window.path, "/fading/", "/entities/?type=date"):
        window.go(path)
        found += faults(window, on_phone=path == "/fading/")
    assert found == []
