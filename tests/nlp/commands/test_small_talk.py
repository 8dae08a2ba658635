"""Only what memory certainly cannot help is taken for a command or small talk."""

import pytest

from memory_app.nlp.commands.small_talk import is_command_or_small_talk


@pytest.mark.parametrize(
    "utterance",
    [
        "Turn on the lights",
        "turn the kitchen lights off",
        "Hey Barnabee, turn off the kitchen lights please",
        "set the thermostat to 20 degrees",
        "thanks!",
        "Thank you so much",
        "good morning",
        "good morning Barnabee",
        "see you tomorrow",
        "remind me in ten minutes",
        "ok cool",
        "yes",
        "👍",
        "what's 2+2",
        "What is 15% of 80?",
        "3*4",
        "how much is 12 times 9",
        "convert 5 miles to km",
        "set a timer for 10 minutes",
        "cancel the timer",
        "what time is it?",
        "What day is it today",
        "what's the weather in Paris",
        "how are you",
        "never mind",
        "...",
        "",
    ],
)
def test_commands_and_small_talk_need_no_memory(utterance: str) -> None:
    assert is_command_or_small_talk(utterance)


@pytest.mark.parametrize(
    "utterance",
    [
        "what time is my dentist appointment?",
        "2024-03-12",
        "12/03/2024",
        "555-0123",
        "030-901820",
        "remind me in Rome about the museum",
        "what day is the party?",
        "What is the date of Anna's wedding?",
        "play my favourite song",
        "turn on my usual lights",
        "call Mom",
        "Where did we meet?",
        "who am I",
        "Thanks Barnabee, what did we decide?",
        "Hi, when is Anna's birthday?",
        "What did I say yesterday?",
        "is it going to be at the old place?",
        "set a reminder for Bob's birthday",
        "how long is the drive to Anna's",
        "I like tea",
        "你好吗",
        "turn on the lights. " * 20,
    ],
)
def test_what_memory_might_help_is_never_caught(utterance: str) -> None:
    assert not is_command_or_small_talk(utterance)
