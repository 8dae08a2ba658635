"""People one has one of, called by what they are to one: "Mum", "my mother"; and which name a text gives them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_app.nlp import linear_re as re
from memory_app.nlp.entities.find_entities import Entity

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
_BESIDE = re.compile(r", | \(")
_IS = re.compile(r" is(?: now| still)? ")
_CLOSED = re.compile(r"(?:[,.;!?)]|$)")
_LISTED = re.compile(r",? (?:and|or)\b")


@dataclass(frozen=True, slots=True)
class Relation:
    """Someone spoken of by what they are to the speaker. name: as whom the text names them, if it does."""

    mention: Entity
    name: Entity | None


def find_relations(text: str, named: Sequence[Entity]) -> list[Relation]:
    """named: the names in the text, with their places."""
    people = [entity for entity in named if entity.type in ("person", "other") and entity.span[1]]
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
    return _BESIDE.fullmatch(between) is not None and _CLOSED.match(after) is not None and not _LISTED.match(after)


def _leads(text: str, span: tuple[int, int], name: tuple[int, int]) -> bool:
    between, after = text[name[1] : span[0]], text[span[1] : span[1] + 8]
    if after.startswith(("'s", "’s")) or _LISTED.match(after):
        return False
    return bool(_IS.fullmatch(between) or (between == ", " and _CLOSED.match(after)))
