"""A claim in words that stand alone: "I" becomes the person, "last Friday" the date. English.

Grammar only as far as needed to read well; the quote beside it keeps the words as they were.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.language.extract.agreement import (
    PAST_OR_MODAL,
    after_they,
    in_step,
    is_habit,
    keeps_step,
    third_person,
)
from memory_app.language.extract.contractions import had_or_would, spelled
from memory_app.language.extract.dates import with_dates
from memory_app.language.extract.patterns import CLOSING, STANDING
from memory_app.language.extract.quotations import restored, sheltered
from memory_app.rules.text import vocabulary

_PAST = PAST_OR_MODAL - vocabulary(
    "can could will would shall should may might must ought need dare never not cannot can't couldn't won't wouldn't "
    "shouldn't was were let put set read left felt cost cut hit bet used"
) | vocabulary("started finished moved joined visited decided tried signed wanted worked adopted learned planned")
# Said of oneself even where the subject is left out.
_FEELINGS = vocabulary("excited thrilled tired stressed nervous exhausted")
_GOING_ON = vocabulary(
    "working trying looking thinking planning going hoping living learning studying training getting reading writing "
    "saving moving waiting preparing dating considering building"
)
# "Working here is hard" says something of working.
_IS_SAID_OF = vocabulary("is was makes made has helps gives keeps can will really")
_FIRST_WORDS = re.compile(
    r"(?P<adverbs>(?:(?:just|still|also|always|never|recently|finally|already|"
    r"currently)\s+)*)(?P<verb>[a-z]+(?:'t)?)\b",
    re.IGNORECASE,
)
_SHORT_FORMS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_PRONOUN = re.compile(
    r"\b(?P<i>i|we)(?![.)])(?P<short>'(?:m|re|ve|ll|d))?\b(?:\s+(?P<after>(?:\w+ly\s+|(?:also|just|always|still|"
    r"even|often|"
    r"already|never|not|only|ever|once|sometimes|kinda|hardly|barely)\s+)*)(?P<verb>[a-z]+(?:'t)?)\b)?|"
    r"\b(?P<my>my|mine|our|ours)\b|\b(?P<me>me|us)\b|\b(?P<self>myself|ourselves)\b",
    re.IGNORECASE,
)
# What only several can do or be: "we met", "we're a family of five". All else "we" do, the speaker does.
_SEVERAL = (
    r"(?:(?:\w+ )?(?:family|couple|team|band|group|household|neighbou?rs|friends|siblings|colleagues|partners|twins)|"
    r"two|three|four|five|six|seven)"
)
_TOGETHER = re.compile(
    r"\bwe\b.*\b(?:together|each other|one another)\b|"
    r"\bwe(?:'d|'ve|'ll|'re)? (?:both|all|met|meet|agreed|argued?|split up|broke up|separated|divorced|get along|"
    rf"got along)\b|\bwe(?:'re| are| were) (?:both |all )?(?:an? |the )?{_SEVERAL}\b",
    re.IGNORECASE,
)
_FINITE = vocabulary("is are was were am has have had will would can could did do does isn't aren't hasn't haven't")
_AND = re.compile(r"\band $", re.IGNORECASE)
_LAST_CLAUSE = re.compile(r"[^,;.!?]*$")
_PLEASE = re.compile(r"^please,? ", re.IGNORECASE)
_MINE_AND_I = re.compile(r"^(?:my|our) (?P<who>[\w' -]{2,40}?) and i\b", re.IGNORECASE)
_CLOSING_MARKS = "\"”“»’')"


class Reworder:
    """Rewords the claims of one speaker, said at one time. `now` may be missing: then dates stay as they were said."""

    def __init__(self, person: str, now: datetime | None, timezone: ZoneInfo) -> None:
        self._person, self._now, self._timezone = person, now, timezone

    def __call__(self, claim: str) -> str:
        """The claim in the third person; what it quotes stays letter for letter."""
        claim, quoted = sheltered(claim)
        return restored(self._reworded(claim), quoted)

    def _reworded(self, claim: str) -> str:
        claim = spelled(claim)
        if STANDING.match(claim):
            claim = f"I ask: {_PLEASE.sub('', claim)}"
        dated = with_dates(claim, self._now, self._timezone) if self._now else claim
        text = _Sentence(self._person).reworded(_with_subject(CLOSING.sub("", dated.strip()))).strip()
        text = text[:1].upper() + text[1:]
        return text if text.rstrip(_CLOSING_MARKS).endswith((".", "!", "?", "…")) else f"{text}."


def _with_subject(claim: str) -> str:
    """ "Just got a dog" and "Still working on it" leave out who: the speaker."""
    first = _FIRST_WORDS.match(claim)
    auxiliary = _auxiliary(first["verb"].lower(), claim[first.end() :].split()) if first else None
    return claim if auxiliary is None else " ".join(("I", *auxiliary, claim[:1].lower() + claim[1:]))


def _auxiliary(verb: str, following: list[str]) -> list[str] | None:
    """What stands between "I" and a first word that lacks its subject; None where it lacks none."""
    after = following[0] if following else ""
    if verb == "been" and after.endswith("ing"):
        return ["have"]
    if verb in _FEELINGS or verb == "gonna" or (verb in _GOING_ON and _IS_SAID_OF.isdisjoint(following[:4])):
        return ["am"]
    if verb in ("can't", "couldn't", "haven't", "don't", "didn't") or (verb in _PAST and after != "by"):
        return []
    return None


class _Sentence:
    """One sentence while it is reworded: whether the person has been named in it, and as its subject."""

    def __init__(self, person: str) -> None:
        self._person, self._subject, self._named, self._together = person, False, False, False
        self._present = False

    def reworded(self, text: str) -> str:
        self._together = _TOGETHER.search(text) is not None
        if both := _MINE_AND_I.match(text):
            self._subject = self._named = True
            return f"{self._person} and their {both['who']}{_PRONOUN.sub(self._instead, text[both.end() :])}"
        return _PRONOUN.sub(self._instead, self._in_step(text))

    def _in_step(self, text: str) -> str:
        """The verbs that go on with the first "I" brought into the third person with the one after it."""
        first = next((found for found in _PRONOUN.finditer(text) if found["i"]), None)
        if first is None or self._together or _is_joined(text[: first.start()]):
            return text
        short, verb = (first["short"] or "").lower(), first["verb"] or ""
        said = text[first.end() :]
        if not (short == "'m" or (verb and not short and keeps_step(verb, said))):
            return text
        rest = in_step(said)
        self._present = rest != said or is_habit(text)
        return text[: first.end()] + rest

    def _instead(self, found: re.Match[str]) -> str:
        if found["i"]:
            return self._for_i(found)
        if found["my"]:
            return self._owner()
        if found["self"]:
            return "themselves"
        # Small letters only: "US" is a country.
        if found["me"].isupper():
            return found[0]
        if self._named:
            return "them"
        self._named = True
        return self._person

    def _for_i(self, found: re.Match[str]) -> str:
        again, several = self._subject, self._together and found["i"].lower() == "we"
        self._subject = self._named = True
        # "Bob and I are": two people; "I ran and I swam": the one already named.
        plural = again or several or _is_joined(found.string[: found.start()])
        who = "they" if again else f"{self._person} and others" if several else self._person
        adverbs, verb = found["after"] or "", found["verb"] or ""
        rest = f" {adverbs}{verb}" if verb else ""
        if found["short"]:
            return f"{who} {self._unfolded(found['short'].lower(), verb, found.string, plural)}{rest}"
        if not verb:
            return who
        return f"{who} {adverbs}{after_they(verb) if plural else third_person(verb, present=self._present)}"

    def _unfolded(self, short: str, following: str, sentence: str, plural: bool) -> str:
        if short == "'d":
            return had_or_would(following, sentence)
        verb = _SHORT_FORMS[short]
        return after_they(verb) if plural else third_person(verb)

    def _owner(self) -> str:
        if self._named:
            return "their"
        self._named = True
        return f"{self._person}'" if self._person.endswith("s") else f"{self._person}'s"


def _is_joined(before: str) -> bool:
    """Whether "and" joins the speaker to others ("Bob and I"), not one clause to the next ("it rained and I slept")."""
    if not _AND.search(before):
        return False
    clause = _LAST_CLAUSE.search(before)
    words = clause[0].lower().split() if clause else []
    return not any(word in _FINITE or word in _PAST or word.endswith("ed") for word in words)
