"""The local extractor: what in a conversation is worth keeping, with no model."""

from memory_app.language.extract.notice import extract
from memory_app.language.extract.said import Found, Quote, Said

__all__ = ["Found", "Quote", "Said", "extract"]
