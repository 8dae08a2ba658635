"""One text in the place of two that say about the same: a first draft, for a person to edit."""

from memory_app.nlp.text import sentences, words


def merged_text(old: str, new: str) -> str:
    """What both texts say, the older one first; of two sentences of which one holds all words of the other, the fuller.

    Nothing is reworded: two sentences that only resemble each other both stay.
    """
    later = sentences(new)
    kept = [sentence for sentence in sentences(old) if not _said_in(sentence, later)]
    added = [sentence for sentence in later if not _said_in(sentence, kept)]
    both = [*kept, *added]
    return " ".join([*(_ended(sentence) for sentence in both[:-1]), *both[-1:]])


def _said_in(sentence: str, others: list[str]) -> bool:
    said = set(words(sentence))
    return any(said <= set(words(other)) for other in others)


def _ended(sentence: str) -> str:
    return f"{sentence}." if sentence[-1].isalnum() else sentence
