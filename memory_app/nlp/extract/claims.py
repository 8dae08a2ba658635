"""The claims of a turn: the sentences in which someone tells something, and what a later turn takes back of them.

The rest is left out, each for its reason. Which claims are worth keeping, `worth` says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.remember import remember_request
from memory_app.nlp.extract.not_lasting import certain_part, is_momentary
from memory_app.nlp.extract.others_words import mask_quotations, quotes_someone, restore_quotations
from memory_app.nlp.extract.turns import SpokenTurn
from memory_app.nlp.extract.vocabulary import (
    ASKS,
    ASKS_FOR,
    CAPTION,
    CODE_INSIDE,
    CODE_SYMBOLS,
    CORRECTION,
    END_OF_QUESTION,
    FENCED,
    FIRST_PERSON,
    MAIL,
    PRAISE,
    QUESTION_AT_END,
    QUOTED_LINES,
    REPORTED,
    REQUEST,
    SECOND_PERSON,
    STANDING_ORDER,
    URL,
    has_any_pronoun,
    informative_words,
)
from memory_app.nlp.text import MAX_READ, sentences

_DETERMINERS = r"(?:(?:all|any|the|your|my|of|every|previous|prior|above|earlier|these|those|other|preceding) ){0,4}"
_MEMORY = r"(?:long[- ]term )?(?:memory|memories|memory store|knowledge base|database)"
_HOSTILE = re.compile(
    rf"\b(?:ignore|disregard|forget|override|bypass) {_DETERMINERS}(?:instructions?|prompts?|guidelines|directives|"
    r"(?<=previous )rules|(?<=your )rules)\b|\b(?:system|developer) (?:prompt|message|instructions?|override|"
    r"note)\b|\bjailbreak|\bprompt injection\b|(?:^|[.!?:]\s+)you are now (?:an?|the|in|my|going|free)\b|"
    r"\bnew instructions?:|\b(?:memory|memories|proposals?|fact|extract(?:or|ion)) (?:system|engine|agent|"
    r"extract(?:or|ion)|module|policy|api|filters?)\b|\b(?:store|save|insert|record|add|write|delete|wipe|erase|"
    r"purge|drop|remove|overwrite|replace)\b.{0,60}\b(?:in|into|to|from|of)? ?(?:the|your|user'?s|everyone'?s|"
    rf"all(?: the)?|every|each) {_MEMORY}\b|\b(?:approve|accept|auto-?approve|confirm|"
    r"reject)\b.{0,20}\b(?:proposals?|memories)\b|\bmark(?:ed)? (?:this |it |that )?as (?:verified|trusted|global|"
    r"confirmed|approved)\b|\bconfidence\b.{0,10}\b1(?:\.0+)?\b|\b(?:admin|root|superuser|"
    r"sudo)\b.{0,20}\b(?:access|rights|privileges|mode|permissions?)\b|^\s*(?:system|assistant|developer)\s*:|"
    r"</?\|?(?:system|im_start|im_end|instructions?|memory)\b|\[/?INST\]|\bdrop table\b",
    re.IGNORECASE | re.MULTILINE,
)


def is_hostile(content: str) -> bool:
    """Whether a turn tries to make the memory system, or a model behind it, do something."""
    return bool(_HOSTILE.search(content))


_PUNCTUATION = " \t\n.,;:!?…\"'”’)"
_I_SAID = re.compile(
    r"\b(?:i|we)(?:'d|'ve| have| had)? (?:just |always |often )*(?:say|said|told|tell|asked|wrote)\b", re.I
)

MIN_WORDS_WITH_PRAISE = 4
"""Content words from which a sentence with praise or thanks in it tells something too."""

MAX_CODE_SYMBOL_SHARE = 0.06
"""Share of code's own characters above which a line is code; prose stays under .02."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence that tells something: where it stands in the turn, and its words.

    `text` is for rules to read: what is kept is what stands in the turn from `start` to `end`. `personal`: about the
    speaker. `context`: what was said before, where the words do not stand alone.
    """

    start: int
    end: int
    text: str
    personal: bool
    context: str = ""


TurnClaims = tuple[SpokenTurn, tuple[Claim, ...]]
"""A turn with its claims."""


def claims(content: str) -> list[Claim]:
    """The claims of one turn, in order; none where the whole turn is hostile."""
    if is_hostile(content):
        return []
    text, quoted = mask_quotations(blank_unspoken(content))
    found: list[Claim] = []
    for start, sentence in sentences_with_start(text):
        if found and CORRECTION.match(sentence) and not text[found[-1].end : start].strip(_PUNCTUATION):
            # "The wedding is on the 12th. No wait, the 15th." is one.
            found[-1] = replace(found[-1], end=start + len(sentence), text=f"{found[-1].text} {sentence}")
        elif claim := _claim(start, sentence, quoted):
            found.append(claim)
    return [replace(claim, text=restore_quotations(claim.text, quoted)) for claim in found]


def caption(content: str) -> str:
    """What the brackets of a turn say: assistants put there what a shared picture shows."""
    return " ".join(found[0][1:-1] for found in CAPTION.finditer(content[:MAX_READ]))


def blank_unspoken(content: str) -> str:
    """The turn with code, captions and others' lines blanked out: as long as before, so that positions stay true."""
    text = content[:MAX_READ]
    for pattern in (FENCED, MAIL, QUOTED_LINES, CAPTION, URL):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


def sentences_with_start(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a spoken text with where they start; lines of their own are sentences of their own."""
    at = 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        within = at
        for line in sentence.split("\n"):
            if line.strip():
                yield text.index(line.strip(), within), line.strip()
            within += len(line) + 1
        at += len(sentence)


def statements_of(content: str) -> str:
    """All that a turn says without asking, claims and small talk alike; not what others are quoted to have said."""
    text, quoted = mask_quotations(blank_unspoken(content))
    return restore_quotations(
        " ".join(_statement_part(sentence) for _, sentence in sentences_with_start(text)), quoted, speech=False
    )


def is_question(sentence: str) -> bool:
    """Whether a sentence asks, with or without its mark."""
    return END_OF_QUESTION.search(sentence) is not None or ASKS.match(sentence) is not None


def _claim(start: int, sentence: str, quoted: Sequence[str]) -> Claim | None:
    statement = certain_part(_statement_part(sentence))
    if not statement or _is_excluded(statement, restore_quotations(statement, quoted)):
        return None
    words, standing = set(informative_words(statement)), STANDING_ORDER.match(statement) is not None
    mine = has_any_pronoun(statement, FIRST_PERSON) or standing
    yours = has_any_pronoun(statement, SECOND_PERSON) and not standing
    if not words or (yours and not mine) or is_momentary(statement):
        # About the other one only: an opinion of them, praise or advice. Or of the moment or the day only.
        return None
    if (yours or PRAISE.search(statement)) and (not mine or len(words) < MIN_WORDS_WITH_PRAISE):
        return None
    return Claim(start, start + len(statement), statement, mine)


def _statement_part(sentence: str) -> str:
    """The part of a sentence that tells: all of it, what stands before a question, or nothing."""
    if not is_question(sentence) and not ASKS_FOR.search(sentence):
        return sentence
    before = QUESTION_AT_END.match(sentence)
    statement = before["told"].rstrip(" ,;-–—") if before else ""
    asks = is_question(statement) or ASKS_FOR.search(statement)
    return statement if has_any_pronoun(statement, FIRST_PERSON) and not asks else ""


def _is_excluded(sentence: str, whole: str) -> bool:
    """Each reason for which a sentence that tells something is still not a claim; `whole`: with its quotations."""
    return bool(
        # Asks for something to be done; what it holds about the world, it does not claim.
        (REQUEST.match(sentence) and not STANDING_ORDER.match(sentence))
        # Kept at once, where it was asked for.
        or remember_request(sentence)
        # Another's words.
        or REPORTED.search(sentence)
        or (quotes_someone(sentence) and not _I_SAID.search(sentence))
        # Pasted, not said; what ends in a colon only leads to what was pasted after it.
        or sentence.endswith(":")
        or CODE_INSIDE.search(whole)
        or len(CODE_SYMBOLS.findall(whole)) > MAX_CODE_SYMBOL_SHARE * len(whole)
    )


MAX_TURNS_BACK = 4
"""Turns of people within which a word alone corrects what was told."""

MAX_CORRECTION_LENGTH = 60
"""Characters of a turn that is no more than such a word."""

# Only a time or a number takes another's place: a name may as well be who is spoken to.
_PARTICULAR = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|january|"
    r"february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


def apply_corrections(people: Sequence[TurnClaims]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order; a correction with the last claim that it can correct before it."""
    claims_by_turn = [list(claims) for _, claims in people]
    for turn, (spoken, _) in enumerate(people):
        content = spoken.content.strip()
        if len(content) > MAX_CORRECTION_LENGTH or not CORRECTION.match(content) or not _PARTICULAR.search(content):
            continue
        for n in range(turn - 1, max(turn - MAX_TURNS_BACK, 0) - 1, -1):
            if (
                people[n][0].speaker == spoken.speaker
                and claims_by_turn[n]
                and _PARTICULAR.search(claims_by_turn[n][-1].text)
            ):
                old, start = claims_by_turn[n].pop(), spoken.content.index(content)
                before = old.context or people[n][0].content[old.start : old.end]
                claims_by_turn[turn] = [
                    replace(old, start=start, end=start + len(content), text=content, context=before)
                ]
                break
    return [tuple(claims) for claims in claims_by_turn]
