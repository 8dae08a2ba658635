"""`/everywhere/`: what is kept, what was forgotten and the log, searched at once. For super users, and logged."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import wants_json
from dashboard.everywhere import Everywhere, Row, Sought, everywhere
from dashboard.listing import memory_json
from dashboard.reach import Reach
from memory_app.api.admin import shown_operation


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    only_super(reach)
    now = timezone.now()
    found = everywhere(Sought.read(request.path, request.GET), reverse("logs"), reach.author(), now)
    if wants_json(request):
        return JsonResponse(_as_json(found, now))
    return render(request, "dashboard/everywhere.html", {"reach": reach, "now": now, "found": found})


def _as_json(page: Everywhere, now: datetime) -> dict[str, Any]:
    """Sensitive texts are masked here too."""
    return {
        "items": [_row_json(row, page.names, now) for row in page.rows if row != Row()],
        "totals": {box.value: box.count for box in page.boxes if box.count is not None},
        "next": page.older or None,
    }


def _row_json(row: Row, names: dict[UUID, str], now: datetime) -> dict[str, Any]:
    if row.entry:
        return {"tier": "logs", "operation": shown_operation(row.entry.row, names).model_dump(mode="json")}
    if row.noted:
        note = row.noted.note
        shown = {"id": note.id, "person": note.person.name, "date": note.date, "text": row.noted.text}
        return {"tier": "deleted" if note.deleted_at else "active", "note": shown}
    assert row.memory is not None
    tier = "deleted" if row.memory.deleted_at else "active"
    return {"tier": tier, "memory": memory_json(row.memory, now, masked=row.memory.sensitive)}
