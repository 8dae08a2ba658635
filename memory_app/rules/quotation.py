"""How what someone once said is put before an assistant: as one line of data, and in quotation marks where it is more
than plain words.

A brief is read by a model that cannot tell our words from a memory's but by where they stand. So a text holds nothing
that ends its line or hides in it, and one that could be taken for an instruction, markup or a turn of another stands
between “ and ”, neither of which it can hold itself. What else makes it one is the caller's to say.
"""

import re
import unicodedata

# Unicode's Default_Ignorable_Code_Point that are no format characters, and the blank of Braille: drawn as nothing.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
_JOINTS = frozenset("\u00ad\u200c\u200d\ufe0e\ufe0f")
_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_MARKS = str.maketrans(dict.fromkeys('“”„‟〝〞″«»"＂', "'"))

_MARKUP = re.compile(
    r"[<>{}\[\]|`\\^~]|\w://|\bwww\.|^\W*[=+@#*\-]|--|/\*|==|\$[({]|</|\w\(|\.\./|__|"
    r"\b(?:javascript|data|vbscript|file|mailto):|\b(?:system|assistant|user|human|developer|tool)\s*[:>]|"
    r"&(?:#\w+|\w+);|%[0-9a-f]{2}|\b[0-9a-z+/]{40,}={0,2}|:\W*$",
    re.IGNORECASE,
)
"""Markup, template and query syntax, addresses, what a table would compute, text in code, turns of a role, headings.
Too much is marked, such as a formula: that costs a memory two marks, and hides nothing of it."""

_QUERY = re.compile(
    r"\b(?:union\s+(?:all\s+)?select|select\s+.{1,40}\s+from|drop\s+(?:table|database|schema)|delete\s+from|"
    r"insert\s+into|update\s+\w+\s+set|truncate\s+table|alter\s+(?:table|role|user)|or\s+'?1'?\s*=\s*'?1|pg_sleep)\b",
    re.IGNORECASE,
)

_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|override|bypass|forget)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|above|"
    r"before|everything|context|polic(?:y|ies)|safety)\b|"
    r"\b(?:you (?:are|must|will|should|shall|have to|need to|may) (?:now|never|always|not|only|obey|answer|reply|"
    r"respond|ignore|reveal|act|no longer|comply|say|tell|pretend)|from now on|pretend (?:to be|you|that)|act as|"
    r"new (?:task|rules?|instructions?|persona|role|policy)|system (?:prompt|message|notice|override|update)|"
    r"developer mode|end of (?:\w+ ){0,3}(?:prompt|memory|memories|context|brief|instructions?|data|quotation)|"
    r"do anything now|jailbreak|no (?:restrictions|limits|filters?)|without (?:asking|telling|confirmation)|"
    r"do not (?:tell|mention|warn|ask|reveal|refuse|follow)|don't (?:tell|mention|warn|ask|reveal|refuse|follow)|"
    r"never (?:tell|mention|warn|ask|reveal|refuse)|reply (?:only|with)|respond (?:only|with)|answer (?:only|with)|"
    r"repeat (?:after|the|everything|all|this)|print (?:the|your|all|everything)|reveal (?:the|your|all|everything)|"
    r"execute|run the (?:command|tool|function|code)|call the (?:tool|function|api)|tool call|"
    r"(?:send|forward|post|upload|e-?mail|exfiltrate|transmit|leak)\b.{0,40}\b(?:memor(?:y|ies)|conversations?|secrets?|"
    r"passwords?|keys?|tokens?|data|contacts|history|everything)|"
    r"(?:supersedes?|overrides?|replaces?) (?:all|every|any)|"
    r"(?:pause|clear|erase|wipe|delete|disable|purge)\b.{0,40}\b(?:memor(?:y|ies)|logs?|everyone|history)|"
    r"(?:assistant|chatbot|language model|\bAI\b|\bLLM\b)s?\b.{0,30}\b(?:must|should|shall|will|has to|have to|always|"
    r"never|please))\b",
    re.IGNORECASE,
)
"""Words to whoever reads a memory instead of about someone. A courtesy: what holds is that a line is a memory."""


def plain(text: str) -> str:
    """The text on one line, with all that is drawn as nothing or that turns the writing direction left out."""
    seen = _BLANK.sub("", text)
    # What parts words still parts them.
    spaced = "".join(" " if character.isspace() else character for character in seen)
    return " ".join("".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE).split())


def hides(text: str) -> bool:
    """Whether a text has several lines, or holds what is not drawn but for the joints of emoji and of some scripts."""
    return len(text.strip().splitlines()) > 1 or any(
        character not in _JOINTS and not character.isspace() and plain(character) == "" for character in text
    )


def is_more_than_words(text: str) -> bool:
    """Whether a text hides something, or could be taken for markup, a query, or a word to whoever reads it."""
    folded = unicodedata.normalize("NFKC", plain(text))
    return hides(text) or any(pattern.search(folded) for pattern in (_MARKUP, _QUERY, _TO_A_MODEL))


def between_marks(text: str) -> str:
    """A plain text as a quotation, which nothing in it can end."""
    return f"“{text.translate(_MARKS)}”"
