"""Rows as JSON, in the fields of the API: what its answers and the pages' own JSON both show."""

from pydantic import BaseModel


class OutputModel(BaseModel):
    """What is sent. It is pydantic's own model, for ninja's checks each field of each item again in Python."""
