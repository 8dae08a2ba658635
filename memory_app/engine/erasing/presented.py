"""Presented: a receipt that someone kept, read back as the erasure it tells of, so that it can be held against its
signature, though the database that made it is gone or tells something else by now."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from memory_app.errors import Invalid
from memory_app.models import Erasure

AS_THEY_ARE = ("id", "subject", "of_space", "at", "by", "removed", "blanked", "derived", "purged", "purged_at")
NO_RECEIPT = "This is no receipt of an erasure."


def presented(receipt: Any) -> Erasure:
    """receipt: as the API and the page's JSON twin answer it. Unsaved. Raises Invalid for anything else."""
    if not isinstance(receipt, Mapping) or not isinstance(receipt.get("check"), Mapping):
        raise Invalid("receipt", NO_RECEIPT)
    check = receipt["check"]
    try:
        erasure = Erasure(
            **{name: _read(name, receipt[name]) for name in AS_THEY_ARE},
            kind=receipt["erased"],
            quoted=check["said"],
            found=check["left"],
            searched=check["searched_columns"],
            signature=str(receipt["signature"]),
        )
    except (KeyError, ValidationError):
        raise Invalid("receipt", NO_RECEIPT) from None
    return erasure


def _read(name: str, value: Any) -> Any:
    field: Any = Erasure._meta.get_field(name)
    return field.to_python(value)
