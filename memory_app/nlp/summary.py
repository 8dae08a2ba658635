"""At most 100 characters that stand for a text, cut from it between words: the text itself when it is short enough."""

from memory_app.nlp import linear_re as re
from memory_app.nlp.keywords import STOPWORDS, WEAK_WORDS
from memory_app.nlp.text import sentences, shortened, words

LONGEST = 100

_READ = 4000
_LEAD_IN = re.compile(
    "^(?:(?:and|so|but|well|oh|also|anyway|actually|yeah|yes|no|hi|hey|hello|okay|ok|wow|by the way|btw|then|plus|"
    r"you know|i mean|to be honest|honestly|basically|thanks|thank you|first of all|as i said)\b[,.!]*\s+)+",
    re.IGNORECASE,
)
# Where a sentence may end early and still be whole, from the last to be tried to the first.
_CLAUSE_ENDS = re.compile(
    r"(?:;|\s[–—-]\s|,?\s(?:which|because|since|although|though|while|whereas|so that|where|who)\s|,\s(?:and|but|so|"
    r"then|as|when)\s|,\s|\s(?:and|but|so|when|after|before|until|if)\s)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"^(?:it|this|that|these|those|they|he|she|him|her|them|there|then|such|so)\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|i['’]m|i['’]ve|we|my|our|we['’]re)\b", re.IGNORECASE)
# A clause shorter than this, in characters, no longer says what the sentence says.
_SHORTEST_CLAUSE = 30


def summary(text: str) -> str:
    """The text when it has at most 100 characters, otherwise its most telling sentence, cut to whole clauses.

    A sentence that leans on another ("It was great") is taken only when there is no other.
    """
    whole = " ".join(text.split())
    if len(whole) <= LONGEST:
        return whole
    found = [_LEAD_IN.sub("", sentence) for sentence in sentences(text[:_READ])]
    best = max(found, key=lambda sentence: (_weight(sentence, found), -found.index(sentence)), default=whole)
    return _cut(" ".join(best.split()) or whole)


def _weight(sentence: str, among: list[str]) -> float:
    """How much of the text a sentence tells: its telling words, fewer points for leaning on others and for asking."""
    telling = sum(1.0 if word not in WEAK_WORDS else 0.3 for word in set(words(sentence)) - STOPWORDS)
    if _POINTS_BACK.match(sentence) or sentence.endswith("?"):
        telling *= 0.4
    if _FIRST_PERSON.search(sentence):
        telling += 1.0
    # What opens a text mostly says what it is about; more than a summary holds is no merit.
    return min(telling, 9.0) + (1.0 if sentence is among[0] else 0.0)


def _cut(sentence: str) -> str:
    if len(sentence) <= LONGEST:
        return sentence
    ends = [end.start() for end in _CLAUSE_ENDS.finditer(sentence) if _SHORTEST_CLAUSE <= end.start() <= LONGEST]
    return sentence[: ends[-1]].rstrip(" ,;–—-") if ends else shortened(sentence, LONGEST)
