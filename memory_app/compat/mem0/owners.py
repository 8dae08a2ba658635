"""Whose memory is meant: mem0 knows users, agents, apps and runs; here all of them are people.

`user_id` is a person. An agent, app or run that is named without a user is a person of its own, `agent:ID`; beside a
user it is noted in the attributes of what is saved for them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory_app.errors import Invalid

KINDS = ("user", "agent", "app", "run")
ID_FIELDS = {f"{kind}_id": kind for kind in KINDS}

NOTED_IN = "mem0"
"""The attribute that holds the ids beside the owner's own."""

NO_OWNER = "Name whose memory is meant: user_id, agent_id, app_id or run_id."


class NoOwner(Invalid):
    """Nobody is named. mem0 answers 400 then, and its clients tell that from a field that is wrong."""

    status = 400

    def __init__(self, message: str = NO_OWNER) -> None:
        super().__init__("user_id", message)


NO_USER = "A user_id does not begin with agent:, app: or run:. Name agents, apps and runs by agent_id, app_id, run_id."


@dataclass(frozen=True, slots=True)
class Owner:
    """A user, agent, app or run by its id. Raises Invalid for a user whose id is the name of another kind's person."""

    kind: str
    id: str

    def __post_init__(self) -> None:
        if self.kind == "user" and _kind_in(self.id)[0] != "user":
            raise Invalid("user_id", NO_USER)

    @property
    def person(self) -> str:
        """The name of the person here."""
        return self.id if self.kind == "user" else f"{self.kind}:{self.id}"

    @classmethod
    def of_person(cls, name: str) -> "Owner":
        kind, identifier = _kind_in(name)
        return cls(kind, identifier)


def _kind_in(name: str) -> tuple[str, str]:
    """Which kind of owner a person of that name is, and its id."""
    kind, mark, identifier = name.partition(":")
    return (kind, identifier) if mark and kind in KINDS[1:] and identifier else ("user", name)


def owner_of(ids: Mapping[str, str | None]) -> Owner:
    """By `ID_FIELDS`; the first in their order that is named. Raises NoOwner."""
    for field, kind in ID_FIELDS.items():
        if identifier := ids.get(field):
            return Owner(kind, identifier)
    raise NoOwner


def noted_ids(ids: Mapping[str, str | None], owner: Owner) -> dict[str, str]:
    """The ids beside the owner's own, by their fields."""
    return {field: given for field, kind in ID_FIELDS.items() if kind != owner.kind and (given := ids.get(field))}


def ids_of(person: str, attributes: Mapping[str, Any]) -> dict[str, str | None]:
    """All ids of a memory, by their fields."""
    noted = attributes.get(NOTED_IN)
    owner, noted = Owner.of_person(person), noted if isinstance(noted, Mapping) else {}
    return {field: owner.id if kind == owner.kind else noted.get(field) for field, kind in ID_FIELDS.items()}
