"""What a channel puts around the words of a turn."""

import pytest

from memory_app.language.extract.channel import unprefixed
from tests.language.test_extract_sentences import found_in


def told(said: str) -> list[str]:
    return [one.content for one in found_in("Hello!", said, "Thanks a lot.")]


@pytest.mark.parametrize(
    "prefix",
    [
        "Alice: ", "me: ", "[12:03] ", "[12:03] Alice: ", "[20/11/2026, 12:03:11] Alice: ", "12:04 PM Alice: ",
        "2026-11-20 12:03 - Alice: ", "Alice (12:03): ", "<alice> ", "vx5: ", "@keepsake ", "@bob, ", "<@U12345> ",
        "#general ", "- ", "* ", "1. ", "(laughs) ", "*sighs* ", "--- ", "> I moved to Lyon.\n", "&gt; My cat\n",
        "**Alice:** ", "*Alice*: ", "Alice Smith: ", "14:05 ",
        "Bob: I live in Rome.\n", "12:03 PM Bob: I live in Rome.\n", "Re: party - ",
    ],
)  # fmt: skip
def test_what_is_not_part_of_the_statement_is_not_in_what_is_put_up(prefix: str) -> None:
    assert told(f"{prefix}I live in Leeds with my dog.") == ["I live in Leeds with my dog."]


@pytest.mark.parametrize(
    "said",
    [
        "[12:03] Bob: I live in Rome with my dog.",
        "20/11/2026, 12:03 - Zdenka: I live in Rome with my dog.",
        "<bob> I live in Rome with my dog.",
        "Bob: I live in Rome with my dog.",
        "> I live in Rome with my dog.",
        "**Bob:** I live in Rome with my dog.",
        "bot: I live in Rome with my dog.",
        "Sent from my iPhone",
    ],
)
def test_what_others_wrote_is_not_the_persons(said: str) -> None:
    assert told(said) == []


def test_a_signature_is_left_out() -> None:
    assert told("I moved to Leeds.\n\nSent from my iPhone") == ["I moved to Leeds."]
    assert told("I moved to Leeds.\n--\nAlice Smith\nMy Company Ltd") == ["I moved to Leeds."]


@pytest.mark.parametrize(
    "said",
    ["My address: 5 Elm Street", "Job: I'm a nurse", "v2: my own design", "18:00 Dinner: at Luigi's", "3-4 days"],
)
def test_what_says_something_before_a_colon_stays(said: str) -> None:
    assert unprefixed(said, ["Alice"]) == said


def test_what_is_left_stands_where_it_stood() -> None:
    said = "[12:03] Alice: I moved.\nBob: I did too.\n- My dog is old."
    assert unprefixed(said, ["alice"]) == " " * 15 + "I moved.\n" + " " * 15 + "\n  My dog is old."
