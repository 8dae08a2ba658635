"""A tool: a function with what an assistant's model is told of it, and which key may call it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import getdoc
from typing import Any, Generic, TypeVar, get_type_hints

from django.http import HttpRequest
from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue

from memory_app.api import fields
from memory_app.api.fields import InputModel
from memory_app.api.venue import PersonInVenue
from memory_app.mcp.questions import Question
from memory_app.models import Scope
from memory_app.serializers import OutputModel

PERSON = "person"
Passed = TypeVar("Passed", bound="ToolArguments")


class ForPerson(InputModel):
    """Arguments for one person, in private."""

    person: fields.Name


class ToolArguments(PersonInVenue):
    """Arguments for one person, in the venue where they speak."""

    def passed_to(self, kind: type[Passed], **values: Any) -> Passed:
        """The arguments of another tool, for the same person in the same venue."""
        return kind(person=self.person, venue=self.venue, **values)


class ToolResult(OutputModel):
    """What a tool answers: structured, and as the text that a model reads."""

    model_config = ConfigDict(from_attributes=True)

    def as_text(self) -> str:
        return self.model_dump_json(exclude_none=True, by_alias=True)

    def question(self, arguments: dict[str, Any]) -> Question | None:
        """What the person is to be asked before there is more of a result. arguments: of the call."""
        return None


class PlainSchema(GenerateJsonSchema):
    """Without titles: a model reads all of it, and names say the same."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def generate(self, schema: Any, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        return _without_titles(super().generate(schema, mode))


def _without_titles(schema: JsonSchemaValue) -> JsonSchemaValue:
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
    return schema


Arguments = TypeVar("Arguments", bound=BaseModel)
Answer = TypeVar("Answer", bound=ToolResult)


@dataclass(frozen=True)
class Tool(Generic[Arguments, Answer]):
    """run: takes the request and checked arguments. is_structured: whether its result has a schema of its own."""

    name: str
    title: str
    description: str
    scope: Scope
    arguments: type[Arguments]
    result: type[Answer]
    run: Callable[[HttpRequest, Arguments], Answer]
    is_read_only: bool
    is_destructive: bool
    is_structured: bool

    def described(self, *, pinned: bool) -> dict[str, Any]:
        """As a list of tools has it. pinned: whether the connection is one person's, whom nobody needs to name."""
        described: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": _input_schema(self.arguments, pinned),
            "annotations": {
                "readOnlyHint": self.is_read_only,
                "destructiveHint": self.is_destructive,
                "idempotentHint": self.is_read_only,
                "openWorldHint": False,
            },
        }
        if self.is_structured:
            described["outputSchema"] = _output_schema(self.result)
        return described


def tool(
    title: str, *, scope: Scope, name: str = "", removes: bool = False, structured: bool = True
) -> Callable[[Callable[[HttpRequest, Arguments], Answer]], Tool[Arguments, Answer]]:
    """Makes a function a tool: its docstring is what a model is told, its annotations are the schemas. name: where it
    is called otherwise than the function."""

    def made(function: Callable[[HttpRequest, Arguments], Answer]) -> Tool[Arguments, Answer]:
        hints = get_type_hints(function)
        return Tool(
            name=name or function.__name__,
            title=title,
            description=getdoc(function) or "",
            scope=scope,
            arguments=hints["arguments"],
            result=hints["return"],
            run=function,
            is_read_only=scope == Scope.READ,
            is_destructive=removes,
            is_structured=structured,
        )

    return made


@cache
def _input_schema(arguments: type[BaseModel], pinned: bool) -> JsonSchemaValue:
    schema: JsonSchemaValue = _lean(arguments.model_json_schema(schema_generator=PlainSchema))
    if pinned:
        schema["properties"] = {name: value for name, value in schema["properties"].items() if name != PERSON}
        schema["required"] = [name for name in schema.get("required", []) if name != PERSON]
    return schema


@cache
def _output_schema(result: type[BaseModel]) -> JsonSchemaValue:
    return result.model_json_schema(mode="serialization", schema_generator=PlainSchema)


UNREAD = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
"""What a model makes nothing of; what is too long or empty is answered with a message."""

NULL = {"type": "null"}


def _lean(schema: Any) -> Any:
    """A schema of arguments as short as it says the same to a model, which reads it with every request: what may be
    left out need not be sent as null."""
    if isinstance(schema, list):
        return [_lean(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: _lean(value) for name, value in schema.items() if name not in UNREAD}
    if kept.get("anyOf", [])[1:] == [NULL] and kept.get("default", NULL) is None:
        del kept["default"]
        return {**kept.pop("anyOf")[0], **kept}
    return kept


AnyTool = Tool[Any, Any]
