"""How many distinct words a row has, kept beside its tsvector: a ranking by length then reads no tsvector for it."""

from django.db import models
from django.db.models import F, Func


def distinct_words() -> models.GeneratedField:
    """A column that the database computes from `tsv`."""
    return models.GeneratedField(
        expression=Func(F("tsv"), function="length"), output_field=models.IntegerField(), db_persist=True
    )
