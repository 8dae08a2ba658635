"""What leads a text: the time of telling and the one who speaks."""

import pytest

from memory_app.nlp.speaker import SpeakerPrefix, speaker_in, split_speaker


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[8 May 2023] Alice: I like tea.", SpeakerPrefix("I like tea.", "Alice", "8 May 2023")),
        ("Mary Ann: I like tea.", SpeakerPrefix("I like tea.", "Mary Ann", "")),
        ("[2023-05-08 10:00] It rained.", SpeakerPrefix("It rained.", "", "2023-05-08 10:00")),
        ("Note: Alice likes tea.", SpeakerPrefix("Note: Alice likes tea.")),
        ("[8 May 2023] Note: Alice likes tea.", SpeakerPrefix("Note: Alice likes tea.", "", "8 May 2023")),
        ("Alice likes tea.", SpeakerPrefix("Alice likes tea.")),
        ("[laughs] I like tea.", SpeakerPrefix("[laughs] I like tea.")),
        ("", SpeakerPrefix("")),
    ],
)
def test_a_text_is_told_from_what_leads_it(text: str, expected: SpeakerPrefix) -> None:
    assert split_speaker(text) == expected


def test_the_speaker_is_the_name_that_leads() -> None:
    assert speaker_in("[8 May 2023] Alice: I like tea.") == "Alice"
    assert speaker_in("Reminder: buy tea") == ""
