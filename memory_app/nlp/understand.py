"""Local understanding of a text, with no model called: what kind of memory it is and what it holds.

Rules and word lists for English; other languages get sensible defaults. Pure and fast enough to run on every row
of an import. What a language model may refine is refined elsewhere, later.
"""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.nlp import linear_re as re
from memory_app.nlp.classify.keys import key_of
from memory_app.nlp.classify.type_and_category import WEEKLY, type_and_category
from memory_app.nlp.entities.find_entities import Entity, find_entities
from memory_app.nlp.keywords import keywords
from memory_app.nlp.privacy.secrets import secrets
from memory_app.nlp.privacy.sensitive import MASK, mask_sensitive, sensitive_kinds
from memory_app.nlp.summary import summary
from memory_app.nlp.text import MAX_READ, sentences
from memory_app.nlp.times.time_phrases import TimePhrase, time_phrases

_HARMLESS_KEYS = frozenset(
    ("timezone", "language", "native_language", "username", "ign", "gamertag", "github_username", "discord_username",
     "steam_username", "twitter_username")
)  # fmt: skip
_TOOL = (
    r"(?:python|java(?:script)?|typescript|rust|go(?:lang)?|c|c\+\+|c#|ruby|php|kotlin|swift|scala|haskell|elixir|"
    "zig|perl|julia|lua|vim|neovim|emacs|vs ?code|intellij|pycharm|sublime(?: text)?|linux|debian|ubuntu|arch|"
    "fedora|macos|windows|ios|android|git|docker|kubernetes|postgres(?:ql)?|sqlite|mysql|django|flask|react|vue|"
    "svelte|bash|zsh|fish|firefox|chrome|safari|dark mode|light mode|tabs|spaces|markdown|metric(?: units)?|"
    "imperial(?: units)?|celsius|fahrenheit|24[- ]hour (?:clock|time|format)|java edition|bedrock(?: edition)?|"
    "notion|obsidian|slack|discord|figma)"
)
_TASTE = re.compile(
    r"^(?:(?:i|user|the user) (?:prefers?|likes?|uses?|loves?|favou?rs?)|prefers?|uses?) "
    rf"(?:to use |using |coding in |writing )?{_TOOL}(?:,? (?:and|over|to|rather than|instead of) {_TOOL})?"
    r"(?: as (?:my|their|an?) (?:editor|language|database|browser|shell))?$",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(
    "^(?:my|user's|the user's) favou?rite (?:programming language|language|editor|ide|mod|game|browser|shell|"
    r"framework|database|operating system|os|distro|minecraft mod|video game) is [\w .+#'-]{1,40}$",
    re.IGNORECASE,
)


_NEGATED = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|can['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|"
    "isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|won['’]?t|wouldn['’]?t|shouldn['’]?t|hasn['’]?t|haven['’]?t|"
    r"hadn['’]?t|no longer|anymore)\b",
    re.IGNORECASE,
)


def is_harmless(text: str, key: str) -> bool:
    """Whether a text, whose slot is `key`, is one explicit fact fit for any venue. In doubt not.

    The caller must have ruled out sensitive text and others' names.
    """
    found = sentences(text.replace("’", "'"))
    if len(found) != 1 or "@" in text or _NEGATED.search(text):
        return False
    statement = " ".join(found[0].split()).rstrip(".! ")
    return key in _HARMLESS_KEYS or bool(_TASTE.match(statement) or _FAVOURITE.match(statement))


# Kinds of name that say what a text is about, as keywords should.
_TELLING = frozenset(("person", "project", "organization", "location", "topic", "other"))


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a text holds.

    `type` and `category` as in the contract. `key` is the slot of the speaker it fills, or "". `event_time` is the
    period spoken of, its end not included. `sensitive` holds kinds; `global_safe` is true only for explicit,
    harmless facts.
    """

    type: str
    category: str
    key: str
    summary: str
    keywords: tuple[str, ...]
    entities: tuple[Entity, ...]
    event_time: tuple[datetime, datetime] | None
    sensitive: frozenset[str]
    global_safe: bool


def understand(content: str, *, at: datetime, timezone: ZoneInfo) -> Understanding:
    """What the first LONGEST_READ characters of `content`, said at `at` (aware) by someone in `timezone`, hold.

    What is sensitive is searched for in all of it. Never raises for any text.
    """
    sensitive = sensitive_kinds(content)
    whole, content = content, content[:MAX_READ]
    phrases = time_phrases(content, at=at, timezone=timezone)
    unmasked = mask_sensitive(whole).replace(MASK, "")[:MAX_READ] if sensitive else content
    entities = _harmless_entities(content, whole) if sensitive else find_entities(content)
    kind = type_and_category(content, dated=bool(phrases))
    key = key_of(content)
    return Understanding(
        type=kind.type,
        category=kind.category,
        key=key,
        summary=summary(content),
        keywords=keywords(unmasked, [name.canonical for name in entities if name.type in _TELLING]),
        entities=entities,
        event_time=None if WEEKLY.search(content) else _event(phrases),
        sensitive=sensitive,
        global_safe=not sensitive and is_harmless(content, key),
    )


def is_global_safe(content: str, key: str) -> bool:
    """Whether a text, whose slot is `key`, is an explicit and harmless fact that an assistant may be told wherever it
    talks to the person. In doubt not."""
    return not sensitive_kinds(content) and is_harmless(content, key)


def _event(phrases: list[TimePhrase]) -> tuple[datetime, datetime] | None:
    """The time a text speaks of is the first it names."""
    return (phrases[0].start, phrases[0].end) if phrases else None


def _harmless_entities(content: str, whole: str) -> tuple[Entity, ...]:
    """The entities outside secrets: a card number must not become something to search by."""
    hidden = [(span.start, span.end) for span in secrets(whole)]
    return tuple(
        entity
        for entity in find_entities(content)
        if all(entity.span[1] <= start or end <= entity.span[0] for start, end in hidden)
    )
