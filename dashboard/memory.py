"""`/memories/{id}/`: all there is to know of one memory, what differs between its versions, and its buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.diff import FieldChange, diff_versions
from dashboard.masking import is_masked, memory_json, reveal_or_hide
from dashboard.proposal_cards import ConflictCard, conflict_cards
from dashboard.responses import page_or_json, redirect_back, show_message
from dashboard.viewer import Viewer, memory_ref
from dashboard.wording import describe_audience, describe_event_time, describe_lifetime, describe_origin
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.delete_and_restore import delete_memory, restore
from memory_app.engine.memories.edit import confirm
from memory_app.engine.memories.reflection_lines import current_lines
from memory_app.engine.memories.versions import VersionState, list_versions, replacement_chain, revert
from memory_app.engine.people.move_memory import NARROWER_LEVELS
from memory_app.engine.retrieval.receipts import BriefUse, briefed_in
from memory_app.errors import NotFound
from memory_app.models import Memory, MemoryType, Status
from memory_app.nlp.understand import is_global_safe


@dataclass(frozen=True, slots=True)
class ReflectionLine:
    """A line of a reflection, and the memories behind it that still exist."""

    text: str
    sources: Sequence[Memory]

    @property
    def unconfirmed(self) -> Sequence[Memory]:
        return [memory for memory in self.sources if not memory.protected]


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One memory explained. harmless: whether its person is offered to have it recalled wherever they talk. versions:
    newest first; empty for whoever may not change it."""

    memory: Memory
    masked: bool
    mine: bool
    changeable: bool
    origin: str
    audience: str
    harmless: bool
    lasting: str
    happened: str
    strength: float
    chain: Sequence[Memory]
    conflicts: Sequence[ConflictCard]
    uses: Sequence[BriefUse]
    lines: Sequence[ReflectionLine]
    versions: Sequence[VersionState]
    older: VersionState | None
    newer: VersionState | None
    changes: Sequence[FieldChange]

    @property
    def percent(self) -> int:
        return round(100 * self.strength)

    @property
    def home(self) -> UUID:
        """The space of its person's own."""
        return self.memory.person.space_id


def memory_page(viewer: Viewer, memory: Memory, url: Mapping[str, str], now: datetime, *, masked: bool) -> MemoryPage:
    """url: the query string; its `from` and `to` choose the versions to compare, by default the last two."""
    mine = viewer.person is not None and memory.person_id == viewer.person.id
    changeable = viewer.may_change(memory)
    versions = list(reversed(list_versions(memory))) if viewer.is_own(memory) else []
    older, newer = _compared_versions(versions, url)
    return MemoryPage(
        memory=memory,
        masked=masked,
        mine=mine,
        changeable=changeable,
        origin=describe_origin(memory, mine=mine),
        audience=describe_audience(memory, mine=mine),
        harmless=mine and _may_become_global(memory),
        lasting=describe_lifetime(memory, now),
        happened=describe_event_time(memory),
        strength=memory.strength(now),
        chain=_chain(viewer, memory),
        conflicts=conflict_cards(viewer, memory=memory.id) if changeable else [],
        uses=_uses(viewer, memory),
        lines=[] if masked else _reflection_lines(viewer, memory, now),
        versions=versions,
        older=older,
        newer=newer,
        changes=diff_versions(older.state, newer.state) if older and newer and not masked else [],
    )


def _may_become_global(memory: Memory) -> bool:
    """Whether `global` is a wider level than its own, and it is an explicit and harmless fact."""
    narrower = memory.visibility in NARROWER_LEVELS and not memory.deleted_at
    return narrower and not memory.sensitive and is_global_safe(memory.content, memory.key)


def _chain(viewer: Viewer, memory: Memory) -> Sequence[Memory]:
    """The memories that replaced one another, oldest first, as far as they may be seen; empty for one alone."""
    links = [link for link in replacement_chain(memory) if link.id == memory.id or viewer.is_own(link)]
    return links if len(links) > 1 else []


def _uses(viewer: Viewer, memory: Memory) -> Sequence[BriefUse]:
    """In the viewer's own briefs: what others asked is not shown, even if it recalled a memory of the viewer's."""
    if viewer.is_super_user:
        return briefed_in(memory=memory, home=None)
    return briefed_in(memory=memory, home=viewer.person.space_id) if viewer.person else []


def _reflection_lines(viewer: Viewer, memory: Memory, now: datetime) -> list[ReflectionLine]:
    lines = current_lines(memory, now) if memory.type == MemoryType.REFLECTION else []
    named = {source for line in lines for source in line.sources}
    found = {one.id: one for one in viewer.own_memories().undeleted().filter(id__in=named)}
    return [ReflectionLine(line.text, [found[source] for source in line.sources if source in found]) for line in lines]


def _compared_versions(
    versions: Sequence[VersionState], url: Mapping[str, str]
) -> tuple[VersionState | None, VersionState | None]:
    if len(versions) < 2:
        return None, None
    by_number = {str(version.number): version for version in versions}
    newer = by_number.get(url.get("to", ""), versions[0])
    older = by_number.get(url.get("from", ""), versions[1])
    return (older, newer) if older.number <= newer.number else (newer, older)


MAX_VERSION_DIGITS = 9


@get_view
def show(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    now = timezone.now()
    memory = viewer.find_memory(memory_id)
    masked = is_masked(request, memory, now)
    context = {"viewer": viewer, "now": now, "page": memory_page(viewer, memory, request.GET, now, masked=masked)}
    return page_or_json(
        request,
        f"memory.html{requested_part(request, 'history')}",
        context,
        lambda: memory_json(memory, now, masked=masked),
    )


@post_view
def confirm_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    confirm(at=memory_ref(viewer.find_own_memory(memory_id)), author=viewer.author(), now=timezone.now())
    show_message(request, "Confirmed. This memory is now kept for good.")
    return redirect("memory", memory_id)


@post_view
def revert_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    """Makes the state of an older version, given in `version`, the newest version."""
    memory, version = viewer.find_own_memory(memory_id), request.POST.get("version", "")
    if not version.isascii() or not version.isdigit() or len(version) > MAX_VERSION_DIGITS:
        raise NotFound
    reverted = revert(
        at=memory_ref(memory),
        version=int(version),
        author=viewer.author(),
        now=timezone.now(),
        encoder=current_encoder(),
    )
    if reverted.version == memory.version:
        show_message(request, f"Version {version} says the same, so nothing was changed.")
    else:
        show_message(request, f"It is as version {version} was again. This is version {reverted.version}.")
    return redirect("memory", memory_id)


@post_view
def forget_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    author = viewer.author()
    delete_memory(at=memory_ref(viewer.find_own_memory(memory_id, removes=True)), author=author, now=timezone.now())
    show_message(request, "Forgotten. No assistant will recall this any more.", undo=author.request)
    return redirect("memory", memory_id)


@post_view
def restore_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    memory = restore(at=memory_ref(viewer.find_deleted_memory(memory_id)), author=viewer.author(), now=timezone.now())
    replaced = memory.status == Status.SUPERSEDED
    show_message(
        request, "Brought back, as it was: replaced by what is newer." if replaced else "Brought back, as it was."
    )
    return redirect_back(request, reverse("memory", args=[memory_id]))


@post_view
def reveal_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    """Shows a sensitive memory for some minutes, or hides it again."""
    reveal_or_hide(request, viewer.find_memory(memory_id).id, timezone.now())
    return redirect_back(request, reverse("memory", args=[memory_id]))
