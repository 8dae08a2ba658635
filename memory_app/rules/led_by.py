"""Who leads, owns or made a thing, told of the thing: "Anna leads the project" is "the project is led by Anna".

So two who are each said to do so are two values of one thing. Only of what one does alone, and of a thing that is known
("the project", not "a project"). English, by the form of the sentence alone.
"""

import re

# What is so, by the verb in the present; and what was done once, by the verb in the past.
_IS = {"lead": "led", "head": "headed", "manage": "managed", "own": "owned", "chair": "chaired", "coach": "coached",
       "teach": "taught", "host": "hosted"}  # fmt: skip
_WAS = {"wrote": "written", "founded": "founded", "invented": "invented", "composed": "composed",
        "designed": "designed", "painted": "painted"}  # fmt: skip
_BY_NOUN = {"lead": "led", "leader": "led", "head": "led", "boss": "led", "captain": "led", "owner": "owned",
            "manager": "managed", "author": "written", "founder": "founded"}  # fmt: skip
_ONESELF = {"i": "Myself", "we": "Ourselves"}
"""As a name, for who does it is compared with other names."""

_NO_ONE = (
    r"(?!(?:Nobody|No|Everyone|Everybody|Someone|Somebody|Who|It|He|She|They|This|That|These|Those|You|The|A|An)\b)"
)
_WHO = rf"(?P<who>[Ii]|[Ww]e|{_NO_ONE}[A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-ZÀ-ÖØ-Þ][\w'’-]*)?)"
_THING = r"(?P<what>(?:[Tt]he|[Oo]ur|[Mm]y|[A-ZÀ-ÖØ-Þ][\w-]*['’]s) [^,;]+?)"
_NAMED = r"(?P<what>(?:the|our|my|[A-ZÀ-ÖØ-Þ]\w*)(?:['’]s)?(?: [^,;]+?)?)"
_NOT = r"(?P<not> (?:does not|do not|doesn['’]t|don['’]t|no longer|never|used to))?(?: (?:also|still|currently))?"
_NOUN = "|".join(_BY_NOUN)

_LEADS = re.compile(rf"^{_WHO}{_NOT} (?P<verb>{'|'.join(f'{verb}(?:e?s)?' for verb in _IS)}) {_THING}$")
_WROTE = re.compile(rf"^{_WHO} (?P<verb>{'|'.join(_WAS)}) {_NAMED}$")
_BY_ME = re.compile(rf" (?P<done>{'|'.join([*_IS.values(), *_WAS.values()])}) by me$")
_IS_THE_HEAD = re.compile(rf"^{_WHO} (?:is|am|are) the (?P<noun>{_NOUN}) of {_NAMED}$")
_IS_THE_TEAM_HEAD = re.compile(rf"^{_WHO} (?:is|am|are) (?P<what>(?:the|our) [\w-]+) (?P<noun>lead|leader|owner)$")
_THE_HEAD_IS = re.compile(rf"^[Tt]he (?P<noun>{_NOUN}) of {_NAMED} is {_WHO}$")
_THE_TEAM_HEAD_IS = re.compile(rf"^(?P<what>(?:[Tt]he|[Oo]ur) [\w-]+) (?P<noun>lead|leader|owner) is {_WHO}$")


def led_by(sentence: str) -> str:
    """The sentence, told of the thing; as it is where it tells nothing of the kind. Expects no full stop at its end."""
    if found := _LEADS.match(sentence):
        return _told(found, "is not" if found["not"] else "is", _participle(found["verb"]))
    if found := _WROTE.match(sentence):
        return _told(found, "was", _WAS[found["verb"]])
    if found := _BY_ME.search(sentence):
        return f"{sentence[: found.start()]} {found['done']} by {_ONESELF['i']}"
    for form in (_IS_THE_HEAD, _IS_THE_TEAM_HEAD, _THE_HEAD_IS, _THE_TEAM_HEAD_IS):
        if found := form.match(sentence):
            done = _BY_NOUN[found["noun"]]
            return _told(found, "was" if done in _WAS.values() else "is", done)
    return sentence


def _participle(verb: str) -> str:
    return next(done for present, done in _IS.items() if verb in (present, f"{present}s", f"{present}es"))


def _told(found: re.Match[str], be: str, done: str) -> str:
    return f"{found['what']} {be} {done} by {_ONESELF.get(found['who'].lower(), found['who'])}"
