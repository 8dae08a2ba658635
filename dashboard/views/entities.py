"""`/entities/`: whom and what memories speak of; one of them, merged and parted by hand."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import say, uuids, wants_json, warn
from dashboard.entities_listed import entity_page, entity_page_list, own_entity, seen_by
from dashboard.inbox.listing import line_json
from dashboard.listing import memory_json
from dashboard.reach import Reach
from memory_app.api.entities import shown_entity
from memory_app.engine.naming.entity_merge import merge, put_together, split, take_out
from memory_app.errors import Invalid, NotFound


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    listed = entity_page_list(reach, request.path, request.GET)
    if wants_json(request):
        items = [shown_entity(item.listed).model_dump(mode="json") for item in listed.items]
        return JsonResponse({"items": items, "page": listed.number, "next": listed.older or None})
    return render(request, "dashboard/entities.html", {"reach": reach, "list": listed})


@require_safe
@signed_in
def show_one(request: Asked, reach: Reach, entity_id: UUID) -> HttpResponse:
    now = timezone.now()
    page = entity_page(reach, entity_id)
    if wants_json(request):
        told = page.profile
        return JsonResponse(
            {
                **shown_entity(told.listed).model_dump(mode="json"),
                "aliases": list(told.aliases),
                "summary": told.summary,
                "related": [shown_entity(other).model_dump(mode="json") for other in told.related],
                "turns": [line_json(line) for line in page.said],
                "memories": [memory_json(memory, now, masked=memory.sensitive) for memory in page.memories],
            }
        )
    return render(request, "dashboard/entity.html", {"reach": reach, "now": now, "page": page})


@require_POST
@signed_in
def merge_entity(request: Asked, reach: Reach, entity_id: UUID) -> HttpResponse:
    person, into = own_entity(reach, entity_id), uuids([request.POST.get("into", "")])
    if not into:
        warn(request, "Choose whom or what this is.")
        return redirect("entity", entity_id)
    try:
        merge(
            seen=seen_by(reach),
            person=person,
            entity=entity_id,
            into=into[0],
            author=reach.author(),
            now=timezone.now(),
        )
        say(request, "They are one now. You can take them apart again below.")
    except Invalid as error:
        warn(request, str(error))
        return redirect("entity", entity_id)
    return redirect("entity", into[0])


@require_POST
@signed_in
def take_out_entity(request: Asked, reach: Reach, entity_id: UUID) -> HttpResponse:
    person = own_entity(reach, entity_id)
    try:
        take_out(seen=seen_by(reach), person=person, entity=entity_id, author=reach.author(), now=timezone.now())
        say(request, "It stands for itself again.")
    except Invalid as error:
        warn(request, str(error))
    return _to_its_page(reach, entity_id)


@require_POST
@signed_in
def split_entity(request: Asked, reach: Reach, entity_id: UUID) -> HttpResponse:
    person = own_entity(reach, entity_id)
    try:
        other = split(
            seen=seen_by(reach),
            person=person,
            entity=entity_id,
            memories=uuids(request.POST.getlist("memory")),
            name=request.POST.get("name", "").replace("\x00", ""),
            author=reach.author(),
            now=timezone.now(),
        )
    except Invalid:
        warn(request, "Tick the memories that speak of someone else first.")
        return redirect("entity", entity_id)
    say(request, "Parted. This page is of the one you ticked the memories for.")
    return redirect("entity", other)


@require_POST
@signed_in
def put_together_entity(request: Asked, reach: Reach, entity_id: UUID) -> HttpResponse:
    person = own_entity(reach, entity_id)
    try:
        put_together(seen=seen_by(reach), person=person, entity=entity_id, author=reach.author(), now=timezone.now())
        say(request, "They are one again.")
    except Invalid as error:
        warn(request, str(error))
    return redirect("entities")


def _to_its_page(reach: Reach, entity_id: UUID) -> HttpResponse:
    """One whose memories were parted since, or went, has none."""
    try:
        entity_page(reach, entity_id)
    except NotFound:
        return redirect("entities")
    return redirect("entity", entity_id)
