"""Which names mean the same: "Mum" and "my mother", and who that is; a first name and the only full name that begins
with it; a firm with and without its legal form.

Only where one is known: of two, none is taken. Pure functions of what is known, so it may be worked out again whenever
that changes.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from memory_app.nlp import linear_re as re
from memory_app.nlp.entities.common_names import firm_name
from memory_app.nlp.entities.find_entities import Entity
from memory_app.nlp.text import vocabulary

_WORDS = {
    "mother": "mother", "mum": "mother", "mom": "mother", "mummy": "mother", "mommy": "mother", "mam": "mother",
    "father": "father", "dad": "father", "daddy": "father", "papa": "father", "wife": "wife", "husband": "husband",
    "spouse": "spouse", "partner": "partner", "girlfriend": "girlfriend", "boyfriend": "boyfriend",
    "fiancé": "fiancé", "fiance": "fiancé", "fiancée": "fiancée", "fiancee": "fiancée", "boss": "boss",
}  # fmt: skip
CANONICAL = frozenset(f"my {relation}" for relation in _WORDS.values())

_MINE = re.compile(rf"\b(?:my|our) (?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b", re.IGNORECASE)
# Called so as by a name: in capitals, and nobody else's: "a Dad", "her Mum", "Ben's Mum".
_CALLED = re.compile(r"(?:\b(?P<whose>[\w'’]+) )?\b(?P<word>Mum|Mom|Mummy|Mommy|Dad|Daddy)\b")
_NOT_OWN = re.compile(r"(?:my|our|your|his|her|their|the|an?|this|that|every|no|any|\w+['’]s?)", re.IGNORECASE)

_NAMES = re.compile(r"(?:['’]s name)?(?: is)?(?: now)?(?: (?:called|named))? ")
_APPOSITION = re.compile(r", | \(")
_IS = re.compile(r" is(?: now| still)? ")
_CLAUSE_END = re.compile(r"(?:[,.;!?)]|$)")
_AND_OR = re.compile(r",? (?:and|or)\b")


@dataclass(frozen=True, slots=True)
class Relation:
    """Someone spoken of by what they are to the speaker. name: as whom the text names them, if it does."""

    mention: Entity
    name: Entity | None


def find_relations(text: str, names: Sequence[Entity]) -> list[Relation]:
    """The relations that a text mentions. names: those in the text, with their spans."""
    people = [entity for entity in names if entity.type in ("person", "other") and entity.span[1]]
    return [Relation(found, _name(text, found.span, people)) for found in _found(text)]


def relation_of(word: str) -> str:
    """What is meant by "mum" or "Dad": "my mother"; "" for other words."""
    relation = _WORDS.get(word.casefold())
    return f"my {relation}" if relation else ""


def _found(text: str) -> Iterator[Entity]:
    for found in _MINE.finditer(text):
        if not text.startswith("-", found.end()):
            yield _mention(found[0], found["word"], found.span())
    for found in _CALLED.finditer(text):
        if not (found["whose"] and _NOT_OWN.fullmatch(found["whose"])):
            yield _mention(found["word"], found["word"], found.span("word"))


def _mention(surface: str, word: str, span: tuple[int, int]) -> Entity:
    return Entity(surface, relation_of(word), "person", 0.9, span)


def _name(text: str, span: tuple[int, int], people: Sequence[Entity]) -> Entity | None:
    """The name beside, where the text says or sets it as the same: "my mother Ruth", "Ruth is my mother". A question
    says nothing."""
    if "?" in text:
        return None
    return next((one for one in people if _follows(text, span, one.span) or _leads(text, span, one.span)), None)


def _follows(text: str, span: tuple[int, int], name: tuple[int, int]) -> bool:
    between, after = text[span[1] : name[0]], text[name[1] : name[1] + 8]
    if after.startswith(("'s", "’s")):
        return False
    if _NAMES.fullmatch(between):
        return between != "'s " and between != "’s "
    return (
        _APPOSITION.fullmatch(between) is not None and _CLAUSE_END.match(after) is not None and not _AND_OR.match(after)
    )


def _leads(text: str, span: tuple[int, int], name: tuple[int, int]) -> bool:
    between, after = text[name[1] : span[0]], text[span[1] : span[1] + 8]
    if after.startswith(("'s", "’s")) or _AND_OR.match(after):
        return False
    return bool(_IS.fullmatch(between) or (between == ", " and _CLAUSE_END.match(after)))


FIRMS = ("organization", "other")
KINDS_OF_FIRM = vocabulary("airline airlines airways bank church clinic college group hospital school university")
"""What may be left out of a firm's name: "St Mary's" is "St Mary's Hospital", where no St Mary's School is known."""


class KnownName(Protocol):
    """A name that is known. by_hand: someone decided whether it is another, and which."""

    @property
    def id(self) -> UUID: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def normal(self) -> str: ...
    @property
    def by_hand(self) -> bool: ...
    @property
    def merged_into(self) -> UUID | None: ...


def same_names(
    known: Sequence[KnownName], named_as: Mapping[UUID, set[UUID]], among: Set[UUID]
) -> dict[UUID, tuple[UUID, UUID | None]]:
    """Of each name that is another: which one in the end, and through which, where it is so through a third.

    named_as: as whom memories name those who are called by a relation. among: those of whom all that begin alike are
    known; the others stay what they are.
    """
    by_id = {one.id: one for one in known}
    free = [one for one in known if one.id in among and not one.by_hand]
    open_ones = {one.id for one in free}
    beside = {one.id: one.merged_into for one in known if one.id not in open_ones and one.merged_into}
    beside |= _firms(free)
    beside |= _shorter(known, beside)
    for one, targets in named_as.items():
        ends = {_end(target, beside) for target in targets if target in by_id}
        if len(ends) == 1 and one not in ends:
            beside[one] = min(target for target in targets if target in by_id)
    found = {one.id: (_end(one.id, beside), beside[one.id]) for one in free if one.id in beside}
    return {one: (end, via if via != end else None) for one, (end, via) in found.items()}


def _end(start: UUID, beside: Mapping[UUID, UUID]) -> UUID:
    seen = {start}
    while (following := beside.get(start)) and following not in seen:
        seen.add(start := following)
    return start


def _stands_by_hand(one: KnownName) -> bool:
    return one.by_hand and one.merged_into is None


def _firms(known: Sequence[KnownName]) -> dict[UUID, UUID]:
    """Of firms that differ in their legal form alone, all are the one without, else the first that was known."""
    alike: dict[str, list[KnownName]] = defaultdict(list)
    for one in known:
        if one.type in FIRMS:
            alike[firm_name(one.name)].append(one)
    found: dict[UUID, UUID] = {}
    for name, firms in alike.items():
        if any(one.type == "organization" for one in firms):
            head = min(firms, key=lambda one: (one.normal != name, one.type == "other", one.id))
            found |= {one.id: head.id for one in firms if one is not head}
    return found


def _shorter(known: Sequence[KnownName], beside: Mapping[UUID, UUID]) -> dict[UUID, UUID]:
    """First names and short names of firms, with the only longer one that each may stand for."""
    longer: dict[tuple[str, bool], list[KnownName]] = defaultdict(list)
    for one in known:
        if one.normal not in CANONICAL and (short := _short(one)):
            longer[short, one.type == "person"].append(one)
    found: dict[UUID, UUID] = {}
    for one in known:
        if one.type == "person" or one.type in FIRMS:
            candidates = longer.get((one.normal, one.type == "person"), [])
            ends = {_end(candidate.id, beside) for candidate in candidates}
            if len(ends) == 1 and one.id not in ends and one.id not in beside and not _stands_by_hand(candidates[0]):
                found[one.id] = min(candidate.id for candidate in candidates)
    return found


def _short(one: KnownName) -> str:
    """What it may be called for short; "" for what is not longer than that."""
    if one.type == "person":
        first, _, rest = one.normal.partition(" ")
        return first if rest else ""
    short, _, kind = one.normal.rpartition(" ")
    return short if one.type == "organization" and kind in KINDS_OF_FIRM else ""
