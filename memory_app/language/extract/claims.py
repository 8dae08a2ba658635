"""The claims of a turn: the sentences in which someone tells something. The rest is left out, each for its reason.

Which claims are worth keeping is `signals`' and `worth`'s to say.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from memory_app.language.extract.channel import unprefixed
from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.introduction import introduces
from memory_app.language.extract.openings import OPENING
from memory_app.language.extract.passing import is_passing
from memory_app.language.extract.patterns import (
    ASKED_LAST,
    ASKS,
    ASKS_FOR,
    CAPTION,
    CLOSING,
    CODE,
    CODE_INSIDE,
    CODE_SYMBOLS,
    END_OF_QUESTION,
    FENCED,
    KEEP_INSIDE,
    MAIL,
    QUOTED_LINES,
    REMIND_THAT,
    REPORTED,
    REQUEST,
    REQUESTED_FIRST,
    REQUESTED_LAST,
    STANDING,
    TAKES_BACK,
    TELLS_ALL_THE_SAME,
    URL,
)
from memory_app.language.extract.quotations import is_said_by_another, restored, sheltered
from memory_app.language.extract.said import Said
from memory_app.language.extract.spelling import leaves_out_subject, spelled
from memory_app.language.extract.supposed import sure_part
from memory_app.language.extract.today import is_of_today
from memory_app.language.extract.vocabulary import CHEER, FIRST_PERSON, SECOND_PERSON, content_words, speaks_of
from memory_app.rules import linear_re as re
from memory_app.rules.smalltalk import is_command_or_small_talk
from memory_app.rules.text import LONGEST_READ, sentences
from memory_app.rules.tongues import asked_in_english
from memory_app.rules.triggers.forget import forget_request
from memory_app.rules.triggers.remember import remember_request

_GAP = " \t\n.,;:!?…\"'”’)"
_I_SAID = re.compile(
    r"\b(?:i|we)(?:'d|'ve| have| had)? (?:just |always |often )*(?:say|said|told|tell|asked|wrote)\b", re.I
)

LEAST_IN_CHEER = 4
"""Content words from which a sentence with praise or thanks in it tells something too."""

MOST_CODE_SYMBOLS = 0.06
"""Share of code's own characters above which a line is code; prose stays under .02."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence that tells something: where it stands in the turn, and its words without their opening.

    `text` is for rules to read: what is kept is what stands in the turn from `start` to `end`. `personal`: about the
    speaker. `asked`: said with the request to remember it. `context`: what was said before, where the words do not
    stand alone.
    """

    start: int
    end: int
    text: str
    personal: bool
    asked: bool = False
    context: str = ""


Heard = tuple[Said, tuple[Claim, ...]]
"""A turn with its claims."""


def claims(content: str, own: Collection[str] = ()) -> list[Claim]:
    """The claims of one turn, in order; none where the whole turn is hostile. `own` are names of who says it."""
    if is_hostile(content):
        return []
    text, quoted = sheltered(spoken(content, own))
    found: list[Claim] = []
    for start, sentence in located(text):
        if found and _takes_back(sentence) and not text[found[-1].end : start].strip(_GAP):
            # "The wedding is on the 12th. No wait, the 15th." is one.
            found[-1] = replace(found[-1], end=start + len(sentence), text=f"{found[-1].text} {sentence}")
            continue
        parts = (_claim(at, part, quoted) for at, part in _parted(start, sentence))
        found += [claim for claim in parts if claim and not introduces(claim.text, own)]
    return [replace(claim, text=restored(claim.text, quoted)) for claim in found]


def requested_in(content: str, language: str) -> list[Claim]:
    """What a turn asks to be kept in a language other than English ("merk dir, dass …"), in order."""
    found = list[Claim]()
    for start, sentence in located(spoken(content)):
        put = asked_in_english(sentence, language)
        request = remember_request(put) if put != sentence else None
        if request and request.content and not request.task:
            at = max(sentence.lower().rfind(request.content.lower()), 0)
            found.append(Claim(start + at, start + len(sentence), sentence[at:], personal=True, asked=True))
    return [] if is_hostile(content) else found


def _takes_back(sentence: str) -> bool:
    return TAKES_BACK.match(sentence) is not None and not is_question(sentence)


def _parted(start: int, sentence: str) -> list[tuple[int, str]]:
    """The facts of a sentence with where they start; what is asked to be kept is kept as it was put."""
    if is_question(sentence) or REPORTED.search(sentence):
        return [(start, sentence)]
    if told := REQUESTED_LAST.match(sentence) or REQUESTED_FIRST.match(sentence):
        start, sentence = start + told.start("told"), told["told"]
    placed, at = [], 0
    for fact in KEEP_INSIDE.split(sentence):
        at = sentence.index(fact, at)
        placed.append((start + at, fact))
        at += len(fact)
    return placed


def caption(content: str) -> str:
    """What the brackets of a turn say: assistants put there what a shared picture shows."""
    return " ".join(found[0][1:-1] for found in CAPTION.finditer(content[:LONGEST_READ]))


def spoken(content: str, own: Collection[str] = ()) -> str:
    """The turn with code, captions and others' lines blanked out: as long as before, so that positions stay true."""
    text = content[:LONGEST_READ]
    for unspoken in (FENCED, MAIL, QUOTED_LINES):
        text = unspoken.sub(lambda found: " " * len(found[0]), text)
    text = unprefixed(text, own)
    for unspoken in (CAPTION, URL):
        text = unspoken.sub(lambda found: " " * len(found[0]), text)
    return text


def located(text: str) -> Iterator[tuple[int, str]]:
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


def told(content: str, own: Collection[str] = ()) -> str:
    """All that a turn says without asking, claims and small talk alike; not what others are quoted to have said."""
    text, quoted = sheltered(spoken(content, own))
    return restored(" ".join(_told(sentence) for _, sentence in located(text)), quoted, speech=False)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks, with or without its mark."""
    if END_OF_QUESTION.search(sentence):
        return True
    return bool(ASKS.match(sentence)) and not TELLS_ALL_THE_SAME.match(sentence)


def _claim(start: int, sentence: str, quoted: Sequence[str]) -> Claim | None:
    told = sure_part(_told(sentence))
    if not told or _left_out(told, restored(told, quoted)):
        return None
    to_keep = asked_to_keep(told)
    bare = spelled(CLOSING.sub("", OPENING.sub("", to_keep or told)))
    words = set(content_words(bare))
    standing = STANDING.match(bare) is not None
    mine = speaks_of(bare, FIRST_PERSON) or standing or leaves_out_subject(bare)
    yours = speaks_of(bare, SECOND_PERSON)
    if not words or (yours and not mine) or (not to_keep and (is_passing(bare) or is_of_today(bare))):
        # About the other one only: an opinion of them, praise or advice. Or of the moment or the day only.
        return None
    if ((yours and not standing) or CHEER.search(bare)) and (not mine or len(words) < LEAST_IN_CHEER):
        return None
    at = told.rfind(to_keep) if to_keep else 0
    return Claim(start + max(at, 0), start + len(told), bare, mine, bool(to_keep))


def _told(sentence: str) -> str:
    """The part of a sentence that tells: all of it, what stands before a question, or nothing."""
    if (not is_question(sentence) and not ASKS_FOR.search(sentence)) or asked_to_keep(sentence):
        # "Can you remember that …?" asks for nothing else.
        return sentence
    before = ASKED_LAST.match(sentence)
    told = before["told"].rstrip(" ,;-–—") if before else ""
    asks = is_question(told) or bool(ASKS_FOR.search(told))
    return told if speaks_of(told, FIRST_PERSON) and not asks else ""


def _left_out(sentence: str, whole: str) -> bool:
    """Each reason for which a sentence that tells something is still not a claim; `whole`: with its quotations."""
    request = remember_request(sentence)
    return bool(
        # Said to get through the talk, not to tell.
        is_command_or_small_talk(sentence)
        # Asks for something to be done; what it holds about the world, it does not claim.
        or (REQUEST.match(OPENING.sub("", sentence)) and not asked_to_keep(sentence) and not STANDING.match(sentence))
        or (request and (request.task or request.refers_back))
        or forget_request(sentence)
        # Another's words.
        or REPORTED.search(sentence)
        or (is_said_by_another(sentence) and not _I_SAID.search(sentence))
        # Pasted, not said.
        or is_code(whole)
    )


def is_code(sentence: str) -> bool:
    """Whether a line was pasted, not said."""
    # What ends in a colon only leads to what was pasted after it.
    if CODE.match(sentence) or CODE_INSIDE.search(sentence) or sentence.endswith(":"):
        return True
    return len(CODE_SYMBOLS.findall(sentence)) > MOST_CODE_SYMBOLS * len(sentence)


def asked_to_keep(sentence: str) -> str:
    """What "remember that …" asks to keep: a claim like any other, for that request is answered elsewhere."""
    if reminder := REMIND_THAT.match(sentence):
        return sentence[reminder.end() :]
    request = remember_request(sentence)
    return request.content if request else ""
