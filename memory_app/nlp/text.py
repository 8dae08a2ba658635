"""Small pure measures of text that every rule shares: equality, words, sentences, shortening, quotation, invisible
characters, and the speaker that a text names at its start."""

import unicodedata
from functools import lru_cache

from memory_app.nlp import linear_re as re

ELLIPSIS = "…"


def vocabulary(listed: str) -> frozenset[str]:
    """A set of words written out in one string, parted by white space."""
    return frozenset(listed.split())


# Words whose full stop ends no sentence: before a name, before a small letter, before a number.
TITLES = vocabulary("mr mrs ms dr prof st mt vs")
SHORT_FORMS = vocabulary("etc approx est dept inc ltd co corp jr sr ave blvd min max")
NUMBERED = vocabulary("no nr p pp vol fig jan feb mar apr jun jul aug sep sept oct nov dec")

_APOSTROPHES = "'’‘ʼ`´"
_SCRIPTS_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.by_python(
    rf"[{_SCRIPTS_WITHOUT_SPACES}]|[^\s{_SCRIPTS_WITHOUT_SPACES}]+",
    because="characters of two sets that have none in common",
)
MAX_READ = 8_000
"""Characters of a text that understanding reads: what is longer was pasted, not said. All of it is stored and found,
and all of it is searched for what is sensitive."""

RECENT_TEXTS = 16
"""Texts whose sentences are remembered: whoever reads a text asks for them several times."""

_ACCENTS = re.by_python("[\u0300-\u036f]+", because="characters of one set, and nothing around them")
_IN_NUMBERS = "one character and a few around it, and asked for every word: its marks would take most of the time"
_THOUSANDS = re.by_python(r"(?<=\d),(?=\d{3}\b)", because=_IN_NUMBERS)
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)")
# How far around a full stop one looks for a short form: longer than any of them.
_NEAR = 24
_LAST_WORD = re.compile(r"([^\W\d_]+)\.$")
# "Am 3. Dezember".
_ORDINAL = re.compile(r"(?<![\w.,])\d{1,2}\.$")
_GERMAN_MONTH = re.compile(
    r"\s(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)


class _Folding(dict[int, str | None]):
    """A `str.translate` table filled as characters are met: what a character becomes in a folded text."""

    def __missing__(self, code: int) -> str | None:
        self[code] = folded = _folded_character(chr(code))
        return folded


def _folded_character(character: str) -> str | None:
    category = unicodedata.category(character)
    if character in _APOSTROPHES or category == "Cf":
        return None
    # Symbols stay: "C++" is not "C", "$50" not "€50", a thumb up not a thumb down.
    if character in "#%&@" or category[0] not in "PZC":
        return character
    return " "


# Marks kept where they carry meaning, inside numbers and times: sheltered from folding as private-use characters.
_KEPT_MARK = re.by_python(r"(?<=\d)[.:/](?=\d)|(?<!\S)[-−](?=\d)", because=_IN_NUMBERS)
_SHELTERED = str.maketrans({".": "\ue000", ":": "\ue001", "/": "\ue002", "-": "\ue003", "−": "\ue003"})
_FOLDING = _Folding({0xE000: ".", 0xE001: ":", 0xE002: "/", 0xE003: "-"})


def normalised(text: str) -> str:
    """The form in which two texts or names are equal: "Café, no. 5!" and "cafe no 5" are.

    NFKC, case folded, Latin accents stripped, punctuation and white space folded to single spaces.
    What changes meaning stays: symbols, decimals ("1.5"), times, signs of numbers, marks of other scripts.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))
    sheltered = _KEPT_MARK.sub(lambda mark: mark[0].translate(_SHELTERED), _THOUSANDS.sub("", plain))
    return " ".join(sheltered.translate(_FOLDING).split()) or " ".join(plain.split())


def words(text: str) -> list[str]:
    """The words of the normalised text in order; scripts written without spaces give one word a character."""
    return _WORD.findall(normalised(text))


def jaccard(a: str, b: str) -> float:
    """Shared words over all words of both, 0 to 1; two texts with no words at all are alike."""
    left, right = set(words(a)), set(words(b))
    return len(left & right) / len(left | right) if left or right else 1.0


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, stripped, none empty; "Dr. Lee", "3.5" and "e.g. this" stay whole."""
    return list(_sentences(text))


@lru_cache(maxsize=RECENT_TEXTS)
def _sentences(text: str) -> tuple[str, ...]:
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        before = text[max(start, end.end() - _NEAR) : end.end()]
        if not _goes_on(before, text[end.end() : end.end() + _NEAR]):
            found.append(text[start : end.end()])
            start = end.end()
    found.append(text[start:])
    return tuple(sentence.strip() for sentence in found if sentence.strip())


def _goes_on(before: str, after: str) -> bool:
    """Whether the mark that ends `before` belongs to a short form or a pause, and the sentence goes on in `after`."""
    last, following = _LAST_WORD.search(before), after.lstrip()[:1]
    if last is None:
        if _ORDINAL.search(before) and _GERMAN_MONTH.match(after):
            return True
        return following.islower() and before.endswith(("..", ELLIPSIS))
    word = last[1].lower()
    if len(word) == 1:
        return following.islower() or (word != "i" and following.isupper())
    return word in TITLES or (following.islower() and word in SHORT_FORMS) or (following.isdigit() and word in NUMBERED)


def shortened(text: str, limit: int) -> str:
    """The text on one line of at most `limit` characters, cut after a whole word, with an ellipsis if cut."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    room = max(limit - len(ELLIPSIS), 0)
    cut = line[: room + 1]
    whole = cut.rsplit(" ", 1)[0] if " " in cut else line[:room]
    # A combining mark or joiner must not be parted from what it stands on.
    while whole and (unicodedata.combining(line[len(whole)]) or line[len(whole)] == "\u200d" or whole[-1] == "\u200d"):
        whole = whole[:-1]
    return (whole.rstrip(" ,;:.-–—") + ELLIPSIS)[:limit]


JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""The two joiners, and the two selectors of how an emoji is drawn."""

_UNSEEN = (
    "\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
_ENDS_OF_LINES = "\\x0b\\x0c\\x1c-\\x1f\\x85\\u2028\\u2029"
_SEEN = f"[^\\x00-\\x7f{JOINERS}]"

_DOUBTFUL = re.by_python(f"[{_UNSEEN}{_ENDS_OF_LINES}{JOINERS}]", because="one character of a set")
_LEFT_OUT = re.by_python(f"[{_UNSEEN}]+", because="characters of one set, and nothing around them")
_END_OF_LINE = re.by_python(f"[{_ENDS_OF_LINES}]", because="one character of a set")
_JOINT = re.by_python(
    f"((?<={_SEEN})(?:[\ufe0e\ufe0f]?[\u200c\u200d](?={_SEEN})|[\ufe0e\ufe0f])|(?<=[0-9#*])\ufe0f(?=\u20e3))|[{JOINERS}]",
    because="no more than four characters",
)


def without_invisible(text: str) -> str:
    """The text as it may be shown: on its lines, and without what is not seen."""
    if not _DOUBTFUL.search(text):
        return text
    seen = _LEFT_OUT.sub("", _END_OF_LINE.sub("\n", text))
    return _JOINT.sub(lambda joint: joint[1] or "", seen)


_LED_BY_A_NAME = re.compile(
    r"(?:\[[^\]\n]{4,40}\]\s*)?(?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]{1,30}(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]{1,30})?):\s+(?=\S)"
)
_NO_NAMES = frozenset(
    {"attendees", "decided", "fact", "fyi", "important", "note", "reminder", "summary", "todo", "task"}
)


def speaker_in(text: str) -> str:
    """The name that a text is led by ("Anna: …", "[8 May 2023] Anna: …"); empty when it is led by none."""
    found = _LED_BY_A_NAME.match(text)
    return found["name"] if found and found["name"].casefold() not in _NO_NAMES else ""


_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_NO_JOINERS = str.maketrans(dict.fromkeys(JOINERS, ""))
_QUOTATION_MARKS = str.maketrans(dict.fromkeys('“”„‟〝〞″«»"＂', "'"))


def plain_line(text: str) -> str:
    """The text on one line, without characters that are drawn as nothing or that turn the writing direction."""
    seen = without_invisible(text).translate(_NO_JOINERS)
    spaced = "".join(" " if character.isspace() else character for character in seen)
    return " ".join("".join(c for c in spaced if unicodedata.category(c) not in _HIDDEN_CATEGORIES).split())


def quoted(text: str) -> str:
    """The text as a quotation on one line, or "" where nothing in it is seen.

    A brief is read by a model that tells our words from a memory's only by where they stand. So the text holds nothing
    that ends its line or hides in it, and stands between “ and ”, neither of which it can hold itself.
    """
    line = plain_line(text)
    return f"“{line.translate(_QUOTATION_MARKS)}”" if line else ""
