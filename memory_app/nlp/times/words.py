"""Words and pieces of pattern of which time phrases are made, and the numbers they stand for."""

from memory_app.nlp import linear_re as re

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "couple": 2, "few": 3, "several": 4,
}  # fmt: skip

SHORT_MONTH = (
    r"(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|"
    r"sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)(?![\w'])"
)
LONG_MONTH = rf"(?:{'|'.join(MONTHS)})(?![\w'-])"
WEEKDAY = rf"(?P<weekday>{'|'.join(DAYS)})(?![\w'-])"
DAY_NUMBER = r"(?:0?[1-9]|[12]\d|3[01])"
YEAR = r"(?P<year>(?:19|20)\d\d)(?![\w%€$.-]*\d)"
SEASON = r"(?P<season>spring|summer|autumn|fall|winter)(?:time)?\b"
PART = r"(?P<part>morning|afternoon|evening|night)\b"
_NUMBER_WORD = "|".join(sorted(NUMBERS, key=len, reverse=True))
COUNT = rf"(?P<count>\d{{1,3}}|(?:a )?couple(?: of)?|(?:a )?few|half an?|{_NUMBER_WORD}|an?)"
UNIT = (
    r"(?P<unit>minute|hour|day|night|weekend|week|fortnight|month|year|decade|spring|summer|autumn|fall|winter|"
    rf"{'|'.join(DAYS)})s?\b"
)


def count(phrase: str) -> int:
    """The number meant by "3", "three", "a couple of", "a few", "a", "half a"."""
    words = [word for word in phrase.lower().split() if word not in ("of", "a", "an", "half")]
    if not words:
        return 1
    return int(words[-1]) if words[-1].isdigit() else NUMBERS[words[-1]]


def month_number(name: str) -> int:
    """1 to 12 for the name of a month, full or short."""
    return next(number for number, month in enumerate(MONTHS, start=1) if month.startswith(name.lower()[:3]))


def weekday_number(name: str) -> int:
    """0 (Monday) to 6 for the name of a weekday, full or short."""
    return next(number for number, day in enumerate(DAYS) if day.startswith(name.lower()[:3]))


def phrase(pattern: str) -> re.Pattern:
    """A pattern that begins at the beginning of a word, in any case."""
    return re.compile(rf"(?<![\w/-])(?:{pattern})", re.IGNORECASE)
