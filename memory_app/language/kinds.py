"""What type and category of memory a sentence is, by its form: who speaks of what, with which verb.

Rules alone, tuned on half of the labelled sentences in the tests. `sure` says whether a rule spoke or the default.
"""

from dataclasses import dataclass

from memory_app.language.kind_forms import (
    COMING,
    DECISION,
    EVENT,
    HABIT,
    JOURNAL,
    KIN,
    MEETING,
    PERSON,
    PREFERENCE,
    PROJECT,
    STATE,
    TASK,
    WEEKLY,
    WHEN_FIRST,
    any_of,
)
from memory_app.rules.text import sentences

# How much of a text is read, in characters and in sentences.
_READ = 600
_SENTENCES = 4


@dataclass(frozen=True, slots=True)
class Kind:
    """A type and a category of the contract; `sure` is false where no rule applied and "fact" is the default."""

    type: str
    category: str
    sure: bool


_READING = any_of(
    r"\b(?:reading|reads?|re-?read)\b (?!out)(?!the (?:room|meter))|\b(?:books?|novels?|articles?|papers?|"
    "authors?|blogs?|blog posts?|newsletters?|"
    "magazines?|chapters?|e-?books?|audiobooks?|poems?|poetry|library|kindle|bestseller|memoir|biography|posts?|"
    r"bookmarked)\b"
)
_WORK = any_of(
    r"\b(?:work(?:s|ed|ing)?|job|office|boss|manager|colleagues?|cowork\w+|team|clients?|customers?|company|"
    "employer|employed|meetings?|deadline|"
    r"project|sprint|roadmap|release|deploy\w*|codebase|database|backend|frontend|code|coding|programming|"
    "software|startup|business|career|salary|"
    "promot(?:ed|ion)|conference|presentation|presenting|offsite|engineer|developer|designer|director|sales|"
    "marketing|accounting|budget|contract|"
    "interview|resume|cv|vendor|invoices?|quarter|kpi|okr|merger|board|stakeholders?|product(?:ion)?|kubernetes|"
    r"postgres\w*|python|django|rust|"
    r"java|kafka|aws|azure|github|api)\b"
)
_PERSONAL = any_of(
    r"\b(?:i|i['’]m|me|my|mine|we|our|us|family|kids?|children|home|house|apartment|friend|holiday|vacation|hobby|"
    "hobbies|dog|cat|pet|garden|"
    rf"birthday|wedding|school|gym|health|{KIN})\b"
)


_KEY_FACT = any_of(
    r"\b(?:time ?zone|(?:user ?|gamer ?|nick ?|screen ?)(?:name|tag)|ign|in[- ]game name|pronouns)\b",
    r"^i(?:['’]m| am) (?:in|on) (?:[A-Z]{2,4}T|UTC|GMT)\b",
)
"""What a profile lists among its key facts: how to reach and address someone, not what their life is like."""


# Lines of a profile, by how they begin (seed 003, its own lines): these say the section before any word in them does.
_SECTIONS = (
    (any_of(r"^(?:communication style|summary format|answer format)\s*:"), "preference"),
    (
        any_of(
            r"^(?:role|company|employer|job title|projects?|current project|tech stack)\s*:",
            r"^(?:work|professional|career) goals?\s*:",
        ),
        "work",
    ),
    (
        any_of(
            r"^opinions?\b|^(?:hobbies|hobby|side projects?)\s*:|\bside project\b",
            r"^(?:i(?:['’]m| am) )?(?:(?:skeptical|sceptical) (?:about|of)|learning)\b",
        ),
        "personal",
    ),
    (any_of(r"^(?:discussed|read|saved|reacted to) .+ \((?:positive|negative|neutral|mixed)\)$"), "reading"),
    (any_of(r"^(?:time ?zone|digest preference|started using .+)\s*:"), "fact"),
)


def kind_of(text: str, *, dated: bool = False) -> Kind:
    """The type and category of a memory; `dated`: whether a time phrase stands in it.

    The first of its first sentences that a rule knows decides: greetings and exclamations often stand in front.
    """
    read = text[:_READ]
    found = [_type_of(" ".join(sentence.split()), dated) for sentence in sentences(read)[:_SENTENCES]]
    kind, sure = next((each for each in found if each[1]), ("fact", False))
    return Kind(kind, _category_of(read, kind), sure)


def _type_of(text: str, dated: bool) -> tuple[str, bool]:
    for pattern, kind in _FIRST:
        if pattern.search(text):
            return kind, True
    if WEEKLY.search(text):
        return "fact", True
    habit = HABIT.search(text) is not None
    if EVENT.search(WHEN_FIRST.sub("", text)) and not habit:
        return "event", True
    if dated and not habit and COMING.search(text) and not PROJECT.search(text):
        return "event", True
    for pattern, kind in _THEN:
        if pattern.search(text):
            return kind, True
    return "fact", False


# The order settles what is several things at once: a decision about a project is a decision.
_FIRST = (
    (DECISION, "decision"),
    (MEETING, "meeting"),
    (JOURNAL, "journal"),
    (PREFERENCE, "preference"),
    (TASK, "task"),
)
_THEN = ((PERSON, "person"), (PROJECT, "project"), (STATE, "fact"))


def _category_of(text: str, kind: str) -> str:
    begun = next((category for pattern, category in _SECTIONS if pattern.search(text)), None)
    if begun:
        return begun
    if kind == "preference":
        return "preference"
    if kind == "fact" and _KEY_FACT.search(text):
        return "fact"
    if _READING.search(text):
        return "reading"
    if kind in ("project", "meeting") or _WORK.search(text):
        return "work"
    if kind in ("person", "event", "journal") or _PERSONAL.search(text):
        return "personal"
    return "fact"
