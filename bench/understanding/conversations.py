"""What is noticed in conversations, unasked: quoted, worth keeping, and nothing sensitive."""

from bench.understanding.cases import Case, moment, normalised, words
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson, StoredConversation
from memory_app.models import Proposal

QUOTED = Figure("proposals in the person's own words", at_least=1)
FOUND = Figure("worth keeping, and found", at_least=0.6)
JUNK = Figure("proposals that are junk", at_most=0.1)
UNMARKED = Figure("proposals of turns without a mark")
SENSITIVE = Figure("sensitive ones proposed", at_most=0, counted=True)

FOUND_FROM = 0.5
"""Share of the marked words that must be quoted."""


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    """Holds the conversation, ends it, and judges what is put to the person."""
    at, outcome = moment(case["started_at"]), Outcome()
    talk = simulated.talk([(turn["role"], turn["content"]) for turn in case["turns"]], at)
    proposals = simulated.end(talk.conversation, at)
    for proposal in proposals:
        _judge(case, proposal, outcome)
    for mark in case["worth"]:
        found = any(_quotes(one, mark) for one in proposals) or _was_asked_for(talk, mark)
        if not outcome.mark(FOUND, found):
            outcome.fault(f"not found: {mark['words']!r}")
    for mark in case["sensitive"]:
        touched = [one for one in proposals if _touches(one, mark)]
        if outcome.mark(SENSITIVE, bool(touched)):
            outcome.fault(f"sensitive ({mark['why']}): {touched[0].content!r}")
    return outcome


def _judge(case: Case, proposal: Proposal, outcome: Outcome) -> None:
    turns = {quote["position"] for quote in proposal.quotes}
    junk = [mark for mark in case["junk"] if mark["turn"] in turns]
    marked = {mark["turn"] for name in ("worth", "junk", "sensitive") for mark in case[name]}
    quotes_worth = any(_quotes(proposal, mark) for mark in case["worth"])
    if not outcome.mark(QUOTED, any(proposal.content in turn["content"] for turn in case["turns"])):
        outcome.fault(f"no quotation: {proposal.content!r}")
    if outcome.mark(JUNK, bool(junk) and not quotes_worth):
        outcome.fault(f"junk ({junk[0]['why']}): {proposal.content!r}")
    if outcome.mark(UNMARKED, marked.isdisjoint(turns)):
        outcome.fault(f"no mark: {proposal.content!r}")


def _quotes(proposal: Proposal, mark: Case) -> bool:
    return _has(" ".join(quote["text"] for quote in proposal.quotes if quote["position"] == mark["turn"]), mark)


def _was_asked_for(talk: StoredConversation, mark: Case) -> bool:
    """Whether the turn asked to have it remembered, and it was kept at once."""
    turn = talk.turns[mark["turn"]].id
    return any(turn in memory.source_turns and _has(memory.content, mark) for memory in talk.remembered)


def _has(text: str, mark: Case) -> bool:
    wanted = {*words(mark["words"])}
    return len(wanted & {*words(text)}) >= FOUND_FROM * len(wanted)


def _touches(proposal: Proposal, mark: Case) -> bool:
    """Whether any sentence-like part of the sensitive words is quoted."""
    whole = normalised(mark["words"])
    quoted = [quote["text"] for quote in proposal.quotes if quote["position"] == mark["turn"]]
    texts = [normalised(text) for text in (proposal.content, *quoted)]
    return bool(quoted) and any(whole in text or text in whole for text in texts)


SET = CaseSet("conversations", (QUOTED, FOUND, JUNK, UNMARKED, SENSITIVE), measure)
