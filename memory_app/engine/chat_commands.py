"""Obey a command typed in chat, such as "/memory search tiles": each is answered by the verb that it names, and every
answer says so while memory is paused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.clear import own_memories
from memory_app.engine.deletion.delete_by_words import DeletionReply, ask_to_clear, delete_by_words, describe
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.memories.remember import answer_sentence, remember_on_request
from memory_app.engine.memories.save import SaveResult
from memory_app.engine.people.settings import change_settings
from memory_app.engine.proposals.review import count_waiting
from memory_app.engine.retrieval.narrow import nothing_found_about
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery, memory_results
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.retrieval.receipts import record_mentioned
from memory_app.engine.summaries.profile import profile_memories
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import check_settings
from memory_app.errors import Invalid
from memory_app.models import Memory, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.person import PAUSED_NOTICE, with_pause_notice
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.commands.slash import HELP, Command
from memory_app.nlp.documents.profile_document import SECTIONS
from memory_app.rules.visibility import VenueClass

LATEST_SHOWN, LISTED_SHOWN, FOUND_SHOWN = 5, 20, 5
"""Memories that an overview, a list and a search tell: as many as are read in a chat."""

REPLACED_NOTE = "(no longer: it was replaced)"
MEMORY_IS_ON = "Memory is on; /memory pause stops it."
RESTORABLE_NOTE = "They can be brought back afterwards."


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of a command. memories: what the message lists, in its order. latest, counts: of an overview,
    the memories made last, and how many there are by type."""

    command: str
    message: str
    paused: bool
    memories: Sequence[Memory] = ()
    latest: Sequence[Memory] = ()
    results: Sequence[MemoryResult] = ()
    counts: dict[str, int] | None = None
    waiting: int | None = None
    saved: SaveResult | None = None
    others: Sequence[SaveResult] = ()
    forgetting: DeletionReply | None = None


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command, by whom and where it was given."""

    venue_context: VenueContext
    command: Command
    conversation: UUID | None
    author: Author
    now: datetime
    encoder: Encoder = field(repr=False)

    @property
    def in_private(self) -> bool:
        return self.venue_context.venue.kind is VenueClass.PRIVATE

    def answer(self, message: str, **data: object) -> CommandResult:
        paused = not self.venue_context.person.is_memory_on
        return CommandResult(self.command.name, with_pause_notice(self.venue_context.person, message), paused, **data)  # type: ignore[arg-type]


def run_command(
    *,
    venue_context: VenueContext,
    command: Command,
    conversation: UUID | None,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> CommandResult:
    """Carries a command out, for a person in a venue: what is said in a shared place tells only what may be seen
    there. One that is not known is answered with what exists."""
    result = HANDLERS[command.name](CommandRequest(venue_context, command, conversation, author, now, encoder))
    record_mentioned(
        venue_context=venue_context,
        query=f"{command.name} {command.about}".strip(),
        memories=result.memories,
        conversation=conversation,
        author=author,
        now=now,
    )
    return result


def _show_overview(request: CommandRequest) -> CommandResult:
    """The profile, as far as it may be told here, and how it stands with memory."""
    with allowed_spaces(request.venue_context.venue.spaces):
        ids = [memory.id for memory in profile_memories(request.venue_context, request.now)]
        lines = list(_visible_memories(request).filter(id__in=ids).select_related(*WITH_NAMES).order_by("id"))
        profile = {category: [m for m in lines if m.category == category] for category in SECTIONS}
        rows = _visible_memories(request)
        counted = rows.order_by().values_list("type").annotate(n=Count("id"))
        counts = dict(counted.order_by("-n", "type"))
        latest = list(rows.select_related(*WITH_NAMES).order_by("-created_at", "-id")[:LATEST_SHOWN])
    waiting = count_waiting(request.venue_context, request.now) if request.in_private else None
    listed = [memory for memories in profile.values() for memory in memories]
    lines_told = [*_profile_lines(request, profile), _counts_sentence(counts)]
    lines_told += [f"{_number_of(waiting, 'proposal')} waiting for your yes or no."] if waiting else []
    lines_told += [MEMORY_IS_ON] if request.venue_context.person.is_memory_on else []
    return request.answer("\n".join(lines_told), memories=listed, latest=latest, counts=counts, waiting=waiting)


def _profile_lines(request: CommandRequest, profile: Mapping[str, Sequence[Memory]]) -> Iterator[str]:
    """Its lines under the headings of the document, numbered through: a number may be pointed at next."""
    number = 1
    for category, memories in profile.items():
        if memories:
            yield SECTIONS[category]
            yield from _numbered_lines(request, memories, number)
            number += len(memories)


def _list(request: CommandRequest) -> CommandResult:
    with allowed_spaces(request.venue_context.venue.spaces):
        rows = _visible_memories(request).select_related(*WITH_NAMES).order_by("-created_at", "-id")
        latest = list(rows[: LISTED_SHOWN + 1])
    listed = latest[:LISTED_SHOWN]
    more = ["There are more: /memory search finds them."] if len(latest) > LISTED_SHOWN else []
    return request.answer(
        "\n".join([*_numbered_lines(request, listed), *more]) or _counts_sentence({}), memories=listed
    )


def _search(request: CommandRequest) -> CommandResult:
    if not request.command.about:
        return request.answer("Say what to look for: /memory search the blue tile.")
    recall_query = RecallQuery(request.command.about, limit=FOUND_SHOWN)
    recalled = recall(
        venue_context=request.venue_context, recall_query=recall_query, now=request.now, encoder=request.encoder
    )
    results = [result for result in memory_results(recalled.results) if result.relevant]
    found = [result.row for result in results]
    message = "\n".join(_numbered_lines(request, found)) or nothing_found_about(request.command.about)
    return request.answer(message, results=results, memories=found)


def _forget(request: CommandRequest) -> CommandResult:
    if not request.command.about:
        return request.answer("Say what to forget: /forget the blue tile, or /forget that.")
    return _answer_deletion(
        request, request.command.about if request.command.plain else f"/forget {request.command.about}"
    )


def _answer_deletion(request: CommandRequest, utterance: str) -> CommandResult:
    forgetting = delete_by_words(
        venue_context=request.venue_context,
        utterance=utterance,
        conversation=request.conversation,
        author=request.author,
        now=request.now,
        encoder=request.encoder,
    )
    return request.answer(forgetting.message, forgetting=forgetting)


def _clear(request: CommandRequest) -> CommandResult:
    recall_query = ask_to_clear(request.venue_context, request.conversation, request.author, request.now)
    message = f"{recall_query.message} {RESTORABLE_NOTE}" if recall_query.token else recall_query.message
    return request.answer(message, forgetting=replace(recall_query, message=message))


def _remember(request: CommandRequest) -> CommandResult:
    try:
        saved = remember_on_request(
            venue_context=request.venue_context,
            utterance=request.command.about if request.command.plain else f"/remember {request.command.about}",
            conversation=request.conversation,
            author=request.author,
            now=request.now,
            encoder=request.encoder,
        )
    except Invalid as error:
        return request.answer(str(error))
    return request.answer(answer_sentence(saved), saved=saved[0], others=saved[1:])


def _pause(request: CommandRequest) -> CommandResult:
    check_settings(request.venue_context.grant, request.venue_context.person)
    was_on = request.venue_context.person.is_memory_on
    change_settings(
        person=request.venue_context.person, changes={"memory_enabled": False}, author=request.author, now=request.now
    )
    return request.answer(PAUSED_NOTICE if was_on else f"It was paused already. {PAUSED_NOTICE}")


def _resume(request: CommandRequest) -> CommandResult:
    check_settings(request.venue_context.grant, request.venue_context.person)
    was_on = request.venue_context.person.is_memory_on
    change_settings(
        person=request.venue_context.person, changes={"memory_enabled": True}, author=request.author, now=request.now
    )
    again = "Memory is on again. What was said meanwhile is not kept."
    return request.answer("Memory was on already." if was_on else again)


def _help(request: CommandRequest) -> CommandResult:
    return request.answer(HELP if request.command.known else f"I don't know this command. There is:\n{HELP}")


HANDLERS: dict[str, Callable[[CommandRequest], CommandResult]] = {
    "view": _show_overview,
    "list": _list,
    "search": _search,
    "forget": _forget,
    "clear": _clear,
    "remember": _remember,
    "pause": _pause,
    "resume": _resume,
    "help": _help,
}

CHANGING_COMMANDS = frozenset({"forget", "clear", "remember", "pause", "resume"})
"""Commands that change something, or ask whether to."""


def _visible_memories(request: CommandRequest) -> MemoryQuerySet:
    """The person's own memories that hold and may be said here."""
    return own_memories(request.venue_context).filter(status=Status.ACTIVE)


def _counts_sentence(counts: dict[str, int]) -> str:
    if not counts:
        return "I know nothing of you here yet."
    kinds = ", ".join(_number_of(number, kind) for kind, number in counts.items())
    return f"I remember {_number_of(sum(counts.values()), 'memory', 'memories')} of yours here: {kinds}."


def _number_of(number: int, one: str, many: str = "") -> str:
    plural = {"memory": "memories", "person": "people"}.get(one, f"{one}s")
    return f"{number} {one if number == 1 else many or plural}"


def _numbered_lines(request: CommandRequest, memories: Sequence[Memory], first: int = 1) -> list[str]:
    descriptions = [f"{describe(request.venue_context, memory)}{_replaced_note(memory)}" for memory in memories]
    return [f"{number}. {text}" for number, text in enumerate(descriptions, first)]


def _replaced_note(memory: Memory) -> str:
    """A search finds what was true too, and says so."""
    return f" {REPLACED_NOTE}" if memory.status == Status.SUPERSEDED else ""
