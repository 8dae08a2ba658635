"""`/conversations/{id}/`: what was said, verbatim, what was noticed in it, and the runs that read it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view
from dashboard.dialogue import DialogueLine, conversation_name, dialogue_line, line_json, speaker_label
from dashboard.lists import page_number
from dashboard.masking import is_revealed, reveal_or_hide
from dashboard.responses import fields_json, page_or_json, redirect_back
from dashboard.runs import RUN_FIELDS, RunRow
from dashboard.viewer import Viewer
from memory_app.models import Conversation, ExtractionRun, Proposal, Turn

PAGE_SIZE = 100
"""Turns on a page."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn, with the proposals that quote it. `mine`: whether the person said it, not their assistant."""

    line: DialogueLine
    mine: bool
    proposals: Sequence[Proposal]


@dataclass(frozen=True, slots=True)
class Transcript:
    """One page of a conversation. `hidden`: whether something sensitive in it is masked."""

    conversation: Conversation
    name: str
    turns: Sequence[ShownTurn]
    runs: Sequence[RunRow]
    earlier: Conversation | None
    later: Conversation | None
    number: int
    pages: int

    @property
    def hidden(self) -> bool:
        return any(shown_turn.line.hidden for shown_turn in self.turns)

    @property
    def failed(self) -> bool:
        return any(run.problem for run in self.runs)

    @property
    def previous_page(self) -> int:
        return self.number - 1

    @property
    def next_page(self) -> int:
        return self.number + 1 if self.number < self.pages else 0


def read_transcript(
    viewer: Viewer, conversation: Conversation, url: Mapping[str, str], *, unmasked: bool
) -> Transcript:
    """url: the query string; its `turn` or `page` chooses the page. unmasked: show what is sensitive."""
    pages = max(1, -(-conversation.turn_count // PAGE_SIZE))
    page_of_turn = page_number(url.get("turn"), -PAGE_SIZE) // PAGE_SIZE + 1
    number = min(max(page_of_turn, page_number(url.get("page")), 1), pages)
    of_conversation = {"space_id": conversation.space_id, "conversation_id": conversation.id}
    turns = Turn.objects.filter(
        **of_conversation, position__gte=(number - 1) * PAGE_SIZE, position__lt=number * PAGE_SIZE
    )
    proposals = list(
        viewer.proposals().filter(**of_conversation).defer("embedding").order_by("created_at", "number", "id")
    )
    mine = viewer.person is not None and conversation.person_id == viewer.person.id
    runs = ExtractionRun.objects.filter(**of_conversation).order_by("started_at", "id")
    return Transcript(
        conversation=conversation,
        name=conversation_name(conversation),
        turns=[
            _shown_turn(turn, proposals, conversation, mine=mine, unmasked=unmasked)
            for turn in turns.order_by("position")
        ],
        runs=[RunRow(run) for run in runs],
        earlier=viewer.conversations().filter(id=conversation.follows).first() if conversation.follows else None,
        later=viewer.conversations().filter(space_id=conversation.space_id, follows=conversation.id).first(),
        number=number,
        pages=pages,
    )


def as_json(transcript: Transcript) -> dict[str, Any]:
    return {
        "id": transcript.conversation.id,
        "name": transcript.name,
        "person": transcript.conversation.person.name,
        "started_at": transcript.conversation.started_at,
        "ended_at": transcript.conversation.ended_at,
        "turns": [
            {**line_json(shown_turn.line), "proposals": [proposal.id for proposal in shown_turn.proposals]}
            for shown_turn in transcript.turns
        ],
        "runs": [fields_json(run.run, *RUN_FIELDS, "dropped") for run in transcript.runs],
        "page": transcript.number,
        "pages": transcript.pages,
    }


def _shown_turn(turn: Turn, proposals: list[Proposal], of: Conversation, *, mine: bool, unmasked: bool) -> ShownTurn:
    quoting = [
        (proposal, [quote["text"] for quote in proposal.quotes if quote["position"] == turn.position])
        for proposal in proposals
    ]
    quotes = [text for _, texts in quoting for text in texts]
    speaker = speaker_label(turn, person=str(of.person), mine=mine)
    return ShownTurn(
        line=dialogue_line(turn, quotes, speaker=speaker, unmasked=unmasked),
        mine=turn.role == "user",
        proposals=[proposal for proposal, texts in quoting if texts],
    )


@get_view
def show(request: SignedInRequest, viewer: Viewer, conversation_id: UUID) -> HttpResponse:
    now = timezone.now()
    conversation = viewer.find_conversation(conversation_id)
    unmasked = is_revealed(request, conversation.id, now)
    page = read_transcript(viewer, conversation, request.GET, unmasked=unmasked)
    context = {"viewer": viewer, "now": now, "transcript": page, "unmasked": unmasked}
    return page_or_json(request, "conversation.html", context, lambda: as_json(page))


@post_view
def reveal_conversation(request: SignedInRequest, viewer: Viewer, conversation_id: UUID) -> HttpResponse:
    """Shows what is sensitive in it for some minutes, or hides it again."""
    reveal_or_hide(request, viewer.find_conversation(conversation_id).id, timezone.now())
    return redirect_back(request, reverse("conversation", args=[conversation_id]))
