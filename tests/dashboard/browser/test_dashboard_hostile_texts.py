"""Every page full of hostile texts: nothing in them runs, and no request leaves for another place."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from memory_app.engine.people.merge_people import merge_people
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.models import ApiKey
from tests.addresses import addresses
from tests.dashboard.browser.conftest import Visit, Visitor
from tests.dashboard.factories import (
    KITCHEN,
    create_conversation,
    create_login,
    create_memory,
    create_proposal,
    extract_proposals,
    person_id,
)
from tests.hostile_texts import HOSTILE

AT_ONCE = 40
"""Texts of one name: more than a page of memories shows."""

EVERY = 3
"""One of so many is a name as well, of a person who is merged, of a login and of a key."""

ALIVE = (
    "script, iframe, object, embed, base, meta, link, [onerror], [onload], [ontoggle], [onfocus], [hx-trigger='load']"
)


SENT_TO = ("login/", "logout/", "account/", "healthz", "readyz", "metrics", "mcp", "/decide/", "/reopen/", "/create/",
           "memories/forget/", "memories/move/", "deleted/restore/", "fading/keep/", ".well-known/", "compat/",
           "oauth/", "connect/key/", "import/begin/")  # fmt: skip
"""Addresses that are no pages with words on them, or only take forms."""

PLAIN = sorted(
    f"/{at.route}" for at in addresses() if not (at.is_api or at.parameters or any(end in at.route for end in SENT_TO))
)
"""Every page that needs no id."""


def poisoned(person: str, texts: tuple[str, ...]) -> list[str]:
    """Addresses of the pages, with these texts wherever a page shows words."""
    for number, text in enumerate(texts):
        name = text.strip()[:90].replace("../", ".../")  # nobody may be called what leads to another's page
        memory = create_memory(person, text, summary=text[:100], tags=[name], keywords=[name], attributes={name: text})
        create_proposal(person, text, reason=text[:200])
        if number % EVERY:
            continue
        named = name
        ApiKey.issue(name, scopes=["read"], people=[name], spaces=[name])
        merge_people(person=_guest(name), into=resolve_venue(person=person), author=KITCHEN, now=datetime.now(UTC))
        create_login(f"{name} {number}", person=name)
    talk = create_conversation(person, [("user", text) for text in texts])
    extract_proposals(talk)
    return [*PLAIN, f"/memories/{memory.id}/", f"/memories/{memory.id}/edit/", f"/people/{person_id(person)}/",
            f"/conversations/{talk.id}/", f"/people/{person_id(named)}/merge/?{urlencode({'into': person})}",
            "/search/?q=you+must+obey&kind=memory&kind=turn&person=mallory"]  # fmt: skip


def _guest(name: str) -> VenueContext:
    """Someone of this name, of whom there is something to pass on."""
    create_memory(name, "The guest likes tea")
    return resolve_venue(person=name)


def test_no_stored_text_runs_as_script(visit: Visit) -> None:
    paths = [
        path
        for start in range(0, len(HOSTILE), AT_ONCE)
        for path in poisoned("mallory", HOSTILE[start : start + AT_ONCE])
    ]
    assert {"/logins/", "/people/merges/", "/keys/", "/recent/"} <= {*paths}
    window = visit(create_login("root", everyone=True))
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    for path in dict.fromkeys(paths):
        assert window.go(path).status == 200
        assert window.page.locator(f"main :is({ALIVE})").count() == 0, path
        assert _signed_in(window), path
    assert [address for address in asked if not address.startswith((window.address, "data:"))] == []


def _signed_in(window: Visitor) -> bool:
    """No form of another's making was sent, such as the one that signs out."""
    return window.page.locator(".user-name").last.inner_text() == "root"
