"""/memories and /remember: keep, read, change, take back."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from memory_app.api import fields
from memory_app.api.answers import shown_kept, shown_to, shown_version
from memory_app.api.asking import Asker, asker_of, known_asker
from memory_app.api.auth import author_of, grant_of, key_of, reads, writes
from memory_app.api.entering import speaker, visited_by
from memory_app.api.expected_version import expected_version
from memory_app.api.filtering import FilteredList
from memory_app.api.idempotency import idempotent, is_answered
from memory_app.api.paging import Order, page
from memory_app.api.schemas import (
    CorrectIn,
    HistoryOut,
    KeptOut,
    MemoryIn,
    MemoryOut,
    MemoryPage,
    MemoryPatch,
    RememberIn,
    RevertIn,
)
from memory_app.embedding.encoder import current
from memory_app.engine.browse import Filters, browse, browse_space, space_named
from memory_app.engine.edit import At, confirm, correct, edit
from memory_app.engine.enter import enter
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.history import chain, history
from memory_app.engine.keeping.model_advice import Advice
from memory_app.engine.keeping.remember import advise, answered, remember, remember_said
from memory_app.engine.locate import locate, locate_own
from memory_app.engine.members import may_read_space
from memory_app.engine.paused import tell
from memory_app.engine.revert import revert
from memory_app.errors import Invalid, NotGranted
from memory_app.models import Entity, Memory, Scope
from memory_app.models.scope import within
from memory_app.rules.filters import Filters as By
from memory_app.rules.visibility import Visibility

router = Router(tags=["memories"])

ORDERS = {
    "newest": Order("created_at"),
    "oldest": Order("created_at", descending=False),
    "updated": Order("updated_at"),
    "fades": Order("fades_at", descending=False),
}
"""`fades` lists only what fades at all, the first to go first."""


FORGOTTEN_ARE_ELSEWHERE = (
    "What was forgotten is listed for a key with the scope admin, here and by POST /admin/search with the tier"
    " 'deleted'; its person finds it for 30 days on the page /deleted/."
)


class ListQuery(FilteredList, Asker):
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    status: fields.StatusName | None = None
    tag: fields.Word | None = None
    entity: fields.Name | None = None
    since: fields.Moment | None = None
    until: fields.Moment | None = None
    visible: bool = False
    order: str = "newest"
    limit: fields.Limit = 20
    cursor: str | None = None

    @property
    def filters(self) -> Filters:
        named = {name: getattr(self, name) for name in ("space", "type", "category", "status", "tag", "since", "until")}
        return Filters(**named, own=not self.visible)


@router.post("/memories", response={201: MemoryOut}, auth=writes)
@idempotent
def create_memory(request: HttpRequest, payload: MemoryIn) -> Status[MemoryOut]:
    """Keeps a memory. A duplicate answers with the memory that was there already. Where another one may not hold beside
    it, a conflict is opened, and the person says which of the two holds."""
    now = timezone.now()
    entered = speaker(request, payload)
    kept = remember(entered=entered, given=payload.given, author=author_of(request), now=now, encoder=current())
    return Status(201, shown_to(request, kept.memory, now, sent=payload.content))


@router.post("/remember", response={201: KeptOut}, auth=writes)
def remember_utterance(request: HttpRequest, payload: RememberIn) -> Status[KeptOut]:
    """Keeps what an utterance such as "remember that we chose the blue tile" asks for. A language model that is set is
    asked first, for KEEPSAKE_LLM_SECONDS at most: what it is, and whether it replaces what is known."""
    now, advised = timezone.now(), {}
    if not is_answered(request):
        advised = advise(
            entered=visited_by(request, payload),
            utterance=payload.utterance,
            conversation=payload.conversation,
            now=now,
            encoder=current(),
        )
    answer: Status[KeptOut] = _remember(request, payload, advised)
    return answer


@idempotent
def _remember(request: HttpRequest, payload: RememberIn, advised: Mapping[str, Advice]) -> Status[KeptOut]:
    now = timezone.now()
    entered = speaker(request, payload)
    kept = remember_said(
        entered=entered,
        utterance=payload.utterance,
        conversation=payload.conversation,
        author=author_of(request),
        now=now,
        encoder=current(),
        advised=advised,
    )
    message = tell(entered.person, answered(kept, in_words=entered.grant.reads))
    return Status(201, shown_kept(request, kept, now, sent=payload.utterance, message=message))


@router.get("/memories", response=MemoryPage, auth=reads)
def list_memories(request: HttpRequest, query: Query[ListQuery]) -> MemoryPage:
    """A person's own memories; with `visible=true`, all that they may see in private: with `space`, of that space what
    others said too. With `space` and no person, what everyone in a space sees.

    `types=task&types=note` lists any of these, and so do `categories`, `visibility`, `entities` and `tags`; `all_tags`
    asks for all of them; `attributes` is JSON such as `{"project": "x"}` (see `POST /search`).

    `status=deleted` lists what was forgotten of a person, for keys with the scope admin."""
    if query.status == "deleted":
        _may_list_forgotten(request, query)
    order = ORDERS.get(query.order)
    if order is None:
        raise Invalid("order", f"Choose one of {', '.join(ORDERS)}.")
    now = timezone.now()
    spaces, rows, entities = _listed(request, query)
    with within(spaces):
        for wanted in (query.passing, By(entities=(query.entity,) if query.entity else ())):
            rows = rows.passing(wanted.values, entities)
        rows = rows.fading() if query.order == "fades" else rows
        found, following = page(rows, order, query.limit, query.cursor)
        return MemoryPage(items=[shown_to(request, memory, now) for memory in found], next_cursor=following)


def _may_list_forgotten(request: HttpRequest, query: ListQuery) -> None:
    """What a person had forgotten is told to no assistant: raises NotGranted, which says where it is."""
    if not key_of(request).has(Scope.ADMIN):
        raise NotGranted(FORGOTTEN_ARE_ELSEWHERE)
    if not query.person:
        raise Invalid("person", "Name the person whose forgotten memories to list.")


def _listed(request: HttpRequest, query: ListQuery) -> tuple[Any, Any, Any]:
    """The spaces to read, the memories, and the entities that these may be narrowed to."""
    if query.person:
        entered = asker_of(request, query)
        if entered is None:
            return [], Memory.objects.none(), Entity.objects.none()
        return entered.venue.spaces, browse(entered, query.filters), Entity.objects.visible_from(entered.venue)
    if not query.space:
        raise Invalid("person", "Name the person whose memories to list, or a space.")
    if not may_read_space(grant_of(request), query.space):
        raise NotGranted(f"This key may not read the space {query.space!r}.")
    space = space_named(query.space)
    everyones = Entity.objects.filter(visibility=Visibility.SPACE.value)
    return ([space.id] if space else []), browse_space(query.space, query.filters), everyones


@router.get("/memories/{uuid:memory_id}", response=MemoryOut, auth=reads)
def read_memory(request: HttpRequest, memory_id: UUID, asker: Query[Asker]) -> MemoryOut:
    memory = locate(memory=memory_id, entered=known_asker(request, asker), grant=grant_of(request))
    return shown_to(request, memory, timezone.now())


@router.get("/memories/{uuid:memory_id}/history", response=HistoryOut, auth=reads)
def read_history(request: HttpRequest, memory_id: UUID, asker: Query[Asker]) -> HistoryOut:
    now = timezone.now()
    entered, grant = known_asker(request, asker), grant_of(request)
    memory = locate(memory=memory_id, entered=entered, grant=grant)
    owners = memory.belongs_to(entered.venue) if entered else grant.allows(memory.person.name, None)
    items = [shown_version(request, memory, past) for past in history(memory, all_of_it=owners)]
    return HistoryOut(items=items, chain=[shown_to(request, link, now) for link in chain(memory)])


@router.patch("/memories/{uuid:memory_id}", response=MemoryOut, auth=writes)
def edit_memory(request: HttpRequest, memory_id: UUID, payload: MemoryPatch, asker: Query[Asker]) -> MemoryOut:
    """Changes what is named. With `If-Match: "version"`, only if that is still the version."""
    now = timezone.now()
    memory = edit(
        at=_own(request, memory_id, asker),
        changes=payload.changes,
        author=author_of(request),
        now=now,
        encoder=current(),
        version=expected_version(request),
    )
    return shown_to(request, memory, now)


@router.post("/memories/{uuid:memory_id}/correct", response={201: MemoryOut}, auth=writes)
@idempotent
def correct_memory(request: HttpRequest, memory_id: UUID, payload: CorrectIn) -> Status[MemoryOut]:
    """Replaces a memory by a new one, which supersedes it."""
    now = timezone.now()
    found = locate_own(
        memory=memory_id, entered=known_asker(request, Asker(person=payload.person)), grant=grant_of(request)
    )
    owner = enter(person=found.person.name, create=False)  # the level is the old one's, which the key may write
    memory = correct(
        entered=owner,
        at=At(found.space_id, found.id),
        content=payload.content,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    return Status(201, shown_to(request, memory, now))


@router.post("/memories/{uuid:memory_id}/revert", response=MemoryOut, auth=writes)
def revert_memory(request: HttpRequest, memory_id: UUID, payload: RevertIn) -> MemoryOut:
    """Makes it again what an earlier version was, as a new version. Honours `If-Match` as PATCH does."""
    now = timezone.now()
    memory = revert(
        at=_own(request, memory_id, Asker(person=payload.person)),
        version=payload.version,
        author=author_of(request),
        now=now,
        encoder=current(),
        expected=expected_version(request),
    )
    return shown_to(request, memory, now)


@router.post("/memories/{uuid:memory_id}/confirm", response=MemoryOut, auth=writes)
def confirm_memory(request: HttpRequest, memory_id: UUID, asker: Query[Asker]) -> MemoryOut:
    """Protects a memory for good: it is certain and does not fade."""
    now = timezone.now()
    confirmed = confirm(at=_own(request, memory_id, asker), author=author_of(request), now=now)
    return shown_to(request, confirmed, now)


@router.delete("/memories/{uuid:memory_id}", response={204: None}, auth=writes)
def forget_memory(request: HttpRequest, memory_id: UUID, asker: Query[Asker]) -> Status[None]:
    """Soft delete: hidden everywhere, and restorable by a super user."""
    forget(at=_own(request, memory_id, asker, removes=True), author=author_of(request), now=timezone.now())
    return Status(204, None)


def _own(request: HttpRequest, memory_id: UUID, asker: Asker, *, removes: bool = False) -> At:
    """Where a memory is that the key may change, or only take away."""
    entered, grant = known_asker(request, asker), grant_of(request)
    found = locate_own(memory=memory_id, entered=entered, grant=grant, removes=removes)
    return At(found.space_id, found.id)
