"""A foreign id answers exactly as one that is not there: whoever asks, wherever an address holds an id.

One asker on the pages and one with a key ask in every way, all others by the verbs that an address is there for; who
is let in or kept out by the same code as another asks at each address in one way, drawn at random; who is stopped at
the door (tests/test_doors.py tries that at every address) asks at one address for each parameter. Addresses come from
the URL configuration and bodies from the OpenAPI document, so that a new one is asked for too; one whose parameter or
field is not known here fails.
"""

import json
import random
import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.http import HttpResponse

from config.env import ROOT
from memory_app.models import ApiKey
from tests.addresses import Address, addresses
from tests.cast import MISSING, NOTHING, Actor, Things, on_the_pages, settle_in, things_of, with_keys
from tests.dashboard.factories import PASSWORD
from tests.documented import documented, least, operation
from tests.source import files
from tests.worlds import undone

pytestmark = pytest.mark.django_db

VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
READS = ("GET", "HEAD", "OPTIONS")
NO_ONES = {
    "name": "fade",
    "space": "kitchen",
    "kind": "user",
    "project": "default",
    **dict.fromkeys(("run", "attempt"), "0196f0a0-0000-7000-8000-000000000001"),
}
"""Parameters that hold no id of anyone's: a job of the worker, a space, a kind of owner, a
project, a run of a job."""

BESIDE = {"person": "alice", "entry": NOTHING, "memory_id": NOTHING, "document_id": NOTHING}
"""Of an address with two parameters, the other one."""

FORM = {"password": PASSWORD, "content": "mine", "summary": "mine", "name": "mine", "version": "1", "merged": "mine",
        "type": "fact", "category": "fact", "typed": "mine", "overlap": "24", "until": "tomorrow", "timezone": "UTC",
        "extraction_policy": "off", "into": NOTHING, "memories": NOTHING, "reason": "mine"}  # fmt: skip
"""What any form may ask for."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to ask: the verb, what is sent in headers with it, and in the query."""

    verb: str
    headers: tuple[tuple[str, str], ...] = ()
    query: str = ""


def _fragment(verb: str, target: str) -> Way:
    return Way(verb, (("HX-Request", "true"), ("HX-Target", target), ("HX-Current-URL", "http://testserver/memories/")))


PART = re.compile(r"""requested_part\(request, ["'](?:\w+["'], target=["'])?([\w-]+)["']""")
TARGETS = {".".join(path.with_suffix("").parts): PART.findall((ROOT / path).read_text()) for path in files("dashboard")}
"""By module: the parts of its pages that are asked for alone."""

OF_ONE_VERSION = [Way(verb, (("If-Match", tag),)) for verb in ("PATCH", "DELETE") for tag in ('"1"', "*")]
TWIN, FOUND = Way("GET", query="?format=json"), _fragment("POST", "results")


How = tuple[Way, Address]

PARTS = 3
"""In which the cast asks: tests that run beside each other."""

IN_EVERY_WAY = ("alice on the pages", "the key that may do everything")
"""Who asks by every verb, also by those that nothing answers to, and for every part of a page."""

SHOWS = ("memories/<uuid:memory_id>/reveal/", "conversations/<uuid:conversation_id>/reveal/")
"""Posts that change what this browser is shown, and nothing else."""


def _ways(address: Address) -> list[Way]:
    """Each verb; of the API, changes of one version alone; of a page, its JSON twin and the parts of it."""
    if address.is_api:
        return [*map(Way, VERBS), *OF_ONE_VERSION]
    if address.is_compat:
        return [*map(Way, VERBS)]
    parts = [_fragment("GET", part) for part in TARGETS.get(address.module, [])]
    return [*map(Way, VERBS), TWIN, FOUND, *parts]


def _ways_of(actor: Actor, address: Address) -> list[Way]:
    """All of them for some; for others the verbs that the address is there for, and one more way to ask by them."""
    if actor.name in IN_EVERY_WAY:
        return _ways(address)
    meant = [way for way in _ways(address) if way.verb in _meant(address)]
    if actor.sampled:
        return random.sample(meant, 1)
    more = [way for way in meant if way.headers or way.query]
    return [*(way for way in meant if way not in more), *random.sample(more, min(1, len(more)))]


def _meant(address: Address) -> set[str]:
    """The verbs that an address is there for."""
    return documented(_template(address)) if _is_documented(address) else {"GET", "POST"}


def _is_documented(address: Address) -> bool:
    return address.is_api or address.is_compat


def _template(address: Address) -> str:
    """The path as the OpenAPI document writes it."""
    return address.path({name: f"{{{name}}}" for name in address.parameters})


def _with_ids() -> list[Address]:
    return [address for address in addresses() if {*address.parameters} - {*NO_ONES}]


@pytest.fixture(scope="module")
def admin(module_rows: None) -> tuple[ApiKey, str]:
    """A key that may do everything, and its token."""
    settle_in()
    return ApiKey.issue("admin", scopes=["read", "write", "admin"])


@pytest.fixture(scope="module")
def things(admin: tuple[ApiKey, str]) -> Things:
    return things_of("alice", *admin)


def test_every_parameter_of_an_address_is_known(things: Things) -> None:
    assert {name for address in addresses() for name in address.parameters} <= {*things, *NO_ONES}
    assert len(_with_ids()) > 50
    assert [address.route for address in _with_ids() if not _meant(address)] == []
    parts = {way.headers for address in _with_ids() for way in _ways(address)}
    assert {_fragment("GET", "history").headers, _fragment("GET", "receipt").headers} <= parts


@pytest.mark.parametrize("part", range(PARTS))
def test_on_the_pages_a_foreign_id_is_one_that_is_not_there(part: int, things: Things) -> None:
    for actor in on_the_pages()[part::PARTS]:
        _sees_what_it_should(actor, things)


@pytest.mark.parametrize("part", range(PARTS))
def test_over_the_api_a_foreign_id_is_one_that_is_not_there(
    part: int, things: Things, admin: tuple[ApiKey, str]
) -> None:
    for actor in with_keys(admin[1])[part::PARTS]:
        _sees_what_it_should(actor, things)


def _sees_what_it_should(actor: Actor, things: Things) -> None:
    """What is told from what is not there is what the cast says; and who may not change it is not let."""
    for parameter, of in things.items():
        asked = [at for at in _with_ids() if parameter in at.parameters and _is_documented(at) is actor.api]
        ways = [(way, at) for at in asked[: 1 if actor.stopped else None] for way in _ways_of(actor, at)]
        nothing = _answers(actor, ways, parameter, MISSING.get(parameter, NOTHING))
        # A verb that an address does not take is refused before anything is looked for.
        taken = [how for how, (status, _) in nothing.items() if status != 405]
        # Of what one may see and change, a thing drawn at random is asked for in every way, others until one tells.
        own = [name for name in of if actor.changes and name in actor.sees]
        at_once = {*own} - {*random.sample(own, min(1, len(own)))}
        for name, value in of.items() if asked else ():
            told = _told_apart(actor, taken, parameter, value, nothing, once=name in at_once)
            # Whoever asks in one way may have drawn one in which nothing is told.
            assert bool(told) is (name in actor.sees) or (actor.sampled and not told), (actor.name, name, told)
            if not actor.changes:
                assert {how for how, status in told.items() if not _only_shows(how, status)} == set(), actor.name


def _told_apart(
    actor: Actor,
    asked: Iterable[How],
    parameter: str,
    value: str,
    nothing: dict[How, tuple[int, bytes]],
    *,
    once: bool,
) -> dict[How, int]:
    """The statuses of answers that differ from those to what is not there. once: the first of them alone."""
    told: dict[How, int] = {}
    for how in asked:
        if (answer := _answers(actor, [how], parameter, value)[how]) != nothing[how]:
            told[how] = answer[0]
            if once:
                break
    return told


def _only_shows(how: How, status: int) -> bool:
    """Whether an answer that was not "nothing is there" read something, or refused to change it."""
    return how[0].verb in READS or status == 403 or how[1].route in SHOWS


def _answers(actor: Actor, asked: Iterable[How], parameter: str, value: str) -> dict[How, tuple[int, bytes]]:
    """What the actor is answered, by verb and address. None of it has happened afterwards."""
    told = {(way, at): _answer(actor, way, at, parameter, value) for way, at in asked}
    assert [how for how, (status, _) in told.items() if status >= 500] == []
    return told


def _answer(actor: Actor, way: Way, address: Address, parameter: str, value: str) -> tuple[int, bytes]:
    """The status, and all that is answered."""
    cache.clear()  # or the limits of requests and of passwords would be met
    jar = deepcopy(actor.client.cookies)  # what a request leaves in the browser is undone with the rest
    path = address.path({**BESIDE, **NO_ONES, parameter: value})
    verb, sent = way.verb, dict(way.headers)
    with undone():
        if _is_documented(address):
            query, body = _fitting(actor, verb, address)
            answer: Any = actor.client.generic(verb, f"{path}{query}", body, "application/json", headers=sent)
        elif verb in READS:
            answer = actor.client.generic(verb, f"{path}{way.query}", headers=sent)
        else:
            body, kind = urlencode(FORM).encode(), "application/x-www-form-urlencoded"
            answer = actor.client.generic(verb, path, body, kind, headers=sent)
        actor.client.cookies = jar
        return answer.status_code, _bytes(answer, value)


def _bytes(response: HttpResponse, value: str) -> bytes:
    """Status, headers, cookies and body, but for the id itself and that of the request."""
    told = sorted(f"{name}: {given}" for name, given in response.items() if name != "X-Request-Id")
    cookies = sorted(
        (name, name == "messages" and _unsigned(cookie.value)) for name, cookie in response.cookies.items()
    )
    body = f"{response.status_code} {told} {cookies} ".encode() + response.getvalue()
    return body.replace(value.encode(), b"ID")


def _unsigned(message: str) -> str:
    """What a message says, without the second in which it was signed."""
    return message.split(":")[0]


def _fitting(actor: Actor, verb: str, address: Address) -> tuple[str, bytes]:
    """The query and the least body that this operation takes, from whom the actor asks for."""
    found = operation(verb, _template(address))
    query = urlencode({name: value for name, value in actor.query.items() if name in found.query})
    return f"?{query}" if query else "", json.dumps(least(found.body, actor.query)).encode()
