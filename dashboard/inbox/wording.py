"""What the inbox says in words: how sure, what accepting would do, and what was done."""

from datetime import datetime

from memory_app.models import Proposal, ProposalStatus, Relation

from ..words import CATEGORIES, author, count, day

STATUSES = {
    "waiting": "Waiting",
    "snoozed": "Put off",
    "accepted": "Kept",
    "merged": "Merged",
    "rejected": "Rejected",
    "expired": "Expired",
    "all": "All",
}
RELATIONS = {
    "new": "New",
    "duplicate": "Known already",
    "merge": "Much like one",
    "supersede": "Replaces one",
    "conflict": "Contradicts one",
}
REASONS = ("Not true", "No longer so", "Not worth keeping", "Too private")
"""Why something is rejected, one click each."""

SURE = ((0.85, "very sure"), (0.7, "fairly sure"), (0.5, "not quite sure"), (0.0, "only a guess"))
"""From which confidence which words hold; .7 is where the policy `auto` keeps by itself."""

DONE = {"accepted": "kept", "merged": "merged", "rejected": "rejected"}
OUTCOMES = {
    "added": "Kept.",
    "duplicate": "This was kept already; it now counts as heard once more.",
    "superseded": "Kept. It takes the place of what was there.",
    "merged": "Merged into one memory.",
    "rejected": "Rejected. Nothing like it will be proposed again.",
    "apart": "Left apart. Both stay as they are.",
    "newest": "The newest holds; the old one stays in its history.",
    "both": "Both are kept.",
    "old": "The old one holds; the newest is forgotten.",
}


def sure(confidence: float) -> str:
    return next(words for least, words in SURE if confidence >= least)


def effect(proposal: Proposal) -> str:
    """What accepting does to the memory it is about, as a heading above the two."""
    if proposal.folds and proposal.relation == Relation.CONFLICT:
        return "These two are both kept, and contradict each other"
    if proposal.folds:
        return "These two are both kept, and much alike"
    match Relation(proposal.relation):
        case Relation.DUPLICATE:
            return "This is kept already"
        case Relation.MERGE:
            return "It is much like a memory you have"
        case Relation.SUPERSEDE:
            return "It would replace a memory"
        case Relation.CONFLICT:
            return "It contradicts a memory"
        case Relation.NEW:
            return ""


def consequence(proposal: Proposal) -> str:
    """The same in a sentence below them."""
    if proposal.folds and proposal.relation == Relation.CONFLICT:
        return "Until you choose, the newest counts, and the old one for little. Any choice can be undone."
    if proposal.folds:
        return "Merge them into one, or leave them apart."
    match Relation(proposal.relation):
        case Relation.DUPLICATE:
            return "Accept it, and the memory counts as heard once more."
        case Relation.MERGE:
            return "Accept it to keep both, or merge the two into one."
        case Relation.SUPERSEDE:
            slot = f" under “{proposal.key}”" if proposal.key else ""
            return f"Accept it, and what was said last stands{slot}; the other stays in its history."
        case Relation.CONFLICT:
            return "Accept it, and what was said last stands; the other is kept with little confidence."
        case Relation.NEW:
            return ""


def gone(proposal: Proposal) -> str:
    """What it was about, where one of the two memories does not stand any more."""
    how = "contradicted each other" if proposal.relation == Relation.CONFLICT else "were much alike"
    return f"It was about two memories that {how}, of which one is gone by now."


def section(proposal: Proposal) -> str:
    return f"Under {CATEGORIES.get(proposal.category, proposal.category)}."


def decided(proposal: Proposal, number: int, *, reader: str) -> str:
    """What was decided on it and on others with it, as "You kept" or "An assistant (kitchen) rejected 3 proposals"."""
    who = "you" if proposal.decided_by == reader else author(proposal.decided_by)
    words = f"{who} {done(proposal)}"
    if number > 1:
        words += f", {number} times" if proposal.folds else f" {count(number, 'proposal')}"
    return words[0].upper() + words[1:]


def done(proposal: Proposal) -> str:
    """What became of it; a question about two that are both kept is not rejected, but answered."""
    if proposal.folds and proposal.status == ProposalStatus.REJECTED:
        return "kept the old one" if proposal.relation == Relation.CONFLICT else "left apart"
    return DONE.get(proposal.status, proposal.status)


def put_off(until: datetime, number: int) -> str:
    what = "Put off" if number == 1 else f"Put off {count(number, 'proposal')}"
    return f"{what} until {day(until)}."


def all_done(act: str, number: int, left: int) -> str:
    """What was done to many, and how many of those asked for were left."""
    said = {"accept": "Kept", "reject": "Rejected"}[act] + f" {count(number, 'proposal')}."
    if left:
        said += f" {count(left, 'was', 'were')} left as {'it was' if left == 1 else 'they were'}: open each to see why."
    return said


def is_decided(proposal: Proposal) -> bool:
    return proposal.status != ProposalStatus.PENDING
