"""The plain statements of languages other than English: a table of small grammars, one file a language."""

from memory_app.language.extract.tongues.french import FRENCH
from memory_app.language.extract.tongues.german import GERMAN
from memory_app.language.extract.tongues.grammar import Grammar

GRAMMARS: dict[str, Grammar] = {"german": GERMAN, "french": FRENCH}
"""By the name that a person's language setting has."""

__all__ = ["GRAMMARS", "Grammar"]
