"""/memories and /remember: keep, read, change, take back."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, key_of, read_key, write_key
from memory_app.api.fields import PageQuery
from memory_app.api.filters import FiltersQuery
from memory_app.api.idempotency import has_earlier_answer, idempotent
from memory_app.api.pagination import Order, page
from memory_app.api.redaction import memory_out_for, saved_out, version_out
from memory_app.api.requests import expected_version
from memory_app.api.schemas import (
    CorrectIn,
    HistoryOut,
    MemoryIn,
    MemoryPage,
    MemoryPatch,
    RememberIn,
    RevertIn,
    SavedOut,
)
from memory_app.api.venue import ViewerQuery, known_viewer, reading_venue, viewer, writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, confirm, correct, edit
from memory_app.engine.memories.find import (
    MemoryFilters,
    find_memory,
    find_own_memory,
    find_space,
    space_memories,
    visible_memories,
)
from memory_app.engine.memories.model_advice import Advice
from memory_app.engine.memories.remember import advise_on_request, answer_sentence, remember, remember_on_request
from memory_app.engine.memories.versions import list_versions, replacement_chain, revert
from memory_app.engine.people.members import may_read_space
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import Invalid, NotAllowed
from memory_app.models import Entity, Memory, Scope
from memory_app.models.person import with_pause_notice
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.filters import Filters as By
from memory_app.rules.visibility import Visibility
from memory_app.serializers.memory import MemoryOut

router = Router(tags=["memories"])

ORDERS = {
    "newest": Order("created_at"),
    "oldest": Order("created_at", descending=False),
    "updated": Order("updated_at"),
    "fades": Order("fades_at", descending=False),
}
"""`fades` lists only what fades at all, the first to go first."""


DELETED_NEED_ADMIN = (
    "What was forgotten is listed for a key with the scope admin, here and by POST /admin/search with the tier"
    " 'deleted'; its person finds it for 30 days on the page /deleted/."
)


class ListQuery(FiltersQuery, ViewerQuery, PageQuery):
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    status: fields.StatusName | None = None
    tag: fields.Word | None = None
    entity: fields.Name | None = None
    since: fields.Moment | None = None
    until: fields.Moment | None = None
    visible: bool = False
    order: str = "newest"

    @property
    def filters(self) -> MemoryFilters:
        named = {name: getattr(self, name) for name in ("space", "type", "category", "status", "tag", "since", "until")}
        return MemoryFilters(**named, own=not self.visible)


@router.post("/memories", response={201: MemoryOut}, auth=write_key)
@idempotent
def create_memory(request: HttpRequest, payload: MemoryIn) -> Status[MemoryOut]:
    """Keeps a memory. A duplicate answers with the memory that was there already. Where another one may not hold beside
    it, a conflict is opened, and the person says which of the two holds."""
    now = timezone.now()
    venue_context = writing_venue(request, payload)
    kept = remember(
        venue_context=venue_context,
        memory_input=payload.memory_input,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    return Status(201, memory_out_for(request, kept.memory, now, request_text=payload.content))


@router.post("/remember", response={201: SavedOut}, auth=write_key)
def remember_utterance(request: HttpRequest, payload: RememberIn) -> Status[SavedOut]:
    """Keeps what an utterance such as "remember that we chose the blue tile" asks for. A language model that is set is
    asked first, for KEEPSAKE_LLM_SECONDS at most: what it is, and whether it replaces what is known."""
    now, advice_by_content = timezone.now(), {}
    if not has_earlier_answer(request):
        advice_by_content = advise_on_request(
            venue_context=reading_venue(request, payload),
            utterance=payload.utterance,
            conversation=payload.conversation,
            now=now,
            encoder=current_encoder(),
        )
    answer: Status[SavedOut] = _remember_once(request, payload, advice_by_content)
    return answer


@idempotent
def _remember_once(
    request: HttpRequest, payload: RememberIn, advice_by_content: Mapping[str, Advice]
) -> Status[SavedOut]:
    now = timezone.now()
    venue_context = writing_venue(request, payload)
    kept = remember_on_request(
        venue_context=venue_context,
        utterance=payload.utterance,
        conversation=payload.conversation,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
        advice_by_content=advice_by_content,
    )
    message = with_pause_notice(venue_context.person, answer_sentence(kept, in_words=venue_context.grant.reads))
    return Status(201, saved_out(request, kept, now, request_text=payload.utterance, message=message))


@router.get("/memories", response=MemoryPage, auth=read_key)
def list_memories(request: HttpRequest, query: Query[ListQuery]) -> MemoryPage:
    """A person's own memories; with `visible=true`, all that they may see in private: with `space`, of that space what
    others said too. With `space` and no person, what everyone in a space sees.

    `types=task&types=note` lists any of these, and so do `categories`, `visibility`, `entities` and `tags`; `all_tags`
    asks for all of them; `attributes` is JSON such as `{"project": "x"}` (see `POST /search`).

    `status=deleted` lists what was forgotten of a person, for keys with the scope admin."""
    if query.status == "deleted":
        _check_may_list_deleted(request, query)
    order = ORDERS.get(query.order)
    if order is None:
        raise Invalid("order", f"Choose one of {', '.join(ORDERS)}.")
    now = timezone.now()
    spaces, rows, entities = _rows_to_list(request, query)
    with allowed_spaces(spaces):
        for filters in (query.matching_filters, By(entities=(query.entity,) if query.entity else ())):
            rows = rows.matching_filters(filters.values, entities)
        rows = rows.fading() if query.order == "fades" else rows
        found, following = page(rows, order, query.limit, query.cursor)
        return MemoryPage(items=[memory_out_for(request, memory, now) for memory in found], next_cursor=following)


def _check_may_list_deleted(request: HttpRequest, query: ListQuery) -> None:
    """What a person had forgotten is told to no assistant: raises NotAllowed, which says where it is."""
    if not key_of(request).has(Scope.ADMIN):
        raise NotAllowed(DELETED_NEED_ADMIN)
    if not query.person:
        raise Invalid("person", "Name the person whose forgotten memories to list.")


def _rows_to_list(request: HttpRequest, query: ListQuery) -> tuple[Any, Any, Any]:
    """The spaces to read, the memories, and the entities that these may be narrowed to."""
    if query.person:
        venue_context = viewer(request, query)
        if venue_context is None:
            return [], Memory.objects.none(), Entity.objects.none()
        return (
            venue_context.venue.spaces,
            visible_memories(venue_context, query.filters),
            Entity.objects.visible_from(venue_context.venue),
        )
    if not query.space:
        raise Invalid("person", "Name the person whose memories to list, or a space.")
    if not may_read_space(grant_of(request), query.space):
        raise NotAllowed(f"This key may not read the space {query.space!r}.")
    space = find_space(query.space)
    everyones = Entity.objects.filter(visibility=Visibility.SPACE.value)
    return ([space.id] if space else []), space_memories(query.space, query.filters), everyones


@router.get("/memories/{uuid:memory_id}", response=MemoryOut, auth=read_key)
def read_memory(request: HttpRequest, memory_id: UUID, viewer_query: Query[ViewerQuery]) -> MemoryOut:
    memory = find_memory(memory=memory_id, venue_context=known_viewer(request, viewer_query), grant=grant_of(request))
    return memory_out_for(request, memory, timezone.now())


@router.get("/memories/{uuid:memory_id}/history", response=HistoryOut, auth=read_key)
def read_history(request: HttpRequest, memory_id: UUID, viewer_query: Query[ViewerQuery]) -> HistoryOut:
    now = timezone.now()
    venue_context, grant = known_viewer(request, viewer_query), grant_of(request)
    memory = find_memory(memory=memory_id, venue_context=venue_context, grant=grant)
    owners = memory.belongs_to(venue_context.venue) if venue_context else grant.allows(memory.person.name, None)
    items = [version_out(request, memory, past) for past in list_versions(memory, everything=owners)]
    return HistoryOut(items=items, chain=[memory_out_for(request, link, now) for link in replacement_chain(memory)])


@router.patch("/memories/{uuid:memory_id}", response=MemoryOut, auth=write_key)
def edit_memory(
    request: HttpRequest, memory_id: UUID, payload: MemoryPatch, viewer_query: Query[ViewerQuery]
) -> MemoryOut:
    """Changes what is named. With `If-Match: "version"`, only if that is still the version."""
    now = timezone.now()
    memory = edit(
        at=_own_memory(request, memory_id, viewer_query),
        changes=payload.changes,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
        version=expected_version(request),
    )
    return memory_out_for(request, memory, now)


@router.post("/memories/{uuid:memory_id}/correct", response={201: MemoryOut}, auth=write_key)
@idempotent
def correct_memory(request: HttpRequest, memory_id: UUID, payload: CorrectIn) -> Status[MemoryOut]:
    """Replaces a memory by a new one, which supersedes it."""
    now = timezone.now()
    found = find_own_memory(
        memory=memory_id,
        venue_context=known_viewer(request, ViewerQuery(person=payload.person)),
        grant=grant_of(request),
    )
    owner = resolve_venue(person=found.person.name, create=False)  # the level is the old one's, which the key may write
    memory = correct(
        venue_context=owner,
        at=MemoryRef(found.space_id, found.id),
        content=payload.content,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    return Status(201, memory_out_for(request, memory, now))


@router.post("/memories/{uuid:memory_id}/revert", response=MemoryOut, auth=write_key)
def revert_memory(request: HttpRequest, memory_id: UUID, payload: RevertIn) -> MemoryOut:
    """Makes it again what an earlier version was, as a new version. Honours `If-Match` as PATCH does."""
    now = timezone.now()
    memory = revert(
        at=_own_memory(request, memory_id, ViewerQuery(person=payload.person)),
        version=payload.version,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
        expected=expected_version(request),
    )
    return memory_out_for(request, memory, now)


@router.post("/memories/{uuid:memory_id}/confirm", response=MemoryOut, auth=write_key)
def confirm_memory(request: HttpRequest, memory_id: UUID, viewer_query: Query[ViewerQuery]) -> MemoryOut:
    """Protects a memory for good: it is certain and does not fade."""
    now = timezone.now()
    confirmed = confirm(at=_own_memory(request, memory_id, viewer_query), author=author_of(request), now=now)
    return memory_out_for(request, confirmed, now)


@router.delete("/memories/{uuid:memory_id}", response={204: None}, auth=write_key)
def forget_memory(request: HttpRequest, memory_id: UUID, viewer_query: Query[ViewerQuery]) -> Status[None]:
    """Soft delete: hidden everywhere, and restorable by a super user."""
    delete_memory(
        at=_own_memory(request, memory_id, viewer_query, removes=True), author=author_of(request), now=timezone.now()
    )
    return Status(204, None)


def _own_memory(
    request: HttpRequest, memory_id: UUID, viewer_query: ViewerQuery, *, removes: bool = False
) -> MemoryRef:
    """Where a memory is that the key may change, or only take away."""
    venue_context, grant = known_viewer(request, viewer_query), grant_of(request)
    found = find_own_memory(memory=memory_id, venue_context=venue_context, grant=grant, removes=removes)
    return MemoryRef(found.space_id, found.id)
