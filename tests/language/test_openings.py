"""What an utterance opens with before it says anything, and requests to keep what it says."""

import pytest

from tests.language.test_extract_sentences import found_in

NIGHTS = "I work nights on Mondays."


@pytest.mark.parametrize(
    "opening",
    [
        "Update: ", "FYI: ", "PS: ", "P.S. ", "Good news: ", "So here's the thing: ", "Fun fact: ", "One more thing: ",
        "The thing is, ", "To be honest, ", "As I said, ", "As you know, ", "If you must know, ", "Just so you know, ",
        "I should mention that ", "I forgot to say that ", "I must admit ", "I have to say that ", "I told you that ",
        "Dear assistant, ", "Reminder for myself: ",
        "It's worth noting that ", "I'd like to add that ", "You should know that ",
    ],
)  # fmt: skip
def test_what_is_said_about_the_saying_hides_nothing(opening: str) -> None:
    said = f"{opening}I work nights on Mondays."
    (one,) = found_in("Hello!", said, "Thanks a lot.")
    assert one.content.endswith(NIGHTS)
    assert one.content in said


@pytest.mark.parametrize(
    "asked",
    [
        "Remind me that {}.", "please remind me that {}", "Also, remind us that {}.", "Note that {}.",
        "Please note that {}.", "remember that {}", "Keep in mind that {}.", "Don't forget that {}.",
    ],
)  # fmt: skip
def test_a_request_to_keep_something_is_not_part_of_it(asked: str) -> None:
    (one,) = found_in("Hello!", asked.format("Anna's birthday is on 3 March"), "Thanks a lot.")
    assert (one.summary.rstrip("."), one.confidence) == ("Anna's birthday is on 3 March", 0.95)


@pytest.mark.parametrize("said", ["Remind me to call my mum on Friday.", "Remind me that.", "Remember to call Bob."])
def test_what_is_to_be_done_is_no_statement(said: str) -> None:
    assert found_in("Hello!", said, "Thanks a lot.") == []
