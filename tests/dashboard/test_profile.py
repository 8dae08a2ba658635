"""The page of a profile: read, downloaded, edited with the diff first, put back, undone; and as it was on a day."""

import re
from datetime import timedelta
from uuid import UUID, uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from tests.dashboard.factories import create_memory, find_undo_path, get_page, memory_contents, person_id


def edited(client: Client, person: UUID, **fields: object) -> str:
    answer = client.post(f"/people/{person}/profile/edit/", fields)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def document(client: Client, person: UUID) -> str:
    return client.get(f"/people/{person}/profile/MEMORY.md").content.decode()


def hidden(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found, html
    return found.group(1)


def test_the_profile_is_shown_by_section_and_downloaded(alice: Client) -> None:
    create_memory("alice", "Works at Stripe.", category="work")
    shown = get_page(alice, f"/people/{person_id('alice')}/profile/")
    assert "Work Context" in shown
    assert "Works at Stripe." in shown
    answer = alice.get(f"/people/{person_id('alice')}/profile/MEMORY.md")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="MEMORY.md"'
    assert "- Works at Stripe. <!-- " in answer.content.decode()


def test_changes_are_previewed_before_they_are_saved(alice: Client) -> None:
    create_memory("alice", "Works at Stripe.", category="work")
    create_memory("alice", "Drinks tea.")
    person = person_id("alice")
    text = (
        document(alice, person).replace("Stripe", "Google").replace("- Drinks tea.", "- Collects stamps. <!-- -->\n-")
    )
    text = re.sub(r"\n- <!-- [0-9a-f-]{36} -->", "", text)
    shown = edited(alice, person, text=text)
    assert "Works at <del>Stripe</del><ins>Google</ins>." in shown
    assert "<ins>Collects stamps.</ins>" in shown
    assert "<del>Drinks tea.</del>" in shown
    assert memory_contents("alice") == {"Works at Stripe.", "Drinks tea."}


def test_an_edit_is_put_back_and_undone(alice: Client) -> None:
    create_memory("alice", "Works at Stripe.", category="work")
    create_memory("alice", "Drinks tea.")
    person = person_id("alice")
    text = re.sub(r"- Drinks tea.*\n", "- Collects stamps.\n", document(alice, person)).replace("Stripe", "Google")
    mark = hidden(edited(alice, person, text=text), "mark")
    answer = alice.post(f"/people/{person}/profile/edit/", {"text": text, "mark": mark, "sure": "1"}, follow=True)
    said = answer.content.decode()
    assert "1 added, 1 changed, 1 removed" in said
    assert memory_contents("alice") == {"Works at Google.", "Collects stamps."}
    undone = alice.post(find_undo_path(said), follow=True).content.decode()
    assert "Forgot 1 memory; " in undone or "; forgot 1 memory" in undone
    assert memory_contents("alice") == {"Works at Stripe.", "Drinks tea."}


def test_a_profile_that_changed_meanwhile_is_shown_again_first(alice: Client) -> None:
    create_memory("alice", "Drinks tea.")
    person = person_id("alice")
    text = document(alice, person) + "- Collects stamps.\n"
    mark = hidden(edited(alice, person, text=text), "mark")
    create_memory("alice", "Bob has a blue bicycle.")
    again = edited(alice, person, text=text, mark=mark, sure="1")
    assert "Something else changed the profile meanwhile" in again
    assert "Collects stamps." not in memory_contents("alice")


def test_a_file_that_was_edited_is_put_back(alice: Client) -> None:
    create_memory("alice", "Drinks tea.")
    person = person_id("alice")
    file = SimpleUploadedFile("MEMORY.md", (document(alice, person) + "- Collects stamps.\n").encode())
    assert "<ins>Collects stamps.</ins>" in edited(alice, person, file=file)


def test_an_invalid_profile_is_refused_and_kept_in_the_form(alice: Client) -> None:
    for fields in ({"text": "Hello there"}, {"file": SimpleUploadedFile("x.md", b"\xff\xfe")}, {}):
        answer = alice.post(f"/people/{person_id('alice')}/profile/edit/", fields)
        assert answer.status_code == 422
    answer = alice.post(f"/people/{person_id('alice')}/profile/edit/", {"text": "Hello there"})
    assert "Hello there" in answer.content.decode()


def test_continuing_to_edit_keeps_the_text(alice: Client) -> None:
    create_memory("alice", "Drinks tea.")
    person = person_id("alice")
    text = document(alice, person) + "- Collects stamps."
    assert "- Collects stamps." in edited(alice, person, text=text, again="1")


def test_the_profile_of_a_day_is_shown_with_its_changes(alice: Client) -> None:
    create_memory("alice", "Drinks tea.", now=timezone.now() - timedelta(days=3))
    create_memory("alice", "Works at Stripe.")
    person, day = person_id("alice"), (timezone.now() - timedelta(days=2)).date().isoformat()
    then = get_page(alice, f"/people/{person}/profile/", on=day)
    assert "As it was at the end of" in then
    old = alice.get(f"/people/{person}/profile/", {"on": day, "format": "json"}).json()
    assert ("Drinks tea." in old["text"], "Works at Stripe." in old["text"]) == (True, False)
    assert [len(day["changes"]) for day in old["days"]] == [1, 1]
    assert get_page(alice, f"/people/{person}/profile/", on="yesterday").count("As it was") == 0
    assert get_page(alice, f"/people/{person}/profile/", on="9999-12-31").count("As it was") == 0


def test_nobody_reads_or_edits_the_profile_of_another(alice: Client, root: Client) -> None:
    create_memory("bob", "Bob rides a red bicycle.")
    for person in (person_id("bob"), uuid4()):
        for path in ("", "MEMORY.md", "edit/"):
            assert alice.get(f"/people/{person}/profile/{path}").status_code == 404
        assert alice.post(f"/people/{person}/profile/edit/", {"text": "x", "sure": "1"}).status_code == 404
    assert "Bob rides a red bicycle." in get_page(root, f"/people/{person_id('bob')}/profile/")


def test_concurrent_deletes_and_edits_are_named_and_stay(alice: Client) -> None:
    tea, work = create_memory("alice", "Drinks tea."), create_memory("alice", "Works at Stripe.", category="work")
    person = person_id("alice")
    text = document(alice, person)
    alice.post(f"/memories/{tea.id}/forget/")
    alice.post(f"/memories/{work.id}/correct/", {"content": "Works at Google."})
    shown = edited(alice, person, text=text)
    assert "Forgotten since this text was made" in shown
    assert "<li>Drinks tea.</li>" in shown
    assert "Changed since this text was made" in shown
    assert "<li>Works at Google.</li>" in shown
    assert "Do this" not in shown
