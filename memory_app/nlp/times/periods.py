"""Spans of the calendar in a person's time zone, ends not included; and which turn of a recurring one is meant."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

# Hours by which people mean the parts of a day; "night" runs into the next day.
PARTS_OF_DAY = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (20, 28)}

# First months of the meteorological seasons of the north; a winter bears the year in which it begins.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SOUTHERN_ZONES = (
    "Australia/", "Antarctica/", "Pacific/Auckland", "Pacific/Fiji", "America/Argentina/", "America/Buenos_Aires",
    "America/Sao_Paulo", "America/Santiago", "America/Montevideo", "America/Asuncion", "Africa/Johannesburg",
    "Africa/Harare", "Africa/Maputo", "Africa/Windhoek",
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """From `start` up to, not including, `end`; both aware."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Calendar:
    """The periods of one time zone. Out of the calendar's range (years 1 to 9999) they raise ValueError."""

    zone: ZoneInfo

    def midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self.zone)

    def days(self, first: date, count: int = 1) -> Period:
        return Period(self.midnight(first), self.midnight(first + timedelta(days=count)))

    def week(self, day: date) -> Period:
        """The Monday to Sunday around a day."""
        return self.days(day - timedelta(days=day.weekday()), 7)

    def weekend(self, day: date) -> Period:
        """Saturday and Sunday of the week of a day."""
        return self.days(day - timedelta(days=day.weekday() - 5), 2)

    def month(self, year: int, month: int, count: int = 1) -> Period:
        """`count` months from one on; months beyond 1 to 12 run into other years."""
        return Period(self.midnight(_first_of(year, month)), self.midnight(_first_of(year, month + count)))

    def year(self, year: int, count: int = 1) -> Period:
        return Period(self.midnight(date(year, 1, 1)), self.midnight(date(year + count, 1, 1)))

    def season(self, name: str, year: int) -> Period:
        """Three months, as they fall on this zone's side of the equator."""
        south = str(self.zone).startswith(_SOUTHERN_ZONES)
        return self.month(year, (SEASONS[name] + 5) % 12 + 1 if south else SEASONS[name], 3)

    def part_of_day(self, day: date, part: str) -> Period:
        first, last = PARTS_OF_DAY[part]
        return Period(self.hour(day, first), self.hour(day, last))

    def hour(self, day: date, hour: int, minute: int = 0) -> datetime:
        """A wall-clock time; hours from 24 on are those of the next day."""
        return datetime.combine(day + timedelta(days=hour // 24), time(hour % 24, minute), self.zone)

    def nth_weekday(self, year: int, month: int, weekday: int, which: int) -> Period:
        """The first (1), second … or last (-1) such weekday (Monday is 0) of a month."""
        if which > 0:
            first = _first_of(year, month)
            return self.days(first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1)))
        end = _first_of(year, month + 1) - timedelta(days=1)
        return self.days(end - timedelta(days=(end.weekday() - weekday) % 7))

    def holiday(self, name: str, year: int) -> Period:
        """A holiday by the names in `HOLIDAYS`."""
        if name == "easter":
            return self.days(easter(year))
        if name == "thanksgiving":
            return self.nth_weekday(year, 11, 3, 4)
        month, day = HOLIDAYS[name]
        return self.days(date(year, month, day))


# Month and day; those that move are computed.
HOLIDAYS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "xmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "halloween": (10, 31),
    "valentine's day": (2, 14), "valentine's": (2, 14), "independence day": (7, 4), "fourth of july": (7, 4),
    "st patrick's day": (3, 17), "easter": (0, 0), "thanksgiving": (0, 0),
}  # fmt: skip

HOLIDAY = (
    "(?P<holiday>"
    + "|".join(sorted((name.replace("'", "'?") for name in HOLIDAYS), key=len, reverse=True))
    + r")(?!\w|'s\b)"
)


def holiday_name(words: str) -> str:
    """The name in `HOLIDAYS` of a holiday as it was written."""
    return next(name for name in HOLIDAYS if name.replace("'", "") == words.lower().replace("'", ""))


def _first_of(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8)."""
    century, of_century = divmod(year, 100)
    golden = year % 19
    skipped = century // 4
    shift = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - skipped - shift + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


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
