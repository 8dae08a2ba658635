"""What the inbox says in words: how sure, what accepting would do, and what was done."""

from datetime import datetime

from dashboard.wording import CATEGORY_LABELS, describe_author, format_day, pluralize
from memory_app.models import Proposal, ProposalStatus, Relation

PROPOSAL_STATUS_LABELS = {
    "waiting": "Waiting",
    "snoozed": "Put off",
    "accepted": "Kept",
    "merged": "Merged",
    "rejected": "Rejected",
    "expired": "Expired",
    "all": "All",
}
RELATION_LABELS = {
    "new": "New",
    "duplicate": "Known already",
    "merge": "Much like one",
    "supersede": "Replaces one",
    "conflict": "Close to one",
}
REJECT_REASONS = ("Not true", "No longer so", "Not worth keeping", "Too private")
"""Why something is rejected, one click each."""

CONFIDENCE_PHRASES = ((0.85, "very sure"), (0.7, "fairly sure"), (0.5, "not quite sure"), (0.0, "only a guess"))
"""From which confidence which words hold; .7 is where the policy `auto` keeps by itself."""

DECISION_VERBS = {"accepted": "kept", "merged": "merged", "rejected": "rejected"}
OUTCOME_MESSAGES = {
    "added": "Kept.",
    "duplicate": "This was kept already; it now counts as heard once more.",
    "superseded": "Kept. It takes the place of what was there.",
    "merged": "Merged into one memory.",
    "rejected": "Rejected. Nothing like it will be proposed again.",
    "newest": "The newest holds; the old one stays in its history.",
    "both": "Both are kept.",
    "oldest": "The old one holds; the newest is forgotten.",
}


def describe_confidence(confidence: float) -> str:
    return next(words for minimum, words in CONFIDENCE_PHRASES if confidence >= minimum)


def describe_relation(proposal: Proposal) -> str:
    """What accepting does to the memory it is about, as a heading above the two."""
    match Relation(proposal.relation):
        case Relation.DUPLICATE:
            return "This is kept already"
        case Relation.MERGE:
            return "It is much like a memory you have"
        case Relation.SUPERSEDE:
            return "It would replace a memory"
        case Relation.CONFLICT:
            return "It may not hold beside a memory"
        case Relation.NEW:
            return ""


def describe_consequence(proposal: Proposal) -> str:
    """The same in a sentence below them."""
    match Relation(proposal.relation):
        case Relation.DUPLICATE:
            return "Accept it, and the memory counts as heard once more."
        case Relation.MERGE:
            return "Accept it to keep both, or merge the two into one."
        case Relation.SUPERSEDE:
            slot = f" under “{proposal.key}”" if proposal.key else ""
            return f"Accept it, and what was said last stands{slot}; the other stays in its history."
        case Relation.CONFLICT:
            return "Keep the newest, both, or the old one, or write one text for both."
        case Relation.NEW:
            return ""


def describe_section(proposal: Proposal) -> str:
    return f"Under {CATEGORY_LABELS.get(proposal.category, proposal.category)}."


def describe_decision(proposal: Proposal, number: int, *, reader: str) -> str:
    """What was decided on it and on others with it, as "You kept" or "An assistant (kitchen) rejected 3 proposals"."""
    who = "you" if proposal.decided_by == reader else describe_author(proposal.decided_by)
    words = f"{who} {decision_verb(proposal)}"
    if number > 1:
        words += f" {pluralize(number, 'proposal')}"
    return words[0].upper() + words[1:]


def decision_verb(proposal: Proposal) -> str:
    """What became of it."""
    return DECISION_VERBS.get(proposal.status, proposal.status)


def describe_snooze(until: datetime, number: int) -> str:
    what = "Put off" if number == 1 else f"Put off {pluralize(number, 'proposal')}"
    return f"{what} until {format_day(until)}."


def describe_bulk_decision(act: str, number: int, left: int) -> str:
    """What was done to many, and how many of those asked for were left."""
    text = {"accept": "Kept", "reject": "Rejected"}[act] + f" {pluralize(number, 'proposal')}."
    if left:
        text += (
            f" {pluralize(left, 'was', 'were')} left as {'it was' if left == 1 else 'they were'}: open each to see why."
        )
    return text


def is_decided(proposal: Proposal) -> bool:
    return proposal.status != ProposalStatus.PENDING
