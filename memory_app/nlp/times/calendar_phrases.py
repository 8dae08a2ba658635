"""Phrases of the calendar: "7 May 2023", "2023-05-07", "in May", "summer of 2022", "on the 15th"."""

from dataclasses import replace
from datetime import date, timedelta

from memory_app.nlp import linear_re as re
from memory_app.nlp.times.periods import HOLIDAY, Moment, Period, holiday_name
from memory_app.nlp.times.relative_phrases import Reader, hour_from
from memory_app.nlp.times.words import DAY_NUMBER, LONG_MONTH, SEASON, SHORT_MONTH, WEEKDAY, YEAR, month_number, phrase

# Where "5/7/2023" is the seventh of May.
MONTH_FIRST_ZONES = frozenset(
    f"America/{city}"
    for city in (
        "New_York", "Chicago", "Denver", "Los_Angeles", "Phoenix", "Anchorage", "Detroit", "Boise", "Juneau", "Nome",
        "Adak", "Menominee", "Indiana/Indianapolis", "Kentucky/Louisville", "Indiana/Knox", "Puerto_Rico",
    )
) | {"Pacific/Honolulu", "Pacific/Guam", "US/Eastern", "US/Central", "US/Mountain", "US/Pacific"}  # fmt: skip

# What a number of four digits counts when it is no year.
_COUNTED = (
    r"(?!s\b|\s?(?:%|percent|dollars|euros|pounds|km|miles|people|words|steps|calories|times|square|meters|metres|px|"
    r"lines|rows|[-–]\d))"
)
# "1/2/2024" and "1.2.2024", not "1/2.2024".
_SAME_MARK = r"(?=-\d{1,2}-|/\d{1,2}/|\.\d{1,2}\.)"
_ISO = phrase(
    rf"(?P<year>(?:19|20)\d\d){_SAME_MARK}[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12]\d|3[01])"
    r"(?:[T ](?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d))?(?!\d)"
)
_NUMERIC = phrase(
    rf"(?P<first>{DAY_NUMBER}){_SAME_MARK}(?P<mark>[/.-])(?P<second>{DAY_NUMBER})[/.-](?P<year>(?:19|20)?\d\d)(?![\d.])"
)
_DAY_OF_MONTH = phrase(
    rf"(?:{WEEKDAY},?\s(?:the\s)?)?(?:(?P<day>{DAY_NUMBER})(?:st|nd|rd|th)?\s?(?:of\s)?(?P<month>{SHORT_MONTH})|"
    rf"(?P<month_first>{SHORT_MONTH})\s?(?:the\s)?(?P<day_after>{DAY_NUMBER})(?:st|nd|rd|th)?"
    r"(?![\d:%]|\s?(?:[ap]\.?m\b|people|times|percent|years|minutes|hours|of (?:us|them))))"
    rf"(?:,?\s(?:of\s)?{YEAR}|,?\s'(?P<short_year>\d\d)\b)?"
)
_MONTH = phrase(
    r"(?:(?P<lead>in|since|during|by|until|of|early|late|mid|through|for|before|after|around)[\s-]"
    rf"(?:early\s|late\s|mid[\s-])?)?(?P<month>{LONG_MONTH}|{SHORT_MONTH}(?=,?\s(?:19|20)\d\d\b))"
    rf"(?:,?\s(?:of\s)?{YEAR})?(?!\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\b)"
)
# "The trip moved to May"; one talks to April, and walks to March.
_PUT_OFF_TO = re.compile(
    r"\b(?:(?:mov|postpon|reschedul|chang)(?:e|ed|es|ing)|(?:push|shift|delay|defer|deferr|slip|slipp)(?:s|es|ed|ing)?|"
    r"brought|put)\b[^.!?;]*\sto\s$",
    re.IGNORECASE,
)
_CONTEXT_LENGTH = 60
_SEASON = phrase(
    rf"(?:(?P<lead>in|during|over)\s(?:the\s)?)?(?:early\s|late\s)?(?:the\s)?{SEASON}(?:,?\s(?:of\s)?{YEAR})?"
)
_HOLIDAY = phrase(
    rf"(?:(?P<lead>on|at|for|over|during|since|by|around|this|until)\s)?{HOLIDAY}(?:,?\s(?:of\s|in\s)?{YEAR})?"
    r"(?!\s(?:tree|card|present|gift|party|dinner|song|movie|market|costume))"
)
_YEAR = phrase(
    r"(?:in|since|during|of|until|by|from|around|early|late|mid|back in|year|before|after|(?P<the>the))[\s-]"
    rf"(?:early\s|late\s|mid[\s-]|the year\s|year\s)?{YEAR}{_COUNTED}|(?P<subject>(?:19|20)\d\d)(?=\s(?:was|has "
    r"been|will)\b)"
)
# After "to the 3rd" a noun may come that is counted; after a day the sentence ends, or goes on with such a word.
_NO_NOUN = (
    r"(?=[.,;:!?)]|$|\s(?:to|until|till|through|at|and|or|but|so|because|as|if|instead|now|then|with|again|too)\b)"
)
_OF_DAYS = r"(?:of|floor|time|street|place|grade|century|birthday|anniversary|row|page|day|attempt|try|edition)"
_DAY_ALONE = phrase(
    rf"(?:(?P<of_days>on|by|until|since|before|after)(?!\sthe\s\d+[a-z]+\s{_OF_DAYS})|"
    rf"(?:from|to|till|for)(?=\sthe\s\d+[a-z]+{_NO_NOUN}))\sthe\s"
    r"(?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)\b"
)
_UP_TO = ("by", "until", "to", "till")


def iso(found: re.Match, moment: Moment) -> Period:
    """ "2023-05-07", "2023-05-07 14:30"."""
    day = date(int(found["year"]), int(found["month"]), int(found["day"]))
    if found["hour"]:
        return hour_from(moment.calendar.hour(day, int(found["hour"]), int(found["minute"])))
    return moment.calendar.days(day)


def numeric(found: re.Match, moment: Moment) -> Period:
    """ "5/7/2023", read as the person's part of the world does; "7.5.2023" always begins with the day."""
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    month_first = found["mark"] != "." and first <= 12 and str(moment.calendar.zone) in MONTH_FIRST_ZONES
    month, day = (first, second) if second > 12 or month_first else (second, first)
    return moment.calendar.days(date(year + (2000 if year < 100 else 0), month, day))


def day_of_month(found: re.Match, moment: Moment) -> Period | None:
    """ "7 May", "May 7th, 2023", "Friday the 7th of May"."""
    name = found["month"] or found["month_first"]
    month, day = month_number(name), int(found["day"] or found["day_after"])
    year = found["year"] or (found["short_year"] and f"20{found['short_year']}")
    if year:
        return moment.calendar.days(date(int(year), month, day))
    if name in ("may", "march", "mar") and not _is_dated(found):
        return None
    return moment.fitting(moment.each_year(lambda year: moment.calendar.days(date(year, month, day))))


def _is_dated(found: re.Match) -> bool:
    """Whether "may 7", in small letters, is a date: "on may 7", "may 7th"; not "you may 7 times"."""
    before = found.string[max(found.start() - 8, 0) : found.start()].lower()
    ordinal = re.compile(r"\d(?:st|nd|rd|th)\b").search(found[0]) is not None
    return ordinal or before.endswith(("on ", "by ", "until ", "since ", "for ", "from "))


def month(found: re.Match, moment: Moment) -> Period | None:
    """ "In May", "May 2023"; without a year or a word before it, it may be a verb or a name ("April said")."""
    number = month_number(found["month"])
    if found["year"]:
        return moment.calendar.month(int(found["year"]), number)
    put_off = _PUT_OFF_TO.search(found.string[max(found.start() - _CONTEXT_LENGTH, 0) : found.start()])
    if not (found["lead"] or put_off):
        return None
    if found["month"] in ("may", "march") and (found["lead"] or "to").lower() not in ("in", "since", "until", "during"):
        return None
    return moment.fitting(moment.each_year(lambda year: moment.calendar.month(year, number)))


def season(found: re.Match, moment: Moment) -> Period | None:
    """ "Summer of 2022", "in the summer"."""
    name = found["season"].lower()
    if found["year"]:
        return moment.calendar.season(name, int(found["year"]))
    if not found["lead"]:
        return None
    return moment.fitting(moment.each_year(lambda year: moment.calendar.season(name, year)))


def holiday(found: re.Match, moment: Moment) -> Period | None:
    """ "On Christmas Eve", "Easter 2024"; not "a Christmas tree"."""
    name = holiday_name(found["holiday"])
    if found["year"]:
        return moment.calendar.holiday(name, int(found["year"]))
    if not found["lead"]:
        return None
    return moment.fitting(moment.each_year(lambda year: moment.calendar.holiday(name, year)))


def year(found: re.Match, moment: Moment) -> Period | None:
    """ "In 2023", "the 2023 trip", "2023 was good"."""
    if found["the"] and not re.compile(r"\s[a-z]").match(found.string[found.end() : found.end() + 2]):
        return None
    return moment.calendar.year(int(found["year"] or found["subject"]))


def day_alone(found: re.Match, moment: Moment) -> Period:
    """ "On the 15th": of the month that fits the tense; "until the 15th" is ahead unless the past is spoken of."""
    ahead = found[0].lower().startswith(_UP_TO) and not moment.tense
    turns = []
    for step in range(-3, 4):
        first = moment.calendar.month(moment.today.year, moment.today.month + step).start.date()
        day = first + timedelta(days=int(found["day"]) - 1)
        if day.month == first.month:
            turns.append(moment.calendar.days(day))
    return (replace(moment, tense="future") if ahead else moment).fitting(turns)


ABSOLUTE: tuple[tuple[re.Pattern, Reader], ...] = (
    (_ISO, iso),
    (_NUMERIC, numeric),
    (_DAY_OF_MONTH, day_of_month),
    (_MONTH, month),
    (_SEASON, season),
    (_HOLIDAY, holiday),
    (_YEAR, year),
    (_DAY_ALONE, day_alone),
)
