"""The profile over the API: written by section, read back as adds, updates and removals, never losing what it did not
show."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

NOTHING: dict[str, Any] = {"added": [], "updated": [], "removed": [], "newer": [], "forgotten": []}


def read(api: Api, person: str = "alice") -> str:
    answer = api.get(f"/people/{person}/profile.md")
    assert answer.status_code == 200, answer.content
    text: str = answer.content.decode()
    return text


def put(api: Api, text: str, person: str = "alice", query: str = "", **headers: str) -> Any:
    return api.client.put(
        f"/api/v1/people/{person}/profile.md{query}",
        text.encode(),
        content_type="text/markdown",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def plain(text: str) -> list[str]:
    """The document as a reader sees it."""
    return [line for row in text.splitlines() if (line := re.sub(r"\s*<!--.*?-->", "", row))]


def contents(person: str = "alice") -> set[str]:
    with every_space():
        return set(
            Memory.objects.undeleted().filter(person__name=person, status="active").values_list("content", flat=True)
        )


@pytest.fixture
def told(api: Api) -> Api:
    api.remember("alice", "Prefers concise summaries.", category="preference")
    api.remember("alice", "Works at Stripe as an engineer.", category="work")
    api.remember("alice", "Learns Zig on weekends.", category="personal")
    api.remember("alice", "Read about CRDTs.", category="reading")
    api.remember("alice", "Lives in the PST time zone.", category="fact")
    return api


def test_the_document_has_every_section_and_a_line_a_memory(told: Api) -> None:
    answer = told.get("/people/alice/profile.md")
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert plain(answer.content.decode()) == [
        "# User Memory",
        "## User Preferences", "- Prefers concise summaries.",
        "## Work Context", "- Works at Stripe as an engineer.",
        "## Personal Context", "- Learns Zig on weekends.",
        "## Reading History", "- Read about CRDTs.",
        "## Key Facts", "- Lives in the PST time zone.",
    ]  # fmt: skip


def test_a_document_put_back_as_it_was_changes_nothing(told: Api) -> None:
    answer = put(told, read(told))
    assert answer.json() == {**NOTHING, "unchanged": 5}
    with every_space():
        assert set(Memory.objects.values_list("version", flat=True)) == {1}


def test_lines_without_ids_are_known_by_their_words(told: Api) -> None:
    answer = put(told, "\n".join(plain(read(told))))
    assert answer.json()["unchanged"] == 5


def test_an_edited_document_adds_updates_and_removes(told: Api) -> None:
    text = read(told)
    text = text.replace("Works at Stripe as an engineer.", "Works at Google as an engineer.")
    text = re.sub(r"- Read about CRDTs\..*\n", "", text)
    text = text.replace("## Key Facts\n", "## Key Facts\n- Has a cat, Zoe.\n")
    would = put(told, text, query="?dry_run=true").json()
    assert "Works at Google as an engineer." not in contents()
    done = put(told, text).json()
    assert would == done
    assert [line["text"] for line in done["added"]] == ["Has a cat, Zoe."]
    assert [line["text"] for line in done["updated"]] == ["Works at Google as an engineer."]
    assert [line["text"] for line in done["removed"]] == ["Read about CRDTs."]
    assert done["unchanged"] == 3
    assert contents() == {
        "Prefers concise summaries.", "Works at Google as an engineer.", "Learns Zig on weekends.",
        "Lives in the PST time zone.", "Has a cat, Zoe.",
    }  # fmt: skip
    assert put(told, read(told)).json()["unchanged"] == 5


def test_a_line_moved_to_another_section_is_filed_there(told: Api) -> None:
    text = read(told)
    line = next(row for row in text.splitlines() if "Zig" in row)
    text = text.replace(f"{line}\n", "").replace("## User Preferences\n", f"## User Preferences\n{line}\n")
    assert [item["category"] for item in put(told, text).json()["updated"]] == ["preference"]
    with every_space():
        assert Memory.objects.get(content__contains="Zig").category == "preference"


def test_what_was_kept_since_the_document_was_written_is_not_removed(told: Api) -> None:
    text = read(told)
    told.remember("alice", "Has a cat, Zoe.")
    assert put(told, text).json()["removed"] == []
    assert "Has a cat, Zoe." in contents()


def test_with_if_match_a_document_of_before_is_refused(told: Api) -> None:
    tag = told.get("/people/alice/profile.md").headers["ETag"]
    assert put(told, read(told), If_Match=tag).status_code == 200
    told.remember("alice", "Has a cat, Zoe.")
    assert put(told, read(told), If_Match=tag).status_code == 412
    assert put(told, read(told), If_Match="*").status_code == 200


def test_a_text_that_is_no_profile_removes_nothing(told: Api) -> None:
    for text in ("", "hello", "# Shopping\n- milk\n", "\x00## Key Facts"):
        assert put(told, text).status_code == 422
    assert len(contents()) == 5
    answer = told.client.put("/api/v1/people/alice/profile.md", b"\xff\xfe## Key", content_type="text/markdown")
    assert answer.status_code == 422


def test_what_is_sensitive_is_masked_and_stays_as_it_is(api: Api) -> None:
    api.remember("alice", "My card number is 4111 1111 1111 1111.")
    text = read(api)
    assert "4111 1111" not in text
    assert "- •••••• (sensitive)" in plain(text)
    assert put(api, text).json() == {**NOTHING, "unchanged": 1}
    assert contents() == {"My card number is 4111 1111 1111 1111."}


def test_nothing_of_anyone_else_is_in_it_or_can_be_named_in_it(told: Api) -> None:
    theirs = told.remember("bob", "Rides a red bicycle.", visibility="everyone")
    assert "bicycle" not in read(told)
    text = read(told) + f"- Rides a blue bicycle. <!-- {theirs['id']} -->\n"
    assert [line["text"] for line in put(told, text).json()["added"]] == ["Rides a blue bicycle."]
    assert contents("bob") == {"Rides a red bicycle."}


def test_code_meetings_journals_and_what_is_unsure_are_left_out(api: Api) -> None:
    api.remember("alice", "```python\nprint('hi')\n```")
    api.remember("alice", "def greet(name): return name")
    api.remember("alice", "Perhaps likes jazz.", confidence=0.5)
    api.post("/journal", {"person": "alice", "text": "Walked along the river today."})
    api.post("/meetings", {"person": "alice", "title": "Plans", "summary": "We met."})
    api.remember("alice", "Uses Python and edits pyproject.toml by hand.")
    assert [line for line in plain(read(api)) if line.startswith("- ")] == [
        "- Uses Python and edits pyproject.toml by hand."
    ]
    assert put(api, read(api)).json()["removed"] == []
    assert len(contents()) == 6


def test_it_never_holds_more_than_two_thousand_words_and_keeps_what_matters(api: Api) -> None:
    items = [
        {"person": "alice", "content": f"Fact {n}: " + " ".join(f"w{n}x{m}" for m in range(28)),
         "confidence": 0.8} for n in range(100)
    ]  # fmt: skip
    items.append({"person": "alice", "content": "Is called Alice by everyone.", "confidence": 1.0})
    api.post("/memories/batch", {"items": items})
    text = read(api)
    seen = " ".join(plain(text)).split()
    assert 1_900 < len(seen) <= 2_000
    assert "- Is called Alice by everyone." in plain(text)
    before = contents()
    assert put(api, text).json()["removed"] == []
    assert contents() == before


def test_of_a_long_memory_the_summary_stands_there_and_is_what_is_edited(api: Api) -> None:
    long = "Walks to work. " + "It rains a lot in Bergen where the office is. " * 12
    api.remember("alice", long, summary="Walks to work in the rain.")
    text = read(api).replace("Walks to work in the rain.", "Cycles to work in the rain.")
    put(api, text)
    with every_space():
        memory = Memory.objects.get()
    assert (memory.summary, memory.content) == ("Cycles to work in the rain.", long.strip())


def test_a_new_person_may_be_told_by_a_profile_alone(api: Api) -> None:
    text = "# User Memory\n## Work Context\n* Role: engineer\n  at a bank\n## Key Facts\n- Time zone: PST\n"
    assert len(put(api, text, person="zoe").json()["added"]) == 2
    assert contents("zoe") == {"Role: engineer at a bank", "Time zone: PST"}
    assert api.get("/people/nobody/profile.md").status_code == 404


def memory_of(api: Api, words: str) -> str:
    """The id of the memory whose content has these words."""
    with every_space():
        return str(Memory.objects.undeleted().get(status="active", content__contains=words).id)


def texts(answer: Any, kind: str) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [line["text"] for line in answer.json()[kind]]


def test_a_line_that_was_forgotten_since_is_not_added_again_and_named(told: Api) -> None:
    text = read(told)
    told.call("DELETE", f"/memories/{memory_of(told, 'Stripe')}")
    for query in ("?dry_run=true", ""):
        answer = put(told, text, query=query)
        assert texts(answer, "forgotten") == ["Works at Stripe as an engineer."]
        assert answer.json() | {"forgotten": []} == {**NOTHING, "unchanged": 4}
    assert not any("Stripe" in content for content in contents())


def test_a_forgotten_line_stays_forgotten_though_it_was_edited_or_lost_its_id(told: Api) -> None:
    text = read(told)
    told.call("DELETE", f"/memories/{memory_of(told, 'Stripe')}")
    edited = put(told, text.replace("as an engineer", "as a manager"))
    assert (texts(edited, "forgotten"), texts(edited, "added")) == (["Works at Stripe as a manager."], [])
    bare = re.sub(r" <!-- [0-9a-f-]{36} -->", "", text)
    assert texts(put(told, bare), "forgotten") == ["Works at Stripe as an engineer."]
    assert not any("Stripe" in content for content in contents())


def test_a_forgotten_line_that_is_written_anew_is_added(told: Api) -> None:
    text = read(told)
    told.call("DELETE", f"/memories/{memory_of(told, 'Stripe')}")
    text = re.sub(r"(- Works at Stripe.*) <!--.*-->", r"\1", text)
    assert texts(put(told, text), "added") == ["Works at Stripe as an engineer."]
    assert "Works at Stripe as an engineer." in contents()


def test_a_line_that_was_edited_since_keeps_the_newer_text(told: Api) -> None:
    text = read(told)
    told.call("PATCH", f"/memories/{memory_of(told, 'Stripe')}", {"content": "Works at Google as an engineer."})
    answer = put(told, text)
    assert texts(answer, "newer") == ["Works at Google as an engineer."]
    assert answer.json() | {"newer": []} == {**NOTHING, "unchanged": 4}
    assert "Works at Google as an engineer." in contents()


def test_a_line_that_was_corrected_since_keeps_the_correction(told: Api) -> None:
    text = read(told)
    told.post(f"/memories/{memory_of(told, 'Stripe')}/correct", {"content": "Works at Google as an engineer."})
    answer = put(told, text)
    assert (texts(answer, "newer"), texts(answer, "added")) == (["Works at Google as an engineer."], [])
    edited = put(told, text.replace("Works at Stripe as an engineer", "Works at Adyen as an engineer"))
    assert texts(edited, "updated") == ["Works at Adyen as an engineer."]
    assert {content for content in contents() if "Works" in content} == {"Works at Adyen as an engineer."}


def test_an_edit_of_the_text_and_one_of_the_section_since_are_both_kept(told: Api) -> None:
    text = read(told)
    told.call("PATCH", f"/memories/{memory_of(told, 'Zig')}", {"category": "reading"})
    answer = put(told, text.replace("Learns Zig on weekends.", "Learns Zig on Sundays."))
    assert [(line["text"], line["category"]) for line in answer.json()["updated"]] == [
        ("Learns Zig on Sundays.", "reading")
    ]


def test_a_line_that_was_left_out_stays_where_it_says_something_newer(told: Api) -> None:
    text = re.sub(r"- Works at Stripe.*\n", "", read(told))
    told.call("PATCH", f"/memories/{memory_of(told, 'Stripe')}", {"content": "Works at Google as an engineer."})
    answer = put(told, text)
    assert (texts(answer, "removed"), texts(answer, "newer")) == ([], ["Works at Google as an engineer."])


def test_what_was_restored_since_is_not_removed(told: Api) -> None:
    stripe = memory_of(told, "Stripe")
    told.call("DELETE", f"/memories/{stripe}")
    text = read(told)
    told.post(f"/admin/memories/{stripe}/restore", {})
    assert put(told, text).json() == {**NOTHING, "unchanged": 4}
    assert "Works at Stripe as an engineer." in contents()


def test_what_was_erased_since_does_not_come_back(told: Api) -> None:
    text = read(told)
    told.post(f"/admin/memories/{memory_of(told, 'Stripe')}/erase", {})
    assert texts(put(told, text), "forgotten") == ["Works at Stripe as an engineer."]
    assert not any("Stripe" in content for content in contents())


def test_the_id_of_something_forgotten_of_another_tells_nothing(told: Api) -> None:
    theirs = told.remember("bob", "Rides a red bicycle.")
    told.call("DELETE", f"/memories/{theirs['id']}")
    text = read(told) + f"- Rides a red bicycle. <!-- {theirs['id']} -->\n"
    answer = put(told, text)
    assert (texts(answer, "added"), texts(answer, "forgotten")) == (["Rides a red bicycle."], [])


def test_a_dry_run_with_if_match_is_refused_as_the_run_itself_would_be(told: Api) -> None:
    tag = told.get("/people/alice/profile.md").headers["ETag"]
    assert put(told, read(told), query="?dry_run=true", If_Match=tag).status_code == 200
    told.remember("alice", "Has a cat, Zoe.")
    assert put(told, read(told), query="?dry_run=true", If_Match=tag).status_code == 412


def test_a_removed_line_that_is_sensitive_stays_masked_in_the_answer(api: Api) -> None:
    api.remember("alice", "My card number is 4111 1111 1111 1111.")
    text = re.sub(r"- ••••••.*\n", "", read(api))
    assert texts(put(api, text), "removed") == ["•••••• (sensitive)"]


LABELLED = """# User Memory

## Work Context
- Role: Nurse
- Company: St Mary's

## Key Facts
- Timezone: Europe/Lisbon
"""


def test_lines_with_labels_have_keys_and_a_new_value_takes_the_place_of_the_old(api: Api) -> None:
    put(api, LABELLED)
    keys = {item["content"]: item["key"] for item in api.get("/memories?person=alice").json()["items"]}
    assert keys == {"Role: Nurse": "role", "Company: St Mary's": "employer", "Timezone: Europe/Lisbon": "timezone"}
    put(api, read(api).replace("## Key Facts", "- Role: Head nurse\n\n## Key Facts"))
    api.remember("alice", "I work at Barts")
    assert contents() == {"Role: Head nurse", "I work at Barts", "Timezone: Europe/Lisbon"}


def test_the_profile_has_one_line_a_key_the_one_told_last(api: Api) -> None:
    api.remember("alice", "Lisbon", key="home city")
    api.remember("alice", "Porto", key="Home  City", visibility="global")
    text = read(api)
    assert plain(text)[-1:] == ["- Porto"]
    assert "Lisbon" not in text
    answer = put(api, text).json()
    assert (answer["unchanged"], answer["removed"], answer["added"]) == (1, [], [])


def test_their_own_words_are_quoted_and_read_back_without_the_marks(api: Api) -> None:
    said = api.post("/remember", {"person": "alice", "utterance": "remember that I play the cello (badly)"}).json()
    memory = said["memory"]
    day = datetime.fromisoformat(memory["said_at"]).astimezone(UTC)
    text = read(api)
    assert f"- “I play the cello (badly)” (alice, {day:%-d %B %Y}) <!-- {memory['id']} -->" in text
    assert put(api, text).json() == {**NOTHING, "unchanged": 1}
    assert len(put(api, text.replace("cello", "viola")).json()["updated"]) == 1
    assert api.get(f"/memories/{memory['id']}").json()["content"] == "I play the viola (badly)"
