"""The claims of a turn in a language of which only a small grammar is known: its plain statements about oneself, and
what is asked to be remembered in it.
"""

import re
from collections.abc import Collection

from memory_app.language.extract.claims import LONGEST_READ, Claim, is_code, located, spoken
from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.introduction import introduces
from memory_app.language.extract.quotations import restored, sheltered
from memory_app.language.extract.tongues import Grammar
from memory_app.rules.sensitive import sensitive_kinds
from memory_app.rules.text import sentences
from memory_app.rules.tongues import asked_in_english
from memory_app.rules.triggers.forget import forget_request
from memory_app.rules.triggers.remember import remember_request

_JOINT = re.compile(r"[,;]\s+|\s[–—-]+\s+|\s(?=(?:und|et|also|donc)\s)", re.IGNORECASE)

MOST_KEYWORDS, SHORTEST_KEYWORD = 5, 4


def plain_claims(content: str, grammar: Grammar, own: Collection[str] = ()) -> list[Claim]:
    """The sentences that the grammar can tell of a person, and what is asked to be remembered, in order; none where the
    whole turn is hostile."""
    if is_hostile(content) or len(content) > LONGEST_READ:
        return []
    text, quoted = sheltered(spoken(content, own))
    found: list[Claim] = []
    for start, sentence in (part for at, whole in located(text) for part in _parted(at, whole, grammar)):
        end, asked = start + len(sentence), _asked_to_keep(sentence, grammar)
        if asked and not _private(restored(asked, quoted), grammar):
            mine = grammar.oneself.search(asked) is not None
            found.append(Claim(start, end, restored(asked, quoted), personal=mine, asked=True, plain=True))
        # What is quoted could be told of nobody without reading it.
        elif not asked and not quoted and _is_plain(sentence, grammar) and not introduces(sentence, own):
            found.append(Claim(start, end, sentence, personal=True, plain=True))
    return found


def _parted(start: int, sentence: str, grammar: Grammar) -> list[tuple[int, str]]:
    """The sentence with where it starts, in two where a request to remember goes on from what was told: "ich fliege
    nach Rom, also merk dir, dass …"."""
    if not _asked_to_keep(sentence, grammar):
        for joint in _JOINT.finditer(sentence):
            if _asked_to_keep(sentence[joint.end() :], grammar):
                return [(start, sentence[: joint.start()]), (start + joint.end(), sentence[joint.end() :])]
    return [(start, sentence)]


def _asked_to_keep(sentence: str, grammar: Grammar) -> str:
    """What "merk dir, dass …" asks to keep, in the words of its language; a request in English is read elsewhere."""
    put = asked_in_english(sentence, grammar.language)
    request = remember_request(put) if put != sentence else None
    return request.content if request and not request.task else ""


def _is_plain(sentence: str, grammar: Grammar) -> bool:
    apart = grammar.left_out.search(sentence) or _private(sentence, grammar)
    asks = forget_request(asked_in_english(sentence, grammar.language))
    return not apart and not asks and bool(grammar.retold(sentence, "A"))


def _private(sentence: str, grammar: Grammar) -> bool:
    """Whether a sentence is code, or kept only by a request that was made for just that."""
    return bool(grammar.sensitive.search(sentence) or is_code(sentence) or sensitive_kinds(sentence))


def retold(claim: Claim, grammar: Grammar, who: str) -> str:
    """The claim told of the person named, with a mark at its end. What was asked to be kept and cannot be told so stays
    in their own words, and says whose they are."""
    text, quoted = sheltered(claim.text)
    parts = [_retold(sentence, grammar, who) for sentence in sentences(text)]
    told = restored(" ".join(parts) if all(parts) else f"{who}: {_begun(text)}", quoted)
    return told if told.endswith((".", "!", "…")) else f"{told}."


def _retold(sentence: str, grammar: Grammar, who: str) -> str:
    of_another = "" if grammar.oneself.search(sentence) else sentence
    return _begun(grammar.retold(sentence, who) or of_another)


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def key_in(sentence: str, grammar: Grammar) -> str:
    """The slot of the person's own that a sentence fills, or ""."""
    return next((key for key, form in grammar.keys.items() if form.search(sentence)), "")


def keywords_in(sentence: str, grammar: Grammar) -> tuple[str, ...]:
    """The words that say what a sentence is about, in order."""
    words = (word.strip(".,;:!?…()'’\"„“”«»").lower() for word in sentence.replace("'", " ").split())
    telling = (word for word in words if len(word) >= SHORTEST_KEYWORD and word not in grammar.empty)
    return tuple(dict.fromkeys(telling))[:MOST_KEYWORDS]
