"""Bars over days."""

from datetime import date

from dashboard.charts import DayBar, last_days, sparkline


def test_days_run_up_to_today() -> None:
    assert last_days(date(2026, 3, 2), 3) == [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2)]


def test_bars_are_as_high_as_their_share_and_an_empty_day_keeps_a_stub() -> None:
    days = [date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3)]
    line = sparkline({date(2026, 3, 1): 4, date(2026, 3, 3): 2}, days)
    assert (line.width, line.height) == (30, 44)
    assert line.bars == (
        DayBar(date(2026, 3, 1), 4, 0, 0.0, 44.0),
        DayBar(date(2026, 3, 2), 0, 11, 42.0, 2.0),
        DayBar(date(2026, 3, 3), 2, 22, 21.0, 23.0),
    )


def test_no_memories_at_all_draw_stubs_only() -> None:
    assert [bar.height for bar in sparkline({}, [date(2026, 3, 1), date(2026, 3, 2)]).bars] == [2.0, 2.0]
