"""Obey a command typed in chat, such as "/memory search tiles": each is answered by the verb that it names, and every
answer says so while memory is paused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.engine.forgetting.clear import own
from memory_app.engine.forgetting.forget_said import Forgetting, ask_about_everything, forget_said, named
from memory_app.engine.keeping.keep import Kept
from memory_app.engine.keeping.remember import answered, remember_said
from memory_app.engine.listening.inbox import waiting_count
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.paused import PAUSED, tell
from memory_app.engine.recalling.asked import Asked, Result
from memory_app.engine.recalling.narrow import nothing_about
from memory_app.engine.recalling.recall import recall
from memory_app.engine.recalling.told import told
from memory_app.engine.settle import settle
from memory_app.engine.summing.profile import told as profile_memories
from memory_app.engine.write_access import check_settings
from memory_app.errors import Invalid
from memory_app.language.profile_document import SECTIONS
from memory_app.models import Memory, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.scope import within
from memory_app.rules.commands import HELP, Command
from memory_app.rules.visibility import VenueClass

LATEST, LISTED, FOUND = 5, 20, 5
"""Memories that an overview, a list and a search tell: as many as are read in a chat."""

REPLACED = "(no longer: it was replaced)"
IS_ON = "Memory is on; /memory pause stops it."
RESTORABLE = "They can be brought back afterwards."


@dataclass(frozen=True, slots=True)
class Obeyed:
    """What came of a command. memories: what the message lists, in its order. latest, counts: of an overview,
    the memories made last, and how many there are by type."""

    command: str
    message: str
    paused: bool
    memories: Sequence[Memory] = ()
    latest: Sequence[Memory] = ()
    results: Sequence[Result] = ()
    counts: dict[str, int] | None = None
    waiting: int | None = None
    kept: Kept | None = None
    others: Sequence[Kept] = ()
    forgetting: Forgetting | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """A command, by whom and where it was given."""

    entered: Entered
    command: Command
    conversation: UUID | None
    author: Author
    now: datetime
    encoder: Encoder = field(repr=False)

    @property
    def in_private(self) -> bool:
        return self.entered.venue.kind is VenueClass.PRIVATE

    def answer(self, message: str, **told: object) -> Obeyed:
        paused = not self.entered.person.is_remembered
        return Obeyed(self.command.name, tell(self.entered.person, message), paused, **told)  # type: ignore[arg-type]


def obey(
    *,
    entered: Entered,
    command: Command,
    conversation: UUID | None,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> Obeyed:
    """Carries a command out, for a person in a venue: what is said in a shared place tells only what may be seen
    there. One that is not known is answered with what exists."""
    obeyed = DEEDS[command.name](Order(entered, command, conversation, author, now, encoder))
    told(
        entered=entered,
        query=f"{command.name} {command.about}".strip(),
        memories=obeyed.memories,
        conversation=conversation,
        author=author,
        now=now,
    )
    return obeyed


def _view(order: Order) -> Obeyed:
    """The profile, as far as it may be told here, and how it stands with memory."""
    with within(order.entered.venue.spaces):
        ids = [memory.id for memory in profile_memories(order.entered, order.now)]
        lines = list(_told(order).filter(id__in=ids).select_related(*WITH_NAMES).order_by("id"))
        profile = {category: [m for m in lines if m.category == category] for category in SECTIONS}
        rows = _told(order)
        counted = rows.order_by().values_list("type").annotate(n=Count("id"))
        counts = dict(counted.order_by("-n", "type"))
        latest = list(rows.select_related(*WITH_NAMES).order_by("-created_at", "-id")[:LATEST])
    waiting = waiting_count(order.entered, order.now) if order.in_private else None
    shown = [memory for memories in profile.values() for memory in memories]
    said = [*_profile(order, profile), _counted(counts)]
    said += [f"{_many(waiting, 'proposal')} waiting for your yes or no."] if waiting else []
    said += [IS_ON] if order.entered.person.is_remembered else []
    return order.answer("\n".join(said), memories=shown, latest=latest, counts=counts, waiting=waiting)


def _profile(order: Order, profile: Mapping[str, Sequence[Memory]]) -> Iterator[str]:
    """Its lines under the headings of the document, numbered through: a number may be pointed at next."""
    number = 1
    for category, memories in profile.items():
        if memories:
            yield SECTIONS[category]
            yield from _lines(order, memories, number)
            number += len(memories)


def _list(order: Order) -> Obeyed:
    with within(order.entered.venue.spaces):
        rows = _told(order).select_related(*WITH_NAMES).order_by("-created_at", "-id")
        latest = list(rows[: LISTED + 1])
    shown = latest[:LISTED]
    more = ["There are more: /memory search finds them."] if len(latest) > LISTED else []
    return order.answer("\n".join([*_lines(order, shown), *more]) or _counted({}), memories=shown)


def _search(order: Order) -> Obeyed:
    if not order.command.about:
        return order.answer("Say what to look for: /memory search the blue tile.")
    asked = Asked(query=order.command.about, limit=FOUND)
    recalled = recall(entered=order.entered, asked=asked, now=order.now, encoder=order.encoder)
    results = [result for result in recalled.results if result.relevant]
    found = [result.memory for result in results]
    message = "\n".join(_lines(order, found)) or nothing_about(order.command.about)
    return order.answer(message, results=results, memories=found)


def _forget(order: Order) -> Obeyed:
    if not order.command.about:
        return order.answer("Say what to forget: /forget the blue tile, or /forget that.")
    return _forgetting(order, order.command.about if order.command.plain else f"/forget {order.command.about}")


def _forgetting(order: Order, utterance: str) -> Obeyed:
    forgetting = forget_said(
        entered=order.entered,
        utterance=utterance,
        conversation=order.conversation,
        author=order.author,
        now=order.now,
        encoder=order.encoder,
    )
    return order.answer(forgetting.message, forgetting=forgetting)


def _clear(order: Order) -> Obeyed:
    asked = ask_about_everything(order.entered, order.conversation, order.author, order.now)
    message = f"{asked.message} {RESTORABLE}" if asked.token else asked.message
    return order.answer(message, forgetting=replace(asked, message=message))


def _remember(order: Order) -> Obeyed:
    try:
        kept = remember_said(
            entered=order.entered,
            utterance=order.command.about if order.command.plain else f"/remember {order.command.about}",
            conversation=order.conversation,
            author=order.author,
            now=order.now,
            encoder=order.encoder,
        )
    except Invalid as error:
        return order.answer(str(error))
    return order.answer(answered(kept), kept=kept[0], others=kept[1:])


def _pause(order: Order) -> Obeyed:
    check_settings(order.entered.grant, order.entered.person)
    was_on = order.entered.person.is_remembered
    settle(person=order.entered.person, changes={"memory_enabled": False}, author=order.author, now=order.now)
    return order.answer(PAUSED if was_on else f"It was paused already. {PAUSED}")


def _resume(order: Order) -> Obeyed:
    check_settings(order.entered.grant, order.entered.person)
    was_on = order.entered.person.is_remembered
    settle(person=order.entered.person, changes={"memory_enabled": True}, author=order.author, now=order.now)
    again = "Memory is on again. What was said meanwhile is not kept."
    return order.answer("Memory was on already." if was_on else again)


def _help(order: Order) -> Obeyed:
    return order.answer(HELP if order.command.known else f"I don't know this command. There is:\n{HELP}")


DEEDS: dict[str, Callable[[Order], Obeyed]] = {
    "view": _view,
    "list": _list,
    "search": _search,
    "forget": _forget,
    "clear": _clear,
    "remember": _remember,
    "pause": _pause,
    "resume": _resume,
    "help": _help,
}

CHANGES = frozenset({"forget", "clear", "remember", "pause", "resume"})
"""Commands that change something, or ask whether to."""


def _told(order: Order) -> MemoryQuerySet:
    """The person's own memories that hold and may be said here."""
    return own(order.entered).filter(status=Status.ACTIVE)


def _counted(counts: dict[str, int]) -> str:
    if not counts:
        return "I know nothing of you here yet."
    kinds = ", ".join(_many(number, kind) for kind, number in counts.items())
    return f"I remember {_many(sum(counts.values()), 'memory', 'memories')} of yours here: {kinds}."


def _many(number: int, one: str, many: str = "") -> str:
    plural = {"memory": "memories", "person": "people"}.get(one, f"{one}s")
    return f"{number} {one if number == 1 else many or plural}"


def _lines(order: Order, memories: Sequence[Memory], first: int = 1) -> list[str]:
    named_ones = [f"{named(order.entered, memory)}{_still(memory)}" for memory in memories]
    return [f"{number}. {text}" for number, text in enumerate(named_ones, first)]


def _still(memory: Memory) -> str:
    """A search finds what was true too, and says so."""
    return f" {REPLACED}" if memory.status == Status.SUPERSEDED else ""
