"""French put into English word by word, as far as texts are compared: "mon budget est de 40 000 euros" is "my budget is
40000 euros".

For comparing alone: no one is shown such words. Closed classes of words, and where "not" and "favourite" stand; every
other word stays as it is.
"""

import re
from functools import lru_cache

from memory_app.rules.text import vocabulary
from memory_app.rules.tongues.french_words import WORDS
from memory_app.rules.tongues.told import by_sentences, table

REMEMBERED = 2048

_ENGLISH = table(WORDS)
_DAYS = {
    **{"lundi": "monday", "mardi": "tuesday", "mercredi": "wednesday", "jeudi": "thursday"},
    **{"vendredi": "friday", "samedi": "saturday", "dimanche": "sunday"},
}
_SAYS_NOTHING = vocabulary("ne donc bien")

# Words by which a sentence is known to be French.
_FRENCH = vocabulary(
    "je j mon ma mes notre nos est suis sont le la les un une du des avec et pas ne n habite vit travaille il elle "
    "nous rendez-vous déjeuner dîner réunion lundi mardi mercredi jeudi vendredi samedi dimanche"
)

_FULL = {
    **{"j": "je", "l": "le", "d": "de", "n": "ne", "m": "me", "t": "te", "s": "se", "c": "ce"},
    **{"qu": "que", "lorsqu": "lorsque", "puisqu": "puisque"},
}
_ELISION = re.compile(rf"\b(?P<word>{'|'.join(_FULL)})'", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d)[ .\u00a0\u202f](?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_CLOCK = re.compile(r"\b(\d{1,2}) ?(?:heures?|h)(?: ?(\d\d))?(?!\w)", re.IGNORECASE)
_DAY = "|".join(_DAYS)
_HAVE = r"(?:ai|as|a|avons|avez|ont)"
_BE = r"(?:suis|es|est|sommes|êtes|sont)"
_WENT = r"(?:allé|venu|parti|arrivé|entré|sorti|resté|tombé|revenu|rentré|monté|descendu|retourné|passé|mort)e?s?"
_DONE = (
    r"(?:\w+é|fait|pris|appris|mis|vu|lu|bu|eu|dit|écrit|ouvert|vendu|perdu|reçu|choisi|fini|couru|vécu|connu|rendu|"
    r"suivi|dormi|servi|senti|tenu|cru|voulu|pu|dû|offert|découvert|conduit)(?:e|s|es)?"
)
_EATS = (
    r"manges?|mangeons|mangent|bois|boit|buvons|boivent|joues?|jouons|jouent|lis|lit|fais|fait|écoute|prends|prend|"
    rf"achète|veux|veut|{_HAVE}"
)

# Each once, in this order.
_FORMS = tuple(
    (re.compile(said, re.IGNORECASE), put)
    for said, put in (
        (r"^(?:avant|autrefois|auparavant|à présent|en fait|finalement), ", ""),
        (r"^depuis [^,]{1,40}, ", ""),
        (r"\bquelqu'une?\b", "someone"),
        (r"\bvois someone\b", "am seeing someone"),
        (r"\bil y a (?P<span>\w+ (?:ans?|mois|semaines?|jours?))\b", r"\g<span> ago"),
        (r"\bil y a\b", "there is"),
        (r"\baujourd'hui\b", "aujourd-hui"),
        (r"\bà présent\b", "maintenant"),
        (r"\best-ce que\b", "do"),
        (r"\bne (?P<verb>(?:\w+ )?\w+) plus\b", r"\g<verb> ne-plus"),
        (r"\bne (?P<verb>(?:\w+ )?\w+) (?:que)\b", r"\g<verb> ne-que"),
        (rf"\b{_BE} de (?=\d)|\bse élève(?:nt)? à (?=\d)|\bse monte(?:nt)? à (?=\d)", "est "),
        (rf"\b{_HAVE} (?P<age>\d+|\w+) ans\b", r"is \g<age> years old"),
        (r"\b(?:me|se|te) appelle[sn]?t?\b", "is called"),
        (r"\b(?P<whose>mon|ma|mes|notre|nos) (?P<what>\w+) préférée?s?\b", r"\g<whose> favourite \g<what>"),
        (rf"\b{_BE} née?s?\b", "was born"),
        (rf"\b{_BE} en couple\b", "is in a relationship"),
        (rf"\b{_BE} devenue?s?\b", "became"),
        (r"\b(?:viens|vient) de déménager (?:à|en|au|aux|dans) ", "moved to "),
        (r"\b(?P<bond>(?:mari|fianc)ée?s?) (?:à|dans|avec) ", r"\g<bond> to "),
        (rf"\b(?:{_HAVE}|{_BE}) (?:récemment |maintenant )?déménagée?s? (?:à|en|au|aux|dans) ", "moved to "),
        (rf"\b{_BE} (?P<went>{_WENT})\b", r"\g<went>ed"),
        (rf"\b{_HAVE} (?P<yet>(?:pas|jamais|déjà|toujours) )?(?P<done>{_DONE})\b(?! ans)", r"\g<yet>\g<done>ed"),
        (rf"\b(?P<after>{_EATS}|pas|jamais|ne-plus|ne-que|\w+ed) (?:de la|de le|du|des|de)\b", r"\g<after>"),
        (r"\b(?:tous les|toutes les|chaque) (?P<span>\w+?)s?\b", r"chaque \g<span>"),
        (r"\b(?:le|du|au) (?P<day>\d{1,2})(?:er)?(?= \w)", r"on-the \g<day>"),
        (rf"(?<!chaque )\ble (?P<day>{_DAY})s?\b(?! \d)", r"on-the \g<day>s"),
        (rf"\ble (?P<day>{_DAY}) (?=\d)", "on-the "),
        (rf"(?<!on-the )(?<!chaque )\b(?P<day>{_DAY})\b(?! \d)", r"on-the \g<day>"),
    )
)
# A name in capitals follows: of these forms alone the case of a letter tells.
_CASED = re.compile(r"\b(?:à|au|aux|en) (?=[A-ZÀÂÉÈÎÔ])")
_WORD = re.compile(r"\d[\d.:]*|[^\W\d_]+(?:-[^\W\d_]+)*|[^\w\s]+|\s+")


@lru_cache(maxsize=REMEMBERED)
def in_english(text: str) -> str:
    """The text with every short sentence that is French put so; its lead, and what is in another language, as it is."""
    return by_sentences(text, _FRENCH, _in_english)


def _in_english(sentence: str) -> str:
    told = _DECIMAL.sub(".", _THOUSANDS.sub("", sentence.replace("’", "'")))
    told = _CLOCK.sub(lambda found: f"{found[1]}:{found[2] or '00'}", told)
    told = _ELISION.sub(lambda found: f"{_FULL[found['word'].lower()]} ", told)
    told = _CASED.sub("dans ", told)
    for said, put in _FORMS:
        told = said.sub(put, told)
    return " ".join(_word_by_word(told).split())


def _word_by_word(told: str) -> str:
    put, first = list[str](), True
    for token in _WORD.findall(told):
        small = token.lower()
        if not token[0].isalpha() or small in _SAYS_NOTHING:
            put.append("" if token[0].isalpha() else token)
            continue
        is_name = token[0].isupper() and not first
        put.append(token if is_name else _put(small, token))
        first = False
    return "".join(put)


def _put(small: str, token: str) -> str:
    if small == "on-the":
        return "on"
    if small in _DAYS or small[:-1] in _DAYS:
        return _DAYS.get(small) or f"{_DAYS[small[:-1]]}s"
    return _ENGLISH.get(small, token)
