"""A correction in a reply to numbered texts: "yes, but on the 4th", "the first one, only it's his brother".

Only what is certain edits a text: one particular (a day, a number, a name …) takes the place of the only one of its
kind. In doubt nothing is edited or kept, and the person is asked again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.address import pattern
from memory_app.nlp.commands.replies import UNCLEAR_CHOICE, Choice, read_choice
from memory_app.nlp.commands.reply_signs import LONGEST_REPLY
from memory_app.nlp.text import vocabulary, words


@dataclass(frozen=True)
class ReplyCorrection:
    """What a reply decides, and the texts that it corrects, by their positions from 0. With an unclear choice it
    corrects something, but what is not certain."""

    choice: Choice
    edits: Mapping[int, str] = field(default_factory=dict)


_UNCERTAIN = ReplyCorrection(UNCLEAR_CHOICE)

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_KINDS: dict[str, re.Pattern] = {
    "day": pattern(rf"\b\d{{1,2}}(?:st|nd|rd|th)\b|\b\d{{1,2}}(?= (?:of )?(?:{_MONTHS})\b)"),
    "month": re.compile(rf"\b(?:{_MONTHS.title()})\b"),
    "weekday": pattern(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"),
    "relation": pattern(
        r"\b(?:brother|sister|mother|father|mum|mom|dad|son|daughter|uncle|aunt|cousin|nephew|niece|husband|wife|"
        r"grandmother|grandfather|friend|colleague|neighbour|neighbor|boss)\b"
    ),
    "number": pattern(
        r"(?<![\w.,:])(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|third|quarter|\d+(?:[.,:]\d+)*)"
        r"(?![\w:]|[.,]\d)"
    ),
    "name": re.compile(r"(?<=\w )(?!I\b)[A-Z][\w’'-]*[a-z]\b"),
}
"""Particulars by kind; of words that are of two kinds, the first is meant."""

_PLAIN = vocabulary(
    "a an the it it's its is was are were i i'm am my we our you he he's she she's they his her him them their that "
    "that's this on in at of for from to by with and not now actually no be should called named one only just rather"
)
_BUT = pattern(
    r"(?P<head>.+?)[\s,;.–—-]+(?:but|except(?: that)?|only|although|just)[\s,]+(?P<tail>(?!not\b|the (?:one|other)).+)"
)
_SPELT = pattern(r"(?P<old>[A-Z][\w’'-]+) is (?:spelt|spelled|written) (?P<new>[A-Z][\w’'-]+)(?P<rest>.*)")
_REST_IS_FINE = pattern(
    r"[\s,;.–—-]*(?:and |but )?(?:otherwise|the rest|rest|everything else|else)(?: is| are|'s)?\s*"
    r"(?:yes|yep|yeah|fine|good|ok|okay|right|correct|great)[.! ]*"
)
_BEGINS_A_FACT = pattern(
    r"(?:on|at|in|for|from|to|by|with|it|he|she|they|his|her|i|we|my|our|that)\b|it's|he's|she's|that's"
)


def read_correction(reply: str, texts: Sequence[str]) -> ReplyCorrection | None:
    """What a reply corrects, and decides; None where it corrects nothing, and is read as any reply."""
    text = reply.strip().replace("’", "'")
    if len(text) > LONGEST_REPLY or text.endswith("?"):
        return None
    if spelt := _SPELT.fullmatch(text):
        return _spelling_correction(spelt, texts)
    found = _BUT.fullmatch(text)
    if found is None or not _BEGINS_A_FACT.match(found["tail"]):
        return None
    choice, particulars = read_choice(found["head"], texts), _particulars(found["tail"])
    if not choice.clear or not choice.accepted:
        return None
    edit = _edit(found["tail"], particulars, sorted(choice.accepted), texts)
    if edit is None:
        return _UNCERTAIN
    # "The first one, only …" is about that one alone.
    rejected = choice.rejected if len(choice.accepted) != 1 else frozenset[int]()
    return ReplyCorrection(Choice(choice.accepted, rejected), edit)


def _spelling_correction(spelt: re.Match, texts: Sequence[str]) -> ReplyCorrection:
    """ "Bo is spelled Beau": in the one text that names it; with "otherwise yes" the others are kept as they are."""
    because = "one word, letter by letter"
    old = re.by_python(rf"(?<!\w){re.escape(spelt['old'])}(?!\w)", because=because)
    naming = [at for at, text in enumerate(texts) if old.search(text)]
    rest = spelt["rest"].strip(" .!")
    if len(naming) != 1 or (rest and not _REST_IS_FINE.fullmatch(rest)):
        return _UNCERTAIN
    accepted = frozenset(range(len(texts))) if rest else frozenset(naming)
    return ReplyCorrection(Choice(accepted), {naming[0]: old.sub(spelt["new"], texts[naming[0]])})


def _edit(
    tail: str, particulars: Mapping[str, list[re.Match]], among: Sequence[int], texts: Sequence[str]
) -> dict[int, str] | None:
    """The one text that has a single particular of the kind that was given, with the new one in its place."""
    if len(particulars) != 1 or len(values := next(iter(particulars.values()))) != 1:
        return None
    (kind,), (new,) = particulars, values
    holding = [at for at in among if len(_particulars(texts[at]).get(kind, [])) == 1]
    others = {word for word in words(tail) if word not in _PLAIN and word not in words(new[0])}
    holding = [at for at in holding if others <= set(words(texts[at]))]
    if len(holding) != 1:
        return None
    text = texts[holding[0]]
    old = _particulars(text)[kind][0]
    value = new[0] if kind != "day" or not old[0].isdigit() else re.compile(r"\D").sub("", new[0])
    return None if value.lower() == old[0].lower() else {holding[0]: text[: old.start()] + value + text[old.end() :]}


def _particulars(text: str) -> dict[str, list[re.Match]]:
    """The particulars of a text by kind."""
    found: dict[str, list[re.Match]] = {}
    taken: set[int] = set()
    for kind, expression in _KINDS.items():
        matches = [match for match in expression.finditer(text) if match.start() not in taken]
        taken |= {at for match in matches for at in range(*match.span())}
        if matches:
            found[kind] = matches
    return found
