"""What keeps anyone from reading a page, in light and dark, wide and on a phone: by axe, and by what sticks out.

A page is opened once and looked at in every way: its theme and its layout are styles alone.
"""

import random
from pathlib import Path
from typing import Any

from tests.dashboard.browser.conftest import PHONE, WIDE, Visitor

AXE = (Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js").read_text()
EVERY_RULE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES_OF_COLOUR = ["color-contrast"]
RULES_OF_LAYOUT = ["color-contrast", "scrollable-region-focusable", "target-size"]


def faults(window: Visitor, *, on_phone: bool = False) -> list[str]:
    """Of the page as it stands. `on_phone`: axe looks at it there and in the dark too, which is needed once for each
    kind of page; of the others one in three, drawn at random, is looked at in the dark."""
    page = window.page
    page.evaluate(AXE)
    found = _sticks_out(window, WIDE) + _audited(window, WIDE, EVERY_RULE)
    if on_phone or random.random() < 1 / 3:
        page.emulate_media(color_scheme="dark")
        found += _audited(window, PHONE if on_phone else WIDE, RULES_OF_COLOUR)
        page.emulate_media(color_scheme="light")
    if on_phone:
        found += _audited(window, PHONE, RULES_OF_LAYOUT)
    found += _sticks_out(window, PHONE)
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    return found


def _audited(window: Visitor, size: dict[str, int], rules: list[str]) -> list[str]:
    """What axe finds with all of the page in view: what the bar of a phone covers can be scrolled from under it."""
    page = window.page
    page.set_viewport_size(size)  # type: ignore[arg-type]
    height = int(page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": size["width"], "height": max(height, size["height"])})
    found: dict[str, Any] = page.evaluate("only => axe.run({runOnly: only, resultTypes: ['violations']})", rules)
    return [
        f"{window.path}, {size['width']} wide: {rule['id']} ({rule['impact']}): {node['target']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def _sticks_out(window: Visitor, size: dict[str, int]) -> list[str]:
    window.page.set_viewport_size(size)  # type: ignore[arg-type]
    if window.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        return [f"{window.path} is wider than {size['width']}"]
    return []
