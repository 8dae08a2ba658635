"""The past of a profile: read from versions, day by day, with nothing in it that was erased."""

from datetime import timedelta
from typing import Any

import pytest

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.edit import At, edit
from memory_app.engine.enter import Entered, Place, enter
from memory_app.engine.erasing.erase import erase
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.remember import remember
from memory_app.engine.summing.profile_past import profile_at, profile_shifts
from memory_app.language.profile_document import read
from memory_app.models import Memory
from tests.worlds import NOON

pytestmark = pytest.mark.django_db

AUTHOR = Author("user", "alice")
ONE, TWO, THREE = (NOON + timedelta(days=number) for number in (1, 2, 3))


@pytest.fixture
def alice() -> Entered:
    return enter(person="alice")


def kept(entered: Entered, content: str, **given: Any) -> Memory:
    return remember(
        entered=entered, given=Given(content, key="", **given), author=AUTHOR, now=NOON, encoder=current()
    ).memory


def at(memory: Memory) -> At:
    return At(memory.space_id, memory.id)


def lines(entered: Entered, moment: Any) -> list[str]:
    return [line.text for line in read(profile_at(entered, moment)).lines]


def told(entered: Entered) -> list[tuple[Any, ...]]:
    return [
        (shift.at, shift.before and shift.before.text, shift.after and shift.after.text)
        for shift in profile_shifts(entered)
    ]


def test_a_profile_is_read_as_it_was_on_any_day(alice: Entered) -> None:
    job, tea = kept(alice, "Works at Stripe.", category="work"), kept(alice, "Drinks tea.")
    changes = {"content": "Works at Google."}
    edit(at=at(job), changes=changes, author=AUTHOR, now=ONE, encoder=current())
    forget(at=at(tea), author=AUTHOR, now=TWO)
    assert lines(alice, NOON - timedelta(seconds=1)) == []
    assert lines(alice, NOON) == ["Works at Stripe.", "Drinks tea."]
    assert lines(alice, ONE) == ["Works at Google.", "Drinks tea."]
    assert lines(alice, THREE) == ["Works at Google."]


def test_each_change_of_a_line_is_told_the_latest_first(alice: Entered) -> None:
    job = kept(alice, "Works at Stripe.", category="work")
    edit(at=at(job), changes={"content": "Works at Google."}, author=AUTHOR, now=ONE, encoder=current())
    edit(at=at(job), changes={"tags": ["job"]}, author=AUTHOR, now=TWO, encoder=current())
    forget(at=at(job), author=AUTHOR, now=THREE)
    assert told(alice) == [
        (THREE, "Works at Google.", None),
        (ONE, "Works at Stripe.", "Works at Google."),
        (NOON, None, "Works at Stripe."),
    ]


def test_what_is_not_of_a_profile_is_not_of_its_past(alice: Entered) -> None:
    kept(alice, "Drank tea all day.", type="journal")
    kept(alice, "Perhaps likes jazz.", confidence=0.5)
    kept(enter(person="alice", place=Place("kitchen")), "The kitchen closes at six.")
    kept(enter(person="bob"), "Bob rides a red bicycle.")
    assert told(alice) == []
    assert lines(alice, ONE) == []


def test_what_is_sensitive_now_is_masked_in_the_past(alice: Entered) -> None:
    card = kept(alice, "Pays by transfer.")
    changes = {"content": "My card number is 4111 1111 1111 1111."}
    edit(at=at(card), changes=changes, author=AUTHOR, now=ONE, encoder=current())
    assert "4111 1111" not in profile_at(alice, TWO)
    assert lines(alice, NOON) == ["•••••• (sensitive)"]


def test_what_is_erased_was_never_there(alice: Entered) -> None:
    job = kept(alice, "Works at Stripe.")
    edit(at=at(job), changes={"content": "Works at Google."}, author=AUTHOR, now=ONE, encoder=current())
    erase(at=at(job), author=AUTHOR, now=TWO)
    assert told(alice) == []
    assert lines(alice, ONE) == []
