"""What the pages say about a memory, in plain words: where it came from, who sees it, how long it lasts."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import formats, timezone

from memory_app.models import Memory, Operation, Proposal, Status
from memory_app.models.api_key import KEY_MARK
from memory_app.rules.visibility import Visibility

TYPE_LABELS = {
    "fact": "Fact",
    "preference": "Preference",
    "decision": "Decision",
    "event": "Event",
    "person": "Someone",
    "project": "Project",
    "meeting": "Meeting",
    "journal": "Journal",
    "profile": "Profile",
    "task": "Task",
    "note": "Note",
    "reflection": "Reflection",
}
JOB_STATE_LABELS = {
    "queued": "Waits for the worker",
    "running": "Running",
    "done": "Done",
    "failed": "Failed",
    "cancelled": "Cancelled",
}
CATEGORY_LABELS = {
    "preference": "Preferences",
    "work": "Work",
    "personal": "Personal",
    "reading": "Reading",
    "fact": "Facts",
}
VISIBILITY_LABELS = {
    "private": "Only the person",
    "channel": "One channel",
    "space": "A shared space",
    "global": "The person, anywhere",
    "everyone": "Everyone",
}
STATUS_LABELS = {"active": "current", "superseded": "replaced", "deleted": "forgotten"}
SOURCE_SENTENCES = {
    "explicit": "Kept because {who} asked for it",
    "extracted": "Noticed in a conversation with {who}",
    "meeting": "Kept from a meeting",
    "journal": "Kept from {whose} journal",
    "migration": "Brought over from elsewhere",
    "consolidation": "Drawn together from several memories",
    "reflection": "A reflection on what was remembered",
    "api": "Kept by an assistant",
}
OPERATION_PHRASES = {
    "remember": "remembered",
    "edit": "edited",
    "correct": "corrected",
    "revert": "put back an earlier version of",
    "confirm": "confirmed",
    "feedback": "gave feedback on",
    "forget": "forgot",
    "restore": "brought back",
    "supersede": "replaced",
    "answer_conflict": "said which holds of",
    "reopen_conflict": "took back which holds of",
    "refine": "read",
    "fade": "let fade",
    "clear": "cleared everything of",
    "edit_note": "corrected a note",
    "delete_note": "forgot a note",
    "restore_note": "brought back a note",
    "remove_turn": "took back a turn",
    "create_document": "wrote a document",
    "edit_document": "edited a document",
    "delete_document": "deleted a document",
    "restore_document": "brought back a document",
    "put_items": "stored items",
    "delete_items": "deleted items",
    "move": "changed who may see",
    "merge_people": "merged two people",
    "unmerge_people": "took a merge of two people back",
    "undo": "took back a change of",
    "erase": "erased",
    "erase_person": "erased a person",
    "admit member": "let back in",
    "remove member": "removed from a space",
    "set_password": "set a password",
    "login_as_before": "put a login back as it was",
    "import": "brought in",
    "import_history": "imported a file",
    "mend_segments": "mended what is searched",
    "undo_import": "took an import back",
    "link": "linked",
    "assistant_propose": "proposed what it noticed",
    "accept": "kept what was noticed",
    "merge": "merged what was noticed",
    "reject": "rejected what was noticed",
    "snooze": "put off what was noticed",
    "reopen": "put up again what was decided",
    "withdraw": "withdrew what was told otherwise since",
    "brief": "asked for a brief",
    "remember_request": "passed on words to remember",
    "forget_request": "passed on words to forget",
    "forget_answer": "passed on what to forget",
    "merge entities": "merged two names",
    "part entities": "parted two names",
    "settle": "changed settings",
    "create_user": "made a login",
    "promote_login": "made a login a super user’s",
    "demote_login": "took super user from a login",
    "link_login": "linked a login to a person",
    "switch_login_off": "switched a login off",
    "switch_login_on": "switched a login on",
    "allow_assistant": "allowed an assistant to sign in",
    "create_key": "made a key",
    "rotate_key": "rotated a key",
    "revoke_key": "revoked a key",
    "admin_search": "searched all tiers",
    "request": "asked",
    "job": "ran a job",
    "start": "started Keepsake",
    "backup": "made a backup",
    "restored": "put a backup back",
}
AUTHORS = {"key": "an assistant ({name})", "user": "{name}", "job": "the nightly work", "command": "the command line",
           "model": "the language model"}  # fmt: skip
ANONYMOUS = "nobody"
"""Who called the API without a key, in the log."""

KEY_PREFIX = re.compile(rf"^{KEY_MARK}_[0-9a-f]+ ")
"""The public prefix that a key's label opens with: it tells keys apart in the log, and people nothing."""

DELETE_REASONS = {
    "asked": "because someone asked",
    "faded": "because it had faded",
    "merged": "because it was kept twice",
    "profile": "because its line was taken out of the profile",
    "undone": "because what kept it was undone",
}


def describe_origin(memory: Memory, *, mine: bool) -> str:
    """How the memory came to be kept. `mine`: whether the reader is its person."""
    who, whose = ("you", "your") if mine else (str(memory.person), f"{memory.person}’s")
    return SOURCE_SENTENCES.get(memory.source_type, SOURCE_SENTENCES["api"]).format(who=who, whose=whose)


def describe_audience(memory: Memory, *, mine: bool) -> str:
    """Who may see the memory, and why: its row of the visibility rule."""
    who, them = ("you", "you") if mine else (str(memory.person), "them")
    match Visibility(memory.visibility):
        case Visibility.PRIVATE:
            return f"Only {who}. It comes up in private talks with {them}, and nowhere else."
        case Visibility.CHANNEL:
            return (
                f"Only {who}: in private, and in the channel “{memory.channel}” of {memory.space}, where it was said."
            )
        case Visibility.SPACE:
            return f"Everyone in {memory.space}, for it was said there."
        case Visibility.GLOBAL:
            return f"Only {who}, but wherever {'you talk' if mine else 'they talk'} to an assistant: it is harmless."
        case Visibility.EVERYONE:
            return "Everyone, everywhere."


def describe_lifetime(memory: Memory, now: datetime) -> str:
    """What will become of the memory if nothing is done."""
    if memory.deleted_at is not None:
        return "Forgotten. No assistant recalls it."
    if memory.expires_at is not None and memory.expires_at <= now:
        return f"Expired on {format_day(memory.expires_at)}. No assistant recalls it."
    if memory.superseded_by is not None:
        return "Replaced by a newer memory. No assistant recalls it as current."
    until = f" It expires on {format_day(memory.expires_at)}." if memory.expires_at else ""
    if memory.protected:
        return f"Kept for good.{until}"
    if memory.fades_on is None:
        return f"It does not fade.{until}"
    return f"Fades on {format_day(memory.fades_on)}, unless it is recalled or confirmed before.{until}"


def describe_operation(operation: Operation, *, reader: str) -> str:
    """What an operation did, as "You forgot" or "The nightly work let fade". `reader`: who reads, as Author.label."""
    who = "you" if operation.author == reader else describe_author(operation.author)
    words = f"{who} {OPERATION_PHRASES.get(operation.name, operation.name)}"
    return words[0].upper() + words[1:]


def describe_author(label: str) -> str:
    """Who that is, from `Author.label`."""
    kind, _, name = label.partition(":")
    if not label:
        return "someone"
    if label == ANONYMOUS:
        return "someone without a key"
    if kind == "key":
        name = KEY_PREFIX.sub("", name)
    return AUTHORS.get(kind, "{name}").format(name=name)


def describe_extractor(extractor: str) -> str:
    """What read a conversation, without its version: our own rules, or a prompt to a language model."""
    kind, _, rest = extractor.partition(" ")
    if kind.startswith("local-"):
        return f"Keepsake’s own rules ({rest})" if rest else "Keepsake’s own rules"
    if kind == "assistant":
        return f"an assistant ({rest})" if rest else "an assistant"
    return f"a language model ({rest})" if rest else extractor


def describe_delete_reason(reason: str) -> str:
    return DELETE_REASONS.get(reason, f"because: {reason}" if reason else "")


def describe_event_time(memory: Memory | Proposal) -> str:
    """When the event was, in the reader's time zone: days where it lasts whole days, else to the minute."""
    start, end = memory.event_time, memory.event_end
    if start is None:
        return ""
    if end is None:
        return format_moment(start)
    if not (_is_midnight(start) and _is_midnight(end)):
        return f"{format_moment(start)} to {format_moment(end)}"
    last = end - timedelta(hours=1)
    return format_day(start) if format_day(start) == format_day(last) else f"{format_day(start)} to {format_day(last)}"


def format_day(at: datetime) -> str:
    """A date in the reader's time zone, such as 3 March 2027."""
    return formats.date_format(timezone.localtime(at), "j F Y")


def format_moment(at: datetime) -> str:
    """A date and time in the reader's time zone, such as 3 March 2027, 14:05 (CET)."""
    local = timezone.localtime(at)
    return f"{formats.date_format(local, 'j F Y, H:i')} ({local.tzname()})"


def _is_midnight(at: datetime) -> bool:
    local = timezone.localtime(at)
    return (local.hour, local.minute, local.second) == (0, 0, 0)


def describe_restored(memories: Sequence[Memory]) -> str:
    """What was brought back, in a sentence or two."""
    if not memories:
        return "There was nothing left to bring back."
    sentence = f"Brought back {pluralize(len(memories), 'memory', 'memories')}."
    replaced = sum(memory.status == Status.SUPERSEDED for memory in memories)
    if replaced:
        sentence += f" {'It stays' if len(memories) == 1 else f'{replaced} of them stay'} replaced by what is newer."
    return sentence


def pluralize(number: int, one: str, many: str = "") -> str:
    """A number with its noun, such as "1 memory" or "1,204 memories"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
