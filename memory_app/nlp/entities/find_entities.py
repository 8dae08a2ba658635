"""Entities a text names, found by form alone: mentions, tags, addresses, links, dates, capitalised names.

The fast half of entity recognition; known entities and models add to it elsewhere. What it cannot place it calls
"other", and says less surely.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory_app.nlp import linear_re as re
from memory_app.nlp.classify.type_and_category import TASK
from memory_app.nlp.entities.common_names import GIVEN_NAMES, NOT_NAMES, PLACE_PHRASES, PLACES, has_legal_form

TYPES = ("person", "project", "organization", "location", "email", "url", "topic", "date", "other")


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention: as written, as it is called (without "@", "#", title or possessive), its type, and where it stands."""

    surface: str
    canonical: str
    type: str
    confidence: float
    span: tuple[int, int]


_URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\"'`]{2,300}[^\s<>\"'`.,;:!?)\]]", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_MENTION = re.compile(r"(?<![\w@./])@([^\W\d][\w.-]{0,40}\w)")
_TAG = re.compile(r"(?<![\w#&/])#([^\W\d]\w{1,50})")
_PHONE = re.compile(r"(?<![\w.+-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,7}){1,4}(?![\w-])")
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = re.compile(
    rf"\b(?:(?:19|20)\d\d-\d\d-\d\d|\d{{1,2}}[/.]\d{{1,2}}[/.](?:19|20)?\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? "
    rf"{_MONTH}\b"
    rf"(?:,? (?:19|20)\d\d)?|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? (?:19|20)\d\d)?|{_MONTH},? (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# A run of capitalised words, perhaps joined by the particles that names have.
_CAPITALISED = re.compile(
    r"(?<![\w@#'’/.-])(?:St\. )?(?:[^\W\d_a-zà-öø-ÿ][\w'’]*(?:-[\w'’]+)*|\d+[A-Z]\w*)(?:(?: |, (?=Inc|Ltd|LLC)| & |"
    r" (?:of|de|del|della|da|di|van|von|der|la|le|bin|al|y) (?=[^\W\d_a-z])(?:(?:the|"
    r"la) )?)(?:[^\W\d_a-zà-öø-ÿ][\w'’]*(?:-[\w'’]+)*))*"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_TITLE = re.compile(r"(?:mr|mrs|ms|miss|dr|prof|sir|madam|uncle|aunt|auntie|grandma|grandpa)\.?\s$", re.IGNORECASE)
_KIN = re.compile(
    r"\b(?:mother|father|mom|mum|dad|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|"
    "fianc[eé]e?|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa|granny|friend|boss|manager|"
    "colleague|coworker|neighbou?r|teacher|tutor|coach|doctor|dentist|therapist|lawyer|accountant|landlord|landlady|"
    "roommate|flatmate|mentor|babysitter|nanny|cleaner|gardener|plumber|vet|buddy|mate|twin|baby|stepson|"
    r"stepdaughter)(?:-in-law)?,?(?:['’]s name)?(?: (?:is|was))?(?: (?:called|named))?\s$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\b(?:with|and|met|meet|meeting|called|call|told|tell|asked|ask|saw|see|invited|invite|visit(?:ed)?|"
    r"email(?:ed)?|texted|married|marry|named|dear|hi|hey|hello|thanks|thank you)\s$",
    re.IGNORECASE,
)
# What is done with firms and schools alone: who comes after is one, whatever it looks like.
_DONE_WITH = re.compile(
    r"\b(?:(?:work(?:s|ed|ing)?|job|intern(?:s|ed|ing)?|employed|engineer|manager|director|designer|developer|nurse|"
    r"teacher) (?:at|for|by)|(?:joined|hired by|c[et]o of|offer from|customer of)|interview(?:ed)? (?:at|with)|"
    r"(?:client|employer|company|insurer|bank|airline|landlord|supplier) is|stud(?:y|ies|ied|ying) at|"
    r"(?:degree|course|lecturer|professor|student) (?:at|from)|bank(?:s|ed|ing)? (?:with|at)|"
    r"(?:fl(?:y|ies|ew|own|ying)|insured?|insured by) (?:with|by)|"
    r"(?:account|broadband|contract|electricity|energy|gas|insurance|internet|loan|mobile|mortgage|pension|phone|policy|"
    r"savings|subscription|tariff)(?: is| are)?(?: now)? (?:with|from|at|by))\s(?:the\s)?$",
    re.IGNORECASE,
)
# What is bought comes from a firm, unless it comes from someone whose name one knows.
_BOUGHT = re.compile(
    r"\b(?:bought|buy|order(?:ed)?|deliver(?:y|ed)|invoice|parcel|package|refund|return(?:ed)?|switch(?:ed|ing)?)"
    r"(?: [a-z]+){0,4}? (?:from|at|to|by)\s$|\b(?:resigned from|i left|i quit)\s$",
    re.IGNORECASE,
)
_IN_PLACE = re.compile(
    r"\b(?:in|to|near|around|across|live[sd]? in|moved to|trip to|flew to|flight to|fl(?:y|ies|ying) to|visit(?:ed|"
    r"ing)?|born in|based in|back from|outside|travel(?:l?ed|l?ing|s)? (?:to|through))\s(?:the\s)?$",
    re.IGNORECASE,
)
_ABOUT_PERSON = re.compile(
    r"(?:['’]s?\b|\s(?:said|says|told|tells|thinks|thought|likes?|loves?|hates?|prefers?|wants?|works?|lives?|called|"
    "calls|asked|asks|will|is my|is our|was my|has|went|came|got|had|met|enjoys?|moved|married|and i|and me|from|"
    r"[a-z]+ (?:his|her))\b)",
    re.IGNORECASE,
)
_PROJECT_BEFORE = re.compile(
    r"\b(?:project|codename[d]?|the app|our app|repo(?:sitory)?|repo called)\s$", re.IGNORECASE
)
_INSTITUTION = re.compile(
    r"\b(?:University|College|Hospital|Institute|Museum|Bank)$|"
    r"^(?:Bank|University|Museum|College|Institute) (?:of|for) "
)
_LOCATION = re.compile(
    r"\b(?:Street|St|Avenue|Ave|Road|Rd|Lane|Square|Boulevard|Park|Lake|River|Beach|Island|Islands|Mountains?|Valley|"
    "City|Bay|Bridge|Castle|Airport|Station|Forest|County|Coast|Harbou?r|Falls|Canyon|Hills?)$|^(?:Lake|Mount|Mt|"
    "Cape|Port|Fort|San|Santa|Saint) "
)
_ACTS_AS_PERSON = re.compile(r"\s(?:said|says|told|likes|loves|hates|prefers|lives|thinks|wants)\b")
_PLACES_OF_TWO = tuple(sorted(PLACE_PHRASES))
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n•\"“(]\s*|^\s*[-*]\s*)$")

_LONGEST = 4000


def find_entities(text: str) -> tuple[Entity, ...]:
    """The entities of a text in order; of overlapping ones the surer, then the longer stands."""
    read = text[:_LONGEST]
    return tuple(without_overlaps([*_marked(read), *_named(read)]))


def _marked(text: str) -> Iterator[Entity]:
    """What bears a mark of its own: links, addresses, mentions, tags, numbers, dates."""
    for pattern, kind, confidence in ((_URL, "url", 0.99), (_EMAIL, "email", 0.99)):
        if "." in text:
            for found in pattern.finditer(text):
                yield Entity(
                    found[0], found[0].lower() if kind == "email" else found[0], kind, confidence, found.span()
                )
    if "@" in text:
        yield from (Entity(m[0], m[1], "person", 0.95, m.span()) for m in _MENTION.finditer(text))
    if "#" in text:
        yield from (Entity(m[0], m[1], "topic", 0.95, m.span()) for m in _TAG.finditer(text))
    if any(character.isdigit() for character in text):
        yield from (Entity(m[0], m[0], "date", 0.9, m.span()) for m in _DATE.finditer(text))
        for found in _PHONE.finditer(text):
            if 7 <= sum(character.isdigit() for character in found[0]) <= 15:
                yield Entity(found[0], re.compile(r"[^\d+]").sub("", found[0]), "other", 0.8, found.span())


def _named(text: str) -> Iterator[Entity]:
    """Names by capital letters. A text in capitals throughout names nothing."""
    if text.isupper():
        return
    for found in _CAPITALISED.finditer(text):
        span = _trimmed(text, *found.span())
        if span is not None:
            yield _typed(text, *span)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The run without possessives and the everyday words around it; None when no name is left."""
    spans = [(word.start() + start, word.end() + start) for word in re.compile(r"\S+").finditer(text[start:end])]
    if not text[start:end].lower().startswith(_PLACES_OF_TWO):
        while spans and _is_everyday(text[slice(*spans[0])]):
            spans.pop(0)
    while spans and _is_everyday(text[slice(*spans[-1])]):
        spans.pop()
    if len(spans) > 1 and spans[0][0] == start and _is_opener(text, *spans[:2]):
        spans.pop(0)
    saint = bool(spans) and text[slice(*spans[0])] in ("St", "St.")  # "St Mary's" belongs to no Mary
    for at, (_, stop) in enumerate([] if saint else spans):
        owner = _POSSESSIVE.search(text[:stop])
        if owner is not None:
            spans = [*spans[:at], (spans[at][0], owner.start())]
            break
    if not spans or spans[-1][1] - spans[0][0] < 2:
        return None
    lone = len(spans) == 1 and not _stands_alone(text, *spans[0])
    return None if lone else (spans[0][0], spans[-1][1])


def _is_opener(text: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether a sentence begins with a word that is no name before one that is: "Bye Joanna", "Feed Biscuit"."""
    opening, name = text[slice(*first)].lower(), _POSSESSIVE.sub("", text[slice(*second)]).lower()
    known = opening in GIVEN_NAMES or opening in PLACES or opening in ("project", "st", "st.")
    if known or not _SENTENCE_START.search(text[max(first[0] - 4, 0) : first[0]]):
        return False
    return name in GIVEN_NAMES or opening.endswith("ly") or TASK.match(opening) is not None


def _is_everyday(word: str) -> bool:
    plain = word.lower().replace("’", "'").strip(",.")
    return plain in NOT_NAMES or ("'" in plain and _POSSESSIVE.sub("", plain) in NOT_NAMES)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a single capitalised word is a name: not one that only begins a sentence."""
    word = text[start:end].lower()
    before = text[max(start - 10, 0) : start]
    if _TITLE.search(before) or not _SENTENCE_START.search(before):
        return True
    return word in GIVEN_NAMES or word in PLACES or _ACTS_AS_PERSON.match(text, end) is not None


def _typed(text: str, start: int, end: int) -> Entity:
    name = text[start:end]
    kind, confidence = _type_of(name, text[max(start - 40, 0) : start], text[end : end + 24])
    return Entity(name, _called(name), kind, confidence, (start, end))


def _called(name: str) -> str:
    return re.compile(r"^(?:[Tt]he )").sub("", " ".join(name.split()))


def _type_of(name: str, before: str, after: str) -> tuple[str, float]:
    """The first of the readings that holds, the surest first."""
    first, single = name.lower().split()[0], " " not in name
    is_given_name = first in GIVEN_NAMES
    acting = _WITH.search(before) is not None or _ABOUT_PERSON.match(after) is not None
    readings = (
        ("project", 0.9, _PROJECT_BEFORE.search(before) or name.startswith("Project ")),
        ("person", 0.95, _TITLE.search(before) or _KIN.search(before)),
        ("organization", 0.9, _INSTITUTION.search(name) or has_legal_form(name)),
        ("location", 0.9, name.lower() in PLACE_PHRASES or (single and first in PLACES and not is_given_name)),
        ("organization", 0.85, _DONE_WITH.search(before) and not (is_given_name and single)),
        ("location", 0.85, _LOCATION.search(name)),
        ("person", 0.9, is_given_name),
        ("organization", 0.75, _BOUGHT.search(before) and first not in PLACES),
        ("location", 0.7, (_IN_PLACE.search(before) and not name.isupper()) or first in PLACES),
        ("person", 0.7, acting and not name.isupper() and name.count(" ") <= 2),
    )
    return next(((kind, confidence) for kind, confidence, holds in readings if holds), ("other", 0.5))


def without_overlaps(found: Iterable[Entity]) -> list[Entity]:
    """In order of place; of those that overlap, the surer stands, then the longer."""
    chosen: list[Entity] = []
    for entity in sorted(found, key=lambda e: (-e.confidence, e.span[0] - e.span[1], e.span[0])):
        if all(entity.span[1] <= other.span[0] or other.span[1] <= entity.span[0] for other in chosen):
            chosen.append(entity)
    return sorted(chosen, key=lambda entity: entity.span)
