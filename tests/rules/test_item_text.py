"""What a path of an item finds, and that a step which is no position finds nothing."""

import pytest

from memory_app.rules.item_text import item_texts

VALUE = {"parts": ["red lamp", "blue door"]}


@pytest.mark.parametrize(
    ("path", "text"), [("parts.1", "blue door"), ("parts[0]", "red lamp"), ("parts.-1", "blue door")]
)
def test_a_position_finds_an_entry_of_a_list(path: str, text: str) -> None:
    assert item_texts(VALUE, [path]) == [text]


@pytest.mark.parametrize("step", ["--1", "²", "1²", "-", "٣", "2", "9" * 5000])
@pytest.mark.parametrize("form", ["parts.{}", "parts[{}]"])
def test_what_is_no_position_of_a_list_is_passed_over(step: str, form: str) -> None:
    assert item_texts(VALUE, [form.format(step)]) == []
