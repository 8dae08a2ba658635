"""The words a row is found by, as a tsvector that the database makes from them.

How many distinct words a row has, kept beside its tsvector: a ranking by length then reads no tsvector for it.
"""

from typing import TYPE_CHECKING

from django.db.models import Func, TextField, Value

from memory_app.nlp.queries.question import space_out_cjk

if TYPE_CHECKING:
    from memory_app.models.memory import Memory
from django.db import models
from django.db.models import F


class ToTsvector(Func):
    """to_tsvector(configuration, text), usable in INSERT and UPDATE."""

    function = "to_tsvector"
    template = "%(function)s(%(expressions)s)"

    @property
    def configuration_and_text(self) -> tuple[str, str]:
        """What it was made of."""
        configuration, text = self.get_source_expressions()
        return configuration.value, text.value


class TextSearchConfiguration(Value):
    """The name of a text search configuration."""

    def as_sql(self, compiler, connection):  # type: ignore[no-untyped-def]
        sql, params = super().as_sql(compiler, connection)
        return f"{sql}::regconfig", params


def memory_tsvector(memory: "Memory", language: str) -> ToTsvector:
    """What a memory is found by: its content, and what the summary, key and tags add to it."""
    words = memory.searchable_text
    known = words.casefold()
    added = [
        text for text in (memory.summary, memory.key.replace("_", " "), *memory.tags) if text.casefold() not in known
    ]
    return text_tsvector(" ".join([words, *added]), language)


def text_tsvector(text: str, language: str) -> ToTsvector:
    """The tsvector of a text in a language (a PostgreSQL configuration such as `english` or `simple`)."""
    return ToTsvector(TextSearchConfiguration(language), Value(space_out_cjk(text), output_field=TextField()))


def distinct_words() -> models.GeneratedField:
    """A column that the database computes from `tsv`."""
    return models.GeneratedField(
        expression=Func(F("tsv"), function="length"), output_field=models.IntegerField(), db_persist=True
    )
