"""Three to five words to find a text by: names first, then what else carries its meaning."""

from collections.abc import Iterable

from memory_app.nlp import linear_re as re
from memory_app.nlp.stopwords import FOREIGN_STOPWORDS, STOPWORDS, WEAK_WORDS
from memory_app.nlp.text import normalised, vocabulary

MAX_KEYWORDS = 5
MIN_KEYWORDS = 3

_TOKEN = re.compile(r"[$€£#]?[^\W_](?:[\w'’+#%-]*[\w+#%])?(?:[.,]\d+)*")
_ENDINGS = ("ings", "ing", "ies", "ied", "es", "ed", "s")
# Runs of scripts that are written without spaces are cut to pieces of this many characters.
_PIECE = 6
_UNSPACED = re.by_python(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff]+", because="characters of one set")
_LONGEST = 4000
# Nobody looks for a longer word, in characters.
_LONGEST_WORD = 40
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_ADVERB = re.compile(r"[a-z]{4,}ly$")
_NO_ADVERBS = vocabulary("family italy assembly supply reply butterfly monopoly anomaly homily bodily apply multiply")


def keywords(text: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Up to five lower-case words or names of a text, in the order they appear; fewer for a text of few words.

    `names` are the canonical names found in it. Longer, rarer-looking and repeated words weigh more; words that
    say little ("decided", "new") fill up only when there would be fewer than three.
    """
    read = _LINK.sub(" ", text[:_LONGEST])
    empty = _empty_words(read)
    weights: dict[str, float] = {}
    places: dict[str, int] = {}
    for name in names:
        _add(name.lower(), 6.0, read.lower().find(name.lower()), weights, places)
    for found in _TOKEN.finditer(read):
        for word in _pieces(found[0].replace("’", "'").removesuffix("'s").lower()):
            _add(word, 0.0 if word in empty else _weight(word), found.start(), weights, places)
    return _chosen(weights, places)


def _empty_words(text: str) -> frozenset[str]:
    """The small words of the language a text is in: foreign ones where they outnumber the English."""
    said = text.lower().split()
    foreign = sum(word in FOREIGN_STOPWORDS for word in said)
    return FOREIGN_STOPWORDS if foreign >= 2 and foreign > sum(word in STOPWORDS for word in said) else frozenset()


def _chosen(weights: dict[str, float], places: dict[str, int]) -> tuple[str, ...]:
    telling = sorted((word for word in weights if weights[word] >= 1), key=lambda word: (-weights[word], places[word]))
    faint = sorted((word for word in weights if 0 < weights[word] < 1), key=lambda word: places[word])
    chosen = _distinct(telling)[:MAX_KEYWORDS]
    chosen += [word for word in faint if word not in chosen][: max(MIN_KEYWORDS - len(chosen), 0)]
    return tuple(sorted(chosen, key=lambda word: places[word]))


def _add(word: str, weight: float, place: int, weights: dict[str, float], places: dict[str, int]) -> None:
    # A second mention counts half, a third a third of that again: frequency matters, length of text less.
    weights[word] = weights[word] * 1.3 if word in weights else weight
    places.setdefault(word, place)


def _weight(word: str) -> float:
    plain = word.strip("#$€£'")
    if plain in STOPWORDS or (len(plain) < 2 and not _UNSPACED.match(plain)) or len(plain) > _LONGEST_WORD:
        return 0.0
    if plain in WEAK_WORDS or (_ADVERB.match(plain) and plain not in _NO_ADVERBS):
        return 0.5
    if plain.isdigit():
        return 1.0 if len(plain) >= 3 else 0.6
    return 2.0 + min(len(plain), 10) / 10 + (0.5 if any(character.isdigit() for character in plain) else 0.0)


def _pieces(word: str) -> list[str]:
    if not _UNSPACED.search(word):
        return [word]
    return [word[at : at + _PIECE] for at in range(0, min(len(word), _PIECE * MAX_KEYWORDS), _PIECE)]


def _distinct(ranked: list[str]) -> list[str]:
    """Without words that are another's form ("tile", "tiles") or part of a name already taken."""
    kept: list[str] = []
    seen: set[str] = set()
    for word in ranked:
        stems = {stem(part) for part in normalised(word).split()} or {word}
        if not stems <= seen:
            kept.append(word.lstrip("#"))
            seen |= stems
    return kept


def stem(word: str) -> str:
    """A key that a word's forms share, not a word to show: "moves", "moved" and "moving" are "mov"."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= 3), "")
    return word[: len(word) - len(ending)].rstrip("ey")
