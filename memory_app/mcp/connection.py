"""Whose connection it is: the person that the address names, or the only one the key speaks for."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from memory_app.api.auth import grant_of, key_of
from memory_app.errors import Invalid
from memory_app.mcp.protocol import Message
from memory_app.mcp.questions import can_ask
from memory_app.mcp.tool import PERSON, AnyTool
from memory_app.mcp.tools import OTHER_TOOLS, TOOLS

READ_ONLY = "readonly"


@dataclass(frozen=True, slots=True)
class Connection:
    """A request to /mcp. person: to whom it is pinned; None: each call names one. is_modern: the era it is made in.
    can_ask: whether the client puts questions to the person."""

    request: HttpRequest
    person: str | None
    tools: tuple[AnyTool, ...]
    is_modern: bool
    can_ask: bool

    def with_person(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments that name the person. Raises Invalid where they name another than the connection's."""
        if self.person is None:
            return arguments
        if arguments.get(PERSON, self.person) != self.person:
            raise Invalid(PERSON, "This connection is for one person, and for no other; leave `person` out.")
        return {**arguments, PERSON: self.person}


def connection_of(request: HttpRequest, person: str | None, message: Message) -> Connection:
    """person: whom the address names. Raises Invalid for a set of tools that there is not."""
    people = grant_of(request).people
    pinned = person or (next(iter(people)) if len(people) == 1 else None)
    return Connection(request, pinned, _tools_for(request), message.is_modern, can_ask(message))


def _tools_for(request: HttpRequest) -> tuple[AnyTool, ...]:
    """The tools that the key may call, of the set that the address asks for: `graph`, `readonly`, `graph,readonly`."""
    names = [name for name in request.GET.get("tools", "").split(",") if name]
    sets = [name for name in names if name != READ_ONLY]
    if len(sets) > 1 or not set(sets) <= OTHER_TOOLS.keys():
        known = ", ".join(f"`{name}`" for name in OTHER_TOOLS)
        raise Invalid(
            "tools",
            f"There is no such set of tools. Leave `tools` out for ours, or name one of {known};"
            f" `{READ_ONLY}`, also after a comma, leaves out those that write.",
        )
    tools = OTHER_TOOLS[sets[0]] if sets else TOOLS
    return tuple(
        tool for tool in tools if key_of(request).has(tool.scope) and (tool.is_read_only or READ_ONLY not in names)
    )
