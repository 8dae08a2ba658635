"""Small pure measures of text that every rule shares: equality, words, sentences, shortening.

What a text means is `language`'s; this only folds, splits and counts.
"""

import unicodedata

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

_ACCENTS = re.by_python("[\u0300-\u036f]+", because="characters of one set, and nothing around them")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
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
_KEPT_MARK = re.compile(r"(?<=\d)[.:/](?=\d)|(?<!\S)[-−](?=\d)")
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
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        before = text[max(start, end.end() - _NEAR) : end.end()]
        if not _goes_on(before, text[end.end() : end.end() + _NEAR]):
            found.append(text[start : end.end()])
            start = end.end()
    found.append(text[start:])
    return [sentence.strip() for sentence in found if sentence.strip()]


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
