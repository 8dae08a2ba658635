"""What the tools of the graph take and answer, in the reference server's own names."""

from pydantic import ConfigDict, Field

from memory_app.api import fields
from memory_app.api.fields import InputModel
from memory_app.mcp.tool import ToolArguments, ToolResult

MOST = 50
"""Entities, relations or observations of one call."""


class EntityIn(InputModel):
    name: fields.Name
    entityType: fields.Word
    observations: list[fields.Summary] = Field(default_factory=list, max_length=MOST)


class RelationIn(InputModel):
    model_config = ConfigDict(extra="forbid", validate_by_name=True)

    from_: fields.Name = Field(alias="from")
    to: fields.Name
    relationType: fields.Word = Field(description="in the active voice, such as works_at")


class AdditionIn(InputModel):
    entityName: fields.Name
    contents: list[fields.Summary] = Field(min_length=1, max_length=MOST)


class RemovalIn(InputModel):
    entityName: fields.Name
    observations: list[fields.Content] = Field(min_length=1, max_length=MOST)


class EntityItem(ToolResult):
    name: str
    entityType: str
    observations: list[str]


class RelationItem(ToolResult):
    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    from_: str = Field(alias="from")
    to: str
    relationType: str


class GraphResult(ToolResult):
    """complete: false where there is more than was looked through."""

    entities: list[EntityItem]
    relations: list[RelationItem]
    complete: bool = True


class AddedGraph(GraphResult):
    """message: for the person, while their memory is paused."""

    message: str | None = None


class Addition(ToolResult):
    entityName: str
    addedObservations: list[str]


class Additions(ToolResult):
    """message: as in `AddedGraph`."""

    results: list[Addition]
    message: str | None = None


class Removal(ToolResult):
    success: bool
    message: str


class EntitiesArguments(ToolArguments):
    entities: list[EntityIn] = Field(min_length=1, max_length=MOST)


class RelationsArguments(ToolArguments):
    relations: list[RelationIn] = Field(min_length=1, max_length=MOST)


class ObservationsArguments(ToolArguments):
    observations: list[AdditionIn] = Field(min_length=1, max_length=MOST)


class NamesArguments(ToolArguments):
    entityNames: list[fields.Name] = Field(min_length=1, max_length=MOST)


class RemovalsArguments(ToolArguments):
    deletions: list[RemovalIn] = Field(min_length=1, max_length=MOST)


class NodesArguments(ToolArguments):
    query: fields.SearchQuery


class OpenArguments(ToolArguments):
    names: list[fields.Name] = Field(min_length=1, max_length=MOST)
