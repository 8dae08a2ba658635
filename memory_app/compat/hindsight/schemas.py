"""What Hindsight's client sends, and how its addresses name a bank; docs/compat.md says what is passed over."""

from typing import Annotated, Any, Literal

from django.urls import register_converter
from django.urls.converters import StringConverter
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from memory_app.api import fields
from memory_app.compat.hindsight.output import memory_types
from memory_app.errors import Invalid
from memory_app.rules.filters import Combined, Compare, Condition, Filters

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


MOST_ITEMS = 1_000

TagsMatch = Literal["any", "all", "any_strict", "all_strict", "exact"]
UNTAGGED = Compare(("tags",), "eq", (None,))


def _text_of_blocks(value: Any) -> Any:
    """A text, or blocks of text in order. Pictures are refused: nothing of them could be kept."""
    if not isinstance(value, list):
        return value
    if any(not isinstance(block, dict) or block.get("type") != "text" for block in value):
        raise ValueError("holds more than text: pictures are not kept")
    return "\n".join(str(block.get("text", "")) for block in value)


def _unset(value: Any) -> Any:
    return None if value == "unset" else value


def _texts_only(metadata: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if value is not None}


class ClientModel(BaseModel):
    """Input of a client that sends more than is read."""


class Item(ClientModel):
    content: Annotated[fields.Content, BeforeValidator(_text_of_blocks)]
    context: fields.Content | None = None
    timestamp: Annotated[fields.Moment | None, BeforeValidator(_unset)] = None
    metadata: Annotated[fields.Attributes, AfterValidator(_texts_only)] | None = None
    tags: fields.Words | None = None
    document_id: fields.Name | None = None


class RetainIn(ClientModel):
    items: list[Item] = Field(min_length=1, max_length=MOST_ITEMS)
    document_tags: fields.Words | None = None


class Tagged(ClientModel):
    """What is narrowed to by tags."""

    tags: fields.Words | None = None
    tags_match: TagsMatch = "any"
    tag_groups: list[Any] | None = None

    @property
    def tag_condition(self) -> Condition | None:
        """Raises Invalid for what cannot be asked here."""
        if self.tag_groups:
            raise Invalid("tag_groups", "Groups of tags are not known here; use tags and tags_match.")
        return tag_condition(self.tags, self.tags_match)


class RecallIn(Tagged):
    query: fields.SearchQuery
    max_tokens: int = Field(4096, ge=1, le=100_000)
    types: list[Literal["world", "experience", "observation"]] | None = None
    query_timestamp: fields.Moment | None = None
    min_scores: dict[str, float | None] | None = None

    @property
    def filters(self) -> Filters:
        return Filters(types=memory_types(list(self.types or [])), row=self.tag_condition)


class ReflectIn(Tagged):
    query: fields.SearchQuery
    max_tokens: int = Field(4096, ge=1)
    response_schema: dict[str, Any] | None = None

    @property
    def filters(self) -> Filters:
        return Filters(row=self.tag_condition)


class ListQuery(ClientModel):
    type: Literal["world", "experience", "observation"] | None = None
    q: fields.Query | None = None
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=10_000_000)
    tags: fields.Words = Field(default_factory=list)
    tags_match: TagsMatch = "any"
    document_id: fields.Name | None = None
    state: Literal["valid", "invalidated"] = "valid"


class PageQuery(ClientModel):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=10_000_000)


class UpdateIn(ClientModel):
    """state: `invalidated` is a soft delete."""

    text: fields.Content | None = None
    context: fields.Content | None = None
    occurred_start: fields.Moment | None = None
    occurred_end: fields.Moment | None = None
    state: Literal["valid", "invalidated"] | None = None


def tag_condition(tags: list[str] | None, match: TagsMatch) -> Condition | None:
    """Without "strict" what has no tags at all passes too. Raises Invalid."""
    if not tags:
        return None
    if match == "exact":
        raise Invalid("tags_match", "`exact` is not known here; use all_strict.")
    every = tuple(Compare(("tags",), "eq", (tag,)) for tag in tags)
    found: Condition = Combined("all" if match.startswith("all") else "any", every)
    return found if match.endswith("strict") else Combined("any", (found, UNTAGGED))
