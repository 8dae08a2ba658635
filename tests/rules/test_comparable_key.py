"""Key names compare without case and spacing."""

import pytest

from memory_app.rules.comparable_key import comparable_key, same_key


@pytest.mark.parametrize("name", ["home city", "Home  City", " HOME_city ", "home-city", "home__-  city"])
def test_case_and_spacing_do_not_matter(name: str) -> None:
    assert comparable_key(name) == "home city"


def test_other_words_and_no_words_are_not_the_same() -> None:
    assert not same_key("home city", "homecity")
    assert not same_key("", "")
    assert not same_key("_", " - ")
