"""The tools, in the order in which assistants are told of them, and the sets under names of other products."""

from memory_app.mcp.tool import AnyTool
from memory_app.mcp.tools.connector import fetch, search
from memory_app.mcp.tools.context import get_context
from memory_app.mcp.tools.delete import delete_memory
from memory_app.mcp.tools.graph import GRAPH_TOOLS
from memory_app.mcp.tools.hindsight import HINDSIGHT_TOOLS
from memory_app.mcp.tools.memories import add_memory, get_memories, get_memory, search_memories, update_memory
from memory_app.mcp.tools.proposals import list_proposals, propose_memories, review_proposal
from memory_app.mcp.tools.supermemory import SUPERMEMORY_TOOLS

TOOLS: tuple[AnyTool, ...] = (
    get_context,
    search_memories,
    get_memories,
    get_memory,
    add_memory,
    update_memory,
    delete_memory,
    propose_memories,
    list_proposals,
    review_proposal,
    search,
    fetch,
)

OTHER_TOOLS: dict[str, tuple[AnyTool, ...]] = {
    "graph": GRAPH_TOOLS,
    "hindsight": HINDSIGHT_TOOLS,
    "supermemory": SUPERMEMORY_TOOLS,
}
"""What `?tools=` gives instead of ours, by its name."""
