"""Jobs that go through people, all or one: their day, and their week."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory_app.embedding.encoder import current
from memory_app.engine.running.attempts import SET_ASIDE, attempt, each
from memory_app.engine.running.carry_out import Report
from memory_app.engine.running.queue import ask_model_later
from memory_app.engine.summing.day import day, people_to_go_through, record_failure, unread_of
from memory_app.engine.summing.interests import keep_interests
from memory_app.engine.summing.reflect import reflect
from memory_app.engine.summing.word_reflection import word_reflection
from memory_app.jobs.job import counted
from memory_app.jobs.reading import propose_from
from memory_app.llm.model import configured
from memory_app.models import Memory, Person, Trigger
from memory_app.postgres.away import is_away


def daily(report: Report) -> str:
    people = people_to_go_through()
    each(people, _day_or_failure, report)
    return counted(len(people), "person gone through", "people gone through")


def _day_or_failure(person: Person) -> None:
    """A day that cannot be gone through is recorded as such, and holds up nobody else's."""
    try:
        attempt("daily", (person.space_id, person.id), lambda: daily_of(person, False))
    except Exception as error:
        if not is_away(error):
            record_failure(person=person, error=error, now=timezone.now())
        raise


def daily_of(person: Person, dry_run: bool) -> str:
    """A dry run does all of it in one transaction, and takes it back at the end."""
    if not dry_run:
        return _day_of(person).splitlines()[0]
    with transaction.atomic():
        told = _day_of(person)
        transaction.set_rollback(True)
    return told


def _day_of(person: Person) -> str:
    """What is left unread is read first."""
    for conversation in unread_of(person):
        propose_from(str(conversation.space_id), str(conversation.id), Trigger.NIGHTLY.value)
    keep_interests(person=person, now=timezone.now(), encoder=current())
    gone = day(person=person, now=timezone.now())
    if gone is None:
        person.refresh_from_db(fields=["memory_enabled"])
        return "this day was gone through already" if person.is_remembered else "memory is paused"
    run = gone.run
    told = f"{run.turns} turns, {run.written} memories written, {run.updated} updated, {run.proposed} proposed"
    return f"{told}\n{gone.note}"


def reflect_on_weeks(report: Report) -> str:
    people, made = people_to_go_through(), list[Memory]()

    def week_of(person: Person) -> None:
        row = (person.space_id, person.id)
        one = attempt("reflect", row, lambda: reflect(person=person, now=timezone.now(), encoder=current()))
        made.extend([one] if one and worded_later(one) else [])

    each(people, week_of, report)
    return counted(len(made), "reflection made", "reflections made")


def reflect_of(person: Person, dry_run: bool) -> str:
    with transaction.atomic():
        told = _reflection_of(person)
        transaction.set_rollback(dry_run)
    return told


def reflect_again(person: str, at: str) -> str:
    """Makes a reflection of which something was erased anew, as of its own time."""
    found = Person.objects.filter(id=UUID(person)).first()
    made = reflect(person=found, now=datetime.fromisoformat(at), encoder=current()) if found else None
    return "made again" if worded_later(made) else "too little is left"


def word_reflection_of(space: str, memory: str) -> str:
    """Has the language model, if one is set, say a week in its own words."""
    model = configured()
    if model is None:
        return "no language model is set"
    row, now = (UUID(space), UUID(memory)), timezone.now()
    told = attempt("word", row, lambda: word_reflection(space=row[0], memory=row[1], model=model, now=now))
    return told or SET_ASIDE


def _reflection_of(person: Person) -> str:
    made = worded_later(reflect(person=person, now=timezone.now(), encoder=current()))
    return made.content if made else "too little is new, or one was made in the last six days"


def worded_later(made: Memory | None) -> Memory | None:
    """Enqueued within the transaction: a run that is taken back asks nothing."""
    if made and configured():
        ask_model_later("word_reflection_of", str(made.space_id), str(made.id))
    return made
