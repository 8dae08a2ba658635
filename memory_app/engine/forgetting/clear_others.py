"""What "clear everything" clears beside memories: notes, proposals that wait, and turns that nothing has read yet.

Notes go to tier 2, proposals expire and can be reopened, and turns stay as they were said; but nothing reads those any
more, so that what was cleared does not come back with the end of a conversation or the next night.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce, Greatest

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered
from memory_app.engine.logbook.event import event
from memory_app.engine.notes.change_note import CLEARED, delete_notes
from memory_app.models import Conversation, Note, Person, Proposal, ProposalStatus, Turn
from memory_app.models.conversation import FEWEST_TURNS, ConversationQuerySet
from memory_app.models.note import NoteQuerySet
from memory_app.models.proposal import ProposalQuerySet
from memory_app.models.scope import within
from memory_app.rules.visibility import VenueClass

UNREAD = "what was said and not read yet"


@dataclass(frozen=True, slots=True)
class Others:
    """How many there are, or were cleared. turns: unread ones, of conversations long enough to be read."""

    notes: int
    proposals: int
    turns: int

    def __bool__(self) -> bool:
        return any((self.notes, self.proposals, self.turns))

    @property
    def named(self) -> Sequence[str]:
        """Each kind of which there is any, such as "2 notes"."""
        counted = [f"{number} {noun}{'' if number == 1 else 's'}" for number, noun in self._counts if number]
        return [*counted, UNREAD] if self.turns else counted

    @property
    def _counts(self) -> Sequence[tuple[int, str]]:
        return (self.notes, "note"), (self.proposals, "proposal")


def count_others(entered: Entered, moment: datetime) -> Others:
    """What there was at a moment. Expects the venue's scope."""
    unread = _conversations(entered).unread().filter(turn_count__gte=FEWEST_TURNS)
    turns = unread.aggregate(turns=Sum(F("turn_count") - F("extracted_to")))["turns"] or 0
    return Others(_notes(entered, moment).count(), _proposals(entered, moment).count(), turns)


def clear_others(*, entered: Entered, moment: datetime, author: Author, now: datetime) -> Others:
    """Clears what there was when the person was asked, as far as it is seen from their venue."""
    with within(entered.venue.spaces):
        one_writer(entered.person.id)
        cleared = count_others(entered, moment)
        delete_notes(notes=_notes(entered, moment), author=author, now=now, reason=CLEARED)
        waiting = _proposals(entered, moment)
        ids = [str(one) for one in waiting.values_list("id", flat=True)]
        waiting.update(status=ProposalStatus.EXPIRED, decided_at=now, decided_by=author.label)
        _stop_reading(entered, moment)
        if entered.venue.kind is VenueClass.PRIVATE:
            Person.objects.filter(id=entered.person.id).update(cleared_at=moment)
        told = {"notes": cleared.notes, "proposals": ids, "turns": cleared.turns}
        event("clear", told, author=author, now=now, space=entered.venue.home, person=entered.person.id)
        return cleared


def _notes(entered: Entered, moment: datetime) -> NoteQuerySet:
    return Note.objects.visible_from(entered.venue).kept().filter(created_at__lte=moment)


def _proposals(entered: Entered, moment: datetime) -> ProposalQuerySet:
    rows = Proposal.objects.visible_from(entered.venue).filter(person=entered.person)
    return rows.filter(status=ProposalStatus.PENDING, created_at__lte=moment)


def _conversations(entered: Entered) -> ConversationQuerySet:
    return Conversation.objects.visible_from(entered.venue).filter(person=entered.person)


def _stop_reading(entered: Entered, moment: datetime) -> None:
    """Marks the turns said until then as read by everything; what is said next is read without them."""
    said = Turn.objects.filter(space_id=OuterRef("space_id"), conversation_id=OuterRef("id"), created_at__lte=moment)
    after = said.order_by("-position").annotate(after=F("position") + 1).values("after")[:1]
    number = Coalesce(Subquery(after), 0, output_field=IntegerField())
    rows = _conversations(entered).filter(cleared_to__lt=F("turn_count"))
    rows.update(cleared_to=number, extracted_to=Greatest(F("extracted_to"), number), user_turns_unread=0)
