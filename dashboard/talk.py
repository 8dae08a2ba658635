"""All that the page of one conversation tells: its turns, what was noticed in them, and the runs that read it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.inbox.dialogue import Line, line, speaker
from dashboard.inbox.facets import conversation_name
from dashboard.inbox.listing import line_json
from dashboard.reach import Reach
from memory_app.models import Conversation, ExtractionRun, Proposal, Turn

PAGE = 100
"""Turns on a page."""

TRIGGERS = {
    "count": "much was said",
    "history": "its beginning was about to be trimmed",
    "idle": "nobody spoke any more",
    "switch": "another conversation was opened",
    "end": "it ended",
    "nightly": "the day was over",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A turn, with the proposals that quote it. `mine`: whether the person said it, not their assistant."""

    line: Line
    mine: bool
    proposals: Sequence[Proposal]


@dataclass(frozen=True, slots=True)
class Run:
    run: ExtractionRun
    trigger: str

    @property
    def turns(self) -> str:
        """The turns it covers, counted from 1."""
        return f"{self.run.from_position + 1}–{self.run.to_position}"

    @property
    def amiss(self) -> str:
        return amiss(self.run)


@dataclass(frozen=True, slots=True)
class Talk:
    """One page of a conversation. `hidden`: whether something sensitive in it is masked."""

    conversation: Conversation
    name: str
    passages: Sequence[Passage]
    runs: Sequence[Run]
    earlier: Conversation | None
    later: Conversation | None
    number: int
    pages: int

    @property
    def hidden(self) -> bool:
        return any(passage.line.hidden for passage in self.passages)

    @property
    def failed(self) -> bool:
        return any(run.amiss for run in self.runs)

    @property
    def before(self) -> int:
        return self.number - 1

    @property
    def after(self) -> int:
        return self.number + 1 if self.number < self.pages else 0


def talk(reach: Reach, conversation: Conversation, url: Mapping[str, str], *, clear: bool) -> Talk:
    """`url`: the query string; its `turn` or `page` chooses the page. `clear`: show what is sensitive."""
    pages = max(1, -(-conversation.turn_count // PAGE))
    number = min(max(_number(url.get("turn"), -PAGE) // PAGE + 1, _number(url.get("page"), 1), 1), pages)
    here = {"space_id": conversation.space_id, "conversation_id": conversation.id}
    turns = Turn.objects.filter(**here, position__gte=(number - 1) * PAGE, position__lt=number * PAGE)
    proposals = list(reach.proposals().filter(**here).defer("embedding").order_by("created_at", "number", "id"))
    mine = reach.person is not None and conversation.person_id == reach.person.id
    runs = ExtractionRun.objects.filter(**here).order_by("started_at", "id")
    return Talk(
        conversation=conversation,
        name=conversation_name(conversation),
        passages=[
            _passage(turn, proposals, conversation, mine=mine, clear=clear) for turn in turns.order_by("position")
        ],
        runs=[Run(run, TRIGGERS.get(run.trigger, run.trigger)) for run in runs],
        earlier=reach.conversations().filter(id=conversation.follows).first() if conversation.follows else None,
        later=reach.conversations().filter(space_id=conversation.space_id, follows=conversation.id).first(),
        number=number,
        pages=pages,
    )


def amiss(run: ExtractionRun) -> str:
    """What went wrong in a run: why nothing came of it, or what a model said that could not be used."""
    dropped = ", ".join(f"{number} × {reason}" for reason, number in sorted(run.dropped.items()))
    return " ".join(part for part in (run.error, f"Not used: {dropped}." if dropped else "") if part)


def as_json(talk: Talk) -> dict[str, Any]:
    """The page as its JSON twin shows it."""
    counted = (
        "read",
        "proposed",
        "duplicates",
        "kept",
        "noted",
        "tokens",
        "milliseconds",
        "extractor",
        "error",
        "dropped",
    )
    named = ("id", "trigger", "started_at", "from_position", "to_position", *counted)
    return {
        "id": talk.conversation.id,
        "name": talk.name,
        "person": talk.conversation.person.name,
        "started_at": talk.conversation.started_at,
        "ended_at": talk.conversation.ended_at,
        "turns": [
            {**line_json(passage.line), "proposals": [proposal.id for proposal in passage.proposals]}
            for passage in talk.passages
        ],
        "runs": [{name: getattr(run.run, name) for name in named} for run in talk.runs],
        "page": talk.number,
        "pages": talk.pages,
    }


def _passage(turn: Turn, proposals: list[Proposal], of: Conversation, *, mine: bool, clear: bool) -> Passage:
    quoting = [
        (proposal, [quote["text"] for quote in proposal.quotes if quote["position"] == turn.position])
        for proposal in proposals
    ]
    quotes = [text for _, texts in quoting for text in texts]
    who = speaker(turn, person=str(of.person), mine=mine)
    return Passage(
        line=line(turn, quotes, who=who, clear=clear),
        mine=turn.role == "user",
        proposals=[proposal for proposal, texts in quoting if texts],
    )


def _number(text: str | None, otherwise: int) -> int:
    return min(int(text), 1_000_000) if text and text.isascii() and text.isdigit() else otherwise
