"""Every page full of hostile texts: nothing in them runs, and no request leaves for another place."""

from memory_app.models import ApiKey
from tests.hostile_texts import HOSTILE

from ..people import kept, known, login
from ..proposals import noticed, read, said
from .conftest import Visit, Visitor

AT_ONCE = 40
"""Texts of one name: more than a page of memories shows."""

ALIVE = (
    "script, iframe, object, embed, base, meta, link, [onerror], [onload], [ontoggle], [onfocus], [hx-trigger='load']"
)


def poisoned(person: str, texts: tuple[str, ...]) -> list[str]:
    """Addresses of the pages, with these texts wherever a page shows words."""
    for text in texts:
        name = text.strip()[:90]
        memory = kept(person, text, summary=text[:100], tags=[name], keywords=[name], attributes={name: text})
        noticed(person, text, reason=text[:200])
        ApiKey.issue(name, scopes=["read"], people=[name], spaces=[name])
    talk = said(person, [("user", text) for text in texts])
    read(talk)
    return ["/", "/memories/", f"/memories/{memory.id}/", f"/memories/{memory.id}/edit/", "/inbox/", "/keys/",
            "/people/", f"/people/{known(person)}/", f"/conversations/{talk.id}/", "/entities/", "/logs/", "/fading/",
            "/recent/", "/search/?q=you+must+obey&kind=memory&kind=turn&person=mallory"]  # fmt: skip


def test_nothing_that_anyone_said_runs_in_a_page(visit: Visit) -> None:
    paths = [
        path
        for start in range(0, len(HOSTILE), AT_ONCE)
        for path in poisoned("mallory", HOSTILE[start : start + AT_ONCE])
    ]
    window = visit(login("root", everyone=True))
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    for path in dict.fromkeys(paths):
        assert window.go(path).status == 200
        assert window.page.locator(f"main :is({ALIVE})").count() == 0, path
        assert _signed_in(window), path
    assert [address for address in asked if not address.startswith((window.address, "data:"))] == []


def _signed_in(window: Visitor) -> bool:
    """No form of another's making was sent, such as the one that signs out."""
    return window.page.locator(".own-name").last.inner_text() == "root"
