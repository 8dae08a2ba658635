"""Receipts of erasures: sign one so that nobody can change it, say what remains to be done, and read one back.

A receipt that someone kept is checked against its signature alone, for the database that made it may be gone.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder

from memory_app.errors import Invalid
from memory_app.models import Erased, Erasure

SIGNED_FIELDS = (
    "id", "kind", "subject", "of_space", "at", "by", "removed", "blanked", "derived", "quoted", "found", "searched",
    "purged", "purged_at",
)  # fmt: skip

NOT_FINISHED = (
    "The rest of what was theirs is going, step by step. No one is known by their name any more; only who may see "
    "everyone's could still find it."
)
NOT_SEARCHED = "Every text column is being searched for its words; read this receipt again."
NEVER_SEARCHED = "Its words were not searched for: what was to be looked for can no longer be read."
NOT_PURGED = (
    "The purge job is still to rewrite the tables and indexes that held it: until then the deleted rows are in the "
    "database's files, where no query sees them."
)
NOT_PERMITTED = {
    "statistics": "This database's administrator is to run VACUUM FULL pg_statistic: it may hold samples.",
    "log": "This database's administrator is to run CHECKPOINT and SELECT pg_switch_wal(): the log still holds it.",
}
BACKUPS = (
    "Backups made before, and archives of the write-ahead log, hold it until they are deleted. Restoring such a "
    "backup erases it again by itself."
)
NAMES_REMAIN = "Names that someone chose still hold the person's name; they are to be renamed or removed by hand: {}."
SPEECH_REMAINS = "What was said or noted in the same words was kept: it is not the memory's."


def sign_erasure(erasure: Erasure) -> Erasure:
    """Signs it as it is, unsaved."""
    erasure.signature = _signature(erasure)
    return erasure


def is_genuine(erasure: Erasure) -> bool:
    return hmac.compare_digest(erasure.signature.encode(), _signature(erasure).encode())


def is_search_pending(erasure: Erasure) -> bool:
    """Whether its words, or the ids of a person, are still to be searched for."""
    return erasure.sought is not None or (erasure.kind == Erased.PERSON and not erasure.searched)


def remaining_steps(erasure: Erasure) -> list[str]:
    """What is still to happen, in sentences; backups are always among it, for nobody here knows of them all."""
    left = [] if erasure.finished_at else [NOT_FINISHED]
    left += (
        []
        if erasure.searched or not erasure.finished_at
        else [NOT_SEARCHED if is_search_pending(erasure) else NEVER_SEARCHED]
    )
    left += [] if erasure.purged_at else [NOT_PURGED]
    left += [sentence for step, sentence in NOT_PERMITTED.items() if erasure.purged_at and not erasure.purged.get(step)]
    if erasure.quoted:
        left += [NAMES_REMAIN.format(", ".join(erasure.quoted))] if erasure.kind == Erased.PERSON else [SPEECH_REMAINS]
    return [*left, BACKUPS]


def _signature(erasure: Erasure) -> str:
    text = json.dumps(_signed_values(erasure), sort_keys=True, cls=DjangoJSONEncoder)
    return hmac.new(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()


def _signed_values(erasure: Erasure) -> dict[str, Any]:
    return {name: getattr(erasure, name) for name in SIGNED_FIELDS}


RECEIPT_FIELDS = ("id", "subject", "of_space", "at", "by", "removed", "blanked", "derived", "purged", "purged_at")
NOT_A_RECEIPT = "This is no receipt of an erasure."


def parse_receipt(receipt: Any) -> Erasure:
    """receipt: as the API and the page's JSON twin answer it. Unsaved. Raises Invalid for anything else."""
    if not isinstance(receipt, Mapping) or not isinstance(receipt.get("check"), Mapping):
        raise Invalid("receipt", NOT_A_RECEIPT)
    check = receipt["check"]
    try:
        erasure = Erasure(
            **{name: _field_value(name, receipt[name]) for name in RECEIPT_FIELDS},
            kind=receipt["erased"],
            quoted=check["said"],
            found=check["left"],
            searched=check["searched_columns"],
            signature=str(receipt["signature"]),
        )
    except (KeyError, ValidationError):
        raise Invalid("receipt", NOT_A_RECEIPT) from None
    return erasure


def _field_value(name: str, value: Any) -> Any:
    field: Any = Erasure._meta.get_field(name)
    return field.to_python(value)
