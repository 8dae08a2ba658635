"""Who may ask, and what there is to ask for: Alice and all that is hers, and everyone who is not Alice.

Bob is a member of the kitchen as she is, Charlie once was, Mallory never. Each signs in, and each has a key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from memory_app.engine.api_keys import rotate_key
from memory_app.engine.audit.log import Author
from memory_app.engine.venue_context import PRIVATE_VENUE, VenueNames
from memory_app.models import (
    ApiKey,
    Conflict,
    Conversation,
    Entity,
    Erasure,
    ExtractionRun,
    Item,
    Membership,
    OAuthAuthorization,
    Operation,
    Person,
    Proposal,
    Turn,
    User,
)
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import create_conversation, create_login, create_memory, extract_proposals, person_id
from tests.oauth.assistant import Assistant

KITCHEN = VenueNames("kitchen")
EVERYTHING = ["read", "write", "admin"]

Things = dict[str, dict[str, str]]
"""What is someone's: by the name of the parameter that an address has for it, then by what it is."""

NOTHING = "01990000-0000-7000-8000-00000000dead"
"""An id that nothing has."""

NUMBER = {"alice": 910_001, "mallory": 910_002}
"""What is numbered has these numbers."""

MISSING = {"person": "nadia", "session_id": "919999", "pk": "919999", "login_id": "919999"}
"""A name that nobody has, as long as Alice's, and such numbers: lengths are compared too."""


@dataclass(frozen=True)
class Actor:
    """Someone who asks, over the API or on the pages. query: what is sent with every request that takes it.

    sees: what of Alice's answers otherwise than what is not there. changes: whether it may be written to as well.
    stopped: before anyone looks what is asked for, by the same code at every address.
    sampled: let in or kept out by the same code as another who asks everywhere, and so asking in one way at each
    address, drawn at random.
    """

    name: str
    client: Client
    sees: frozenset[str]
    api: bool = True
    query: Mapping[str, str] = field(default_factory=dict)
    changes: bool = False
    stopped: bool = False
    sampled: bool = False

    def __str__(self) -> str:
        return self.name


def things_of(person: str, admin: ApiKey, token: str, *, place: VenueNames = KITCHEN) -> Things:
    """One of everything that has an id. admin: the key of `token`; place: where else than in private they spoke."""
    api = Api(token)
    private = create_memory(person, "I chose the blue tile with Anna Rossi")
    shared = create_memory(person, "The door opens at seven", place=place)
    create_memory(person, "The blue mug cost 5 euros")
    create_memory(person, "The blue mug cost 6 euros")
    sensitive = create_memory(person, "My blood pressure medication is lisinopril")
    forgotten, erased = create_memory(person, "I used to play chess"), create_memory(person, "I own a yacht")
    api.post(f"/admin/memories/{erased.id}/erase", {})
    talk, common = create_conversation(person), create_conversation(person, place=place)
    extract_proposals(talk)
    pages = _signed_in(person)
    pages.post(f"/memories/{forgotten.id}/forget/")
    briefed = api.post("/context", {"person": person, "query": "Which tile did I choose?"}).json()
    note, gone = (api.post(f"/people/{person}/notes/2026-11-20", {"text": text}).json() for text in ("Rain", "Hail"))
    api.call("DELETE", f"/people/{person}/notes/{gone['id']}")
    create_memory(f"guest-of-{person}", "The guest likes tea")
    merge = api.post(f"/people/guest-of-{person}/merge", {"into": person}).json()
    search = api.post("/searches", {"person": person, "query": "tile"}).json()
    found: dict[str, dict[str, Any]] = {
        "memory_id": {"private": private.id, "shared": shared.id, "sensitive": sensitive.id, "forgotten": forgotten.id},
        "conversation_id": {"talk": talk.id, "common talk": common.id},
        "event_id": {"event": talk.id, "common event": common.id, "event of a memory": private.id},
        "receipt_id": {"receipt": briefed["receipt"]},
        "note_id": {"forgotten note": gone["id"]},
        "entry": {"note": note["id"]},
        "document_id": {"document": _document(api, person)},
        "item_id": {"item": _item(api, person)},
        "import_id": {"import": _import(pages)},
        "merge_id": {"merge": merge["id"]},
        "search_id": {"search": search["id"]},
        "key_id": {"key": admin.id},
        "assistant_id": {"assistant": _assistant(person)},
        "person_id": {"page": person_id(person)},
        "person": {"name": person},
        "login_id": {"login": NUMBER[person]},
        "session_id": {"session": _session(person)},
        "pk": {"passkey": _passkey(person)},
        **_stored(private.person, talk, forgotten.id, erased.id),
    }
    return {parameter: {name: str(value) for name, value in of.items()} for parameter, of in found.items()}


def _document(api: Api, person: str) -> str:
    path = f"/people/{person}/documents"
    return str(api.post(path, {"path": "plans/trip.md", "content": "Rome in May"}).json()["id"])


def _import(pages: Client) -> str:
    """One that was uploaded and not looked through."""
    file = SimpleUploadedFile("memory.txt", b"# Model Set Context\n1. User sings.\n")
    answer = pages.post("/import/", {"file": file})
    return str(answer.headers["Location"]).split("/")[-2]


def _item(api: Api, person: str) -> UUID:
    put = {"op": "put", "namespace": ["memories", person], "key": "tea", "value": {"drink": "green tea"}}
    assert api.post("/items/batch", {"person": person, "operations": [put]}).status_code == 200
    with every_space():
        return Item.objects.get(person__name=person).id


def _assistant(person: str) -> UUID:
    """An assistant that they allowed to sign in."""
    Assistant().sign_in(_signed_in(person))
    allowed: UUID = OAuthAuthorization.objects.get(user__username=person).key_id
    return allowed


def _stored(person: Person, talk: Conversation, forgotten: UUID, erased: UUID) -> dict[str, dict[str, Any]]:
    """What came of all that, by what it is in the database."""
    with every_space():
        entity = Entity.objects.filter(person=person).order_by("id").first()
        proposal = Proposal.objects.filter(person=person).order_by("id").first()
        forgetting = Operation.objects.get(name="forget", memory_id=forgotten)
        assert entity is not None
        assert proposal is not None
        return {
            "entity_id": {"entity": entity.id},
            "proposal_id": {"proposal": proposal.id},
            "conflict_id": {"conflict": Conflict.objects.get(person=person).id},
            "erasure_id": {"erasure": Erasure.objects.get(subject=erased).id},
            "request_id": {"request": forgetting.request_id},
            "operation_id": {"operation": forgetting.id},
            "run_id": {"run": ExtractionRun.objects.get(conversation_id=talk.id).id},
            "turn": {"turn": Turn.objects.get(conversation_id=talk.id, position=0).id},
        }


def _session(person: str) -> int:
    """A session of theirs in another browser."""
    user, key = User.objects.get(username=person), _signed_in(person).session.session_key
    UserSession.objects.create(id=NUMBER[person], user=user, ip="192.0.2.1", session_key=key, user_agent="Firefox/1")
    return NUMBER[person]


def _passkey(person: str) -> int:
    """A passkey of theirs, of which nothing but that it is there is looked at here."""
    user, kind = User.objects.get(username=person), Authenticator.Type.WEBAUTHN
    Authenticator.objects.create(id=NUMBER[person], user=user, type=kind, data={"name": "phone", "credential": {}})
    return NUMBER[person]


def _signed_in(person: str) -> Client:
    """A browser in which they signed in; who has no login yet gets one."""
    client = Client()
    client.force_login(User.objects.filter(username=person).first() or _numbered(create_login(person, person=person)))
    return client


def _numbered(user: User) -> User:
    """A login with a number as long as one that is missing, which no other text on a page holds."""
    if user.username not in NUMBER:
        return user
    User.objects.filter(pk=user.pk).update(id=NUMBER[user.username])
    return User.objects.get(username=user.username)


def settle_in() -> None:
    """Bob, Charlie and Mallory have said something where they are, and Charlie has left the kitchen."""
    create_memory("bob", "Bob brings the bread", place=KITCHEN)
    create_memory("charlie", "Charlie peels the potatoes", place=KITCHEN)
    create_memory("mallory", "Mallory listens", place=VenueNames("garage"))
    create_memory("mallory", "Mallory listens alone", place=PRIVATE_VENUE)
    create_memory("alice", "The attic is cold", place=VenueNames("attic"))
    left = Membership.objects.filter(person__name="charlie", space__name="kitchen")
    (left | Membership.objects.filter(person__name="alice", space__name="attic")).update(left_at=timezone.now())


HERS = frozenset({"private", "shared", "sensitive", "forgotten", "talk", "common talk", "proposal", "conflict",
                  "entity", "request", "operation", "merge", "run", "page", "session", "forgotten note",
                  "assistant", "import", "item", "document"})  # fmt: skip
"""What has a page for her. A receipt, a search and an erasure have none, or none of hers."""

READ = frozenset({"private", "shared", "sensitive", "entity", "receipt", "name", "note", "talk", "common talk",
                  "event", "common event", "event of a memory", "document"})  # fmt: skip
WRITTEN = frozenset({"private", "shared", "sensitive", "entity", "talk", "common talk", "proposal", "conflict",
                     "name", "note", "document"})  # fmt: skip


def on_the_pages() -> list[Actor]:
    nothing: frozenset[str] = frozenset()
    cast = [Actor("nobody on the pages", Client(), nothing, api=False, stopped=True)]
    for name, sees in (("alice", HERS), ("bob", nothing), ("charlie", nothing), ("mallory", nothing)):
        changes, sampled = name == "alice", name in ("charlie", "mallory")
        cast.append(Actor(f"{name} on the pages", _signed_in(name), sees, api=False, changes=changes, sampled=sampled))
    client = Client()
    client.force_login(create_login("root", everyone=True))
    return [
        *cast,
        Actor(
            "a super user on the pages",
            client,
            (HERS - {"session"}) | {"erasure", "key", "login"},
            api=False,
            changes=True,
        ),
    ]


def with_keys(admin: str) -> list[Actor]:
    """Keys of each scope and grant, asking for nobody in particular, or for their own person and place."""
    nothing: frozenset[str] = frozenset()
    everything = READ | WRITTEN | {"forgotten", "forgotten note", "search", "erasure"}
    whole = Client(headers={"Authorization": f"Bearer {admin}"})
    alone = (READ | WRITTEN) - {
        "shared",
        "common talk",
        "common event",
    }  # whoever speaks for a person does so in private too
    cast = [
        Actor("nobody", Client(), nothing, stopped=True),
        Actor("the key that may do everything", whole, everything, changes=True),
        Actor("a key to read", _key(scopes=["read"]), READ),
        Actor("a key to write", _key(scopes=["write"]), WRITTEN, changes=True),
        Actor("Alice's key", _key(people=["alice"]), READ | WRITTEN, changes=True),
        Actor("a key to administer Bob", _key(scopes=EVERYTHING, people=["bob"]), nothing),
        Actor(
            "the kitchen's key",
            _key(spaces=["kitchen"]),
            frozenset({"shared", "common talk", "common event"}),
            changes=True,
        ),
        Actor("the garage's key", _key(spaces=["garage"]), nothing, sampled=True),
        Actor(
            "Alice's key for the garage",
            _key(people=["alice"], spaces=["garage"]),
            alone,
            changes=True,
            sampled=True,
        ),
        Actor("a revoked key", _key(scopes=EVERYTHING, revoked=True), nothing, stopped=True),
        Actor("an expired key", _key(scopes=EVERYTHING, expired=True), nothing, stopped=True),
        Actor("a key that another took the place of", _rotated(), nothing, stopped=True),
        Actor(
            "Alice's key for a place she left",
            _key(people=["alice"], spaces=["attic"]),
            alone,
            changes=True,
            sampled=True,
        ),
    ]
    cast.append(Actor("Mallory's key", _key(people=["mallory"]), nothing, sampled=True))
    for name, sees in (("bob", {"shared"}), ("charlie", set()), ("mallory", set())):
        asking = {"person": name, "space": "kitchen"}
        key, sampled = _key(people=[name]), name != "bob"
        cast.append(Actor(f"{name.title()}'s key for {name} here", key, frozenset(sees), query=asking, sampled=sampled))
    return cast


def _rotated() -> Client:
    """With a key that was rotated, and had no time beside the new one."""
    old, token = ApiKey.issue("cast", scopes=EVERYTHING)
    rotate_key(key=old.id, overlap=timedelta(0), author=Author("command", "cast"), now=timezone.now())
    return Client(headers={"Authorization": f"Bearer {token}"})


def _key(
    scopes: list[str] | None = None,
    people: list[str] | None = None,
    spaces: list[str] | None = None,
    *,
    revoked: bool = False,
    expired: bool = False,
) -> Client:
    key, token = ApiKey.issue("cast", scopes=scopes or ["read", "write"], people=people or [], spaces=spaces or [])
    now = timezone.now()
    if revoked:
        key.revoked_at = now
    if expired:
        key.expires_at = now - timedelta(seconds=1)
    key.save()
    return Client(headers={"Authorization": f"Bearer {token}"})
