"""What a line typed in chat asks for."""

import pytest

from memory_app.nlp.commands.slash import HELP, Command, read_command


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/memory", Command("view")),
        ("  /Memory  ", Command("view")),
        ("/memory@barnabee", Command("view")),
        ("/memory view", Command("view")),
        ("/memory status", Command("view")),
        ("/memory search blue tile", Command("search", "blue tile")),
        ("/memory SEARCH  Blue  Tile ", Command("search", "Blue  Tile")),
        ("/memory search", Command("search")),
        ("/memory find tile", Command("search", "tile")),
        ("/memory\tsearch\ntile", Command("search", "tile")),
        ("/memory forget distributed systems", Command("forget", "distributed systems")),
        ("/memory forget", Command("forget")),
        ("/memory pause", Command("pause")),
        ("/memory PAUSE", Command("pause")),
        ("/memory off", Command("pause")),
        ("/memory resume", Command("resume")),
        ("/memory on", Command("resume")),
        ("/memory clear", Command("clear")),
        ("/memory remember I prefer tea", Command("remember", "I prefer tea")),
        ("/memory list", Command("list")),
        ("/memory help", Command("help")),
        ("/remember we chose the blue tile", Command("remember", "we chose the blue tile")),
        ("/remember@barnabee that\nand this", Command("remember", "that\nand this")),
        ("/remember", Command("remember")),
        ("/forget the blue tile", Command("forget", "the blue tile")),
        ("/forget that", Command("forget", "that")),
        ("/forget", Command("forget")),
        ("/memories", Command("list")),
        ("/memories tile", Command("search", "tile")),
        ("/help", Command("help")),
        ("/memory pause for an hour", Command("help", known=False)),
        ("/memory clear the kitchen", Command("help", known=False)),
        ("/memory dance", Command("help", known=False)),
        ("/memorysearch tile", Command("help", known=False)),
        ("/dance", Command("help", known=False)),
        ("/", Command("help", known=False)),
        ("", Command("help", known=False)),
        ("thanks!", Command("help", known=False)),
        ("remember that I sing", Command("remember", "remember that I sing", plain=True)),
        ("forget about the blue tile", Command("forget", "forget about the blue tile", plain=True)),
        ("what do you know about my car?", Command("search", "my car", plain=True)),
        ("What do you know about me?", Command("view")),
        ("my car", Command("search", "my car", plain=True)),
        ("please /memory pause", Command("help", known=False)),
        ("/memory/pause", Command("help", known=False)),
    ],
)
def test_what_a_line_asks(text: str, expected: Command) -> None:
    assert read_command(text) == expected


@pytest.mark.parametrize("line", HELP.splitlines())
def test_what_help_names_is_known(line: str) -> None:
    for spoken in line.split(" – ")[0].split(", "):
        assert read_command(spoken).known
        assert read_command(spoken).name != "help"
