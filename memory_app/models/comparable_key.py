"""The name of a key without case and spacing, as the database computes it beside each memory."""

from django.db import models
from django.db.models import F, Func, Value
from django.db.models.functions import Lower, Trim

SPACING = r"[\s_-]+"
"""As in `rules/comparable_key.py`, which says the same of what is not stored yet."""


def comparable_key_column() -> models.GeneratedField:
    """A column that the database computes from `key`."""
    spaced = Func(F("key"), Value(SPACING), Value(" "), Value("g"), function="regexp_replace")
    return models.GeneratedField(
        expression=Lower(Trim(spaced)), output_field=models.CharField(max_length=100), db_persist=True
    )
