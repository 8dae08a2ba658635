"""What passes when one person is merged into another: what is found of them, and what of it the other has too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.passing.passage import Passage
from memory_app.models import COMMONS, Conflict, Conversation, Memory, Note, Proposal, Receipt, Signal, Status, Turn
from memory_app.models.scope import within
from memory_app.rules.unite import Clash, Held, clashes

Found = dict[str, list[list[Any]]]
"""By kind: the id, and what else is needed to take the passage back."""


@dataclass(frozen=True, slots=True)
class Passing:
    """What a merge would do. counts: as the merge tells them; staying: memories in spaces the other is not in."""

    counts: dict[str, int]
    staying: int


def what_passes(*, person: Entered, into: Entered) -> Passing:
    """Looks, and changes nothing. Expects both in private, and two who are not one."""
    with within(person.venue.spaces | into.venue.spaces):
        found = what_is_there(person, into)
        pairs = [pair for passage, _ in found for pair in in_both(passage)]
        all_of_them = Memory.objects.filter(space_id__in=person.venue.spaces, person_id=person.person.id).count()
        counts = counted(found) | given_way(pairs)
    return Passing(counts, all_of_them - counts["memories"])


def what_is_there(person: Entered, into: Entered) -> list[tuple[Passage, Found]]:
    """What there is to pass, by where from and to."""
    return [(passage, _found(passage)) for passage in _passages(person, into)]


def _passages(person: Entered, into: Entered) -> list[Passage]:
    """From their own space to the other's; and, as they are, in spaces that the other belongs to."""
    of, to = person.person.id, into.person.id
    shared = sorted(person.venue.own & into.venue.member)
    home = Passage(person.venue.home, into.venue.home, of, to)
    return [home, *(Passage(space, space, of, to) for space in (COMMONS, *shared))]


def _found(passage: Passage) -> Found:
    here: dict[str, Any] = {"space_id": passage.from_space, "person_id": passage.of}
    talks = Conversation.objects.filter(**here).order_by("id")
    return {
        "memories": [[id, version] for id, version in Memory.objects.filter(**here).values_list("id", "version")],
        "conversations": [[id, name] for id, name in talks.values_list("id", "external_id")],
        "proposals": [[id] for id in Proposal.objects.filter(**here).values_list("id", flat=True)],
        "notes": [[id] for id in Note.objects.filter(**here).values_list("id", flat=True)],
        "receipts": [[id] for id in Receipt.objects.filter(**here).values_list("id", flat=True)],
        "signals": [[id] for id in Signal.objects.filter(**here).values_list("id", flat=True)],
        "conflicts": [[id] for id in Conflict.objects.filter(**here).values_list("id", flat=True)],
    }


def counted(found: Sequence[tuple[Passage, Found]]) -> dict[str, int]:
    counts = {kind: sum(len(rows[kind]) for _, rows in found) for kind in found[0][1]}
    counts["turns"] = sum(
        Turn.objects.filter(space_id=passage.from_space, person_id=passage.of).count() for passage, _ in found
    )
    return counts


def given_way(pairs: Sequence[Clash]) -> dict[str, int]:
    """Of what both keep: how many are the same text, and how many another value of the same key."""
    duplicates = sum(pair.same_text for pair in pairs)
    return {"duplicates": duplicates, "replaced": len(pairs) - duplicates}


def in_both(passage: Passage) -> list[Clash]:
    """What both keep, of which the older gives way."""
    return clashes(_held(passage.from_space, passage.of), _held(passage.to_space, passage.to))


def _held(space: UUID, person: UUID) -> list[Held]:
    rows = Memory.objects.kept().filter(space_id=space, person_id=person, status=Status.ACTIVE)
    found = rows.values_list("id", "visibility", "channel_id", "key", "digest", "updated_at")
    return [Held(id, (level, at), key, bytes(digest), when) for id, level, at, key, digest, when in found]
