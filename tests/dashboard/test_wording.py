"""What the pages say in plain words."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from dashboard.wording import (
    describe_audience,
    describe_author,
    describe_event_time,
    describe_extractor,
    describe_lifetime,
    describe_operation,
    describe_origin,
    pluralize,
)
from memory_app.models import Channel, Memory, Operation, Person, Space

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


FAMILY = Space(kind="shared", name="family")


def memory(**fields: object) -> Memory:
    """One of Alice's, never saved."""
    alice = Person(name="alice", display_name="Alice", space=Space())
    usual = {"visibility": "private", "source_type": "explicit", "reinforced_at": NOON}
    return Memory(person=alice, space=FAMILY, content="Tea", summary="Tea", **usual | fields)


@pytest.mark.parametrize(
    ("source", "mine", "said"),
    [
        ("explicit", True, "Kept because you asked for it"),
        ("explicit", False, "Kept because Alice asked for it"),
        ("extracted", True, "Noticed in a conversation with you"),
        ("journal", False, "Kept from Alice’s journal"),
        ("api", True, "Kept by an assistant"),
    ],
)
def test_origin(source: str, mine: bool, said: str) -> None:
    assert describe_origin(memory(source_type=source), mine=mine) == said


@pytest.mark.parametrize(
    ("visibility", "mine", "said"),
    [
        ("private", True, "Only you. It comes up in private talks with you, and nowhere else."),
        ("private", False, "Only Alice. It comes up in private talks with them, and nowhere else."),
        ("space", True, "Everyone in family, for it was said there."),
        ("global", True, "Only you, but wherever you talk to an assistant: it is harmless."),
        ("everyone", True, "Everyone, everywhere."),
    ],
)
def test_audience(visibility: str, mine: bool, said: str) -> None:
    assert describe_audience(memory(visibility=visibility), mine=mine) == said


def test_the_audience_of_a_channel_names_it() -> None:
    talk = Channel(space=FAMILY, name="kitchen")
    said = describe_audience(memory(visibility="channel", channel=talk), mine=True)
    assert said == "Only you: in private, and in the channel “kitchen” of family, where it was said."


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"confidence": 1.0, "decay_rate": 0.01},
            "Fades on 16 September 2027, unless it is recalled or confirmed before.",
        ),
        ({"protected": True}, "Kept for good."),
        ({"decay_rate": 0.0}, "It does not fade."),
        ({"protected": True, "expires_at": NOON + timedelta(days=1)}, "Kept for good. It expires on 21 November 2026."),
        ({"expires_at": NOON}, "Expired on 20 November 2026. No assistant recalls it."),
        ({"superseded_by": uuid4()}, "Replaced by a newer memory. No assistant recalls it as current."),
        ({"deleted_at": NOON}, "Forgotten. No assistant recalls it."),
    ],
)
def test_lasting(fields: dict[str, object], said: str) -> None:
    assert describe_lifetime(memory(**fields), NOON) == said


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (None, None, ""),
        ("2026-12-04T19:00", None, "4 December 2026, 20:00 (CET)"),
        ("2026-12-03T23:00", "2026-12-04T23:00", "4 December 2026"),
        ("2026-11-29T23:00", "2026-12-06T23:00", "30 November 2026 to 6 December 2026"),
        ("2026-12-04T19:00", "2026-12-04T21:00", "4 December 2026, 20:00 (CET) to 4 December 2026, 22:00 (CET)"),
    ],
)
def test_happened(start: str | None, end: str | None, said: str) -> None:
    times = [datetime.fromisoformat(f"{time}+00:00") if time else None for time in (start, end)]
    with timezone.override("Europe/Berlin"):
        assert describe_event_time(memory(event_time=times[0], event_end=times[1])) == said


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("user:alice", "alice"),
        ("key:kitchen: the tablet", "an assistant (kitchen: the tablet)"),
        ("key:ks_8946ae3c first key", "an assistant (first key)"),
        ("job:fade", "the nightly work"),
        ("", "someone"),
    ],
)
def test_author(label: str, said: str) -> None:
    assert describe_author(label) == said


def test_the_readers_own_actions_are_worded_as_you() -> None:
    forgot = Operation(name="forget", author="user:alice")
    assert describe_operation(forgot, reader="user:alice") == "You forgot"
    assert describe_operation(forgot, reader="user:root") == "Alice forgot"
    assert (
        describe_operation(Operation(name="fade", author="job:fade"), reader="user:alice")
        == "The nightly work let fade"
    )


def test_count() -> None:
    assert [pluralize(1, "memory", "memories"), pluralize(1204, "memory", "memories"), pluralize(0, "turn")] == [
        "1 memory",
        "1,204 memories",
        "0 turns",
    ]


@pytest.mark.parametrize(
    ("extractor", "said"),
    [
        ("local-7", "Keepsake’s own rules"),
        ("local-12 by pages", "Keepsake’s own rules (by pages)"),
        ("extract-2 openai:small", "a language model (openai:small)"),
        ("openai:small", "openai:small"),
    ],
)
def test_the_extractor_is_named_without_its_version(extractor: str, said: str) -> None:
    assert describe_extractor(extractor) == said
