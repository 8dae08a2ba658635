"""A claim in words that stand alone: "I" becomes the person, "last Friday" the date. English.

Grammar only as far as needed to read well; the quote beside it keeps the words as they were.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.language.extract.dates import with_dates
from memory_app.language.extract.patterns import STANDING
from memory_app.rules.text import vocabulary

_PAST_OR_MODAL = vocabulary(
    "was were had did went got made took saw found met bought gave ran won lost began came felt left read wrote ate "
    "built taught drove flew spent thought told knew held kept said heard brought chose fell grew paid sent sold sat "
    "slept spoke stood swam threw understood woke wore drew drank forgot hid led lent meant rode rose sang shot "
    "showed shut sprang stole stuck struck swore tore became broke caught dealt dug fed fought hung hurt laid lit "
    "put cut hit let set quit cost bet can could will would shall should may might must ought need dare never not "
    "cannot can't couldn't won't wouldn't shouldn't didn't wasn't used "
    "cant dont wont didnt couldnt"
)
_PAST = _PAST_OR_MODAL - vocabulary(
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
_ADVERBS = vocabulary(
    "also just always still even often really already too both soon then now kinda sometimes rather quite almost "
    "ever once never hardly barely maybe perhaps"
)
_BEFORE_A_PARTICIPLE = re.compile(r"(?:better|been|already|just|never|always|\w+ed)\b", re.IGNORECASE)
_IRREGULAR_VERBS = {
    **{"am": "is", "are": "is", "were": "was", "aren't": "isn't", "weren't": "wasn't"},
    **{"have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "go": "goes"},
}
_SHORT_FORMS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_PRONOUN = re.compile(
    r"\b(?P<i>i|we)(?![.)])(?P<short>'(?:m|re|ve|ll|d))?\b(?:\s+(?P<after>(?:\w+ly\s+|(?:also|just|always|still|"
    r"even|often|"
    r"already|never|sometimes|kinda|hardly|barely)\s+)*)(?P<verb>[a-z]+(?:'t)?)\b)?|"
    r"\b(?P<my>my|mine|our|ours)\b|\b(?P<me>me|us)\b|\b(?P<self>myself|ourselves)\b",
    re.IGNORECASE,
)
# What only several can do or be: "we met", "we're a family of five". All else "we" do, the speaker does.
_TOGETHER = re.compile(
    r"\bwe\b.*\b(?:together|each other|one another)\b|\bwe (?:both|all|met|agreed|argued?|split up|broke up|separated|"
    r"divorced|get along|got along)\b|\bwe(?:'re| are| were) (?:both |all )?(?:an? |the )?(?:(?:\w+ )?(?:family|"
    r"couple|team|"
    r"band|group|household|neighbou?rs|friends|siblings|colleagues|partners|twins)|two|three|four|five|six|seven)\b",
    re.IGNORECASE,
)
_FINITE = vocabulary("is are was were am has have had will would can could did do does isn't aren't hasn't haven't")
_LAST_CLAUSE = re.compile(r"[^,;.!?]*$")
_SLOPPY = re.compile(r"\bi(m|ve)\b", re.IGNORECASE)
_PLEASE = re.compile(r"^please,? ", re.IGNORECASE)
_MINE_AND_I = re.compile(r"^(?:my|our) (?P<who>[\w' -]{2,40}?) and i\b", re.IGNORECASE)
_ENDS_IN_LY = vocabulary("fly rely reply apply supply imply multiply comply")
# Said to whoever listens, after what was to be said.
_CLOSING = re.compile(
    r"(?:,?\s+(?:by the way|btw|though|anyway|please|you know|lol|haha|thanks|thank you|if you must know))+(?=[.!…]*$)",
    re.IGNORECASE,
)


class Reworder:
    """Rewords the claims of one speaker, said at one time. `now` may be missing: then dates stay as they were said."""

    def __init__(self, person: str, now: datetime | None, timezone: ZoneInfo) -> None:
        self._person, self._now, self._timezone = person, now, timezone

    def __call__(self, claim: str) -> str:
        claim = _SLOPPY.sub(lambda found: f"I'{found[1]}", claim.replace("’", "'"))
        if STANDING.match(claim):
            claim = f"I ask: {_PLEASE.sub('', claim)}"
        dated = with_dates(claim, self._now, self._timezone) if self._now else claim
        text = _Sentence(self._person).reworded(_with_subject(_CLOSING.sub("", dated.strip()))).strip()
        text = text[:1].upper() + text[1:]
        return text if text.endswith((".", "!", "?", "…")) else f"{text}."


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

    def reworded(self, text: str) -> str:
        self._together = _TOGETHER.search(text) is not None
        if both := _MINE_AND_I.match(text):
            self._subject = self._named = True
            return f"{self._person} and their {both['who']}{_PRONOUN.sub(self._instead, text[both.end() :])}"
        return _PRONOUN.sub(self._instead, text)

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
            return f"{who} {self._unfolded(found['short'].lower(), adverbs or verb, plural)}{rest}"
        if not verb:
            return who
        return f"{who} {adverbs}{_plural(verb) if plural else _third_person(verb)}"

    def _unfolded(self, short: str, following: str, plural: bool) -> str:
        if short == "'d":
            return "had" if _BEFORE_A_PARTICIPLE.match(following) else "would"
        verb = _SHORT_FORMS[short]
        return _plural(verb) if plural else _third_person(verb)

    def _owner(self) -> str:
        if self._named:
            return "their"
        self._named = True
        return f"{self._person}'" if self._person.endswith("s") else f"{self._person}'s"


def _is_joined(before: str) -> bool:
    """Whether "and" joins the speaker to others ("Bob and I"), not one clause to the next ("it rained and I slept")."""
    if not before.endswith("and "):
        return False
    clause = _LAST_CLAUSE.search(before)
    words = clause[0].lower().split() if clause else []
    return not any(word in _FINITE or word in _PAST or word.endswith("ed") for word in words)


def _plural(verb: str) -> str:
    return {"am": "are", "was": "were", "wasn't": "weren't"}.get(verb, verb)


def _third_person(verb: str) -> str:
    """ "love" is "loves"; a past, a modal or what is no verb stays."""
    if verb in _IRREGULAR_VERBS:
        return _IRREGULAR_VERBS[verb]
    if verb in _PAST_OR_MODAL or verb in _ADVERBS or verb.endswith(("ed", "ing", "n't")):
        return "needs" if verb == "need" else verb
    if verb.endswith("ly") and verb not in _ENDS_IN_LY:
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
