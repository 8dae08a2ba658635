"""Phrases counted from now: "yesterday evening", "last Tuesday", "two summers ago", "in three weeks", "on Friday"."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from memory_app.nlp import linear_re as re
from memory_app.nlp.times.periods import HOLIDAY, SEASONS, Moment, Period, holiday_name
from memory_app.nlp.times.words import (
    COUNT,
    DAYS,
    LONG_MONTH,
    ORDINALS,
    PART,
    SEASON,
    UNIT,
    WEEKDAY,
    YEAR,
    count,
    month_number,
    phrase,
    weekday_number,
)

Reader = Callable[[re.Match, Moment], Period | None]

_NEAR_DAY = phrase(rf"(?:(?:the day (?P<over>before|after) )?(?P<word>yesterday|tomorrow)|today)(?:'s)?(?: {PART})?")
_NEAR_PART = phrase(rf"this {PART}|tonight|(?P<last>last) (?P<night>night|evening)\b")
_OTHER_DAY = phrase(r"the other day\b")
_NAMED_PERIOD = phrase(
    r"(?P<rel>this past|this coming|this|last|next|past|previous|coming|the following)\s"
    rf"(?:{WEEKDAY}(?:\s{PART})?|(?P<month>{LONG_MONTH})|{SEASON}|{HOLIDAY}|"
    r"(?P<span>weekend|week|fortnight|month|year|decade)\b)"
)
_NTH_OF_MONTH = phrase(
    rf"(?P<which>{'|'.join(ORDINALS)})\s(?:(?P<span>weekend|week)|{WEEKDAY})\s(?:of|in)\s(?P<month>{LONG_MONTH})"
    rf"(?:,?\s(?:of\s)?{YEAR})?"
)
_AGO = phrase(rf"{COUNT}\s{UNIT}(?P<half> and a half)?\s(?P<way>ago|back|from now)\b")
_IN = phrase(rf"in\s{COUNT}\s{UNIT}(?!\s(?:time )?(?:ago|of))(?:' time)?")
_STRETCH = phrase(rf"(?P<way>last|past|previous|next|coming|following)\s{COUNT}\s{UNIT}")
_WEEKDAY = phrase(
    r"(?:(?P<other>every|each|a|black|good|cyber|happy|ash|palm|casual|all|most)\s)?"
    r"(?:(?P<short>(?-i:(?:(?<=on )|(?<=by ))(?:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)\b\.?))|"
    rf"{WEEKDAY})(?:\s{PART})?(?!\s\d|s\b)"
)
_WEEKEND = phrase(r"(?:on|at|over|for|during) the weekend\b")


def near_day(found: re.Match, moment: Moment) -> Period:
    """ "Yesterday", "the day after tomorrow", "today's", "tomorrow morning"."""
    step = {"yesterday": -1, "tomorrow": 1}.get((found["word"] or "").lower(), 0) * (2 if found["over"] else 1)
    return moment.day_or_part(moment.today + timedelta(days=step), found["part"])


def near_part(found: re.Match, moment: Moment) -> Period:
    """ "This morning", "tonight", "last night"."""
    if found["last"]:
        return moment.calendar.part_of_day(moment.today - timedelta(days=1), found["night"].lower())
    return moment.calendar.part_of_day(moment.today, (found["part"] or "evening").lower())


def other_day(found: re.Match, moment: Moment) -> Period:
    """ "The other day": the week before today."""
    return moment.calendar.days(moment.today - timedelta(days=7), 7)


def named(found: re.Match, moment: Moment) -> Period:
    """ "Last week", "next Friday", "this summer", "last Christmas"."""
    relation = found["rel"].lower()
    step = {"this": 0, "last": -1, "past": -1, "this past": -1, "previous": -1}.get(relation, 1)
    if found["weekday"]:
        return moment.day_or_part(_weekday_from(found["weekday"], step, "coming" in relation, moment), found["part"])
    if found["span"]:
        return moment.shifted(found["span"].lower(), step)
    return moment.turn(moment.each_year(_yearly(found, moment)), step)


def _weekday_from(name: str, step: int, coming: bool, moment: Moment) -> date:
    weekday, today = weekday_number(name), moment.today
    if step < 0:
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    if step == 0 or coming:
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    return today + timedelta(days=weekday - today.weekday() + 7)


def _yearly(found: re.Match, moment: Moment) -> Callable[[int], Period]:
    if found["month"]:
        month = month_number(found["month"])
        return lambda year: moment.calendar.month(year, month)
    if found["season"]:
        season = found["season"].lower()
        return lambda year: moment.calendar.season(season, year)
    name = holiday_name(found["holiday"])
    return lambda year: moment.calendar.holiday(name, year)


def nth_of_month(found: re.Match, moment: Moment) -> Period:
    """ "The first weekend of June", "the last Friday in May 2023"."""
    month, which = month_number(found["month"]), ORDINALS[found["which"].lower()]

    def of_year(year: int) -> Period:
        if found["weekday"]:
            return moment.calendar.nth_weekday(year, month, weekday_number(found["weekday"]), which)
        if found["span"].lower() == "weekend":
            return moment.calendar.weekend(moment.calendar.nth_weekday(year, month, 5, which).start.date())
        end = moment.calendar.month(year, month).end.date()
        return moment.calendar.days(date(year, month, 7 * which - 6) if which > 0 else end - timedelta(days=7), 7)

    return of_year(int(found["year"])) if found["year"] else moment.fitting(moment.each_year(of_year))


def ago(found: re.Match, moment: Moment) -> Period:
    """ "Two weeks ago", "a year and a half ago", "three days from now"."""
    return counted(found, 1 if found["way"].lower() == "from now" else -1, moment)


def in_units(found: re.Match, moment: Moment) -> Period | None:
    """ "In two weeks", unless it tells how long something took; "in a minute" means nothing."""
    vague = found["unit"].lower() in ("minute", "night") and not found["count"].isdigit()
    return None if moment.tense == "past" or vague else counted(found, 1, moment)


def stretch(found: re.Match, moment: Moment) -> Period | None:
    """ "The last three weeks", "the next 10 days": up to now, or from now on."""
    unit, steps = found["unit"].lower(), count(found["count"])
    if unit in SEASONS or unit in DAYS or unit in ("weekend", "decade"):
        return None
    if found["way"].lower() in ("last", "past", "previous"):
        return Period(moment.moved(unit, -steps), moment.now)
    return Period(moment.now, moment.moved(unit, steps))


def weekday(found: re.Match, moment: Moment) -> Period | None:
    """ "On Friday": the last one or, unless the past is spoken of, the next; never today, which has its own word."""
    if found["other"]:
        return None
    away = (weekday_number(found["weekday"] or found["short"]) - moment.today.weekday() - 1) % 7 + 1
    back = -7 if moment.tense == "past" else 0
    # A week's distance is today's weekday: said of the past, it is a week back, not today.
    day = moment.today + timedelta(days=(away if away < 7 or not back else 0) + back)
    return moment.day_or_part(day, found["part"])


def weekend(found: re.Match, moment: Moment) -> Period:
    """ "At the weekend": the one past or the one to come, by tense."""
    coming = moment.shifted("weekend", 0)
    return moment.shifted("weekend", -1) if moment.tense == "past" and coming.start > moment.now else coming


def counted(found: re.Match, way: int, moment: Moment) -> Period:
    """ "Three weeks" back (-1) or ahead (1): the calendar week three from this; "a few" reaches to both sides."""
    unit, amount = found["unit"].lower(), found["count"].lower()
    steps, half = count(amount), amount.startswith("half")
    if unit in ("minute", "hour"):
        return hour_from(moment.moved(unit, way * steps))
    if unit in SEASONS:
        return moment.turn(moment.each_year(lambda year: moment.calendar.season(unit, year)), way * steps)
    if unit in DAYS:
        day = _weekday_from(unit, way, True, moment)
        return moment.calendar.days(day + timedelta(weeks=way * (steps - 1)))
    if unit == "year" and (half or found.groupdict().get("half")):
        return moment.shifted("month", way * (6 if half else 12 * steps + 6))
    if "few" in amount or "several" in amount:
        near, far = moment.shifted(unit, way * (steps - 1)), moment.shifted(unit, way * (steps + 2))
        return Period(min(near.start, far.start), max(near.end, far.end))
    return moment.shifted(unit, way * steps)


def hour_from(start: datetime) -> Period:
    """A time of day means the hour that begins with it."""
    return Period(start, start + timedelta(hours=1))


RELATIVE: tuple[tuple[re.Pattern, Reader], ...] = (
    (_NEAR_DAY, near_day),
    (_NEAR_PART, near_part),
    (_OTHER_DAY, other_day),
    (_NAMED_PERIOD, named),
    (_NTH_OF_MONTH, nth_of_month),
    (_AGO, ago),
    (_IN, in_units),
    (_STRETCH, stretch),
    (_WEEKDAY, weekday),
    (_WEEKEND, weekend),
)
