"""What leads a text: the time of telling and the one who speaks."""

import pytest

from memory_app.nlp.speaker import Led, led, speaker_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[8 May 2023] Alice: I like tea.", Led("I like tea.", "Alice", "8 May 2023")),
        ("Mary Ann: I like tea.", Led("I like tea.", "Mary Ann", "")),
        ("[2023-05-08 10:00] It rained.", Led("It rained.", "", "2023-05-08 10:00")),
        ("Note: Alice likes tea.", Led("Note: Alice likes tea.")),
        ("[8 May 2023] Note: Alice likes tea.", Led("Note: Alice likes tea.", "", "8 May 2023")),
        ("Alice likes tea.", Led("Alice likes tea.")),
        ("[laughs] I like tea.", Led("[laughs] I like tea.")),
        ("", Led("")),
    ],
)
def test_a_text_is_told_from_what_leads_it(text: str, expected: Led) -> None:
    assert led(text) == expected


def test_the_speaker_is_the_name_that_leads() -> None:
    assert speaker_in("[8 May 2023] Alice: I like tea.") == "Alice"
    assert speaker_in("Reminder: buy tea") == ""
