"""The local extractor: what in a conversation is worth keeping, with no model."""

from memory_app.nlp.extract.extract import extract
from memory_app.nlp.extract.turns import Finding, Quote, SpokenTurn

__all__ = ["Finding", "Quote", "SpokenTurn", "extract"]
