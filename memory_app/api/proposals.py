"""/proposals: what was noticed and waits for its person, what an assistant proposes, and the person's decisions."""

from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import Field, StringConstraints

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.idempotency import idempotent
from memory_app.api.memories import ORDERS
from memory_app.api.pagination import page
from memory_app.api.redaction import accepted_out, redacted, redacted_proposal
from memory_app.api.venue import PersonInVenue, ViewerQuery, existing_person, writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conversations.add_turns import find_conversation
from memory_app.engine.proposals.accept_proposal import accept, find_proposal
from memory_app.engine.proposals.assistant_items import AssistantItem
from memory_app.engine.proposals.assistant_proposals import RefusedItem, propose_items
from memory_app.engine.proposals.review import proposals_of, reject, reopen, snooze
from memory_app.errors import Invalid
from memory_app.models import Proposal
from memory_app.models.row_security import allowed_spaces
from memory_app.serializers import OutputModel, Page
from memory_app.serializers.proposal import AcceptedOut, ProposalOut, proposal_out

router = Router(tags=["conversations and proposals"])

ProposedText = Annotated[str, StringConstraints(max_length=fields.MAX_CONTENT), fields.Storable]


class ProposedIn(InputModel):
    """One thing noticed. quote: words of the person, as they stand in one of `turns`, or in the conversation."""

    content: ProposedText
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    key: fields.Word | None = None
    quote: ProposedText | None = None
    turns: list[UUID] = Field(default_factory=list, max_length=50)
    event_time: fields.Moment | None = None
    confidence: float | None = Field(None, ge=0, le=1)

    @property
    def item(self) -> AssistantItem:
        values = {name: getattr(self, name) for name in ProposedIn.model_fields}
        return AssistantItem(**{**values, "turns": tuple(self.turns)})


class ProposalsIn(PersonInVenue):
    conversation: UUID | None = None
    items: list[ProposedIn] = Field(min_length=1, max_length=50)


class AcceptIn(InputModel):
    """What to change before it is kept. merged: the text that the memory it is like becomes instead. keep: of what
    conflicts with a memory, whether the newest holds or both; to keep the old one, reject it."""

    content: fields.Content | None = None
    summary: fields.Summary | None = None
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    key: fields.Word | None = None
    keywords: fields.Words | None = None
    visibility: fields.VisibilityName | None = None
    merged: fields.Content | None = None
    keep: Literal["newest", "both"] | None = None

    @property
    def edits(self) -> dict[str, Any]:
        return {name: value for name, value in self.model_dump(exclude={"merged", "keep"}).items() if value is not None}


class RejectIn(InputModel):
    reason: fields.Word | None = None


class SnoozeIn(InputModel):
    until: fields.Moment


class ProposedOut(OutputModel):
    """One item waits for the person, as this proposal."""

    proposal: ProposalOut


class RefusedOut(OutputModel):
    """One item is not put to the person, and why."""

    refused: str


class ProposedItemsOut(OutputModel):
    items: list[ProposedOut | RefusedOut]


class ProposalQuery(ViewerQuery, PageQuery):
    status: Literal["pending", "snoozed", "accepted", "merged", "rejected", "expired"] | None = Field(
        "pending",
        description="`snoozed`: of those that are pending, the ones put off until a `snoozed_until` that is to come",
    )


ProposalPage = Page[ProposalOut]


@router.get("/proposals", response=ProposalPage, auth=read_key)
def list_proposals(request: HttpRequest, query: Query[ProposalQuery]) -> ProposalPage:
    """What was noticed about a person: by default what waits for their decision."""
    if not query.person:
        raise Invalid("person", "Name the person whose proposals to list.")
    venue_context = existing_person(request, query.person)
    with allowed_spaces(venue_context.venue.spaces):
        rows = (
            proposals_of(venue_context).snoozed(timezone.now())
            if query.status == "snoozed"
            else proposals_of(venue_context, query.status)
        )
        found, following = page(rows, ORDERS["newest"], query.limit, query.cursor)
        return ProposalPage(items=[proposal_out(proposal) for proposal in found], next_cursor=following)


@router.post("/proposals", response={201: ProposedItemsOut}, auth=write_key)
@idempotent
def propose_memories(request: HttpRequest, payload: ProposalsIn) -> Status[ProposedItemsOut]:
    """What an assistant's own model noticed, up to 50 items, answered in order. Each is checked, weighed against what
    is kept, and waits for the person, who is asked when the conversation ends (again), or finds it in the inbox."""
    venue_context, grant = writing_venue(request, payload), grant_of(request)
    conversation = payload.conversation
    answers = propose_items(
        venue_context=venue_context,
        conversation=find_conversation(conversation=conversation, grant=grant) if conversation else None,
        items=[item.item for item in payload.items],
        author=author_of(request),
        now=timezone.now(),
        encoder=current_encoder(),
    )
    return Status(201, ProposedItemsOut(items=[_proposed_out(request, answer) for answer in answers]))


@router.post("/proposals/{uuid:proposal_id}/accept", response=AcceptedOut, auth=write_key)
def accept_proposal(request: HttpRequest, proposal_id: UUID, payload: AcceptIn | None = None) -> AcceptedOut:
    """Keeps what was proposed, as it is or edited; where it conflicts with a memory, instead of that or beside it."""
    now = timezone.now()
    edits_in = payload or AcceptIn()
    accepted = accept(
        proposal=find_proposal(proposal=proposal_id, grant=grant_of(request)),
        edits=edits_in.edits,
        merged=edits_in.merged,
        holds=edits_in.keep,
        grant=grant_of(request),
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    return accepted_out(request, accepted, now)


@router.post("/proposals/{uuid:proposal_id}/reject", response=ProposalOut, auth=write_key)
def reject_proposal(request: HttpRequest, proposal_id: UUID, payload: RejectIn | None = None) -> ProposalOut:
    """Refuses it; nothing like it is proposed again."""
    reason = (payload.reason if payload else None) or ""
    proposal = find_proposal(proposal=proposal_id, grant=grant_of(request))
    return redacted_proposal(
        request, reject(proposal=proposal, reason=reason, author=author_of(request), now=timezone.now())
    )


@router.post("/proposals/{uuid:proposal_id}/snooze", response=ProposalOut, auth=write_key)
def snooze_proposal(request: HttpRequest, proposal_id: UUID, payload: SnoozeIn) -> ProposalOut:
    """Puts it off until a time."""
    proposal = find_proposal(proposal=proposal_id, grant=grant_of(request))
    return redacted_proposal(
        request, snooze(proposal=proposal, until=payload.until, author=author_of(request), now=timezone.now())
    )


@router.post("/proposals/{uuid:proposal_id}/reopen", response=ProposalOut, auth=write_key)
def reopen_proposal(request: HttpRequest, proposal_id: UUID) -> ProposalOut:
    """Undoes a decision."""
    grant = grant_of(request)
    found = find_proposal(proposal=proposal_id, grant=grant)
    reopened = reopen(proposal=found, grant=grant, author=author_of(request), now=timezone.now())
    return redacted_proposal(request, reopened)


def _proposed_out(request: HttpRequest, answer: Proposal | RefusedItem) -> ProposedOut | RefusedOut:
    """The words that were sent are no news to whoever sent them; those of the turns may be."""
    if isinstance(answer, RefusedItem):
        return RefusedOut(refused=answer.reason)
    return ProposedOut(proposal=redacted(request, proposal_out(answer), {"quotes": []}))
