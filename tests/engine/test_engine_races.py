"""Writers at the same time, on connections of their own: whoever comes second sees what the first one did."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from django.db import connection, transaction

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import TurnInput, add_turns, find_or_open_conversation
from memory_app.engine.deletion.delete_by_words import delete_by_words
from memory_app.engine.deletion.delete_confirmed import confirm_deletion
from memory_app.engine.memories.delete_and_restore import delete_memory, restore
from memory_app.engine.memories.edit import MemoryRef, correct, edit
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember, remember_many
from memory_app.engine.memories.write_version import lock_memory
from memory_app.engine.proposals.end_and_reply import reply
from memory_app.engine.proposals.propose import propose
from memory_app.engine.retrieval.brief import BriefRequest, brief
from memory_app.engine.venue_context import VenueNames, resolve_venue
from memory_app.errors import ChangedMeanwhile, ConflictError, KeepsakeError, NotFound
from memory_app.models import Memory, Person, Proposal, Space, Token, Trigger, Version
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import EVERYTHING
from tests.encoder import HashingEncoder
from tests.worlds import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("transactional_db")]

AUTHOR = Author("key", "tests")
LATER = NOON + timedelta(hours=1)
ROUNDS = 5
"""How often each race is run: which writer is first is for the machine to say."""


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Runs the acts on threads that start together; answers what each returned, or raised."""
    start, answers = Barrier(len(acts)), [None] * len(acts)

    def run(index: int, act: Callable[[], Any]) -> None:
        try:
            start.wait(20)
            answers[index] = act()
        except Exception as error:
            answers[index] = error  # type: ignore[call-overload]
        finally:
            connection.close()

    threads = [Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def crashes(answers: list[Any]) -> list[Any]:
    """What was raised that is no answer to a caller."""
    return [answer for answer in answers if isinstance(answer, Exception) and not isinstance(answer, KeepsakeError)]


def keeper(encoder: Encoder, content: str, person: str = "alice", **memory_input: Any) -> Callable[[], Any]:
    return lambda: remember(
        venue_context=resolve_venue(person=person),
        memory_input=MemoryInput(content, **memory_input),
        author=AUTHOR,
        now=NOON,
        encoder=encoder,
    )


def kept(encoder: Encoder, content: str, **memory_input: Any) -> MemoryRef:
    memory = keeper(encoder, content, **memory_input)().memory
    return MemoryRef(memory.space_id, memory.id)


def rows() -> list[Memory]:
    with every_space():
        return list(Memory.objects.order_by("created_at", "id"))


def row(at: MemoryRef) -> Memory:
    with every_space():
        return Memory.objects.get(id=at.id)


def versions(at: MemoryRef) -> list[int]:
    with every_space():
        return list(Version.objects.filter(memory_id=at.id).order_by("number").values_list("number", flat=True))


def test_the_same_text_from_many_at_once_is_one_row(encoder: Encoder) -> None:
    answers = at_once(*[keeper(encoder, "Alice plays the cello")] * 8)
    assert crashes(answers) == []
    assert sorted(answer.outcome for answer in answers) == ["added", *["duplicate"] * 7]
    assert [memory.source_count for memory in rows()] == [8]


def test_people_spaces_and_channels_first_named_at_once_are_made_once() -> None:
    place = VenueNames("kitchen", "cooks", restricted=True)
    answers = at_once(*[lambda: resolve_venue(person="bob", place=place)] * 8)
    assert crashes(answers) == []
    assert (
        len({(venue_context.person.id, venue_context.space.id, venue_context.channel.id) for venue_context in answers})
        == 1
    )
    assert (Person.objects.count(), Space.objects.filter(name="kitchen").count()) == (1, 1)


def test_values_of_one_key_at_once_leave_one_that_stands(encoder: Encoder) -> None:
    towns = ["Paris", "Rome", "Oslo", "Bern"]
    answers = at_once(*(keeper(encoder, f"Alice lives in {town}", key="home") for town in towns))
    assert crashes(answers) == []
    assert sorted(answer.outcome for answer in answers) == ["added", "superseded", "superseded", "superseded"]
    standing = [memory for memory in rows() if memory.status == "active"]
    assert len(standing) == 1
    replaced = {memory.superseded_by for memory in rows() if memory.status == "superseded"}
    assert len(replaced) == 3  # a chain, not a star: each was replaced by the one that came next
    assert standing[0].id in replaced


def test_batches_for_the_same_people_in_another_order_do_not_wait_for_each_other(encoder: Encoder) -> None:
    inputs = [MemoryInput(f"Number {n} of the lot is {n * 7}", key=f"lot_{n}") for n in range(30)]

    def keep_all(order: list[MemoryInput]) -> Callable[[], Any]:
        venue_context = resolve_venue(person="alice")
        return lambda: remember_many(
            venue_context=venue_context, inputs=order, author=AUTHOR, now=NOON, encoder=encoder
        )

    answers = at_once(keep_all(inputs), keep_all(inputs[::-1]))
    assert crashes(answers) == []
    assert sorted(kept.outcome for answer in answers for kept in answer) == ["added"] * 30 + ["duplicate"] * 30


class WatchedEncoder(HashingEncoder):
    """Notes of each call how many texts it was given, and whether in a transaction, which would hold others off."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, bool]] = []

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.calls.append((len(texts), connection.in_atomic_block))
        return super().documents(texts)


@pytest.mark.parametrize("number", [2, 20])
def test_a_batch_is_embedded_in_one_call_before_other_writers_are_held_off(encoder: Encoder, number: int) -> None:
    kept(encoder, "Alice lives in Paris")
    watched = WatchedEncoder()
    inputs = [MemoryInput(f"I met number {n} at the market") for n in range(number)]
    remember_many(venue_context=resolve_venue(person="alice"), inputs=inputs, author=AUTHOR, now=NOON, encoder=watched)
    assert watched.calls == [(number, False)]
    assert [held for _, held in watched.calls] == [False] * len(watched.calls)


def test_of_edits_of_one_version_one_wins(encoder: Encoder) -> None:
    for _ in range(ROUNDS):
        at = kept(encoder, "Alice lives in Paris", key="home")
        seen = row(at).version
        answers = at_once(*(_editor(encoder, at, f"Alice lives in {town}", seen) for town in ("Rome", "Oslo", "Bern")))
        assert crashes(answers) == []
        won = [answer for answer in answers if isinstance(answer, Memory)]
        assert [type(answer) for answer in answers].count(ChangedMeanwhile) == 2
        assert (len(won), row(at).content, row(at).version) == (1, won[0].content, seen + 1)
        assert versions(at) == [seen]
        delete_memory(at=at, author=AUTHOR, now=LATER)


def _editor(encoder: Encoder, at: MemoryRef, content: str, version: int | None = None) -> Callable[[], Any]:
    return lambda: edit(at=at, changes={"content": content}, author=AUTHOR, now=LATER, encoder=encoder, version=version)


def test_edits_of_no_version_all_count_one_after_another(encoder: Encoder) -> None:
    at = kept(encoder, "Alice lives in Paris")
    answers = at_once(*(_editor(encoder, at, f"Alice lives in {town}") for town in ("Rome", "Oslo", "Bern", "Lyon")))
    assert crashes(answers) == []
    assert (row(at).version, versions(at)) == (5, [1, 2, 3, 4])


def test_of_corrections_at_once_one_replaces(encoder: Encoder) -> None:
    at = kept(encoder, "Anna is Alice's cousin")
    venue_context = resolve_venue(person="alice")

    def corrector(word: str) -> Callable[[], Any]:
        text = f"Anna is Alice's {word}"
        return lambda: correct(
            venue_context=venue_context, at=at, content=text, author=AUTHOR, now=LATER, encoder=encoder
        )

    answers = at_once(*(corrector(word) for word in ("sister", "aunt", "niece")))
    assert crashes(answers) == []
    assert [type(answer) for answer in answers].count(ConflictError) == 2
    assert sorted(memory.status for memory in rows()) == ["active", "superseded"]


def test_forgetting_restoring_and_editing_at_once_leave_a_whole_row(encoder: Encoder) -> None:
    for _ in range(ROUNDS):
        at = kept(encoder, "Alice lives in Paris", key="home")
        answers = at_once(_forgetter(at), _restorer(at), _editor(encoder, at, "Alice lives in Rome"), _forgetter(at))
        assert crashes(answers) == []
        assert {type(answer) for answer in answers} <= {Memory, NotFound}
        after = row(at)
        assert (after.deleted_at is None) == (after.status == "active")
        assert (after.deleted_by == "") == (after.status == "active")
        assert after.version == 1 + sum(isinstance(answer, Memory) for answer in answers)
        assert versions(at) == list(range(1, after.version))
        with every_space():
            Memory.objects.all().delete()


def _forgetter(at: MemoryRef) -> Callable[[], Any]:
    return lambda: delete_memory(at=at, author=AUTHOR, now=LATER)


def _restorer(at: MemoryRef) -> Callable[[], Any]:
    return lambda: restore(at=at, author=AUTHOR, now=LATER)


def test_of_a_key_restored_and_given_anew_at_once_one_holds_it(encoder: Encoder) -> None:
    for number in range(ROUNDS):
        at = kept(encoder, f"Alice lives in town {number}", key="home")
        delete_memory(at=at, author=AUTHOR, now=LATER)
        answers = at_once(
            _restorer(at),
            keeper(encoder, f"Alice now lives by the sea {number}", key="home"),
        )
        assert crashes(answers) == []
        standing = [memory.id for memory in rows() if memory.key == "home" and memory.status == "active"]
        assert standing == [answers[1].memory.id]
        with every_space():
            Memory.objects.all().delete()


def test_of_two_given_one_key_at_once_one_gets_it(encoder: Encoder) -> None:
    for number in range(ROUNDS):
        both = [kept(encoder, text) for text in (f"The flat {number} is old", f"Anna {number} plays chess")]
        answers = at_once(*(_keyed(encoder, at) for at in both))
        assert crashes(answers) == []
        assert sorted(type(answer).__name__ for answer in answers) == ["ConflictError", "Memory"]
        with every_space():
            Memory.objects.all().delete()


def _keyed(encoder: Encoder, at: MemoryRef) -> Callable[[], Any]:
    return lambda: edit(at=at, changes={"key": "home"}, author=AUTHOR, now=LATER, encoder=encoder)


@contextmanager
def holding(at: MemoryRef) -> Iterator[None]:
    """Another connection has locked the memory, in a transaction that goes on."""
    taken, let_go = Event(), Event()

    def hold() -> None:
        try:
            with allowed_spaces([at.space]), transaction.atomic():
                assert lock_memory(at.space, at.id)
                taken.set()
                assert let_go.wait(20)
        finally:
            connection.close()

    thread = Thread(target=hold)
    thread.start()
    try:
        assert taken.wait(20)
        yield
    finally:
        let_go.set()
        thread.join()


def test_a_brief_does_not_wait_for_a_memory_that_is_being_changed(encoder: Encoder) -> None:
    at = kept(encoder, "Alice plays the cello in the evening")
    brief_request = BriefRequest("Alice plays the cello in the evening")

    def told() -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        briefed = brief(
            venue_context=resolve_venue(person="alice"),
            brief_request=brief_request,
            author=AUTHOR,
            now=LATER,
            encoder=encoder,
        )
        return [result.row.id for result in briefed.results]

    with holding(at):
        assert at_once(told) == [[at.id]]
    assert row(at).access_count == 0
    assert at_once(told) == [[at.id]]
    assert row(at).access_count == 1


def test_confirming_a_delete_waits_without_holding_locks(encoder: Encoder) -> None:
    """Whoever erases a memory holds its person's writers off, and then takes the questions about it away."""
    kept(encoder, "The tile is blue")
    asked: dict[str, Any] = {
        "utterance": "forget everything",
        "conversation": None,
        "author": AUTHOR,
        "now": NOON,
        "encoder": encoder,
    }
    alice = resolve_venue(person="alice")
    token = delete_by_words(venue_context=alice, **asked).token
    assert token is not None
    answers: list[Any] = []

    def answer() -> None:
        try:
            memory_input: dict[str, Any] = {"token": token, "choice": None, "conversation": None, "grant": EVERYTHING}
            answers.append(confirm_deletion(person="alice", **memory_input, author=AUTHOR, now=NOON).status)
        finally:
            connection.close()

    answering = Thread(target=answer)
    with every_space():
        lock_writers(alice.person.id)
        answering.start()
        _until_someone_waits()
        assert len(list(Token.objects.select_for_update(nowait=True))) == 1
    answering.join(60)
    assert answers == ["done"]


def test_answering_proposals_waits_without_holding_locks(encoder: Encoder) -> None:
    """Whoever reads a conversation holds its person's writers off, and then all that waits for their word."""
    talk, _ = find_or_open_conversation(venue_context=resolve_venue(person="alice"), external_id="", now=NOON)
    told = ("I moved to Rome.", "I prefer tea.", "I have two dogs.", "I play the cello.")
    add_turns(conversation=talk.id, turns=[TurnInput("user", text) for text in told], now=NOON)
    read: dict[str, Any] = {"trigger": Trigger.END, "author": AUTHOR, "now": NOON, "encoder": encoder}
    put_up = len(propose(space=talk.space_id, conversation=talk.id, **read).proposals)
    assert put_up > 1
    answers: list[Any] = []

    def answer() -> None:
        try:
            replied = reply(conversation=talk, text="no", author=AUTHOR, now=NOON, encoder=encoder)
            answers.append(len(replied.rejected))
        finally:
            connection.close()

    answering = Thread(target=answer)
    with every_space():
        lock_writers(talk.person_id)
        answering.start()
        _until_someone_waits()
        assert len(Proposal.objects.select_for_update(nowait=True)) == put_up
    answering.join(60)
    assert answers == [put_up]


def _until_someone_waits() -> None:
    """For a lock that this transaction holds."""
    with connection.cursor() as cursor:
        for _ in range(100_000):
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody waits")
