"""Tags and filters of the pages: icons, times, marked words, and what a message offers to undo."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.contrib.messages.storage.base import Message
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from dashboard import proposal_wording, wording
from dashboard.dialogue import TextPart
from dashboard.diff import DiffPiece
from dashboard.masking import MASK
from dashboard.responses import REOPEN_TAG, UNDO_TAG
from dashboard.viewer import get_viewer
from memory_app.models import JobRun, Memory, Proposal

register = template.Library()
register.filter("author_name", wording.describe_author)
register.filter("delete_reason", wording.describe_delete_reason)
register.filter("extractor_name", wording.describe_extractor)

RECENT_DAYS = 7
FADING_SOON = timedelta(days=45)
SHORTEST_MARKED = 2


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite; with a label where it stands for words, else hidden from screen readers."""
    attributes = format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')
    return format_html(
        '<svg class="icon" {}><use href="{}#{}"></use></svg>', attributes, static("vendor/tabler-icons/icons.svg"), name
    )


@register.simple_tag(takes_context=True)
def menu_link(context: Context, page: str, symbol: str, label: str, *pages_below: str) -> SafeString:
    """A link of the menu, marked on its page and on those below it. symbol: its icon."""
    match = context["request"].resolver_match
    here = match is not None and match.url_name in (page, *pages_below)
    mark = mark_safe(' aria-current="page"') if here else ""
    return format_html('<a href="{}"{}>{}{}</a>', reverse(page), mark, icon(symbol), label)


@register.filter
def moment(value: datetime | None, style: str = "near") -> SafeString | str:
    """A time as an element: how long ago when it is near, else the day. The exact time is in its title."""
    if value is None:
        return ""
    local = timezone.localtime(value)
    exact = wording.format_moment(value)
    text = exact if style == "exact" else _near(value, local)
    return format_html('<time datetime="{}" title="{}">{}</time>', value.isoformat(), exact, text)


@register.filter
def marked(text: str, query: str) -> SafeString:
    """The text, with the words of a query that occur in it marked."""
    wanted = {word for word in re.findall(r"\w+", query) if len(word) >= SHORTEST_MARKED}
    if not wanted:
        return conditional_escape(text)
    pattern = "|".join(re.escape(word) for word in sorted(wanted, key=len, reverse=True))
    pieces = re.split(rf"(\b(?:{pattern})\w*)", text, flags=re.IGNORECASE)
    return format_html_join("", "{}", ((_piece(n, piece),) for n, piece in enumerate(pieces)))


@register.filter
def masked_text(memory: Memory | None, field: str) -> str:
    """The text of a memory as a list shows it: masked where it is sensitive; of none, nothing."""
    if memory is None:
        return ""
    return MASK if memory.sensitive else str(getattr(memory, field))


@register.filter
def quote(row: Memory | Proposal, query: str = "") -> SafeString:
    """The summary as a list shows it: in quotation marks where it is someone's own words, with the words of a query
    marked, and masked where it is sensitive."""
    if isinstance(row, Memory) and row.sensitive:
        return conditional_escape(MASK)
    words = marked(row.summary, query)
    return format_html("<q>{}</q>", words) if row.is_quotation else words


@register.filter
def type_name(memory: Memory) -> str:
    return wording.TYPE_LABELS.get(memory.type, memory.type)


@register.filter
def category_name(memory: Memory) -> str:
    return wording.CATEGORY_LABELS.get(memory.category, memory.category)


@register.filter
def visibility_name(memory: Memory) -> str:
    return wording.VISIBILITY_LABELS.get(memory.visibility, memory.visibility)


@register.filter
def fading(memory: Memory, now: datetime) -> datetime | None:
    """The day on which a memory fades, if that is soon enough for a list to show it."""
    day = memory.fades_on
    return day if day is not None and day < now + FADING_SOON else None


@register.filter
def marked_changes(pieces: Iterable[DiffPiece]) -> SafeString:
    """The pieces of a comparison, with what was removed and added marked as such."""
    return format_html_join("", "{}", ((_change(piece),) for piece in pieces))


@register.filter
def marked_quotes(parts: Iterable[TextPart]) -> SafeString:
    """The text of a turn, with what is quoted of it marked."""
    return format_html_join("", "{}", ((_piece(part.quoted, part.text),) for part in parts))


@register.filter
def run_state(run: JobRun) -> str:
    """How a run of a job stands, in a word or two."""
    return "Stopping" if run.is_alive and run.cancel_requested else wording.JOB_STATE_LABELS[run.state]


@register.filter
def counted(number: int, noun: str) -> str:
    """`{{ 2|counted:"memory,memories" }}` is "2 memories"."""
    return wording.pluralize(number, *noun.split(","))


@register.filter
def undo_request(message: Message) -> str:
    """The request that a message offers to undo, or nothing."""
    tags = message.extra_tags or ""
    return tags.removeprefix(UNDO_TAG) if tags.startswith(UNDO_TAG) else ""


@register.filter
def proposal_state(proposal: Proposal, now: datetime) -> str:
    """What became of a proposal, in a word or two."""
    if proposal.status == "pending":
        return "put off" if proposal.snoozed_until and proposal.snoozed_until > now else "waits"
    return proposal_wording.decision_verb(proposal)


@register.filter
def reopened_proposals(message: Message) -> list[str]:
    """The proposals on which a message offers to undo what was decided."""
    tags = message.extra_tags or ""
    return tags.removeprefix(REOPEN_TAG).split(",") if tags.startswith(REOPEN_TAG) else []


@register.simple_tag(takes_context=True)
def waiting(context: Context) -> int:
    """How many proposals and conflicts wait for the signed-in user; also on pages that have no viewer."""
    user = context["request"].user
    viewer = context.get("viewer") or (get_viewer(user) if user.is_authenticated else None)
    if viewer is None:
        return 0
    with viewer.transaction():
        return int(viewer.proposals().waiting(timezone.now()).count() + viewer.conflicts().open().count())


def _near(value: datetime, local: datetime) -> str:
    if abs((timezone.now() - value).days) < RECENT_DAYS:
        return _coarse(naturaltime(value))
    this_year = local.year == timezone.localtime().year
    return formats.date_format(local, "j F" if this_year else "j F Y")


def _coarse(ago: str) -> str:
    """Of "1 day, 8 hours ago" the first part is enough."""
    if ago == "now":
        return "just now"
    first, comma, rest = ago.partition(", ")
    return f"{first} {rest.rsplit(' ', 1)[-1] if rest.endswith('ago') else 'from now'}" if comma else ago


def _change(piece: DiffPiece) -> SafeString:
    element = {"removed": "<del>{}</del>", "added": "<ins>{}</ins>", "same": "{}"}[piece.kind]
    return format_html(element, piece.text)


def _piece(index: int, text: str) -> SafeString:
    """Every other piece of a split is what it was split at."""
    return format_html("<mark>{}</mark>", text) if index % 2 else conditional_escape(text)
