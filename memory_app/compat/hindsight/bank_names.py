"""Which part of an address is the name of a bank. A slash may be in it, but nothing that Hindsight has below a bank."""

from django.urls import register_converter
from django.urls.converters import StringConverter

BELOW_A_BANK = (
    *("aliases", "attachments", "audit-logs", "background", "chunks", "clone", "config", "consolidate"),
    *("consolidation", "consolidation-strategies", "directives", "document-transfer", "documents", "entities"),
    *("export", "files", "graph", "health", "import", "knowledge-base", "llm-requests", "memories", "mental-models"),
    *("observations", "operations", "profile", "prompts", "reflect", "stats", "tags", "transfer", "webhooks"),
)
"""What its clients ask of a bank, whether it is here or not: what is not is nowhere, instead of another bank."""


class BankConverter(StringConverter):
    """Any text, up to the first of these."""

    regex = rf"(?s:(?:(?!/(?:{'|'.join(BELOW_A_BANK)})(?:/|\Z)).)+)"


register_converter(BankConverter, "bank")
BANK = "/v1/default/banks/{bank:person}"
