"""The slot a statement about the speaker fills, where a new value replaces the old: time zone, home, employer …

Precision comes first, for a wrong key makes one memory supersede another: the whole text must be one plain
statement, not negated, not hedged, of one value. What people have several of (skills, children, pets) has no key.
"""

from functools import lru_cache

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import RECENT_TEXTS, normalised, sentences, vocabulary

_I = r"(?:i|the user|user)"
_MY = r"(?:my|the user'?s|user'?s)"
_IS = r"(?:is now|is still|is|=|:)"
# A name, place or firm: capitalised words, perhaps with small words between.
_PROPER = r"(?-i:[A-Z0-9][\w&.'/-]*(?:,? (?:(?:of|de|la|am|und|the) )?[A-Z][\w&.'/-]*){0,4})"
_ZONE = (
    r"(?:(?-i:[A-Z]{1,3}T|UTC|GMT)(?: ?[+-−] ?\d{1,2}(?::?\d\d)?)?|(?-i:[A-Z][a-z]+/[A-Z]\w+)|"
    r"(?:eastern|central|mountain|pacific|atlantic)(?: (?:standard|daylight))? time)"
)
_LANGUAGE = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|polish|czech|"
    r"hungarian|"
    r"romanian|greek|turkish|russian|ukrainian|arabic|hebrew|persian|hindi|urdu|chinese|mandarin|japanese|korean)"
)
_WORKER = r"(?!customer|member|volunteer|visitor|regular)[a-z]*(?:er|or|ist|ian|ant|nurse|chef|cook|clerk|vet|pilot)"
_SINCE = r"(?: (?:now|these days|at the moment|again|since .{3,24}|as of .{3,24}))?"

# Slots named by a noun: "my X is Y", and lines of a profile that begin with it: "Role: Senior Engineer".
_NOUNS: dict[str, str] = {
    noun: key
    for key, nouns in {
        "timezone": "time zone,timezone", "shoe_size": "shoe size", "role": "job title,job,occupation,profession,role",
        "address": "address,home address", "postcode": "postcode,zip code", "birthday": "birthday,date of birth",
        "phone_number": "phone number,mobile number,cell number", "email": "email,email address", "height": "height",
        "pronouns": "pronouns", "hometown": "hometown,home town", "last_name": "last name,surname",
        "first_name": "first name", "name": "name,full name", "nickname": "nickname", "username": "username,user name",
        "native_language": "native language,mother tongue,first language", "language": "preferred language,language",
        "ign": "ign,minecraft ign,minecraft username,minecraft name", "gamertag": "gamertag",
        "employer": "employer,company",
    }.items()
    for noun in nouns.split(",")
}  # fmt: skip
_LABELS = {noun: key for noun, key in _NOUNS.items() if noun not in ("job", "height")} | {
    "home": "home", "location": "home", "current project": "current_project", "github": "github_username",
}  # fmt: skip
# People one has one of at a time; only a name says who.
_ONE_PERSON = "wife|husband|partner|girlfriend|boyfriend|fiancee?|boss|manager|landlord|dentist|doctor|therapist"


def _any_case(pattern: str) -> re.Pattern:
    return re.compile(pattern, re.IGNORECASE)


_NOUN = _any_case(
    rf"^{_MY} (?P<noun>{'|'.join(sorted(_NOUNS, key=len, reverse=True))}) {_IS} (?P<value>.{{1,60}}?){_SINCE}$"
)
_USER_NAME = _any_case(
    rf"^{_MY} (?!(?:old|former|other|second|new) )(?P<site>[a-z]+) (?:user ?name|handle) {_IS} [^\s,;]{{1,60}}$"
)
_LABELLED = _any_case(r"^(?P<label>[a-z ]{2,30}?) ?: (?P<value>.+)$")
_PERSON = _any_case(
    rf"^{_MY} (?P<who>{_ONE_PERSON})(?:'s name)? {_IS} (?:now )?(?:called |named )?"
    r"(?:(?:mr|mrs|ms|dr|prof)\.? )?(?P<value>(?-i:[A-Z][\w'.-]+(?: [A-Z][\w'.-]+){0,2}))$"
)
_FAVOURITE = _any_case(
    f"^{_MY} (?:all-time |absolute )?favou?rite (?P<noun>[a-z]+(?: [a-z]+){{0,2}}) {_IS} (?:the )?(?P<value>.{{1,60}})$"
)
_STATEMENT_PATTERNS: dict[str, tuple[str, ...]] = {
    "timezone": (
        rf"{_I}(?:'m| am| is|'s)?(?: (?:live|work)s?)? (?:in|on) (?:the )?{_ZONE}(?: time ?zone| time)?{_SINCE}",
    ),
    "language": (
        f"(?:please )?(?:always )?(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me)? in {_LANGUAGE}(?: please)?",
        rf"{_I} prefers? (?:to (?:speak|talk|write|chat) )?(?:in )?{_LANGUAGE}",
        rf"{_I} prefers? (?:answers|replies|responses|messages|talking|speaking|writing) in {_LANGUAGE}",
    ),
    "employer": (
        rf"{_I}(?: currently| now)? works?(?: now)? (?:at|for) (?:the )?{_PROPER}{_SINCE}",
        rf"{_I}(?:'m| am| is) (?:now |currently )?employed (?:at|by) {_PROPER}{_SINCE}",
    ),
    "role": (
        rf"{_I}(?: currently| now)? works?(?: now)? as (?:an? |the )?[\w -]{{3,40}}?(?: (?:at|for) .{{2,40}})?",
        # Work has a name of a kind, and a place: "a bit tired at Easter" has none.
        rf"{_I}(?:'m| am| is) (?:now )?(?:an? |the )(?:[\w-]+ ){{0,3}}{_WORKER} (?:at|for) (?:the )?{_PROPER}",
    ),
    "current_project": (
        rf"{_MY} current project is (?:now )?(?:(?:an? |the |called |named )[\w /&'-]{{2,80}}|{_PROPER})",
    ),
    "home": (
        rf"{_I}(?: currently| now)? lives?(?: now)? in {_PROPER}(?: with (?:my|his|her|their) .{{2,30}})?{_SINCE}",
        rf"{_I}(?:'ve| have| has)?(?: just| recently)? moved(?: back)? to {_PROPER}"
        r"(?: (?:last|this) (?:week|month|weekend))?",
    ),
    "nickname": (
        r"(?:please )?(?:always )?call me (?-i:[A-Z][\w'-]+)",
        rf"{_I} goe?s? by (?-i:[A-Z][\w'-]+)",
    ),
    "age": (rf"{_I}(?:'m| am| is) (?:now )?\d{{1,3}}(?: years old| years of age)?",),
}
_STATEMENTS = tuple((key, _any_case(rf"^(?:{'|'.join(patterns)})$")) for key, patterns in _STATEMENT_PATTERNS.items())

_HEDGE = re.compile(
    r"\b(?:not|no|never|n't|don't|doesn't|isn't|wasn't|maybe|perhaps|probably|possibly|might|may(?= [a-z])|could|"
    "would|if|unless|think|guess|used to|was|were|had|wish|want|hope|sometimes|also|part-time|usually|either|or|but|"
    r"because|though|although|one of|until|when|while|for now|temporarily|think|not sure|unknown|none)\b|\?",
    re.IGNORECASE,
)
_NO_VALUE = vocabulary(
    "good great bad nice long short important hard easy difficult soon today tomorrow hers his mine theirs it that "
    "this done fun stressful complicated secret private public wrong right different the same closed open here there "
    "very so really too quite in on at about with from for to of under behind near my your her our their all "
    "everything what both mostly"
)
_FILLERS = re.compile(r"^(?:(?:btw|by the way|oh|also|fyi|and|so|well|ok|okay)\b,? )+", re.IGNORECASE)

# A line of a profile leaves out whom it is about.
_NO_SUBJECT = re.compile(r"^(?=(?:lives in|works (?:at|for|as)|prefers) )", re.IGNORECASE)

# No such statement is longer, in characters.
_LONGEST = 140


@lru_cache(maxsize=RECENT_TEXTS)
def key_of(text: str) -> str:
    """The normalised slot of a statement such as "I live in Berlin" ("home"), or "" for all that is not one."""
    return _slot(statement) if (statement := _plain(text)) else ""


def _plain(text: str) -> str:
    """The one statement that a text is, if it is one and plain."""
    found = sentences(text.replace("’", "'"))
    if len(found) != 1 or len(found[0]) > _LONGEST:
        return ""
    statement = _NO_SUBJECT.sub("user ", _FILLERS.sub("", " ".join(found[0].split())).rstrip(".! "))
    return "" if _HEDGE.search(statement) else statement


def _slot(statement: str) -> str:
    labelled = _LABELLED.match(statement)
    if labelled is not None and (key := _LABELS.get(labelled["label"].lower())):
        return key if key == "current_project" or _is_value(labelled["value"]) else ""
    noun = _NOUN.match(statement)
    if noun is not None:
        return _NOUNS[noun["noun"].lower()] if _is_value(noun["value"]) else ""
    name = _USER_NAME.match(statement)
    if name is not None:
        return f"{name['site'].lower()}_username"
    person = _PERSON.match(statement)
    if person is not None:
        return person["who"].lower()
    favourite = _FAVOURITE.match(statement)
    if favourite is not None:
        return _favourite(favourite["noun"]) if _is_value(favourite["value"]) else ""
    return _stated(statement)


def _stated(statement: str) -> str:
    return next((key for key, pattern in _STATEMENTS if pattern.match(statement)), "")


def _is_value(value: str) -> bool:
    """Whether it says one thing, not how something is: "42" and "Stripe", not "fun" or "coming up"."""
    words = normalised(value).split()
    first = words[0] if words else ""
    return 0 < len(words) <= 8 and first not in _NO_VALUE and "and" not in words and not first.endswith("ing")


def _favourite(noun: str) -> str:
    """One key for "favorite color" and "favourite colour"; none for "favourite thing about it"."""
    words = normalised(noun).split()
    if set(words) & {"of", "about", "to", "for", "in", "thing", "part", "way", "memory"}:
        return ""
    return "_".join(["favourite", *(_BRITISH_SPELLING.get(word, word) for word in words)])


_BRITISH_SPELLING = {"color": "colour", "movie": "film", "flavor": "flavour", "theater": "theatre"}
