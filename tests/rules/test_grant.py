"""What each grant may write: every level of every person and space, written out."""

import pytest

from memory_app.rules.grant import EVERYTHING, Grant, Write, in_person
from memory_app.rules.visibility import Visibility

PRIVATE, CHANNEL, SPACE, GLOBAL, EVERYONE = (
    Visibility(name) for name in ("private", "channel", "space", "global", "everyone")
)

GRANTS = {
    "without limits": EVERYTHING,
    "of Alice": Grant(people=frozenset({"alice"})),
    "of the kitchen": Grant(spaces=frozenset({"kitchen"})),
    "of Alice in the kitchen": Grant(people=frozenset({"alice"}), spaces=frozenset({"kitchen"})),
    "Alice herself": in_person("alice"),
}

WRITES = {
    "her private": Write("alice", PRIVATE),
    "her global": Write("alice", GLOBAL),
    "hers for everyone": Write("alice", EVERYONE),
    "her channel there": Write("alice", CHANNEL, "kitchen", member=True),
    "hers in the kitchen": Write("alice", SPACE, "kitchen", member=True),
    "hers in the kitchen, no member": Write("alice", SPACE, "kitchen"),
    "hers in the garage": Write("alice", SPACE, "garage", member=True),
    "hers in the garage, no member": Write("alice", SPACE, "garage"),
    "Bob's private": Write("bob", PRIVATE),
    "Bob's for everyone": Write("bob", EVERYONE),
    "Bob's in the kitchen": Write("bob", SPACE, "kitchen", member=True),
    "Bob's in the garage": Write("bob", SPACE, "garage", member=True),
    "wider, channel to space": Write("alice", SPACE, "kitchen", member=True, was=CHANNEL),
    "wider, private to space": Write("alice", SPACE, "kitchen", member=True, was=PRIVATE),
    "wider, private to everyone": Write("alice", EVERYONE, was=PRIVATE),
    "narrower, space to private": Write("alice", PRIVATE, was=SPACE),
    "narrower, space to channel": Write("alice", CHANNEL, "kitchen", member=True, was=SPACE),
    "take back hers for everyone": Write("alice", EVERYONE, removes=True),
    "take back hers where she was": Write("alice", SPACE, "garage", removes=True),
    "take back her private": Write("alice", PRIVATE, removes=True),
    "take back Bob's in the kitchen": Write("bob", SPACE, "kitchen", removes=True),
}

MAY = {
    "without limits": {*WRITES},
    "of Alice": {
        "her private", "her global", "her channel there", "hers in the kitchen", "hers in the garage",
        "wider, channel to space", "wider, private to space", "narrower, space to private",
        "narrower, space to channel", "take back hers for everyone", "take back hers where she was",
        "take back her private",
    },
    "of the kitchen": {
        "her channel there", "hers in the kitchen", "hers in the kitchen, no member", "Bob's in the kitchen",
        "narrower, space to channel", "take back Bob's in the kitchen",
    },
    "of Alice in the kitchen": {
        "her private", "her global", "her channel there", "hers in the kitchen", "hers in the kitchen, no member",
        "wider, channel to space", "wider, private to space", "narrower, space to private",
        "narrower, space to channel", "take back hers for everyone", "take back her private",
    },
    "Alice herself": {
        "her private", "her global", "hers for everyone", "her channel there", "hers in the kitchen",
        "hers in the garage", "wider, channel to space", "wider, private to space", "wider, private to everyone",
        "narrower, space to private", "narrower, space to channel", "take back hers for everyone",
        "take back hers where she was", "take back her private",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", GRANTS)
def test_a_grant_may_write_this_and_no_more(name: str) -> None:
    assert {write for write, what in WRITES.items() if GRANTS[name].may_write(what)} == MAY[name]


def test_all_that_is_a_persons_takes_a_grant_without_spaces() -> None:
    may = {name for name, grant in GRANTS.items() if grant.may_write_all_of("alice")}
    assert may == {"without limits", "of Alice", "Alice herself"}


def test_only_a_grant_for_the_space_makes_members() -> None:
    may = {name for name, grant in GRANTS.items() if grant.may_enter("alice", "kitchen", member=False)}
    assert may == {"without limits", "of the kitchen", "of Alice in the kitchen"}
