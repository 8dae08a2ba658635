"""Filters as requests carry them: in a JSON body, and as parameters of a list."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from memory_app.api import fields
from memory_app.rules.filters import MOST_VALUES, Filters, read_condition, read_filters


def _valid_conditions(conditions: dict[str, Any]) -> dict[str, Any]:
    read_condition(conditions)
    return conditions


def _parsed_json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError('write JSON, such as {"project": "x"} or {"priority": {"gte": 3}}') from None


Types = Annotated[list[fields.TypeName], Field(max_length=MOST_VALUES)]
Categories = Annotated[list[fields.CategoryName], Field(max_length=MOST_VALUES)]
Levels = Annotated[list[fields.VisibilityName], Field(max_length=MOST_VALUES)]
Names = Annotated[list[fields.Name], Field(max_length=MOST_VALUES)]
Conditions = Annotated[dict[str, Any], AfterValidator(_valid_conditions)]
ConditionsAsText = Annotated[Conditions, BeforeValidator(_parsed_json)]

ATTRIBUTES = (
    'conditions on attributes: `{"project": "x"}`, `{"priority": {"gte": 3}}` (eq, ne, gt, gte, lt, lte, in), '
    '`{"and": […]}`, `{"or": […]}`, `{"not": {…}}`; all that one object names must hold'
)


class TagsIn(BaseModel, extra="forbid"):
    """any: at least one of these; all: every one of these."""

    any: fields.Words = Field(default_factory=list)
    all: fields.Words = Field(default_factory=list)


class FiltersIn(BaseModel):
    """What a search or brief is narrowed to. Turns have none of this but a visibility: any other filter leaves them
    out."""

    types: Types = Field(default_factory=list)
    categories: Categories = Field(default_factory=list)
    tags: fields.Words | TagsIn = Field(default_factory=list, description="a plain list means any of these")
    attributes: Conditions | None = Field(None, description=ATTRIBUTES)
    entities: Names = Field(default_factory=list, description="names or ids; one of these is spoken of")
    visibility: Levels = Field(default_factory=list)

    @property
    def sent_filters(self) -> dict[str, Any]:
        return self.model_dump(include=set(FiltersIn.model_fields), exclude_defaults=True)

    @property
    def filters(self) -> Filters:
        return read_filters(self.sent_filters)


class FiltersQuery(Schema):
    """The same as parameters of a list. `types=task&types=note` is any of these, `all_tags` all of them, and
    `attributes` JSON. `type`, `category`, `tag` and `entity` are one value each, which must hold beside them."""

    types: Types = Field(default_factory=list)
    categories: Categories = Field(default_factory=list)
    tags: fields.Words = Field(default_factory=list)
    all_tags: fields.Words = Field(default_factory=list)
    attributes: ConditionsAsText | None = Field(None, description=ATTRIBUTES)
    entities: Names = Field(default_factory=list)
    visibility: Levels = Field(default_factory=list)

    @property
    def matching_filters(self) -> Filters:
        value: Mapping[str, Any] = self.model_dump(include=set(FiltersQuery.model_fields))
        return read_filters({**value, "tags": {"any": self.tags, "all": self.all_tags}})
