"""The claims of a turn in a language of which only a small grammar is known: its plain statements about oneself."""

from collections.abc import Collection

from memory_app.language.extract.claims import LONGEST_READ, Claim, is_code, located, spoken
from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.introduction import introduces
from memory_app.language.extract.quotations import sheltered
from memory_app.language.extract.tongues import Grammar
from memory_app.rules.sensitive import sensitive_kinds

MOST_KEYWORDS, SHORTEST_KEYWORD = 5, 4


def plain_claims(content: str, grammar: Grammar, own: Collection[str] = ()) -> list[Claim]:
    """The sentences that the grammar can tell of a person, in order; none where the whole turn is hostile."""
    if is_hostile(content) or len(content) > LONGEST_READ:
        return []
    text, quoted = sheltered(spoken(content, own))
    # What is quoted could be told of nobody without reading it.
    return [
        Claim(start, start + len(sentence), sentence, personal=True, plain=True)
        for start, sentence in located(text)
        if not quoted and _is_plain(sentence, grammar) and not introduces(sentence, own)
    ]


def _is_plain(sentence: str, grammar: Grammar) -> bool:
    apart = grammar.left_out.search(sentence) or is_code(sentence) or sensitive_kinds(sentence)
    return not apart and bool(grammar.retold(sentence, "A"))


def retold(sentence: str, grammar: Grammar, who: str) -> str:
    """The sentence told of the person named, with a mark at its end."""
    told = grammar.retold(sentence, who)
    return told if told.endswith((".", "!", "…")) else f"{told}."


def key_in(sentence: str, grammar: Grammar) -> str:
    """The slot of the person's own that a sentence fills, or ""."""
    return next((key for key, form in grammar.keys.items() if form.search(sentence)), "")


def keywords_in(sentence: str, grammar: Grammar) -> tuple[str, ...]:
    """The words that say what a sentence is about, in order."""
    words = (word.strip(".,;:!?…()'’").lower() for word in sentence.replace("'", " ").split())
    telling = (word for word in words if len(word) >= SHORTEST_KEYWORD and word not in grammar.empty)
    return tuple(dict.fromkeys(telling))[:MOST_KEYWORDS]
