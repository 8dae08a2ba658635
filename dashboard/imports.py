"""`/import/`: bring along what one has with another assistant: what a file would bring, then all of it; and undo."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, form_view, get_view, post_view, requested_part
from dashboard.responses import clean_text, fields_json, show_message, show_warning, wants_json
from dashboard.viewer import Viewer
from dashboard.wording import pluralize
from memory_app.engine.imports.read_history import MOST_WAITING, UnreadHistory, unread_history
from memory_app.engine.imports.report import ADDED_TURNS, KINDS, ImportReport
from memory_app.engine.imports.undo_import import UNDOABLE, undo_import
from memory_app.engine.imports.uploads import (
    LARGEST_UPLOAD,
    PART_BYTES,
    add_part,
    begin_import,
    cancel_import,
    confirm_import,
    finish_upload,
)
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import Invalid, KeepsakeError, NotFound
from memory_app.imports.formats import FORMATS
from memory_app.jobs import request_job
from memory_app.models import HistoryImport, ImportState, Person

IMPORTS_SHOWN = 20
MIB = 1024 * 1024
LONGEST_NUMBER = 18
"""Digits of a number in a request."""
STATE_LABELS = {
    ImportState.UPLOADING: "Not uploaded to its end",
    ImportState.CHECKING: "Being looked through",
    ImportState.READY: "Waits for your yes",
    ImportState.WAITING: "Coming in",
    ImportState.RUNNING: "Coming in, by the command",
    ImportState.DONE: "Done",
    ImportState.FAILED: "Stopped",
    ImportState.UNDONE: "Undone",
}
OVER = (ImportState.DONE, ImportState.FAILED, ImportState.UNDONE)
NEW_KINDS = ("conversations", "turns", "memories")
"""Of what is counted, what comes in; the page lists the rest after it."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One kind of what an import brings: how many, with the word for so many."""

    number: int
    word: str


@dataclass(frozen=True, slots=True)
class ImportView:
    """One import as it is shown. report: what would come in, or what came in."""

    row: HistoryImport
    report: ImportReport

    @property
    def state_label(self) -> str:
        return STATE_LABELS[ImportState(self.row.state)]

    @property
    def format_label(self) -> str:
        known = FORMATS.get(self.row.format)
        return known.label if known else ""

    @property
    def new(self) -> Sequence[Counted]:
        return _counted(self.report, NEW_KINDS)

    @property
    def others(self) -> Sequence[Counted]:
        return _counted(self.report, [kind for kind in KINDS if kind not in NEW_KINDS])

    @property
    def skipped(self) -> Sequence[Counted]:
        return [Counted(number, reason) for reason, number in self.report.skipped.items()]

    @property
    def more_faults(self) -> int:
        """How many faults are not listed."""
        return self.report.counts["faults"] - len(self.report.faults)

    @property
    def is_over(self) -> bool:
        return self.row.state in OVER

    @property
    def heading(self) -> str:
        if self.row.state == ImportState.UNDONE:
            return "What came in, and was taken back"
        return "What came in" if self.is_over else "What would come in"

    @property
    def undoable(self) -> bool:
        return self.row.state in UNDOABLE and bool(self.row.done)

    @property
    def staying(self) -> int:
        """Messages that came into conversations of before: to undo the import leaves them."""
        return self.report.counts[ADDED_TURNS]

    @property
    def cancellable(self) -> bool:
        return not self.row.done and self.row.state not in (ImportState.RUNNING, ImportState.DONE, ImportState.UNDONE)


def import_view(row: HistoryImport) -> ImportView:
    """What would come in as long as nothing is, then what came in."""
    return ImportView(row, ImportReport.from_json(row.result if row.state in OVER else row.expected))


def import_json(shown: ImportView) -> dict[str, Any]:
    """An import without its file."""
    row = shown.row
    names = ("id", "file_name", "state", "done", "total", "expected", "result", "created_at", "finished_at")
    others = {"person": row.person.name, "format": row.format or None, "error": row.error or None}
    return {**fields_json(row, *names), **others}


@form_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """The list and the form; a file that is sent whole is taken here, one that comes in parts by `begin`."""
    if request.method == "POST":
        return _take_file(request, viewer)
    shown = [import_view(row) for row in viewer.imports().order_by("-id")[:IMPORTS_SHOWN]]
    if wants_json(request):
        return JsonResponse({"items": [import_json(one) for one in shown]})
    context = {"viewer": viewer, "imports": shown, "formats": FORMATS, "largest": LARGEST_UPLOAD // MIB}
    unread = unread_history(viewer.person, timezone.now()) if viewer.person else UnreadHistory(0, 0)
    return render(request, "dashboard/imports.html", {**context, "unread": unread, "most_waiting": MOST_WAITING})


@post_view
def begin(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Answers where the parts of a file are to be sent, and how large they are."""
    size = request.POST.get("size", "")
    row = _begin(request, viewer, request.POST.get("name", ""), _number(size, 0))
    addresses = {name: reverse(f"import_{name}", args=[row.id]) for name in ("parts", "check")}
    return JsonResponse({"id": row.id, **addresses, "part_bytes": PART_BYTES}, status=201)


@post_view
def take_part(request: SignedInRequest, viewer: Viewer, import_id: UUID) -> HttpResponse:
    """Stores a part: the body, as number `number`."""
    row, number = viewer.find_import(import_id), request.GET.get("number", "")
    add_part(row=row, number=_number(number, -1), data=request.body)
    return HttpResponse(status=204)


@post_view
def check(request: SignedInRequest, viewer: Viewer, import_id: UUID) -> HttpResponse:
    """Has a file looked through that came in parts."""
    row = finish_upload(row=viewer.find_import(import_id))
    request_job("import", viewer.author().label)
    return redirect("import", row.id)


@get_view
def show_one(request: SignedInRequest, viewer: Viewer, import_id: UUID) -> HttpResponse:
    """One import. Asked for again every second while the worker has it."""
    row = viewer.find_import(import_id)
    shown = import_view(row)
    if wants_json(request):
        return JsonResponse(import_json(shown))
    part = requested_part(request, "state")
    unread = unread_history(row.person, timezone.now())
    context = {"viewer": viewer, "one": shown, "unread": unread, "most_waiting": MOST_WAITING}
    return render(request, f"dashboard/import.html{part}", context)


@post_view
def confirm(request: SignedInRequest, viewer: Viewer, import_id: UUID) -> HttpResponse:
    row = viewer.find_import(import_id)
    try:
        confirm_import(row=row)
        request_job("import", viewer.author().label)
    except KeepsakeError as error:
        show_warning(request, str(error))
    return redirect("import", row.id)


@post_view
def cancel(request: SignedInRequest, viewer: Viewer, import_id: UUID) -> HttpResponse:
    row = viewer.find_import(import_id)
    try:
        cancel_import(row=row)
        show_message(request, f"“{row.file_name}” is gone again, and nothing of it came in.")
    except KeepsakeError as error:
        show_warning(request, str(error))
    return redirect("imports")


@post_view
def undo(request: SignedInRequest, viewer: Viewer, import_id: UUID) -> HttpResponse:
    row = viewer.find_import(import_id)
    try:
        undone = undo_import(row=row, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    except KeepsakeError as error:
        show_warning(request, str(error))
        return redirect("import", row.id)
    gone = f"{pluralize(undone.conversations, 'conversation')} and {pluralize(undone.memories, 'memory', 'memories')}"
    left = f" {pluralize(undone.left, 'conversation')} stay, for memories rest on them." if undone.left else ""
    if staying := import_view(row).staying:
        left += f" {pluralize(staying, 'message')} that came into conversations of before stay there."
    show_message(request, f"Taken back: {gone}.{left}")
    return redirect("import", row.id)


def _take_file(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    file = request.FILES.get("file")
    try:
        if not isinstance(file, UploadedFile):
            raise Invalid("file", "Choose a file first.")
        row = _begin(request, viewer, file.name or "", file.size or 0)
        for number, part in enumerate(file.chunks(PART_BYTES)):
            add_part(row=row, number=number, data=part)
        finish_upload(row=row)
        request_job("import", viewer.author().label)
    except KeepsakeError as error:
        show_warning(request, str(error))
        return redirect("imports")
    return redirect("import", row.id)


def _begin(request: SignedInRequest, viewer: Viewer, file_name: str, size: int) -> HistoryImport:
    return begin_import(
        venue_context=_importing_person(request, viewer),
        file_name=clean_text(file_name, 200),
        size=size,
        format_name=request.POST.get("format", ""),
        author=viewer.author(),
        now=timezone.now(),
    )


def _importing_person(request: SignedInRequest, viewer: Viewer) -> VenueContext:
    """The viewer's own person; for a super user the one they name. Raises Invalid, NotFound."""
    name = clean_text(request.POST.get("person", ""), 200).strip() if viewer.is_super_user else ""
    if viewer.venue_context and name in ("", viewer.venue_context.person.name):
        return viewer.venue_context
    if not name:
        raise Invalid("person", "Say whose it is: name the person.")
    if not Person.objects.filter(name=name).exists():
        raise NotFound(f"Nothing is known of a person {name!r}.")
    return resolve_venue(person=name, create=False)


def _number(text: str, otherwise: int) -> int:
    """A number of a request; another where it is none, or is longer than that of any file or part."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else otherwise


def _counted(report: ImportReport, kinds: Sequence[str]) -> list[Counted]:
    return [Counted(number, KINDS[kind][number != 1]) for kind in kinds if (number := report.counts[kind])]
