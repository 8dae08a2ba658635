"""Memories as a graph of knowledge, as the reference server has it: entities, observations of them, and relations.

What was saved as an observation or a relation says so in its attributes. Any other memory is an observation of each
entity that it names.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from memory_app.api.redaction import memory_out_for
from memory_app.engine.entities.names_in_memories import names_in_memories
from memory_app.engine.entities.visible_entities import visible_rows
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import MASK

GRAPH = "graph"
"""The attribute: {entity, type, text} of an observation, where the text may be empty; {from, to, relation}."""

MOST_MEMORIES = 2_000
"""The latest; the reference server holds all of its file in memory too."""

OTHER_TYPE = "other"


@dataclass(slots=True)
class Node:
    """observations: each with the memory that holds it."""

    name: str
    type: str
    observations: dict[str, Memory] = field(default_factory=dict)
    memories: list[Memory] = field(default_factory=list)
    """What was saved of it as an entity, and goes with it."""


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    target: str
    relation: str
    memory: Memory


@dataclass(frozen=True, slots=True)
class Graph:
    """nodes: by their names. is_whole: false where there are more memories than were read."""

    nodes: dict[str, Node]
    edges: list[Edge]
    is_whole: bool

    def part(self, names: set[str]) -> "Graph":
        """Entities of these names, and the relations of any of them."""
        return Graph(
            {name: node for name, node in self.nodes.items() if name in names},
            [edge for edge in self.edges if {edge.source, edge.target} & names],
            self.is_whole,
        )


def read_rows(request: HttpRequest, venue_context: VenueContext, now: datetime) -> Graph:
    """The graph of the person's own memories that hold, the oldest first."""
    if venue_context.is_unknown:
        return Graph({}, [], True)
    with allowed_spaces(venue_context.venue.spaces):
        seen = visible_rows(venue_context, now)
        own = seen.memories.filter(person=venue_context.person).select_related(*WITH_NAMES)
        latest = list(own.order_by("-created_at", "-id")[: MOST_MEMORIES + 1])
        rows = latest[:MOST_MEMORIES][::-1]
        named = names_in_memories(seen, [row.id for row in rows])
        graph = Graph({}, [], len(latest) <= MOST_MEMORIES)
        for row in rows:
            _add_row(graph, row, memory_out_for(request, row, now), named.get(row.id, []))
    return graph


def _add_row(graph: Graph, row: Memory, out: Any, named: Sequence[tuple[str, str]]) -> None:
    """What is masked to whoever asks, or told without its words, names nobody to them."""
    if out.content in ("", MASK):
        return
    said = out.attributes.get(GRAPH)
    if isinstance(said, dict) and {"from", "to", "relation"} <= said.keys():
        graph.edges.append(Edge(str(said["from"]), str(said["to"]), str(said["relation"]), row))
    elif isinstance(said, dict) and "entity" in said:
        node = graph.nodes.setdefault(str(said["entity"]), Node(str(said["entity"]), ""))
        node.type = node.type or str(said.get("type", ""))
        node.memories.append(row)
        if text := str(said.get("text", "")):
            node.observations[text if text in out.content else out.content] = row  # it may have been changed since
    else:
        for name, kind in named:
            graph.nodes.setdefault(name, Node(name, kind)).observations[out.content] = row
