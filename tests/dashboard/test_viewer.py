"""Who sees what on the pages, and who may change it: another's memory looks exactly like a missing one."""

from uuid import UUID, uuid4

import pytest
from django.test import Client

from memory_app.engine.venue_context import VenueNames, resolve_venue
from tests.dashboard.factories import create_login, create_memory, find_undo_path, memory_contents, reload_memory

NOBODYS = UUID(int=1)

ACTS = ("confirm", "forget", "restore", "reveal")
FORMS = ("edit", "correct")


def page(client: Client, path: str, **parameters: str) -> str:
    answer = client.get(path, parameters)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


@pytest.mark.parametrize(
    "path", ["/", "/memories/", "/deleted/", "/account/", f"/memories/{NOBODYS}/", f"/memories/{NOBODYS}/edit/"]
)
@pytest.mark.django_db
def test_every_page_asks_to_sign_in_and_comes_back(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Location"]) == (302, f"/login/?next={path.replace('/', '%2F')}")


@pytest.mark.django_db
def test_an_htmx_request_without_session_redirects_to_sign_in() -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/memories/?q=tile"}
    answer = Client().get("/memories/", {"q": "tile"}, headers=headers)
    assert answer["HX-Redirect"] == "/login/?next=%2Fmemories%2F%3Fq%3Dtile"


@pytest.mark.django_db
def test_a_login_without_a_person_is_told_what_to_ask_for() -> None:
    client = Client()
    client.force_login(create_login("newcomer"))
    answer = client.get("/memories/")
    assert answer.status_code == 403
    assert "user create NEW-LOGIN --person YOUR-NAME" in answer.content.decode()


def test_a_person_sees_their_own_memories_and_nobody_elses(alice: Client) -> None:
    create_memory("alice", "We chose the blue tile.")
    theirs = create_memory("bob", "Bob rides a red bicycle.")
    for path in ("/", "/memories/", "/memories/?status=all"):
        html = page(alice, path)
        assert "We chose the blue tile." in html
        assert "bicycle" not in html
    assert alice.get("/memories/?q=bicycle&format=json").json()["total"] == 0
    assert alice.get(f"/memories/{theirs.id}/").status_code == 404


def test_memories_of_others_in_a_shared_space_are_not_listed_as_own(alice: Client) -> None:
    create_memory("alice", "The calendar hangs beside the fridge.", place=VenueNames(space="family"))
    create_memory("bob", "The spare key is under the pot.", place=VenueNames(space="family"))
    html = page(alice, "/memories/")
    assert "calendar" in html
    assert "spare key" not in html


def test_memories_for_everyone_are_shown_read_only(alice: Client) -> None:
    shared = create_memory("bob", "The office closes at six.", visibility="everyone")
    html = page(alice, f"/memories/{shared.id}/")
    assert "The office closes at six." in html
    assert "Everyone, everywhere." in html
    assert f"/memories/{shared.id}/edit/" not in html
    assert alice.post(f"/memories/{shared.id}/forget/").status_code == 404
    assert reload_memory(shared.id).tier == "active"


@pytest.mark.parametrize("act", [*ACTS, *FORMS])
def test_actions_on_a_foreign_memory_answer_as_missing(alice: Client, act: str) -> None:
    theirs = create_memory("bob", "Bob rides a red bicycle.")
    before = reload_memory(theirs.id)
    real = alice.post(f"/memories/{theirs.id}/{act}/", {"content": "mine", "version": "1"})
    missing = alice.post(f"/memories/{uuid4()}/{act}/", {"content": "mine", "version": "1"})
    assert real.status_code == missing.status_code == 404
    assert real.content == missing.content
    after = reload_memory(theirs.id)
    assert (after.version, after.content, after.tier) == (before.version, "Bob rides a red bicycle.", "active")


def test_ticking_a_foreign_memory_deletes_nothing(alice: Client) -> None:
    theirs = create_memory("bob", "Bob rides a red bicycle.")
    mine = create_memory("alice", "We chose the blue tile.")
    alice.post("/memories/forget/", {"memory": [str(theirs.id), str(mine.id), "no-uuid"]})
    assert memory_contents("bob") == {"Bob rides a red bicycle."}
    assert memory_contents("alice") == set()


def test_another_persons_change_cannot_be_undone(alice: Client, bob: Client) -> None:
    theirs = create_memory("bob", "Bob rides a red bicycle.")
    answer = bob.post(f"/memories/{theirs.id}/forget/", follow=True)
    undo = find_undo_path(answer.content.decode())
    alice.post(undo)
    assert memory_contents("bob") == set()
    bob.post(undo)
    assert memory_contents("bob") == {"Bob rides a red bicycle."}


def test_a_deleted_memory_is_found_by_its_owner_only(alice: Client, bob: Client, root: Client) -> None:
    mine = create_memory("alice", "We chose the blue tile.")
    alice.post(f"/memories/{mine.id}/forget/")
    assert alice.get("/memories/?status=all&format=json").json()["items"] == []
    assert "We chose the blue tile." in page(alice, "/deleted/")
    assert "blue tile" not in page(bob, "/deleted/")
    assert bob.get(f"/memories/{mine.id}/").status_code == 404
    assert "We chose the blue tile." in page(root, "/deleted/")


def test_a_super_user_sees_everyone_and_may_restore(root: Client) -> None:
    mine, theirs = create_memory("alice", "We chose the blue tile."), create_memory("bob", "Bob rides a red bicycle.")
    html = page(root, "/memories/")
    assert "We chose the blue tile." in html
    assert "Bob rides a red bicycle." in html
    assert "blue tile" not in page(root, "/memories/", person="bob")
    root.post("/memories/forget/", {"memory": [str(mine.id), str(theirs.id)]})
    assert memory_contents("alice") | memory_contents("bob") == set()
    root.post("/deleted/restore/", {"memory": [str(theirs.id)]})
    assert memory_contents("bob") == {"Bob rides a red bicycle."}
    assert reload_memory(theirs.id).changed_by == "user:root"


def test_a_super_user_corrects_in_the_name_of_the_owner(root: Client) -> None:
    old = create_memory("alice", "The plumber comes on Tuesday.")
    answer = root.post(f"/memories/{old.id}/correct/", {"content": "The plumber comes on Wednesday."})
    new = reload_memory(answer["Location"].split("/")[2])
    assert (new.person.name, new.changed_by, new.supersedes) == ("alice", "user:root", old.id)


def test_a_person_gets_no_facet_of_people(alice: Client, root: Client) -> None:
    for person in ("alice", "bob"):
        create_memory(person, f"{person} likes tea.")
    assert "Whose" in page(root, "/")
    assert "facet-person" in page(root, "/memories/")
    assert "facet-person" not in page(alice, "/memories/")
    assert "likes tea" not in page(alice, "/memories/", person="bob").partition("<main")[2]


def test_pages_are_not_cached(alice: Client) -> None:
    memory = create_memory("alice", "We chose the blue tile.")
    for path in ("/", "/memories/", f"/memories/{memory.id}/", "/deleted/"):
        answer = alice.get(path)
        assert answer["Cache-Control"] == "private, no-store"
        assert "HX-Request" in answer["Vary"]


@pytest.mark.parametrize(
    "path",
    ["/memories/forget/", "/deleted/restore/", f"/undo/{NOBODYS}/", *(f"/memories/{NOBODYS}/{act}/" for act in ACTS)],
)
def test_get_requests_change_nothing(alice: Client, path: str) -> None:
    assert alice.get(path).status_code == 405


def test_a_form_from_another_site_is_refused(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_login("alice", person="alice"))
    memory = create_memory("alice", "We chose the blue tile.")
    assert client.post(f"/memories/{memory.id}/forget/").status_code == 403
    assert reload_memory(memory.id).tier == "active"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"])
def test_no_form_redirects_to_another_site(alice: Client, elsewhere: str) -> None:
    answer = alice.post("/memories/forget/", {"next": elsewhere})
    assert answer["Location"] == "/memories/"
    assert alice.post("/account/look/", {"theme": "dark", "next": elsewhere})["Location"] == "/"


def test_a_login_whose_person_was_erased_has_no_person(alice: Client) -> None:
    owner = resolve_venue(person="alice").person
    owner.users.update(person=uuid4())
    assert alice.get("/").status_code == 403
