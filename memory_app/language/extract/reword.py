"""A claim in words that stand alone: "I" becomes the person, "last Friday" the date. English.

Grammar only as far as needed to read well; the quote beside it keeps the words as they were.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.language.extract.agreement import (
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
from memory_app.language.extract.subject import with_subject
from memory_app.rules.text import vocabulary

_SHORT_FORMS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_PRONOUN = re.compile(
    r"\b(?P<i>i|we)(?![.)])(?P<short>'(?:m|re|ve|ll|d))?\b(?:\s+(?P<after>(?:(?!(?:fly|rely|reply|apply|supply)\b)\w+ly\s+|(?:also|just|always|still|"
    r"even|often|"
    r"already|never|not|no longer|no more|"
    r"only|ever|once|sometimes|kinda|kind of|sort of|hardly|barely)\s+)*)(?P<verb>[a-z]+(?:'t)?)\b)?|"
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
# What several decided, none did alone: it stays in their words, for who else they are nobody said.
_WE_DECIDED = re.compile(
    r"^(?:(?:(?!\b(?:i|me|my|we|our)\b)[^.;:]){2,60}? )?(?<!\band )we(?:'(?:ve|re|ll|d))?"
    r"(?: (?:have|had|are|were|will|won't|not|all|both|just|also|now|then|finally|eventually|unanimously|jointly|"
    r"together|mutually|already))* "
    r"(?:decid(?:ed|ing)|agreed|chose|chosen|settled|opted|concluded|resolved|voted|picked|"
    r"(?:made up|changed) our minds?|go(?:ing)? (?:with|for|ahead)|stick(?:ing)? with|turn(?:ed|ing) down|declined|"
    r"accepted|rejected|approved|switching to|(?<=ll )keep|(?<=will )keep)\b",
    re.IGNORECASE,
)
_SOMEONE = vocabulary(
    "sister brother mum mom dad mother father wife husband partner son daughter friend boss boyfriend girlfriend uncle "
    "aunt cousin dog cat colleague neighbour neighbor"
)
_OTHERS = re.compile(
    r"(?:(?i:on|in|at|last|this|next|yesterday|today|tomorrow|so|then|when|because|that|and|but|since|after|while|now)\s+"
    r"(?:[\w:]+\s+){0,3}?)*?(?:(?i:my|our|the|his|her|their|a)\s+(?P<whose>[\w'-]+(?:\s+(?!is\b|was\b|and\b)[\w'-]+){0,3})|"
    r"(?:[A-Z][\w'-]*,?\s+(?:and\s+)?){0,2}(?!I\b)[A-Z][\w'-]*)\s+and$"
)
_OF = re.compile(r"\b(?:\w+|each|all|some|none|both|most|many|few) of $", re.IGNORECASE)
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
        told = with_subject(CLOSING.sub("", dated.strip()))
        text = (told if _WE_DECIDED.match(told) else _Sentence(self._person).reworded(told)).strip()
        text = text[:1].upper() + text[1:]
        return text if text.rstrip(_CLOSING_MARKS).endswith((".", "!", "?", "…")) else f"{text}."


class _Sentence:
    """One sentence while it is reworded: whether the person has been named in it, and as its subject."""

    def __init__(self, person: str) -> None:
        self._person, self._subject, self._named, self._together = person, False, False, False
        self._present = False

    def reworded(self, text: str) -> str:
        self._together = _TOGETHER.search(text) is not None
        both = _MINE_AND_I.match(text)
        if both and _is_joined(text[: both.end("who")] + " and "):
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
        # "US" is a country, and "five of us" are several.
        if found["me"].isupper() or _OF.search(found.string[: found.start()]):
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
    clause = _LAST_CLAUSE.search(before)
    others = _OTHERS.match(clause[0].strip()) if clause else None
    if others is None or others["whose"] is None:
        return others is not None
    # "My sister and I", not "my sister sings and I".
    *first, last = others["whose"].split()
    return last[:1].isupper() or _SOMEONE.isdisjoint(word.lower() for word in first)
