"""The numbers, dates and times of a text as values that can be compared: "two", "2", "3 May", "5 pm", "17:00".

Relative phrases ("last week") are left to `timephrase`, which knows what day it is; nothing here does.
"""

from dataclasses import dataclass, field
from datetime import date

from memory_app.rules import linear_re as re
from memory_app.rules.inflection import base
from memory_app.rules.text import vocabulary


def _numbered(listed: str, start: int = 0, step: int = 1) -> dict[str, int]:
    return {word: start + step * n for n, word in enumerate(listed.split())}


_SMALL = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", start=20, step=10)
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12}
_TIMES = {"twice": 2, "thrice": 3}
_ORDINALS = _numbered("first second third fourth fifth sixth seventh eighth ninth tenth", start=1)

_MONTH = (
    _numbered("january february march april may june july august september october november december", start=1)
    | _numbered("jan feb mar apr may jun jul aug sep oct nov dec", start=1)
    | {"sept": 9}
)
_WEEKDAY = _numbered("monday tuesday wednesday thursday friday saturday sunday", start=1) | _numbered(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays", start=1
)
_OTHER_DAYS = vocabulary(
    "spring summer autumn fall winter yesterday today tomorrow tonight weekend weekends weekday weekdays"
)
RELATIVE_DAYS = vocabulary("yesterday today tomorrow tonight")
_CLOCK_WORDS = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 0}

# Each unit in terms of one of its kind, so that "5 km" and "5000 m" are one length.
_UNITS = """
length 1 m metre metres meter meters
length 1000 km kilometre kilometres kilometer kilometers
length 0.01 cm centimetre centimetres
length 1609.344 mile miles mi
length 0.3048 foot feet ft
length 0.0254 inch inches
mass 1 kg kilo kilos kilogram kilograms
mass 0.001 g gram grams
mass 0.45359237 lb lbs pound pounds
duration 1 minute minutes min mins
duration 60 hour hours hr hrs h
days 1 day days
days 7 week weeks
months 1 month months
months 12 year years yr yrs
percent 1 percent
money:euro 1 euro euros eur
money:dollar 1 dollar dollars usd bucks
money:gbp 1 gbp sterling
money:franc 1 franc francs chf
"""
_MEASURES: dict[str, tuple[str, float]] = {
    base(word): (kind, float(factor))
    for kind, factor, *words in map(str.split, _UNITS.strip().splitlines())
    for word in words
}

QUANTITY_WORDS = frozenset(
    {*_SMALL, *_TENS, *_SCALES, *_TIMES, *_ORDINALS, *_MONTH, *_WEEKDAY, *_CLOCK_WORDS, "am", "pm", "old"}
    | {word for line in _UNITS.strip().splitlines() for word in line.split()[2:]}
) - {"may", "second", "march"}
"""Words of which numbers and dates are made, and those that are hardly ever anything else."""

_BEGINNINGS = QUANTITY_WORDS | _OTHER_DAYS | {"may", "second", "march"}

MONEY = "money"
_EACH = vocabulary("a an per each every")
_RATES = frozenset(map(base, vocabulary("hour day night week month year person head")))
_SYMBOLS = {"$": "money:dollar", "€": "money:euro"}

_YEARS = range(1900, 2100)
_ISO_DATE = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})$")
_CLOCK = re.compile(r"^(\d{1,2})[:.](\d{2})(am|pm)?$|^(\d{1,2})(am|pm)$")
_NUMBER = re.compile(r"^[$€£]?(\d+(?:\.\d+)?)(k|st|nd|rd|th|%|[a-z]+)?$")
# "the one", "another one": a pronoun, no number.
_BEFORE_A_PRONOUN = vocabulary("the this that another no some any every each which only good new old big other")

# "per second", "one second": a moment, no rank.
_BEFORE_A_MOMENT = vocabulary("per each every a one half")


@dataclass
class Quantities:
    """What was counted and when it is: plain numbers in order as (kind, value), and the parts of dates."""

    numbers: list[tuple[str, float]] = field(default_factory=list)
    dates: dict[str, list[int | str]] = field(default_factory=dict)

    def dated(self, part: str, value: int | str) -> None:
        self.dates.setdefault(part, []).append(value)


def quantities(tokens: list[str]) -> tuple[Quantities, list[str]]:
    """The quantities among lower-case tokens, and the tokens that are left."""
    found, rest, at = Quantities(), list[str](), 0
    while at < len(tokens):
        if tokens[at].isalpha() and tokens[at] not in _BEGINNINGS:
            rest.append(tokens[at])
            at += 1
            continue
        read = _date(found, tokens, at) or _clock(found, tokens, at) or _number(found, tokens, at)
        if not read:
            rest.append(tokens[at])
        at += read or 1
    _add_weekday(found.dates)
    return found, rest


def _add_weekday(dates: dict[str, list[int | str]]) -> None:
    """A full date is on one weekday, by which "on 23 November 2026" is told from "on Wednesday"."""
    parts = [dates.get(part, []) for part in ("year", "month", "day")]
    if "weekday" in dates or any(len(part) != 1 for part in parts):
        return
    try:
        dates["weekday"] = [date(*(int(part[0]) for part in parts)).isoweekday()]
    except ValueError:
        return  # no such day


def _date(found: Quantities, tokens: list[str], at: int) -> int:
    """How many tokens from `at` are a date, noted in `found`; 0 if none."""
    word = tokens[at]
    if iso := _ISO_DATE.match(word):
        for part, value in zip(("year", "month", "day"), iso.groups(), strict=True):
            found.dated(part, int(value))
        return 1
    if word in _WEEKDAY:
        found.dated("weekday", _WEEKDAY[word])
        return 1
    if word in _OTHER_DAYS:
        found.dated("when", word.removesuffix("s"))
        return 1
    if word in _MONTH and (word != "may" or _may_is_a_month(tokens, at)):
        return _month(found, tokens, at)
    if (day := _day(word)) and _next_month(tokens, at):
        return _day_first(found, tokens, at, day)
    if (
        word.isdigit()
        and int(word) in _YEARS
        and len(word) == 4
        and base("".join(tokens[at + 1 : at + 2])) not in _MEASURES
    ):
        found.dated("year", int(word))
        return 1
    return 0


def _may_is_a_month(tokens: list[str], at: int) -> bool:
    beside = tokens[max(at - 1, 0) : at] + tokens[at + 1 : at + 2]
    return any(_day(word) or word in vocabulary("in on of since until by last next every") for word in beside)


def _month(found: Quantities, tokens: list[str], at: int) -> int:
    found.dated("month", _MONTH[tokens[at]])
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if after == "the" and at + 2 < len(tokens) and _day(tokens[at + 2]):
        found.dated("day", _day(tokens[at + 2]))
        return 3
    if _day(after):
        found.dated("day", _day(after))
        return 2
    return 1


def _next_month(tokens: list[str], at: int) -> bool:
    after = tokens[at + 1 : at + 3]
    return bool(after) and (after[0] in _MONTH or (len(after) > 1 and after[0] == "of" and after[1] in _MONTH))


def _day_first(found: Quantities, tokens: list[str], at: int, day: int) -> int:
    month = at + 1 if tokens[at + 1] in _MONTH else at + 2
    found.dated("day", day)
    found.dated("month", _MONTH[tokens[month]])
    return month - at + 1


def _day(word: str) -> int:
    """1 to 31 for "3", "3rd" or "third"; 0 for anything else."""
    if word in _ORDINALS:
        return _ORDINALS[word]
    digits = re.match(r"^(\d{1,2})(st|nd|rd|th)?$", word)
    return int(digits[1]) if digits and 1 <= int(digits[1]) <= 31 else 0


def _clock(found: Quantities, tokens: list[str], at: int) -> int:
    word, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
    if word in _CLOCK_WORDS:
        found.dated("time", _CLOCK_WORDS[word])
        return 1
    half = after if after in ("am", "pm") else ""
    read = _CLOCK.match(word) or (half and _CLOCK.match(word + half))
    if not read:
        return 0
    hour, minute, suffix = int(read[1] or read[4]), int(read[2] or 0), read[3] or read[5] or half
    found.dated("time", (hour % 12 + 12 * (suffix == "pm") if suffix else hour) * 60 + minute)
    return 2 if half and not (read[3]) else 1


def _number(found: Quantities, tokens: list[str], at: int) -> int:
    value, used, ordinal = _spelled(tokens, at)
    kind = "nth" if ordinal else ""
    if not used:
        digits = _NUMBER.match(tokens[at])
        if not digits:
            return 0
        value, used, suffix = float(digits[1]), 1, digits[2] or ""
        kind, value = _suffixed(suffix, value)
    after = base(tokens[at + used]) if at + used < len(tokens) else ""
    if not kind and after in _MEASURES:
        kind, factor = _MEASURES[after]
        value, used = value * factor, used + 1
        if tokens[at + used : at + used + 1] == ["old"]:
            # An age is mostly said without its unit: "she is 34".
            kind, value, used = "", value / factor, used + 1
    if kind.startswith(MONEY) and (rate := _rate(tokens, at + used)):
        kind, used = f"{kind}:{rate}", used + 2
    found.numbers.append((kind, round(value, 3)))
    return used


def _rate(tokens: list[str], at: int) -> str:
    """What a sum is for: "a month", "per night"; empty if nothing of the kind follows."""
    given = len(tokens) > at + 1 and tokens[at] in _EACH and base(tokens[at + 1]) in _RATES
    return base(tokens[at + 1]) if given else ""


def one_kind(a: str, b: str) -> bool:
    """Whether two kinds of number may be of one: a sum may go without its currency, or what it is for."""
    if a == b or not (a.startswith(MONEY) or b.startswith(MONEY)):
        return a == b
    short, long = sorted((a, b), key=len)
    return long.startswith(short)


def _suffixed(suffix: str, value: float) -> tuple[str, float]:
    if suffix in ("st", "nd", "rd", "th"):
        return "nth", value
    if suffix == "%":
        return "percent", value
    if suffix == "k":
        return "", value * 1000
    kind, factor = _MEASURES.get(base(suffix), ("", 1.0)) if suffix else ("", 1.0)
    return kind, value * factor


def _spelled(tokens: list[str], at: int) -> tuple[float, int, bool]:
    """The value of number words from `at`, how many words it took, and whether it is an ordinal."""
    word = tokens[at]
    if word in _ORDINALS and not (word == "second" and at and tokens[at - 1] in _BEFORE_A_MOMENT):
        return _ORDINALS[word], 1, True
    if word in _TIMES:
        return _TIMES[word], 1, False
    if word == "one" and (at + 1 == len(tokens) or (at and tokens[at - 1] in _BEFORE_A_PRONOUN)):
        return 0, 0, False
    total, current, used = 0.0, 0.0, 0
    for word in tokens[at:]:
        if word in _SMALL or word in _TENS:
            current += _SMALL.get(word, 0) + _TENS.get(word, 0)
        elif word in _SCALES and (used or word == "dozen" or tokens[at] == word):
            current = max(current, 1) * _SCALES[word]
            total, current = (total + current, 0.0) if _SCALES[word] >= 1000 else (total, current)
        else:
            break
        used += 1
    return total + current, used, False
