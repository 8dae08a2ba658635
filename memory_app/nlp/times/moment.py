"""When and where a time phrase is read, and which turn of a recurring period it means from there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory_app.nlp.times.periods import Calendar, Period

_YEARS_AROUND = 4


@dataclass(frozen=True, slots=True)
class Moment:
    """Now by the person's clock, their calendar, and the tense around the phrase: "past", "future" or ""."""

    now: datetime
    calendar: Calendar
    tense: str = ""

    @property
    def today(self) -> date:
        return self.now.date()

    def fitting(self, periods: Iterable[Period]) -> Period:
        """Of a recurring period's turns: the last past, the next to come, or the nearest, by tense."""
        turns = sorted(periods)
        past = [turn for turn in turns if turn.start <= self.now][-1]
        ahead = next(turn for turn in turns if turn.end > self.now)
        if self.tense:
            return past if self.tense == "past" else ahead
        return ahead if ahead.start - self.now < self.now - past.end or ahead.start <= self.now else past

    def turn(self, periods: Iterable[Period], step: int) -> Period:
        """The turn of this year (0), the last that are over (-1, -2 …), the next to begin (1, 2 …)."""
        turns = sorted(periods)
        if step < 0:
            return [turn for turn in turns if turn.end <= self.now][step]
        if step > 0:
            return [turn for turn in turns if turn.start > self.now][step - 1]
        return next(turn for turn in turns if turn.start <= self.now < turn.end or turn.start.year == self.today.year)

    def each_year(self, of_year: Callable[[int], Period]) -> list[Period]:
        """The turns of a yearly period around now; a day that a year lacks (29 February) is left out."""
        found = []
        for year in range(self.today.year - _YEARS_AROUND, self.today.year + _YEARS_AROUND + 1):
            try:
                found.append(of_year(year))
            except ValueError:
                continue
        return found

    def shifted(self, unit: str, step: int) -> Period:
        """The calendar day, week, month … that lies `step` steps from the current one."""
        match unit:
            case "day" | "night":
                return self.calendar.days(self.today + timedelta(days=step))
            case "week":
                return self.calendar.week(self.today + timedelta(weeks=step))
            case "weekend":
                return self.calendar.weekend(self.today + timedelta(weeks=step))
            case "fortnight":
                return self.calendar.days(self.calendar.week(self.today + timedelta(weeks=2 * step)).start.date(), 14)
            case "month":
                return self.calendar.month(self.today.year, self.today.month + step)
            case "decade":
                return self.calendar.year(self.today.year // 10 * 10 + 10 * step, 10)
        return self.calendar.year(self.today.year + step)

    def moved(self, unit: str, steps: int) -> datetime:
        """Now, moved by so many hours, days, months …; a day that the month lacks becomes its 28th."""
        if unit in ("month", "year"):
            months = self.now.year * 12 + self.now.month - 1 + steps * (12 if unit == "year" else 1)
            return self.now.replace(year=months // 12, month=months % 12 + 1, day=min(self.now.day, 28))
        days = {"day": 1, "night": 1, "weekend": 7, "week": 7, "fortnight": 14}
        if unit in days:
            return self.now + timedelta(days=steps * days[unit])
        return self.now + (timedelta(hours=steps) if unit == "hour" else timedelta(minutes=steps))

    def day_or_part(self, day: date, part: str | None) -> Period:
        return self.calendar.part_of_day(day, part.lower()) if part else self.calendar.days(day)
