"""Tags and filters of the pages."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from dashboard.templatetags.keepsake import marked, moment

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "query", "html"),
    [
        ("The blue tile", "tile blue", "The <mark>blue</mark> <mark>tile</mark>"),
        ("Two tiles", "tile", "Two <mark>tiles</mark>"),
        ("<b>tile</b>", "tile", "&lt;b&gt;<mark>tile</mark>&lt;/b&gt;"),
        ("a & b", "<script>", "a &amp; b"),
        ("Die Möwe", "möwe", "Die <mark>Möwe</mark>"),
        ("C++ (new)", "c++ (", "C++ (new)"),
        ("plain", "", "plain"),
    ],
)
def test_query_words_are_highlighted_and_the_rest_is_escaped(text: str, query: str, html: str) -> None:
    assert marked(text, query) == html


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(minutes=3), "3\xa0minutes ago"),
        (timedelta(days=1, hours=8), "1\xa0day ago"),
        (timedelta(days=-2, hours=-1), "2\xa0days from now"),
        (timedelta(days=30), "21 October"),
        (timedelta(days=400), "16 October 2025"),
    ],
)
def test_recent_times_are_relative_and_older_ones_are_dates(ago: timedelta, said: str) -> None:
    with time_machine.travel(NOW, tick=False):
        assert f">{said}</time>" in moment(NOW - ago)


def test_times_carry_the_exact_moment_in_the_readers_zone() -> None:
    with timezone.override("Europe/Berlin"):
        html = moment(NOW, "exact")
    assert html == (
        '<time datetime="2026-11-20T12:00:00+00:00" title="20 November 2026, 13:00 (CET)">'
        "20 November 2026, 13:00 (CET)</time>"
    )
