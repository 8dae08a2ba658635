"""Proposals: what an assistant noticed, which the person decides on."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of
from memory_app.api.fields import InputModel
from memory_app.api.memories import ORDERS
from memory_app.api.pagination import page
from memory_app.api.proposals import ProposedText
from memory_app.api.redaction import redacted, redacted_proposal
from memory_app.api.venue import existing_person, writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.proposals.accept_proposal import accept, find_proposal
from memory_app.engine.proposals.assistant_items import AssistantItem
from memory_app.engine.proposals.assistant_proposals import RefusedItem, propose_items
from memory_app.engine.proposals.review import proposals_of, reject
from memory_app.errors import NotFound
from memory_app.mcp.tool import ForPerson, ToolArguments, ToolResult, tool
from memory_app.mcp.tools.memories import MemoryItem, memory_item
from memory_app.models import Proposal, Scope
from memory_app.models.row_security import allowed_spaces
from memory_app.serializers.proposal import proposal_out


class ProposalItem(ToolResult):
    """relation: how it stands to a memory that is there, such as a conflict. reason: why it was noticed."""

    id: UUID
    content: str
    type: str
    status: str
    relation: str
    reason: str
    visibility: str
    created_at: datetime
    expires_at: datetime


class NoticedItem(InputModel):
    content: ProposedText = Field(description="one full sentence about the person")
    type: fields.TypeName | None = Field(None, description="worked out if left out")
    quote: ProposedText | None = Field(None, description="their own words on which it rests")
    event_time: fields.Moment | None = None
    confidence: float | None = Field(None, ge=0, le=1)


class ProposeArguments(ToolArguments):
    items: list[NoticedItem] = Field(min_length=1, max_length=50)


class ProposedItem(ToolResult):
    """The proposal, or why there is none."""

    proposal: ProposalItem | None = None
    refused: str | None = None


class ProposedItems(ToolResult):
    items: list[ProposedItem]


@tool("Propose memories", scope=Scope.WRITE)
def propose_memories(request: HttpRequest, arguments: ProposeArguments) -> ProposedItems:
    """Proposes what you noticed about the person and they did not ask you to remember: lasting facts, preferences,
    decisions, plans. Nothing is saved yet: it waits in their inbox, and they decide. Propose little and only what will
    still matter in weeks; no passwords, no health or other sensitive matters, nothing you guessed.

    Answered in order; `refused` says why something is not put to them."""
    with transaction.atomic():
        answers = propose_items(
            venue_context=writing_venue(request, arguments),
            conversation=None,
            items=[AssistantItem(**item.model_dump()) for item in arguments.items],
            author=author_of(request),
            now=timezone.now(),
            encoder=current_encoder(),
        )
    return ProposedItems(items=[_proposed_item(request, answer) for answer in answers])


def _proposed_item(request: HttpRequest, answer: Proposal | RefusedItem) -> ProposedItem:
    """The words that were sent are no news to whoever sent them."""
    if isinstance(answer, RefusedItem):
        return ProposedItem(refused=answer.reason)
    return ProposedItem(proposal=ProposalItem.model_validate(redacted(request, proposal_out(answer), {"quotes": []})))


class ProposalsArguments(ForPerson):
    limit: fields.Limit = 20
    cursor: str | None = Field(None, description="next_cursor of the page before")


class ProposalList(ToolResult):
    proposals: list[ProposalItem]
    next_cursor: str | None


@tool("List proposals", scope=Scope.READ)
def list_proposals(request: HttpRequest, arguments: ProposalsArguments) -> ProposalList:
    """Lists what was noticed about the person and waits for their decision. Use it when they ask what there is to
    decide on, and read the proposals to them before review_proposal."""
    venue_context = existing_person(request, arguments.person)
    with allowed_spaces(venue_context.venue.spaces):
        rows = proposals_of(venue_context)
        found, following = page(rows, ORDERS["newest"], arguments.limit, arguments.cursor)
        items = [ProposalItem.model_validate(proposal_out(row)) for row in found]
    return ProposalList(proposals=items, next_cursor=following)


class ReviewArguments(ForPerson):
    proposal_id: UUID = Field(description="as list_proposals tells it")
    decision: Literal["accept", "reject"] = Field(description="what the person said")
    content: fields.Content | None = Field(None, description="the words to save instead, if they changed them")
    keep: Literal["newest", "both"] | None = Field(
        None, description="of what conflicts with a memory, whether this holds or both do; to keep the old, reject"
    )


class ReviewResult(ToolResult):
    """memory: what an accepted proposal became."""

    status: str
    memory: MemoryItem | None


@tool("Decide on a proposal", scope=Scope.WRITE)
def review_proposal(request: HttpRequest, arguments: ReviewArguments) -> ReviewResult:
    """Carries out the person's decision on a proposal: accept saves it, reject sees that nothing like it is proposed
    again. Only with their word: put it to them first, and never decide for them."""
    grant, now = grant_of(request), timezone.now()
    found = _own_proposal(request, arguments)
    if arguments.decision == "reject":
        rejected = reject(proposal=found, author=author_of(request), now=now)
        return ReviewResult(status=redacted_proposal(request, rejected).status, memory=None)
    accepted = accept(
        proposal=found,
        edits={"content": arguments.content} if arguments.content else {},
        holds=arguments.keep,
        grant=grant,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    memory = memory_item(request, accepted.memory, now, request_text=arguments.content)
    return ReviewResult(status=accepted.proposal.status, memory=memory)


def _own_proposal(request: HttpRequest, arguments: ReviewArguments) -> Proposal:
    """Someone else's is as if missing, also to a key that reaches both."""
    found = find_proposal(proposal=arguments.proposal_id, grant=grant_of(request))
    venue_context = existing_person(request, arguments.person)
    if found.person_id != venue_context.person.id:
        raise NotFound
    return found
