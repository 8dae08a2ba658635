"""`search` and `fetch`, by the names and in the shapes that ChatGPT's connectors and deep research ask for."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from pydantic import Field

from memory_app.api import fields
from memory_app.mcp.tool import ToolArguments, ToolResult, tool
from memory_app.mcp.tools.memories import (
    MemoryArguments,
    MemoryItem,
    SearchArguments,
    get_memory,
    search_memories,
)
from memory_app.models import Scope


class Document(ToolResult):
    id: str
    title: str
    text: str
    url: str


class FetchedDocument(Document):
    metadata: dict[str, Any]


class Documents(ToolResult):
    results: list[Document]


class QueryArguments(ToolArguments):
    query: fields.SearchQuery


@tool("Search", scope=Scope.READ, structured=False)
def search(request: HttpRequest, arguments: QueryArguments) -> Documents:
    """Finds memories of the person that have to do with a query; `fetch` reads one of them whole."""
    query = arguments.passed_to(SearchArguments, query=arguments.query, limit=10)
    found = search_memories.run(request, query)
    return Documents(results=[Document(**_document(request, item)) for item in found.results if item.relevant])


class FetchArguments(ToolArguments):
    id: UUID = Field(description="as search tells it")


@tool("Fetch", scope=Scope.READ, structured=False)
def fetch(request: HttpRequest, arguments: FetchArguments) -> FetchedDocument:
    """Reads one memory whole, by the id that search gave."""
    item = get_memory.run(request, arguments.passed_to(MemoryArguments, memory_id=arguments.id))
    metadata = item.model_dump(mode="json", include={"type", "category", "tags", "speaker", "said_at", "event_time"})
    return FetchedDocument(**_document(request, item), metadata=metadata)


def _document(request: HttpRequest, item: MemoryItem) -> dict[str, str]:
    url = request.build_absolute_uri(f"/memories/{item.id}/")
    return {"id": str(item.id), "title": item.summary, "text": item.content, "url": url}
