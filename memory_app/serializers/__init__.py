"""Rows as JSON, in the fields of the API: what its answers and the pages' own JSON both show."""

from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel

Item = TypeVar("Item")


class OutputModel(BaseModel):
    """What is sent. It is pydantic's own model, for ninja's checks each field of each item again in Python."""

    @classmethod
    def of(cls, row: object, **others: Any) -> Self:
        """A row with the attributes of its names. others: fields that it calls otherwise, or does not have."""
        return cls(**{name: getattr(row, name) for name in cls.model_fields if name not in others}, **others)


class Page(OutputModel, Generic[Item]):
    """A part of a list. next_cursor: what to send for the part that follows; null at the end."""

    items: list[Item]
    next_cursor: str | None

    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """A page of MemoryOut is called MemoryPage, as clients that are made from the document know it."""
        return f"{params[0].__name__.removesuffix('Out')}Page"
